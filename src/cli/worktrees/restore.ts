import { linkedOf } from '../../installs/checkout.ts';
import { type Bytes, toText } from '../../platform/bytes.ts';
import { lookAt } from '../../platform/files.ts';
import { git, gitOfUser } from '../../platform/git.ts';
import { dirname } from '../../platform/paths.ts';
import { type Archive, archiveFolder, archives, bringBack } from '../../worktrees/archive.ts';
import { bringReflogsBack, unpackLogged } from '../../worktrees/reflogs.ts';
import { type Answer, failed, notThere, refused } from '../command.ts';
import { openHome } from '../installs/place.ts';
import { pathKeys, shown } from '../paths.ts';
import { ago, count } from '../style.ts';

/** `belay worktree restore [ID]`: the worktree at its place again, on its branch, with the files that only it had. */
export async function restore(id: Bytes | undefined): Promise<Answer> {
  const { home } = await openHome();
  const all = archives(home);
  if (id === undefined) return listed(all);
  const archive = all.find((one) => one.id === id) ?? all.find(({ path }) => path === id || path.endsWith(`/${id}`));
  if (archive === undefined)
    throw notThere('no_archive', `there is no archived worktree ${toText(id)}`, 'belay worktree restore lists them.');
  const { path } = archive;
  if (lookAt(path) !== undefined)
    throw refused('would_overwrite', `${shown(path)} is there`, 'Move it away, then run this again.');
  const folder = archiveFolder(home, archive.id);
  if (!unpackLogged(folder, archive.commonDir))
    throw failed('git_refused', 'git did not take the commits of its reflog back: the archive stays as it is');
  if (!addAgain(archive)) throw failed('git_refused', 'git made no worktree (see above): the archive stays as it is');
  const linked = linkedOf(path);
  if (linked !== undefined) bringReflogsBack(folder, archive.branch, linked);
  const { back, taken } = bringBack(home, archive, path);
  return {
    exit: taken.length === 0 ? 0 : 1,
    json: {
      ...pathKeys(path),
      restored: back.map(shown),
      kept: taken.map((entry) => ({ path: shown(entry), reason: 'taken' })),
    },
    text: `${[
      `${shown(path)} is back, with ${whatOf(back.length, archive)} that only it had`,
      ...(taken.length > 0 ? [`still in the archive, because the name is taken: ${taken.map(shown).join(', ')}`] : []),
    ].join('\n')}\n`,
  };
}

/** On its branch where that is as it was or gone; else without one, at the commit that it was at. */
function addAgain({ path, commonDir, branch, head }: Archive): boolean {
  const ref = branch === undefined ? undefined : `refs/heads/${toText(branch)}`;
  const now = ref === undefined ? undefined : git(['rev-parse', '--verify', '-q', ref], { gitDir: commonDir });
  const moved = now?.ok === true && now.out.toString('latin1').trim() !== head;
  const how =
    branch === undefined || ref === undefined || moved
      ? ['--detach', toText(path), head]
      : now?.ok
        ? [toText(path), toText(branch)]
        : ['-b', toText(branch), toText(path), head];
  const words = ['worktree', 'add', '-q', ...how];
  return gitOfUser(['--git-dir', toText(commonDir), ...words], dirname(commonDir)).ok;
}

const whatOf = (entries: number, { commits }: Archive): string =>
  `${count(entries, 'entry', 'entries')}${commits === undefined ? '' : ` and ${count(commits, 'commit')} of its reflog`}`;

function listed(all: readonly Archive[]): Answer {
  const now = Date.now();
  return {
    json: {
      archives: all.map(({ id, path, branch, head, at, entries }) => ({
        id,
        ...pathKeys(path),
        branch: branch === undefined ? null : toText(branch),
        head,
        time: new Date(at).toISOString(),
        entries: entries.length,
      })),
    },
    text:
      all.length === 0
        ? 'no worktree was archived\n'
        : all
            .map((one) => `${one.id}  ${ago(one.at, now)}  ${whatOf(one.entries.length, one)}  ${shown(one.path)}\n`)
            .join(''),
  };
}
