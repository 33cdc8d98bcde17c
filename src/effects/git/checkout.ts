import type { Bytes } from '../../platform/bytes.ts';
import { join } from '../../platform/paths.ts';
import type { Arg } from '../../shell/types.ts';
import { type Found, overwritten } from './changes.ts';
import { followsGit } from './line-state.ts';
import { baseOf, captureIfFetched, captureIfTangled, going, notHereYet } from './moves.ts';
import { known, type Parsed, parseOptions } from './options.ts';
import { everything, type Pathspec, readPathspec } from './pathspec.ts';
import { withPathspecFile } from './pathspec-file.ts';
import { reportChanges, reportState } from './report.ts';
import type { Repository } from './repository.ts';
import { guessedBranch, isHead, revisionOf } from './revisions.ts';
import type { Scene } from './scene.ts';
import { isGitlink, statOf } from './status.ts';
import { emptyTree, treeToIndex, treeToTree } from './trees.ts';

const CHECKOUT =
  'q,quiet progress f,force 2,ours 3,theirs b= B= t,track=? l guess d,detach m,merge conflict= p,patch orphan= ' +
  'ignore-skip-worktree-bits ignore-other-worktrees overwrite-ignore recurse-submodules=? overlay U,unified= inter-hunk-context= ' +
  'pathspec-from-file= pathspec-file-nul';

const SWITCH =
  'c,create= C,force-create= guess discard-changes q,quiet recurse-submodules=? progress m,merge conflict= d,detach t,track=? ' +
  'f,force orphan= overwrite-ignore ignore-other-worktrees';

const RESTORE =
  's,source= S,staged W,worktree ignore-unmerged overlay q,quiet recurse-submodules=? progress 2,ours 3,theirs m,merge conflict= ' +
  'p,patch ignore-skip-worktree-bits U,unified= inter-hunk-context= pathspec-from-file= pathspec-file-nul';

/** git-checkout(1): either goes to a branch, or copies paths out of the index or a tree over the work tree's. */
export function checkout(scene: Scene): void {
  const parsed = parseOptions(CHECKOUT, scene.args);
  if (parsed.help) return;
  const { before, after } = parsed;
  const made = parsed.get('b') ?? parsed.get('B') ?? parsed.get('orphan');
  if (made !== undefined) {
    goTo(scene, { parsed, target: before[0], force: parsed.has('force'), keep: before.length === 0 });
    return;
  }
  if (before.length === 0 && after === undefined && !parsed.has('pathspec-from-file')) {
    if (parsed.has('patch')) copyPaths(scene, parsed, undefined, []);
    else if (parsed.has('force') || parsed.has('detach'))
      goTo(scene, { parsed, target: undefined, force: parsed.has('force'), keep: !parsed.has('force') });
    return;
  }
  const repo = scene.workTree();
  if (!repo) return;
  const first = before[0];
  if (after !== undefined) {
    const paths = withPathspecFile(scene, parsed, after);
    if (paths.length > 0 || before.length === 0) {
      if (before.length <= 1 && paths.length > 0) copyPaths(scene, parsed, first, paths);
      else if (before.length === 0 && parsed.has('force'))
        goTo(scene, { parsed, target: undefined, force: true, keep: false });
    } else if (before.length === 1) goTo(scene, { parsed, target: first, force: parsed.has('force'), keep: false });
    return;
  }
  if (first === undefined || first.kind === 'unknown') {
    if (parsed.has('pathspec-from-file')) copyPaths(scene, parsed, undefined, withPathspecFile(scene, parsed, []));
    else unknownOperand(scene, repo, parsed);
    return;
  }
  const revision = revisionOf(repo, first.text, scene.state(repo).head);
  if (before.length > 1 || parsed.has('pathspec-from-file')) {
    if (revision === undefined) copyPaths(scene, parsed, undefined, withPathspecFile(scene, parsed, before));
    else copyPaths(scene, parsed, first, withPathspecFile(scene, parsed, before.slice(1)));
    return;
  }
  if (revision !== undefined && !parsed.has('patch')) {
    goTo(scene, { parsed, target: first, force: parsed.has('force'), keep: false });
    return;
  }
  if (revision === undefined && followsGit(scene.out) && !statOf(join(repo.workTree, repo.prefix + first.text)))
    notHereYet(scene, repo, parsed.has('force'));
  const guessed =
    revision ?? (statOf(join(repo.workTree, repo.prefix + first.text)) ? undefined : guessedBranch(repo, first.text));
  if (guessed !== undefined && !parsed.has('patch'))
    goTo(scene, { parsed, target: known(guessed), force: parsed.has('force'), keep: false });
  else if (revision !== undefined) copyPaths(scene, parsed, first, []);
  else copyPaths(scene, parsed, undefined, before);
}

/** git-switch(1): never paths. */
export function switchBranch(scene: Scene): void {
  const parsed = parseOptions(SWITCH, scene.args);
  if (parsed.help) return;
  const force = parsed.has('discard-changes') || parsed.has('force');
  const operand = parsed.before[0] ?? parsed.after?.[0];
  if (parsed.has('orphan')) {
    goTo(scene, { parsed, target: undefined, force, keep: false, empty: true });
    return;
  }
  const made = parsed.has('create') || parsed.has('force-create');
  if (!made && operand === undefined && !parsed.has('detach')) return;
  goTo(scene, { parsed, target: operand, force, keep: operand === undefined });
}

/** git-restore(1): paths only; from the index, or from HEAD where the index is restored too. */
export function restore(scene: Scene): void {
  const parsed = parseOptions(RESTORE, scene.args);
  if (parsed.help) return;
  const paths = withPathspecFile(scene, parsed, [...parsed.before, ...(parsed.after ?? [])]);
  if (paths.length === 0 && !parsed.has('patch')) return;
  const repo = scene.workTree();
  if (!repo) return;
  const staged = parsed.has('staged');
  const source = parsed.get('source');
  const tree = typeof source === 'object' ? source : staged ? known('HEAD') : undefined;
  if (staged) {
    const named = tree?.kind === 'known' ? tree.text : 'HEAD';
    scene.state(repo).shrunk.push(notIn(repo, named));
    scene.state(repo).indexed.push({ pathspec: readPathspec(repo, paths), tree: named });
    if (!parsed.has('worktree')) {
      reportState(scene, repo);
      return;
    }
  }
  copyPaths(scene, parsed, tree, paths);
}

interface Journey {
  readonly parsed: Parsed;
  readonly target: Arg | undefined;
  readonly force: boolean;
  /** A new branch where HEAD is: the work tree stays as it is. */
  readonly keep: boolean;
  /** `switch --orphan`: every tracked file goes. */
  readonly empty?: boolean;
}

function goTo(scene: Scene, { parsed, target, force, keep, empty }: Journey): void {
  const repo = scene.workTree();
  if (!repo) return;
  if (target?.kind === 'unknown') {
    unknownOperand(scene, repo, parsed);
    return;
  }
  const state = scene.state(repo);
  const word = target?.text ?? 'HEAD';
  const tree = empty
    ? emptyTree(repo)
    : (revisionOf(repo, word, state.head) ?? guessedBranch(repo, word) ?? (word === 'HEAD' ? 'HEAD' : undefined));
  if (tree === undefined) {
    if (followsGit(scene.out)) notHereYet(scene, repo, force);
    return;
  }
  const base = force || keep ? 'HEAD' : baseOf(scene, repo, tree);
  if (force) captureIfFetched(scene, repo, tree);
  let found: Found = { kind: 'changes', changes: [] };
  if (force) found = overwritten(repo, state, { from: { tree }, pathspec: everything, remove: true });
  else if (!keep && (empty || state.committed || !isHead(repo, tree, base))) {
    const answer = treeToTree(repo, base, tree);
    const merges = parsed.has('merge') || parsed.has('conflict');
    if (merges) captureIfTangled(scene, repo, answer);
    found = going(scene, repo, answer, { overwriteIgnored: parsed.get('overwrite-ignore') !== false, merges });
  }
  reportChanges(scene, repo, found, force ? [''] : []);
  const moves = target !== undefined || empty || ['orphan', 'b', 'B'].some((name) => parsed.has(name));
  if (moves || keep || force) reportState(scene, repo);
  if (!keep) state.head = empty ? undefined : tree;
  if ((force || !keep) && recurses(repo, parsed)) eachSubmodule(scene, repo, everything, { tree, force });
}

function copyPaths(scene: Scene, parsed: Parsed, tree: Arg | undefined, paths: readonly Arg[]): void {
  const repo = scene.workTree();
  if (!repo) return;
  const pathspec = readPathspec(repo, paths);
  const state = scene.state(repo);
  if (tree?.kind === 'unknown') {
    scene.out.unknown(scene.verb, repo.workTree, 'which tree is taken is not known before the line runs');
    return;
  }
  const name =
    tree === undefined
      ? undefined
      : (revisionOf(repo, tree.text, state.head) ?? (tree.text === 'HEAD' ? 'HEAD' : undefined));
  if (tree !== undefined && name === undefined) {
    if (followsGit(scene.out)) notHereYet(scene, repo, true);
    return;
  }
  if (name !== undefined) captureIfFetched(scene, repo, name);
  // `checkout` overlays unless told not to; `restore` does not
  const overlay = parsed.get('overlay') ?? scene.name === 'checkout';
  const found = overwritten(repo, state, {
    from: name === undefined ? { index: true } : { tree: name },
    pathspec,
    remove: overlay === false && name !== undefined,
    ...(name === undefined && !SIDES.some((side) => parsed.has(side)) ? { unmerged: 'refused' as const } : {}),
  });
  const shown = parsed.has('patch') ? maybe(found) : found;
  reportChanges(scene, repo, shown, pathspec.frames);
  if (name !== undefined && (scene.name === 'checkout' || parsed.has('staged'))) reportState(scene, repo);
  if (recurses(repo, parsed))
    eachSubmodule(scene, repo, pathspec, { ...(name === undefined ? {} : { tree: name }), force: true });
}

/** Without one of these an unmerged path stops the whole command. */
const SIDES = ['ours', 'theirs', 'merge', 'conflict', 'force', 'ignore-unmerged'];

const maybe = (found: Found): Found =>
  found.kind === 'changes'
    ? { kind: 'changes', changes: found.changes.map((change) => ({ ...change, maybe: true })) }
    : found;

/** `git checkout "$X"`: a branch, or a path whose changes go. */
function unknownOperand(scene: Scene, repo: Repository & { readonly workTree: Bytes }, parsed: Parsed): void {
  const state = scene.state(repo);
  const found = overwritten(repo, state, { from: { tree: 'HEAD' }, pathspec: everything, remove: parsed.has('force') });
  if (found.kind === 'changes' && !found.changes.some((change) => change.lost))
    scene.out.opaque(scene.verb, { kind: 'known', path: repo.workTree });
  else scene.out.unknown(scene.verb, repo.workTree, 'which branch or path is meant is not known before the line runs');
  reportState(scene, repo);
}

export const recurses = (repo: Repository, parsed: Parsed): boolean => {
  const said = parsed.get('recurse-submodules');
  if (said !== undefined)
    return said !== false && !(typeof said === 'object' && said.kind === 'known' && said.text === 'no');
  return repo.config.flag('submodule.recurse') === true;
};

/** Submodules follow: by force what is changed in them is lost too, else git's care is the same there. */
export function eachSubmodule(
  scene: Scene,
  repo: Repository,
  pathspec: Pathspec,
  to: { readonly tree?: Bytes; readonly force: boolean },
): void {
  const links = (repo.index() ?? []).filter((entry) => isGitlink(entry) && pathspec.matches(entry.path));
  if (links.length === 0) return;
  const answer = to.tree === undefined ? undefined : treeToIndex(repo, to.tree);
  const moved = new Map(
    answer?.kind === 'found' ? answer.differences.map((difference) => [difference.path, difference.from]) : [],
  );
  for (const entry of links) {
    const path = join(repo.workTree ?? '/', entry.path);
    if (!statOf(join(path, '.git'))) continue;
    const oid = known(moved.get(entry.path)?.oid ?? entry.oid);
    scene.again(to.force ? [known('reset'), known('--hard'), oid] : [known('checkout'), known('-q'), oid], path);
  }
}

/** Paths of the index that a tree lacks: unstaged, they stay as untracked files. Asked when somebody wants to know. */
export function notIn(repo: Repository, tree: Bytes): (path: Bytes) => boolean {
  let found: ReadonlySet<Bytes> | undefined;
  return (path) => {
    if (!found) {
      const answer = treeToIndex(repo, tree);
      found = new Set(
        answer.kind === 'found'
          ? answer.differences
              .filter((difference) => difference.from === undefined)
              .map((difference) => difference.path)
          : [],
      );
    }
    return found.has(path);
  };
}
