import type { Bytes } from '../../platform/bytes.ts';
import { join } from '../../platform/paths.ts';
import { type Hold, ignoredInTheWay, inTheWay } from './in-the-way.ts';
import type { IndexEntry } from './index-file.ts';
import type { LineState } from './line-state.ts';
import type { Pathspec } from './pathspec.ts';
import type { Repository } from './repository.ts';
import { GITLINK, isFolderEntry, isGitlink, type State, Status, statOf } from './status.ts';
import { type Difference, treeToIndex, untracked } from './trees.ts';

/** What a git command does to one path of the work tree. */
export interface Change {
  /** From the top of the work tree. */
  readonly path: Bytes;
  readonly way: 'replace' | 'delete' | 'create';
  /** No ref, stash or reflog holds what is there now. */
  readonly lost: boolean;
  /** In the index now: `git commit -a` and `git stash` keep it. */
  readonly tracked: boolean;
  readonly recursive?: boolean;
  readonly maybe?: boolean;
}

export type Found =
  | { readonly kind: 'changes'; readonly changes: readonly Change[] }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'nothing' };

/** git looks first and stops, or content is put aside: nothing is lost. */
export const unharmed = (found: Found): Found =>
  found.kind === 'changes'
    ? { kind: 'changes', changes: found.changes.map((change) => ({ ...change, lost: false, maybe: true })) }
    : found;

export interface Care {
  readonly overwriteIgnored: boolean;
  /** Local changes are merged into what comes (`checkout -m`). */
  readonly merges?: boolean;
}

export const UNKNOWN: Found = { kind: 'unknown' };

export interface Overwrite {
  /** What the work tree is made to be: the index, or a tree by name. */
  readonly from: { readonly index: true } | { readonly tree: Bytes };
  readonly pathspec: Pathspec;
  /** Paths of the index that the tree lacks are deleted (`reset --hard`, `--no-overlay`). */
  readonly remove: boolean;
  /** Only paths that differ between HEAD and index (`reset --merge`). */
  readonly stagedOnly?: boolean;
  /** Refused as a whole where such a path differs from the index, too (`reset --merge`). */
  readonly careful?: boolean;
  /** An unmerged path stops the whole command. */
  readonly unmerged?: 'refused';
  /** Never over a file that is there (`checkout-index` without `-f`). */
  readonly keepExisting?: boolean;
}

/** Every path that is written or deleted when work tree files are made what the index or a tree says, whatever stands there. */
export function overwritten(repo: Repository, state: LineState, what: Overwrite): Found {
  const found = overwrittenNow(repo, state, what);
  if (!('index' in what.from) || found.kind !== 'changes') return found;
  // the index may be another one by then: `git reset && git checkout .`
  const changes = new Map(found.changes.map((change) => [change.path, change]));
  for (const { pathspec, tree } of state.indexed) {
    const matches = (path: Bytes): boolean => pathspec.matches(path) && what.pathspec.matches(path);
    const more = overwrittenNow(repo, state, { ...what, from: { tree }, pathspec: { ...what.pathspec, matches } });
    if (more.kind === 'unknown') return UNKNOWN;
    if (more.kind === 'changes')
      for (const change of more.changes) if (!changes.get(change.path)?.lost) changes.set(change.path, change);
  }
  return { kind: 'changes', changes: [...changes.values()] };
}

function overwrittenNow(repo: Repository, state: LineState, what: Overwrite): Found {
  const entries = repo.index();
  if (!entries) return UNKNOWN;
  const differing = new Map<Bytes, Difference>();
  if ('tree' in what.from) {
    const answer = treeToIndex(repo, what.from.tree);
    if (answer.kind !== 'found') return answer.kind === 'nothing' ? { kind: 'nothing' } : UNKNOWN;
    for (const difference of answer.differences) differing.set(difference.path, difference);
  }
  const staged = stagedPaths(repo, what, differing);
  const status = new Status(repo);
  const changes: Change[] = [];
  const known = new Set<Bytes>();
  let refused = false;
  for (const entry of entries) {
    if (known.has(entry.path) && entry.stage > 0) continue;
    known.add(entry.path);
    if (isFolderEntry(entry) || !what.pathspec.matches(entry.path)) continue;
    if (isGitlink(entry)) {
      // an empty folder stands for a submodule that is not checked out
      if (!statOf(join(repo.workTree ?? '/', entry.path)))
        changes.push({ path: entry.path, way: 'create', lost: false, tracked: true });
      continue;
    }
    const difference = differing.get(entry.path);
    if (what.stagedOnly && !difference && entry.stage === 0) continue;
    const now = status.of(entry);
    if (now.kind !== 'absent' && what.keepExisting) continue;
    if (what.unmerged && entry.stage > 0) refused = true;
    if (what.careful && entry.stage === 0 && (now.kind === 'changed' || now.kind === 'mode')) refused = true;
    const change = overEntry(entry, now, difference, what, staged);
    if (change) changes.push(change);
  }
  let byPath: ReadonlyMap<Bytes, IndexEntry> | undefined;
  const hold = (path: Bytes): Hold => {
    byPath ??= new Map(entries.map((entry) => [entry.path, entry]));
    const entry = byPath.get(path);
    if (!entry) return 'untracked';
    return status.of(entry).kind === 'same' && entry.stage === 0 && !staged(path) ? 'kept' : 'dirty';
  };
  for (const difference of differing.values()) {
    if (difference.from === undefined || known.has(difference.path) || !what.pathspec.matches(difference.path))
      continue;
    changes.push(...inTheWay(repo, difference.path, difference.from, hold));
  }
  if (what.remove && state.grown.length > 0) changes.push(...overGrown(repo, state.grown, what.pathspec, known));
  if (what.remove && state.kept.length > 0)
    for (const change of overGrown(repo, state.kept, what.pathspec, known)) changes.push({ ...change, lost: false });
  return {
    kind: 'changes',
    changes: refused ? changes.map((change) => ({ ...change, lost: false, maybe: true })) : changes,
  };
}

/** Paths whose content in the index is not HEAD's: nothing but the index (and the file) holds it. Asked only where it matters. */
function stagedPaths(
  repo: Repository,
  what: Overwrite,
  differing: ReadonlyMap<Bytes, Difference>,
): (path: Bytes) => boolean {
  if ('tree' in what.from && what.from.tree === 'HEAD') return (path) => differing.has(path);
  let found: ReadonlySet<Bytes> | undefined;
  return (path) => {
    if (!found) {
      const answer = treeToIndex(repo, 'HEAD');
      found = new Set(answer.kind === 'found' ? answer.differences.map((difference) => difference.path) : []);
    }
    return found.has(path);
  };
}

function overEntry(
  entry: IndexEntry,
  now: State,
  difference: Difference | undefined,
  what: Overwrite,
  staged: (path: Bytes) => boolean,
): Change | undefined {
  const { path } = entry;
  const gone = difference !== undefined && difference.from === undefined && !difference.unmerged;
  if (gone && !what.remove) return undefined;
  const missing = now.kind === 'absent';
  if (missing) return gone || entry.skipWorktree ? undefined : { path, way: 'create', lost: false, tracked: true };
  if (now.kind === 'folder') return { path, way: 'delete', lost: true, tracked: false, recursive: true };
  const dirty = now.kind === 'changed' || now.kind === 'mode' || entry.stage > 0 || entry.intentToAdd;
  if (!dirty && !difference) return undefined;
  const same =
    'oid' in now && difference?.from !== undefined && now.oid === difference.from.oid && now.kind === 'changed';
  if (same) return undefined;
  return { path, way: gone ? 'delete' : 'replace', lost: dirty || staged(path), tracked: true };
}

/** Files that an earlier `git add` of the line made tracked: a hard reset deletes them. */
export function overGrown(
  repo: Repository,
  grown: LineState['grown'],
  pathspec: Pathspec,
  known: ReadonlySet<Bytes>,
): Change[] {
  const out: Change[] = [];
  const seen = new Set<Bytes>();
  for (const { pathspec: added, forced } of grown) {
    for (const path of untracked(repo, forced ? 'both' : 'untracked') ?? []) {
      if (seen.has(path) || known.has(path) || !added.matches(path) || !pathspec.matches(path)) continue;
      seen.add(path);
      out.push({ path, way: 'delete', lost: true, tracked: true, ...(path.endsWith('/') ? { recursive: true } : {}) });
    }
  }
  return out;
}

/**
 * Every path that changes when git goes from one tree to another with its own care (git-checkout(1), git-read-tree(1) "Two Tree Merge"):
 * it refuses where a changed or untracked file is in the way, and overwrites *ignored* files without a word.
 */
export function carefully(repo: Repository, differences: readonly Difference[], options: Care): Found {
  const entries = repo.index();
  if (!entries) return UNKNOWN;
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const known = new Set(byPath.keys());
  const status = new Status(repo);
  const top = repo.workTree ?? '/';
  const changes = new Map<Bytes, Change>();
  const blocking: Change[] = [];
  // a real merge of local changes is refused where something is staged
  let merging: boolean | undefined;
  const merges = (): boolean => {
    if (merging !== undefined) return merging;
    const staged = options.merges ? treeToIndex(repo, 'HEAD') : undefined;
    merging = options.merges === true && !(staged?.kind === 'found' && staged.differences.length > 0);
    return merging;
  };
  for (const { path, from, to } of differences) {
    if ((to?.mode ?? from?.mode ?? 0) === GITLINK) {
      if (to && !statOf(join(top, path))) changes.set(path, { path, way: 'create', lost: false, tracked: false });
      continue;
    }
    const entry = byPath.get(path);
    if (entry) {
      if (to === undefined) {
        if (statOf(join(top, path))) changes.set(path, { path, way: 'delete', lost: false, tracked: true });
        continue;
      }
      const now = status.of(entry);
      if (now.kind === 'absent') {
        if (!entry.skipWorktree) changes.set(path, { path, way: 'create', lost: false, tracked: true });
      } else if (now.kind === 'folder')
        blocking.push({ path, way: 'delete', lost: true, tracked: false, recursive: true });
      else {
        const dirty = now.kind === 'changed' || now.kind === 'mode';
        changes.set(path, {
          path,
          way: 'replace',
          lost: dirty && merges(),
          tracked: true,
          ...(dirty ? { maybe: true } : {}),
        });
      }
    } else if (to !== undefined) {
      for (const change of inTheWay(repo, path, to, () => 'untracked'))
        if (change.way === 'create') changes.set(change.path, change);
        else blocking.push(change);
    }
  }
  for (const change of ignoredInTheWay(repo, blocking, known, options.overwriteIgnored))
    changes.set(change.path, change);
  return { kind: 'changes', changes: [...changes.values()] };
}
