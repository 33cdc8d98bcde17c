import type { Bytes } from '../../platform/bytes.ts';
import { dirname, join } from '../../platform/paths.ts';
import type { IndexEntry } from './index-file.ts';
import type { LineState } from './line-state.ts';
import type { Pathspec } from './pathspec.ts';
import type { Repository } from './repository.ts';
import { isFolderEntry, isGitlink, oidOf, type State, Status, statOf } from './status.ts';
import { type Difference, ignored, treeToIndex, untracked } from './trees.ts';

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

export const UNKNOWN: Found = { kind: 'unknown' };

export interface Overwrite {
  /** What the work tree is made to be: the index, or a tree by name. */
  readonly from: { readonly index: true } | { readonly tree: Bytes };
  readonly pathspec: Pathspec;
  /** Paths of the index that the tree lacks are deleted (`reset --hard`, `--no-overlay`). */
  readonly remove: boolean;
  /** Only paths that differ between HEAD and index (`reset --merge`). */
  readonly stagedOnly?: boolean;
  /** Never over a file that is there (`checkout-index` without `-f`). */
  readonly keepExisting?: boolean;
}

/** Every path that is written or deleted when work tree files are made what the index or a tree says, whatever stands there. */
export function overwritten(repo: Repository, state: LineState, what: Overwrite): Found {
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
  for (const entry of entries) {
    if (known.has(entry.path) && entry.stage > 0) continue;
    known.add(entry.path);
    if (isGitlink(entry) || isFolderEntry(entry) || !what.pathspec.matches(entry.path)) continue;
    const difference = differing.get(entry.path);
    if (what.stagedOnly && !difference && entry.stage === 0) continue;
    const now = status.of(entry);
    if (now.kind !== 'absent' && what.keepExisting) continue;
    const change = overEntry(entry, now, difference, what, staged);
    if (change) changes.push(change);
  }
  for (const difference of differing.values()) {
    if (difference.from === undefined || known.has(difference.path) || !what.pathspec.matches(difference.path))
      continue;
    changes.push(...overUntracked(repo, difference.path, difference.from.oid, known));
  }
  if (what.remove && state.grown.length > 0) changes.push(...overGrown(repo, state, what.pathspec, known));
  return { kind: 'changes', changes };
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

/** A path that is written though the index does not know it: what stands there, or in its way, is lost. */
export function overUntracked(repo: Repository, path: Bytes, oid: string, tracked: ReadonlySet<Bytes>): Change[] {
  const top = repo.workTree ?? '/';
  const stat = statOf(join(top, path));
  if (stat?.isDirectory()) return [{ path, way: 'delete', lost: true, tracked: false, recursive: true }];
  if (stat) {
    if (oidOf(join(top, path), stat, repo.oidBytes) === oid) return [];
    return [{ path, way: 'replace', lost: true, tracked: false }];
  }
  const changes: Change[] = [{ path, way: 'create', lost: false, tracked: false }];
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const above = statOf(join(top, folder));
    if (!above) continue;
    if (!above.isDirectory() && !tracked.has(folder))
      changes.unshift({ path: folder, way: 'delete', lost: true, tracked: false });
    break;
  }
  return changes;
}

/** Files that an earlier `git add` of the line made tracked: a hard reset deletes them. */
export function overGrown(repo: Repository, state: LineState, pathspec: Pathspec, known: ReadonlySet<Bytes>): Change[] {
  const out: Change[] = [];
  const seen = new Set<Bytes>();
  for (const { pathspec: added, forced } of state.grown) {
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
export function carefully(
  repo: Repository,
  differences: readonly Difference[],
  options: { readonly overwriteIgnored: boolean; readonly merges?: boolean },
): Found {
  const entries = repo.index();
  if (!entries) return UNKNOWN;
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const known = new Set(byPath.keys());
  const status = new Status(repo);
  const top = repo.workTree ?? '/';
  const changes = new Map<Bytes, Change>();
  const inTheWay: Change[] = [];
  for (const { path, from, to } of differences) {
    if ((to?.mode ?? from?.mode ?? 0) === 0o160000) continue;
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
        inTheWay.push({ path, way: 'delete', lost: true, tracked: false, recursive: true });
      else {
        const dirty = now.kind === 'changed' || now.kind === 'mode';
        changes.set(path, {
          path,
          way: 'replace',
          lost: dirty && options.merges === true,
          tracked: true,
          ...(dirty ? { maybe: true } : {}),
        });
      }
    } else if (to !== undefined) {
      for (const change of overUntracked(repo, path, to.oid, known))
        if (change.way === 'create') changes.set(change.path, change);
        else inTheWay.push(change);
    }
  }
  if (inTheWay.length > 0) {
    const unseen = options.overwriteIgnored
      ? ignored(
          repo,
          inTheWay.map((change) => change.path),
        )
      : new Set<Bytes>();
    for (const change of inTheWay) {
      const lost = options.overwriteIgnored && (change.recursive || unseen === undefined || unseen.has(change.path));
      changes.set(change.path, { ...change, lost, maybe: true });
    }
  }
  return { kind: 'changes', changes: [...changes.values()] };
}
