import type fs from 'node:fs';
import type { Bytes } from '../../platform/bytes.ts';
import { namesVisible } from '../../platform/files.ts';
import { dirname, join } from '../../platform/paths.ts';
import type { Change } from './changes.ts';
import type { Repository } from './repository.ts';
import { GITLINK, oidOf, statOf } from './status.ts';
import { ignored } from './trees.ts';

interface Entry {
  readonly mode: number;
  readonly oid: string;
}

/** A file's mode as git would write it down. */
const modeOf = (stat: fs.Stats): number =>
  stat.isSymbolicLink() ? 0o120000 : (stat.mode & 0o100) !== 0 ? 0o100755 : 0o100644;

/** What the index says about a path: nothing, that its content can be had from a commit, or that it cannot. */
export type Hold = 'untracked' | 'kept' | 'dirty';

/**
 * What has to go so that a path can be written which the index does not know: a file of that name, a folder of that name, a file where
 * one of its folders must be. `force` (git-checkout(1)): whatever it is. Empty: what stands there is that content already.
 */
export function inTheWay(repo: Repository, path: Bytes, to: Entry, hold: (path: Bytes) => Hold): Change[] {
  const top = repo.workTree ?? '/';
  const stat = statOf(join(top, path));
  if (stat?.isDirectory()) {
    if (to.mode === GITLINK) return [];
    const inside = filesBelow(top, path);
    const lost = inside === undefined || inside.some((file) => hold(file) !== 'kept');
    return [{ path, way: 'delete', lost, tracked: false, recursive: true }];
  }
  if (stat) {
    if (oidOf(join(top, path), stat, repo.oidBytes) === to.oid && modeOf(stat) === to.mode) return [];
    return [{ path, way: 'replace', lost: true, tracked: false }];
  }
  const changes: Change[] = [{ path, way: 'create', lost: false, tracked: false }];
  const above = fileAbove(top, path);
  if (above !== undefined) {
    const held = hold(above);
    changes.unshift({ path: above, way: 'delete', lost: held !== 'kept', tracked: held !== 'untracked' });
  }
  return changes;
}

/** The file, or link, that stands where a folder above `path` must be. */
function fileAbove(top: Bytes, path: Bytes): Bytes | undefined {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const stat = statOf(join(top, folder));
    if (stat) return stat.isDirectory() ? undefined : folder;
  }
  return undefined;
}

/** Larger folders count as holding something that is lost. */
const MOST = 2000;

/** Files below a folder, from the top of the work tree; a repository in it counts as one. Undefined: too many to list. */
function filesBelow(top: Bytes, folder: Bytes): Bytes[] | undefined {
  const out: Bytes[] = [];
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const names = namesVisible(join(top, next));
    if (names.includes('.git')) out.push(next);
    else
      for (const name of names) {
        const path = `${next}/${name}`;
        if (statOf(join(top, path))?.isDirectory()) open.push(path);
        else out.push(path);
      }
    if (out.length + open.length > MOST) return undefined;
  }
  return out;
}

/**
 * The same with git's own care: it refuses where something untracked is in the way, ignored files go without a word.
 */
export function ignoredInTheWay(
  repo: Repository,
  changes: readonly Change[],
  tracked: ReadonlySet<Bytes>,
  overwriteIgnored: boolean,
): Change[] {
  const top = repo.workTree ?? '/';
  const loose = new Map<Change, readonly Bytes[] | undefined>();
  for (const change of changes) {
    if (!change.recursive) loose.set(change, tracked.has(change.path) ? [] : [change.path]);
    else
      loose.set(
        change,
        filesBelow(top, change.path)?.filter((file) => !tracked.has(file)),
      );
  }
  const asked = [...loose.values()].flatMap((paths) => paths ?? []);
  const unseen = overwriteIgnored ? ignored(repo, asked) : new Set<Bytes>();
  const out: Change[] = [];
  for (const [change, paths] of loose) {
    if (paths?.length === 0) {
      // nothing but tracked files: the folder itself is what has to come back
      if (change.recursive) out.push({ ...change, lost: false });
      continue;
    }
    const lost =
      overwriteIgnored && (paths === undefined || unseen === undefined || paths.every((path) => unseen.has(path)));
    out.push({ ...change, lost, maybe: true });
  }
  return out;
}
