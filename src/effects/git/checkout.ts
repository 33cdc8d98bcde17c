import { type Bytes, toText } from '../../platform/bytes.ts';
import { join } from '../../platform/paths.ts';
import type { Arg } from '../../shell/types.ts';
import { carefully, type Found, overwritten } from './changes.ts';
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
    else if (parsed.has('force')) goTo(scene, { parsed, target: undefined, force: true, keep: false });
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
  const revision = revisionOf(repo, first.text);
  if (before.length > 1 || parsed.has('pathspec-from-file')) {
    if (revision === undefined) copyPaths(scene, parsed, undefined, withPathspecFile(scene, parsed, before));
    else copyPaths(scene, parsed, first, withPathspecFile(scene, parsed, before.slice(1)));
    return;
  }
  if (revision !== undefined && !parsed.has('patch')) {
    goTo(scene, { parsed, target: first, force: parsed.has('force'), keep: false });
    return;
  }
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
    scene.state(repo).shrunk.push(notIn(repo, 'HEAD'));
    if (!parsed.has('worktree')) {
      reportState(scene, repo);
      return;
    }
  }
  copyPaths(scene, parsed, tree, paths);
}

interface Going {
  readonly parsed: Parsed;
  readonly target: Arg | undefined;
  readonly force: boolean;
  /** A new branch where HEAD is: the work tree stays as it is. */
  readonly keep: boolean;
  /** `switch --orphan`: every tracked file goes. */
  readonly empty?: boolean;
}

function goTo(scene: Scene, going: Going): void {
  const repo = scene.workTree();
  if (!repo) return;
  const { parsed, target, force } = going;
  if (target?.kind === 'unknown') {
    unknownOperand(scene, repo, parsed);
    return;
  }
  const state = scene.state(repo);
  const moves =
    target !== undefined || parsed.has('orphan') || parsed.has('b') || parsed.has('B') || going.empty === true;
  const word = target?.text ?? 'HEAD';
  const tree = going.empty
    ? emptyTree(repo)
    : (revisionOf(repo, word) ?? guessedBranch(repo, word) ?? (word === 'HEAD' ? 'HEAD' : undefined));
  if (tree === undefined) return;
  let found: Found = { kind: 'changes', changes: [] };
  if (force) found = overwritten(repo, state, { from: { tree }, pathspec: everything, remove: true });
  else if (!going.keep && (going.empty || !isHead(repo, tree))) {
    const differences = treeToTree(repo, 'HEAD', tree);
    found =
      differences.kind === 'found'
        ? carefully(repo, differences.differences, {
            overwriteIgnored: parsed.get('overwrite-ignore') !== false,
            merges: parsed.has('merge') || parsed.has('conflict'),
          })
        : { kind: differences.kind === 'nothing' ? 'nothing' : 'unknown' };
  }
  reportChanges(scene, repo, found, force ? [''] : []);
  if (moves || going.keep || force) reportState(scene, repo);
  if (!going.keep && !isHead(repo, tree)) state.moved = true;
  if (force && recurses(repo, parsed)) eachSubmodule(scene, repo, everything);
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
    tree === undefined ? undefined : (revisionOf(repo, tree.text) ?? (tree.text === 'HEAD' ? 'HEAD' : undefined));
  if (tree !== undefined && name === undefined) return;
  // `checkout` overlays unless told not to; `restore` does not
  const overlay = parsed.get('overlay') ?? scene.name === 'checkout';
  const found = overwritten(repo, state, {
    from: name === undefined ? { index: true } : { tree: name },
    pathspec,
    remove: overlay === false && name !== undefined,
  });
  const shown = parsed.has('patch') ? maybe(found) : found;
  reportChanges(scene, repo, shown, pathspec.frames);
  if (name !== undefined && (scene.name === 'checkout' || parsed.has('staged'))) reportState(scene, repo);
  if (recurses(repo, parsed)) eachSubmodule(scene, repo, pathspec);
}

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

/** Submodules follow by force: what is changed in them is lost too. */
export function eachSubmodule(scene: Scene, repo: Repository, pathspec: Pathspec): void {
  for (const entry of repo.index() ?? []) {
    if (!isGitlink(entry) || !pathspec.matches(entry.path)) continue;
    const path = join(repo.workTree ?? '/', entry.path);
    if (statOf(join(path, '.git'))) scene.again([known('reset'), known('--hard'), known(toText(entry.oid))], path);
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
