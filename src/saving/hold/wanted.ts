import type { LeftOut } from '../../checkpoint/record.ts';
import type { Target } from '../../effects/types.ts';
import type { Bytes } from '../../platform/bytes.ts';
import { codeOf, isAbsentError, type Look, lookAt, namesIn } from '../../platform/files.ts';
import { basename, dirname, isInside, join } from '../../platform/paths.ts';
import { isIgnoredFolder } from '../ignore.ts';

/** A path that has to be held. */
export interface Wanted {
  readonly path: Bytes;
  readonly look: Look | undefined;
  /** Bytes of its own are needed: a hard link would change with the file. */
  readonly own: boolean;
  /** Number of the target that brought it: the path belongs to that target's project. */
  readonly of: number;
}

export interface Walked {
  readonly wanted: readonly Wanted[];
  readonly leftOut: readonly LeftOut[];
}

export interface WalkLimits {
  /** Names of folders that are left out where git ignores them (`hold.skip`). */
  readonly skip: readonly Bytes[];
  /** belay's own folders: never held, whatever contains them. */
  readonly never: readonly Bytes[];
}

/** Ways after which the name is gone from the inode: only these may be held by link (DESIGN §2, links). */
const UNLINKS = new Set(['delete', 'replace', 'move']);

/** Every path that the targets name, folders below recursive ones included, each once, parents before what they contain. */
export function walkTargets(targets: readonly Target[], limits: WalkLimits): Walked {
  const wanted = new Map<Bytes, Wanted>();
  const leftOut: LeftOut[] = [];
  let of = 0;
  const add = (path: Bytes, look: Look | undefined, own: boolean): void => {
    const before = wanted.get(path);
    if (before === undefined || (own && !before.own)) wanted.set(path, { path, look, own, of: before?.of ?? of });
  };
  for (const [i, target] of targets.entries()) {
    of = i;
    if (target.way === 'git-state') continue;
    const own = target.exposed || !UNLINKS.has(target.way);
    visit(target.path, target, own);
    if (target.to !== undefined) visit(target.to, { ...target, recursive: true }, own);
  }
  return { wanted: [...wanted.values()], leftOut };

  function visit(path: Bytes, target: Target, own: boolean): void {
    if (limits.never.some((folder) => isInside(path, folder))) {
      leftOut.push({ path, reason: "belay's own data" });
      return;
    }
    const look = tryLook(path, leftOut);
    if (look === 'unknown') return;
    if (look === undefined) {
      addAbsent(path);
      return;
    }
    if (look.type === 'folder' && target.way !== 'move' && isSkipped(path)) {
      leftOut.push({ path, reason: 'git ignores it and its name is in hold.skip' });
      return;
    }
    add(path, look, own);
    if (look.type !== 'folder' || !target.recursive) return;
    for (const name of tryNames(path, leftOut)) visit(join(path, name), target, own);
  }

  /** Folders that the line may make on the way to it are absent too. */
  function addAbsent(path: Bytes): void {
    for (let above = dirname(path); above !== '/' && !wanted.has(above); above = dirname(above)) {
      if (tryLook(above, []) !== undefined) break;
      add(above, undefined, false);
    }
    add(path, undefined, false);
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

function tryNames(path: Bytes, leftOut: LeftOut[]): Bytes[] {
  try {
    return namesIn(path);
  } catch (error) {
    if (!isAbsentError(error)) leftOut.push({ path, reason: `its entries cannot be read (${codeOf(error)})` });
    return [];
  }
}
