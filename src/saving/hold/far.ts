import fs from 'node:fs';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { codeOf, lookAt, makeFolder } from '../../platform/files.ts';
import { dirname, isInside, join } from '../../platform/paths.ts';
import { projectRoot } from '../../platform/roots.ts';

/** What no hold may lie in: the line's targets would take it along, a project would show it in its status. */
export interface Forbidden {
  readonly targets: readonly Bytes[];
  readonly home: Bytes | undefined;
}

export const mayLieIn = (folder: Bytes, forbidden: Forbidden): boolean =>
  !forbidden.targets.some((target) => isInside(folder, target)) && projectRoot(folder, forbidden.home) === undefined;

/**
 * A folder of our own for holds, as near to the root of the path's file system as one can be made: `.belay-<uid>`, 0700,
 * owned by us, no link. Undefined where there is no such place (a project that is a mount of its own).
 */
export function farFolder(path: Bytes, forbidden: Forbidden): Bytes | undefined {
  for (const folder of ancestorsOnSameDevice(dirname(path))) {
    if (!mayLieIn(folder, forbidden)) continue;
    const own = ownFolder(join(folder, `.belay-${process.getuid?.() ?? 0}`));
    if (own !== undefined) return own;
  }
  return undefined;
}

/** Outermost first. */
function ancestorsOnSameDevice(start: Bytes): Bytes[] {
  const dev = lookAt(start)?.dev;
  const out: Bytes[] = [];
  for (let folder = start; ; folder = dirname(folder)) {
    if (lookAt(folder)?.dev !== dev) break;
    out.unshift(folder);
    if (folder === '/') break;
  }
  return out;
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
 * The folder that stands in for the home when a line is about to destroy the home itself: beside what is destroyed, else in
 * the usual places. The home's readers look into the same list (`standIns`).
 */
export function standInFor(home: Bytes, forbidden: Forbidden): Bytes | undefined {
  for (const base of standIns(home)) {
    if (!mayLieIn(base, forbidden)) continue;
    const parent = ownFolder(dirname(base));
    if (parent === undefined) continue;
    makeFolder(base);
    if (ownFolder(base) !== undefined) return base;
  }
  return undefined;
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
  return [...places, '/var/tmp', '/tmp', '/dev/shm'].map((place) => join(join(place, `.belay-${uid}`), `home-${name}`));
}
