import type { Bytes } from '../platform/bytes.ts';
import { type Look, lookAt, realAsFar, typeAt } from '../platform/files.ts';
import { basename, dirname, join, normalize } from '../platform/paths.ts';

/** `hidden`: it may not be looked at. */
export type Seen = Look['type'] | 'hidden' | undefined;

/** What was seen of paths while a line was planned: what they are, or all that lstat said. */
export type Looks = ReadonlyMap<Bytes, Look | Seen>;

/** While one line is planned nothing changes: what was looked at once is known. */
let looks: Map<Bytes, Look | Seen> | undefined;
let folders: Map<Bytes, Bytes> | undefined;
let globs: Map<Bytes, Bytes | undefined> | undefined;

/** What was seen once inside of it is not asked again: a hundred names in one folder would ask for it two hundred times. */
export function inOneLook<T>(body: () => T): T {
  if (looks) return body();
  looks = new Map();
  folders = new Map();
  globs = new Map();
  try {
    return body();
  } finally {
    looks = undefined;
    folders = undefined;
    globs = undefined;
  }
}

/** What lstat calls it; `hidden` where it may not be looked at. */
export function seen(path: Bytes): Seen {
  const known = looks?.get(path);
  if (known !== undefined || looks?.has(path)) return typeof known === 'object' ? known.type : known;
  const found = look(path);
  looks?.set(path, found);
  return found;
}

/** The same for what the line may destroy: all is kept that lstat says, for whoever holds it next. */
export function seenToHold(path: Bytes): Seen {
  if (!looks || looks.has(path)) return seen(path);
  let found: Look | Seen = 'hidden';
  try {
    found = lookAt(path);
  } catch {
    // as in `look`
  }
  looks.set(path, found);
  return typeof found === 'object' ? found.type : found;
}

/** All that was seen in this look so far. */
export const allSeen = (): Looks => looks ?? new Map();

function look(path: Bytes): Seen {
  try {
    return typeAt(path);
  } catch {
    return 'hidden'; // EACCES, EIO: whatever it is, it may be lost; the caller takes it as existing
  }
}

/** Longer paths name nothing that a command could open (PATH_MAX). */
const MOST_BYTES = 4096;

/** The path with the links in its folders followed, its last name kept. */
export function realEntry(path: Bytes): Bytes {
  if (path.length > MOST_BYTES) return normalize(path);
  const bare = path.endsWith('/') ? path.replace(/\/+$/, '') || '/' : path;
  const last = basename(bare);
  if (bare === '/' || last === '.' || last === '..') return realFolder(bare);
  return join(realFolder(dirname(bare)), last);
}

/** The path with all links followed, as far as it exists. */
export function realFolder(path: Bytes): Bytes {
  if (path.length > MOST_BYTES) return normalize(path);
  const known = folders?.get(path);
  if (known !== undefined) return known;
  const real = realAsFar(path);
  folders?.set(path, real);
  return real;
}

/** The folder of a pattern, found once for all of its matches. */
export function globFolder(pattern: Bytes, find: () => Bytes | undefined): Bytes | undefined {
  const known = globs?.get(pattern);
  if (known !== undefined || globs?.has(pattern)) return known;
  const folder = find();
  globs?.set(pattern, folder);
  return folder;
}
