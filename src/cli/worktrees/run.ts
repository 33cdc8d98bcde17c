import { leaseCurrent } from '../../installs/prepare.ts';
import { type Bytes, fromText, toText } from '../../platform/bytes.ts';
import { realPath } from '../../platform/files.ts';
import { git } from '../../platform/git.ts';
import { join, resolve } from '../../platform/paths.ts';
import { factsNow } from '../../worktrees/facts.ts';
import { lockReason, ownHaveLeft, STILL_OURS } from '../../worktrees/in-use.ts';
import { treesOf } from '../../worktrees/trees.ts';
import { verdictOf } from '../../worktrees/verdict.ts';
import { type Call, failed, wrongUsage } from '../command.ts';
import { startChild, withInstall } from '../installs/child.ts';
import { shown, shownText } from '../paths.ts';
import { addNamed } from './add.ts';
import { openPlace, type Place, reclaim } from './open.ts';
import { removeOne, tellRemoval } from './remove.ts';

interface Wish {
  readonly name: Bytes | undefined;
  readonly remove: boolean;
  readonly cwd: Bytes | undefined;
  /** For the inner `belay run`. */
  readonly options: readonly Bytes[];
  readonly command: readonly Bytes[];
}

/**
 * `belay run -w [--rm] -- CMD…`: a new worktree and branch, its environment prepared, the command protected in it. It is locked while the
 * command runs, by a reason that says whose death frees it. At the end the verdict is said and, with `--rm`, applied. The status is the
 * command's.
 */
export async function runInWorktree(call: Call): Promise<number> {
  const wish = readWish(call.words);
  const place = await openPlace({ ...call, cwd: folderOf(call, wish) });
  const { added, environment, problem } = await addNamed(place, wish.name);
  const { path } = added;
  say(`${shown(path)} on ${shown(added.branch)}`);
  if (problem !== undefined) say(`without an environment: ${problem}`);
  git(['worktree', 'lock', '--reason', lockReason(process.pid), toText(path)], {
    gitDir: place.inquiry.repository.commonDir,
  });
  const leased = environment === undefined ? undefined : leaseCurrent(place.world.home, path);
  const belay = toText(join(call.install, 'bin/belay'));
  // A session that is gone on in would lead to its own folder.
  const words = ['run', '-C', path, ...wish.options, '--', ...wish.command].map(toText);
  const { child, status } = startChild(belay, words, path, environment === undefined ? {} : withInstall(environment));
  const lease = leased?.lease(child.pid ?? process.pid);
  try {
    return await status;
  } finally {
    lease?.end();
    git(['worktree', 'unlock', toText(path)], { gitDir: place.inquiry.repository.commonDir });
    await close(place, path, wish.remove);
  }
}

const say = (text: string): void => {
  process.stderr.write(`belay: ${text}\n`);
};

/** The verdict, and what `--rm` makes of it. */
async function close(place: Place, path: Bytes, remove: boolean): Promise<void> {
  const all = treesOf(place.inquiry.repository.commonDir);
  if (all === undefined) return say(`keep ${shown(path)}: git cannot list the worktrees of its repository`);
  const tree = all.find((one) => one.path === path);
  if (tree === undefined) return say(`${shown(path)} is gone`);
  if (!(await ownHaveLeft(path))) return say(`keep ${shown(path)}: ${STILL_OURS}`);
  const verdict = verdictOf(await factsNow(tree, path, place.inquiry), { maxAge: 0 });
  if (verdict.verdict === 'keep') return say(`keep ${shown(path)}: ${shownText(verdict.reason)}`);
  if (!remove)
    return say(`${shown(path)} stays; belay worktree prune would ${verdict.verdict} it: ${shownText(verdict.reason)}`);
  const done = await removeOne(place, tree);
  if (done.is === 'removed') await reclaim(place, [path]);
  say(tellRemoval(tree, done));
}

function readWish(words: readonly Bytes[]): Wish {
  const rest = [...words];
  const options: Bytes[] = [];
  let name: Bytes | undefined;
  let remove = false;
  let cwd: Bytes | undefined;
  for (let word = rest[0]; word?.startsWith('-') && word !== '--'; word = rest[0]) {
    rest.shift();
    if (word === '--rm') remove = true;
    else if (word.startsWith('--worktree=')) name = word.slice('--worktree='.length);
    else if (word === '-C') cwd = rest.shift();
    else if (word === '--background')
      throw wrongUsage('--background and -w do not go together: start `belay run -w` in the background');
    else if (word === '--source' || word === '-r' || word === '--resume') options.push(word, rest.shift() ?? '');
    else if (word === '-c' || word === '--continue')
      options.push(word, ...(/^[^-]/.test(rest[0] ?? '') ? rest.splice(0, 1) : []));
    else if (/^--(?:source=|sandbox$|checkpoints$|no-checkpoints$)/.test(word)) options.push(word);
    else if (word !== '-w' && word !== '--worktree') throw wrongUsage(`unknown option ${toText(word)}`);
  }
  if (rest[0] === '--') rest.shift();
  const shell = process.env['SHELL'] ?? 'bash';
  return { name, remove, cwd, options, command: rest.length > 0 ? rest : [fromText(shell)] };
}

function folderOf({ cwd }: Call, wish: Wish): Bytes | undefined {
  if (wish.cwd === undefined) return cwd;
  try {
    return realPath(resolve(cwd ?? '/', wish.cwd));
  } catch {
    throw failed('no_folder', `${toText(wish.cwd)} is no folder`, '-C wants one that is there');
  }
}
