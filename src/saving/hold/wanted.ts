import type { LeftOut } from '../../checkpoint/record.ts';
import type { Looks } from '../../effects/looks.ts';
import type { Target } from '../../effects/types.ts';
import type { Bytes } from '../../platform/bytes.ts';
import { codeOf, isAbsentError, isTooLong, type Look, lookAt, namesIn } from '../../platform/files.ts';
import { basename, dirname, isInside, join } from '../../platform/paths.ts';
import { isIgnoredFolder } from '../ignore.ts';
import { pseudoFileSystems } from './pseudo.ts';

/** A path that has to be held. */
export interface Wanted {
  readonly path: Bytes;
  readonly look: Look | undefined;
  /** Bytes of its own are needed: a hard link would change with the file. */
  readonly own: boolean;
  /** Only its mode, owner or times change: where nothing else can hold it, a link does. */
  readonly bytesStay: boolean;
  /** Number of the target that brought it: the path belongs to that target's project. */
  readonly of: number;
}

export interface WalkLimits {
  /** Names of folders that are left out where git ignores them (`hold.skip`). */
  readonly skip: readonly Bytes[];
  /** belay's own folders: never held, whatever contains them. */
  readonly never: readonly Bytes[];
  /** Opens a folder that may not be read; false where that is not possible, or not wanted. */
  readonly open?: (folder: Bytes) => boolean;
  /** How things were a moment ago. Only small files count: while they are read it is seen whether they still are so (`readSmall`). */
  readonly seen?: Looks | undefined;
}

/** Of this size or less a file is copied whatever happens to it: a copy costs no more than a link, and nobody can change it. */
export const SMALL = 64 * 1024;

/** Ways after which the name is gone from the inode: only these may be held by link. */
const UNLINKS = new Set(['delete', 'replace', 'move']);

const needsOwn = (target: Target): boolean => target.exposed || !UNLINKS.has(target.way);

const bytesStay = (target: Target): boolean => !target.exposed && target.way === 'metadata';

/**
 * Every path that the targets name, folders below recursive ones included, each once, parents before what they contain. What
 * cannot be looked at, or is not to be held, is added to `leftOut`. One path at a time: a tree may be larger than memory.
 */
export function walkTargets(
  targets: readonly Target[],
  limits: WalkLimits,
  leftOut: LeftOut[],
  take: (wanted: Wanted) => void,
): void {
  const seen = new Set<Bytes>();
  const pseudo = pseudoFileSystems();
  // One tree by itself meets no path twice.
  const single = targets.length === 1 && targets[0]?.to === undefined;
  const isNew = (path: Bytes): boolean => {
    if (single) return true;
    const before = seen.size;
    return seen.add(path).size > before;
  };
  // The names of one folder come one after the other: it is asked about once.
  let asked: { readonly folder: Bytes; readonly ours: boolean } | undefined;
  const isOursIn = (folder: Bytes): boolean => {
    if (asked?.folder !== folder) asked = { folder, ours: limits.never.some((one) => isInside(folder, one)) };
    return asked.ours;
  };
  const isOurs = (path: Bytes): boolean => isOursIn(dirname(path)) || limits.never.includes(path);
  // Those that need bytes of their own come first: whoever meets a path first decides.
  const owns = targets.map(needsOwn);
  if (owns.includes(true)) visitAll(true);
  visitAll(false);

  function visitAll(own: boolean): void {
    targets.forEach((target, of) => {
      if (owns[of] === own) visitTarget(target, of, own);
    });
  }

  function visitTarget(target: Target, of: number, own: boolean): void {
    if (target.way === 'git-state') return;
    const { path } = target;
    const look = limits.seen?.get(path);
    const isSeen = typeof look === 'object' && look.type === 'file' && look.size <= SMALL;
    if (isSeen && !isOurs(path) && pseudo(path, look) === undefined) {
      if (isNew(path)) take({ path, look, own, bytesStay: bytesStay(target), of });
    } else visit(path, target, of);
    if (target.to !== undefined) visit(target.to, { ...target, recursive: true }, of);
  }

  function visit(path: Bytes, target: Target, of: number): void {
    if (isOurs(path)) {
      const earlier = path === limits.never[0] ? ': the checkpoints that were made before this line go with it' : '';
      leftOut.push({ path, reason: `belay's own data${earlier}` });
      return;
    }
    const look = opening(dirname(path), (out) => tryLook(path, out), 'unknown');
    if (look === 'unknown') return;
    if (look === undefined && path !== target.path && isTooLong(path)) {
      leftOut.push({ path, reason: 'its path is too long to be opened' });
      return;
    }
    if (look === undefined) {
      absent(path, of);
      return;
    }
    const made = pseudo(path, look);
    if (made !== undefined) {
      leftOut.push({ path, reason: `${made}: the kernel makes it up, nothing of it is kept` });
      return;
    }
    if (look.type === 'folder' && target.way !== 'move' && isSkipped(path)) {
      leftOut.push({ path, reason: 'git ignores it and its name is in hold.skip' });
      return;
    }
    if (isNew(path)) take({ path, look, own: owns[of] === true, bytesStay: bytesStay(target), of });
    if (look.type !== 'folder' || !target.recursive) return;
    for (const name of opening(path, (out) => tryNames(path, out), undefined) ?? [])
      visit(join(path, name), target, of);
  }

  /** What could not be seen is looked for once more where its folder can be opened; else it is left out. */
  function opening<T>(folder: Bytes, look: (out: LeftOut[]) => T, failed: T): T {
    const out: LeftOut[] = [];
    const found = look(out);
    if (found !== failed) return found;
    if (out.length > 0 && limits.open?.(folder)) return look(leftOut);
    leftOut.push(...out);
    return found;
  }

  /** Folders that the line may make on the way to it are absent too. */
  function absent(path: Bytes, of: number): void {
    const missing = [path];
    for (let above = dirname(path); above !== '/'; above = dirname(above)) {
      if (seen.has(above) || tryLook(above, []) !== undefined) break;
      missing.unshift(above);
    }
    for (const one of missing) if (isNew(one)) take({ path: one, look: undefined, own: false, bytesStay: false, of });
  }

  function isSkipped(path: Bytes): boolean {
    return limits.skip.includes(basename(path)) && isIgnoredFolder(path);
  }
}

function tryLook(path: Bytes, leftOut: LeftOut[]): Look | undefined | 'unknown' {
  try {
    return lookAt(path);
  } catch (error) {
    leftOut.push({ path, reason: `cannot be looked at (${codeOf(error)})` });
    return 'unknown';
  }
}

function tryNames(path: Bytes, leftOut: LeftOut[]): Bytes[] | undefined {
  try {
    return namesIn(path);
  } catch (error) {
    if (!isAbsentError(error)) leftOut.push({ path, reason: `its entries cannot be read (${codeOf(error)})` });
    return undefined;
  }
}
