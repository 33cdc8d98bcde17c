import type { Bytes } from '../../platform/bytes.ts';
import { join } from '../../platform/paths.ts';
import type { Arg } from '../../shell/types.ts';
import { type Change, carefully, type Found, overwritten } from './changes.ts';
import { cleanable } from './clean.ts';
import type { LineState } from './line-state.ts';
import { captureIfTangled } from './moves.ts';
import { type Parsed, parseOptions } from './options.ts';
import { everything, readPathspec } from './pathspec.ts';
import { contentOf, withPathspecFile } from './pathspec-file.ts';
import { reportChanges, reportFrames, reportState } from './report.ts';
import type { Repository } from './repository.ts';
import type { Scene } from './scene.ts';
import { statOf } from './status.ts';
import { type Difference, parseTree, treeToTree } from './trees.ts';

const PUSH =
  'p,patch k,keep-index S,staged q,quiet u,include-untracked a,all m,message= U,unified= inter-hunk-context= ' +
  'pathspec-from-file= pathspec-file-nul';

const APPLY = 'q,quiet index';

/** git-stash(1). */
export function stash(scene: Scene): void {
  const first = scene.args[0];
  const word = first?.kind === 'known' ? first.text : '';
  const rest = scene.args.slice(1);
  switch (word) {
    case 'push':
      push(scene, rest, true);
      return;
    case 'save':
      push(scene, rest, false);
      return;
    case 'pop':
    case 'apply':
    case 'branch':
      apply(scene, word, rest);
      return;
    case 'drop':
    case 'clear':
      drop(scene, word, rest);
      return;
    case 'list':
    case 'show':
    case 'create':
    case 'export':
      return;
    case 'store':
    case 'import': {
      const repo = scene.repository();
      if (repo) reportState(scene, repo);
      return;
    }
    default:
      // without a subcommand only options are taken, and paths behind `--`
      if (word === '' || word.startsWith('-')) push(scene, scene.args, true);
  }
}

type Tree = Repository & { readonly workTree: Bytes };

function push(scene: Scene, args: readonly Arg[], takesPaths: boolean): void {
  const parsed = parseOptions(PUSH, args);
  if (parsed.help || parsed.bad) return;
  const repo = scene.workTree();
  if (!repo || repo.head() === undefined) return;
  const operands = takesPaths ? withPathspecFile(scene, parsed, [...parsed.before, ...(parsed.after ?? [])]) : [];
  const pathspec = readPathspec(repo, operands);
  const state = scene.state(repo);
  const found = overwritten(repo, state, {
    from: parsed.has('keep-index') ? { index: true } : { tree: 'HEAD' },
    pathspec,
    remove: true,
    ...(parsed.has('staged') ? { stagedOnly: true } : {}),
  });
  const changes = found.kind === 'changes' ? [...found.changes] : [];
  if (parsed.has('include-untracked') || parsed.has('all')) changes.push(...swept(repo, parsed, operands));
  const kept: Found =
    found.kind === 'changes'
      ? { kind: 'changes', changes: changes.map((change) => ({ ...change, lost: false })) }
      : found;
  reportChanges(scene, repo, kept, []);
  reportState(scene, repo);
  // on a clean tree no entry is made, and `pop` takes an older one
  if (kept.kind !== 'changes' || kept.changes.length > 0) state.stashed++;
  if (pathspec.all && !parsed.has('patch') && !parsed.has('staged'))
    state.saved = parsed.has('all') || parsed.has('include-untracked') ? 'all' : 'tracked';
}

/** `-u` and `-a` clean up behind themselves as `git clean -d` would. */
function swept(repo: Tree, parsed: Parsed, operands: readonly Arg[]): Change[] {
  const top: Arg[] = operands.length === 0 ? [{ kind: 'known', text: ':/' }] : [...operands];
  const removed = cleanable(repo, parsed.has('all') ? ['-d', '-f', '-x'] : ['-d', '-f'], top);
  if (removed === undefined || removed === 'refused') return [];
  return removed.map((path) => ({
    path,
    way: 'delete',
    lost: false,
    tracked: false,
    recursive: statOf(join(repo.workTree, path))?.isDirectory() === true,
  }));
}

function apply(scene: Scene, word: 'pop' | 'apply' | 'branch', args: readonly Arg[]): void {
  const parsed = parseOptions(APPLY, args);
  if (parsed.help) return;
  const repo = scene.workTree();
  if (!repo) return;
  const state = scene.state(repo);
  const operands = [...parsed.before, ...(parsed.after ?? [])];
  const named = word === 'branch' ? operands[1] : operands[0];
  const newest = named === undefined || (named.kind === 'known' && /^(stash@\{)?0\}?$/.test(named.text));
  if (newest && state.stashed > 0) {
    reportState(scene, repo);
    if (word !== 'apply') state.stashed--;
    state.saved = 'nothing';
    return;
  }
  if (named === undefined && repo.ref('refs/stash') === undefined) return;
  if (named?.kind === 'unknown') {
    scene.out.opaque(scene.verb, { kind: 'known', path: repo.workTree });
    reportState(scene, repo);
    return;
  }
  const entry = entryOf(named?.text ?? '0', state);
  const differences = treeToTree(repo, `${entry}^1`, entry);
  if (differences.kind === 'nothing') return;
  captureIfTangled(scene, repo, differences);
  let found: Found = { kind: 'unknown' };
  if (differences.kind === 'found')
    found = carefully(repo, [...differences.differences, ...freshOf(repo, parseTree(repo, `${entry}^3`))], {
      overwriteIgnored: true,
    });
  reportChanges(scene, repo, found, []);
  if (word === 'branch') {
    const back = treeToTree(repo, 'HEAD', `${entry}^1`);
    if (back.kind === 'found')
      reportChanges(scene, repo, carefully(repo, back.differences, { overwriteIgnored: true }), []);
  }
  // git refuses over local changes, and keeps the entry
  const refused = found.kind === 'changes' && found.changes.some((change) => change.maybe && !change.lost);
  reportState(scene, repo, word !== 'apply' && !refused);
  if (newest && word !== 'apply') state.dropped++;
}

/** As it is called now: entries that the line made or dropped before moved it. */
function entryOf(text: Bytes, state: LineState): Bytes {
  const number = /^(?:stash@\{)?(\d+)\}?$/.exec(text)?.[1];
  return number === undefined ? text : `stash@{${Math.max(0, Number(number) - state.stashed) + state.dropped}}`;
}

/** Untracked files of an entry come back only where nothing stands (git-stash(1)). */
const freshOf = (repo: Tree, differences: readonly Difference[]): Difference[] =>
  differences.filter((difference) => statOf(join(repo.workTree, difference.path)) === undefined);

function drop(scene: Scene, word: 'drop' | 'clear', args: readonly Arg[]): void {
  const parsed = parseOptions('q,quiet', args);
  if (parsed.help) return;
  const repo = scene.repository();
  if (!repo) return;
  const state = scene.state(repo);
  const entries = (contentOf(join(repo.commonDir, 'logs/refs/stash')) ?? '').split('\n').filter(Boolean).length;
  const named = parsed.before[0];
  const text = named?.kind === 'known' ? named.text : '';
  const number = Number(/^(?:stash@\{)?(\d+)\}?$/.exec(text)?.[1] ?? 0);
  const own = state.stashed > 0;
  if (!own && (repo.ref('refs/stash') === undefined || (word === 'drop' && number >= entries))) return;
  reportState(scene, repo, true, { note: word === 'clear' ? 'every stash entry goes' : 'the stash entry goes' });
  if (word === 'drop' && number < state.stashed) state.stashed--;
  else if (word === 'drop' && number === state.stashed) state.dropped++;
  if (own && repo.workTree !== undefined) {
    reportFrames(scene, repo.workTree, everything.frames);
    state.saved = 'nothing';
  }
}
