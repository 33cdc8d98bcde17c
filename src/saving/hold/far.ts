import fs from 'node:fs';
import type { Finds } from '../../effects/finds.ts';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { codeOf, lookAt, makeFolder } from '../../platform/files.ts';
import { mountPoints } from '../../platform/mounts.ts';
import { dirname, isInside, join } from '../../platform/paths.ts';
import { projectRoot } from '../../platform/roots.ts';
import { besideTargets, type Reach } from './reach.ts';

/** What no hold may lie in: the line's targets would take it along, a project would show it in its status. */
export interface Forbidden {
  readonly targets: readonly Bytes[];
  readonly home: Bytes | undefined;
  /** What the line would take as well, in these folders (`?`: anywhere). Where it is not known, it is guessed from the targets. */
  readonly finds?: (() => Finds | undefined) | undefined;
  readonly dirs?: readonly Bytes[] | undefined;
}

export const mayLieIn = (folder: Bytes, forbidden: Forbidden): boolean =>
  !forbidden.targets.some((target) => isInside(folder, target)) && projectRoot(folder, forbidden.home) === undefined;

/**
 * A folder of our own for holds, as near to the root of the path's file system as one can be made: `.belay-<uid>`, 0700,
 * owned by us, no link. Undefined where there is no such place (a project that is a mount of its own).
 */
export function farFolder(path: Bytes, forbidden: Forbidden): Bytes | undefined {
  const finds = forbidden.finds?.();
  const known = (folder: Bytes): boolean => mayLieIn(folder, forbidden) && !isFound(folder, finds, forbidden);
  const guessed = (['hidden', 'all'] as const).map(
    (reach) => (folder: Bytes) => isOutOfReach(folder, forbidden, reach),
  );
  for (const isSafe of finds === undefined ? guessed : [known])
    for (const folder of ancestorsOnSameMount(dirname(path))) {
      if (!isSafe(folder)) continue;
      const own = ownFolder(join(folder, `.belay-${process.getuid?.() ?? 0}`));
      if (own !== undefined) return own;
    }
  return undefined;
}

/** `find` goes below its folders; where a pattern lies that matches nothing yet, nobody knows. */
const isFound = (folder: Bytes, finds: Finds | undefined, { dirs = [] }: Forbidden): boolean =>
  finds === 'hidden' || (finds === 'all' && dirs.some((dir) => dir === '?' || isInside(folder, dir)));

/** The shell expands the patterns of the line when the hold is there already: `.[!.]*` and `find -delete` would take it along. */
const isOutOfReach = (folder: Bytes, forbidden: Forbidden, reach: Reach): boolean =>
  mayLieIn(folder, forbidden) && !besideTargets(forbidden.targets, reach).some((near) => isInside(folder, near));

/** Outermost first. One device may be mounted in many places, and no link leads from one to the other. */
function ancestorsOnSameMount(start: Bytes): Bytes[] {
  const dev = lookAt(start)?.dev;
  const mount = mountPointOf(start);
  const out: Bytes[] = [];
  for (let folder = start; isInside(folder, mount); folder = dirname(folder)) {
    if (lookAt(folder)?.dev !== dev) break;
    out.unshift(folder);
    if (folder === '/') break;
  }
  return out;
}

/** The longest mount point above; `/` where the system does not tell. */
function mountPointOf(path: Bytes): Bytes {
  let longest = '/';
  for (const point of pointsOrNone()) if (isInside(path, point) && point.length > longest.length) longest = point;
  return longest;
}

function pointsOrNone(): readonly Bytes[] {
  try {
    return mountPoints();
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return []; // the list is closed to us: the attempt to link decides
  }
}

/** A far folder in which nothing could be linked after all. */
export function dropIfEmpty(far: Bytes): void {
  for (const folder of [far, dirname(far)]) {
    try {
      fs.rmdirSync(toBuffer(folder));
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'EBUSY'].includes(codeOf(error))) throw error;
      return;
    }
  }
}

/** The folder, made where it is missing; undefined where it cannot be made, or is not ours alone. */
export function ownFolder(path: Bytes): Bytes | undefined {
  try {
    fs.mkdirSync(toBuffer(path), { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') return undefined; // no right, read-only, full: the next place is tried
  }
  const look = lookAt(path);
  const ours = look?.type === 'folder' && look.uid === (process.getuid?.() ?? 0) && (look.mode & 0o077) === 0;
  return ours ? path : undefined;
}

/**
 * The folder that stands in for the home when a line is about to destroy the home itself: above what is destroyed and beside
 * none of it, else in the usual places. The home's readers look into the same list (`standIns`).
 */
export function standInFor(home: Bytes, forbidden: Forbidden): Bytes | undefined {
  for (const reach of ['any', 'hidden', 'all'] as const)
    for (const base of standIns(home)) {
      if (!isOutOfReach(dirname(dirname(base)), forbidden, reach)) continue;
      const parent = ownFolder(dirname(base));
      if (parent === undefined) continue;
      makeFolder(base);
      if (ownFolder(base) !== undefined) return base;
    }
  return undefined;
}

/** What the names of a home's far holds begin with: the folder is shared by all homes of a user. */
export function farMark(home: Bytes): Bytes {
  let hash = 0x811c9dc5; // FNV-1a: loading node's crypto takes longer than a whole hold
  for (const byte of toBuffer(home)) hash = Math.imul(hash ^ byte, 0x01000193);
  return `${(hash >>> 0).toString(16).padStart(8, '0')}-`;
}

/** Every place that can stand in for this home, its name made from the home's. */
export function standIns(home: Bytes): Bytes[] {
  const uid = process.getuid?.() ?? 0;
  const name = toBuffer(home).toString('hex').slice(-120);
  const places: Bytes[] = [];
  for (let folder = dirname(home); ; folder = dirname(folder)) {
    places.push(folder);
    if (folder === '/') break;
  }
  return [...new Set([...places, '/var/tmp', '/tmp', '/dev/shm'])].map((place) =>
    join(join(place, `.belay-${uid}`), `home-${name}`),
  );
}
