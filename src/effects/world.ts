import fs from 'node:fs';
import { type Bytes, fromBuffer, toBuffer } from '../platform/bytes.ts';
import {
  codeOf,
  type Entry,
  entriesIn,
  type Look,
  lookAt,
  lookThrough,
  readBytes,
  readLink,
  realAsFar,
  realParent,
} from '../platform/files.ts';
import { dirname, isAbsolute, isInside, join, normalize } from '../platform/paths.ts';
import type { Arg, Place } from '../shell/types.ts';
import { realEntry, realFolder, seen } from './looks.ts';
import type { Kind } from './types.ts';

/** Where an argument points. */
export type Spot =
  | {
      readonly kind: 'known';
      /** As written, made absolute by text. */
      readonly written: Bytes;
      /** Where the entry lies: links in its parents followed, its last name not, unless it ends in a slash. */
      readonly real: Bytes;
      /** Ends in `/`, `/.` or `/..`: the folder a link leads to is meant, not the link. */
      readonly through: boolean;
    }
  /** `folder`: the deepest folder that is known to lie above it (`..` in the unknown part aside). */
  | { readonly kind: 'unknown'; readonly folder: Bytes | undefined };

export function spotOf(path: Arg | Bytes, from: Place): Spot {
  if (typeof path !== 'string' && path.kind === 'unknown') {
    const prefix = path.prefix;
    const folder = prefix.includes('/') ? dirname(prefix) : '';
    if (isAbsolute(prefix)) return { kind: 'unknown', folder: normalize(folder || '/') };
    // Without any known beginning the unknown part may be an absolute path.
    if (from.kind === 'unknown' || prefix === '') return { kind: 'unknown', folder: undefined };
    return { kind: 'unknown', folder: normalize(`${from.path}/${folder}`) };
  }
  const text = typeof path === 'string' ? path : path.text;
  if (isAbsolute(text)) return known(text, text);
  if (from.kind === 'unknown') return { kind: 'unknown', folder: undefined };
  if (isName(text) && from.path.length < 3_800) return named(text, from.path, from.logical ?? from.path);
  return known(under(from.path, text), under(from.logical ?? from.path, text));
}

/** A name in the folder itself, as short as a file can have it; not `.` and not `..`. */
const isName = (text: Bytes): boolean =>
  text !== '' && text.length < 256 && text.charCodeAt(0) !== 0x2e && !text.includes('/');

/** What `known` says, seen from the folder: a line may have thousands of names, and nothing in them is to be resolved. */
function named(name: Bytes, folder: Bytes, logical: Bytes): Spot {
  const above = realFolder(folder);
  const written = normalize(logical);
  const real = join(above, name);
  return { kind: 'known', written: written === above ? real : join(written, name), real, through: false };
}

const under = (folder: Bytes, text: Bytes): Bytes => `${folder === '/' ? '' : folder}/${text}`;

function known(absolute: Bytes, logical: Bytes): Spot {
  const through =
    (absolute.endsWith('/') || absolute.endsWith('.')) && /\/(\.{0,2})$/.test(absolute) && absolute !== '/';
  return {
    kind: 'known',
    written: normalize(logical),
    real: through ? realFolder(absolute) : realEntry(absolute),
    through,
  };
}

export { seen } from './looks.ts';

/** stat: what a path leads to; `hidden` where it may not be looked at, undefined where it leads nowhere. */
export const seenThrough = (path: Bytes): Look | 'hidden' | undefined => unlessHidden(() => lookThrough(path));

/** lstat with all its numbers, which `seen` leaves out. */
export const seenWhole = (path: Bytes): Look | 'hidden' | undefined => unlessHidden(() => lookAt(path));

function unlessHidden<T>(look: () => T): T | 'hidden' {
  try {
    return look();
  } catch {
    return 'hidden'; // EACCES, EIO: whatever it is, it may be lost; the caller takes it as existing
  }
}

const HEAD = 512;

/** So many names are compared with renamings and links for one line. */
const MOST_COMPARED = 60_000;

/** The path and every folder it lies in, `/` aside. */
function withFoldersAbove(path: Bytes): Bytes[] {
  const out: Bytes[] = [];
  for (let at = path; at.length > 1; at = dirname(at)) out.push(at);
  return out;
}

interface Renamed {
  readonly from: Bytes;
  readonly to: Bytes;
}

/**
 * The file system as the commands of one line find it one after the other, told from the file system now: what earlier
 * commands moved, linked or made. Only what is certain is kept; a wrong guess here would hold the wrong file.
 */
export class World {
  readonly #renamed: Renamed[] = [];
  readonly #same: { readonly name: Bytes; readonly is: Bytes }[] = [];
  readonly #rewritten = new Set<Bytes>();
  readonly #made = new Map<Bytes, 'file' | 'folder'>();
  /** What was made, and every folder above it. */
  readonly #madeIn = new Set<Bytes>();
  /** Where moves end, and both names of links: a path that lies in none of them is only itself. */
  readonly #ends = new Set<Bytes>();
  #cost = 0;

  /**
   * The names, before the line, of what a later command finds at `path`: the name itself, where an earlier command moved
   * it from, and, when its content is what counts (or it lies below a link), what an earlier command linked it to.
   */
  before(path: Bytes, content: boolean): Bytes[] {
    if (this.#ends.size === 0 || !withFoldersAbove(path).some((one) => this.#ends.has(one))) return [path];
    const names = new Set([path]);
    for (let index = this.#renamed.length - 1; index >= 0; index--) {
      const move = this.#renamed[index];
      if (!move) continue;
      this.#tire(names.size);
      for (const name of [...names]) if (isInside(name, move.to)) names.add(move.from + name.slice(move.to.length));
    }
    for (const link of this.#same) {
      this.#tire(names.size);
      for (const name of [...names]) {
        if (isInside(name, link.name) && (content || name !== link.name))
          names.add(link.is + name.slice(link.name.length));
        if (content && isInside(name, link.is)) names.add(link.name + name.slice(link.is.length));
      }
    }
    return [...names];
  }

  /** What earlier commands moved into `folder`: the names they had before. */
  movedInto(folder: Bytes): Bytes[] {
    return this.#renamed.filter((move) => isInside(move.to, folder)).map((move) => move.from);
  }

  /** A line that moves and links so much that following it would not end soon is not followed. */
  #tire(cost: number): void {
    this.#cost += cost;
    if (this.#cost > MOST_COMPARED) throw new Error('too many moves and links to follow');
  }

  moved(from: Bytes, to: Bytes): void {
    const kind = this.kindOf(from);
    if (kind === 'folder' || kind === 'file') this.#made.set(to, kind);
    this.#ends.add(to);
    this.#renamed.push({ from, to });
  }

  same(existing: Bytes, name: Bytes): void {
    this.#ends.add(name).add(existing);
    this.#same.push({ name, is: existing });
  }

  made(path: Bytes, kind: 'file' | 'folder'): void {
    this.#made.set(path, kind);
    for (const folder of withFoldersAbove(path)) this.#madeIn.add(folder);
  }

  /** Its content, or that of everything below it, is not what the file system has now. */
  rewrote(path: Bytes): void {
    this.#rewritten.add(path);
  }

  #isRewritten(path: Bytes): boolean {
    return this.#rewritten.size > 0 && withFoldersAbove(path).some((one) => this.#rewritten.has(one));
  }

  textOf(real: Bytes, limit: number): Bytes | undefined {
    if (this.#isRewritten(real)) return undefined;
    const origin = this.before(real, true).find((name) => name !== real);
    const path = origin ?? real;
    try {
      const look = lookAt(realAsFar(path));
      if (look?.type !== 'file' || look.size > limit) return undefined;
      return fromBuffer(readBytes(path));
    } catch {
      return undefined; // unreadable: its content is not known, which is what the answer says
    }
  }

  headOf(real: Bytes): Bytes | undefined {
    if (this.#isRewritten(real)) return undefined;
    const path = this.before(real, true).find((name) => name !== real) ?? real;
    try {
      const fd = fs.openSync(toBuffer(path), fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
      try {
        const head = Buffer.alloc(HEAD);
        return fromBuffer(head.subarray(0, fs.readSync(fd, head, 0, HEAD, 0)));
      } finally {
        fs.closeSync(fd);
      }
    } catch {
      return undefined; // unreadable or no file: its beginning is not known
    }
  }

  kindOf(real: Bytes): Kind {
    for (const name of this.before(real, true)) {
      const made = this.#made.get(name);
      if (made) return made;
      const kind = kindAt(name, 0);
      if (kind !== 'absent') return kind;
    }
    return this.#madeIn.has(real) ? 'folder' : 'absent';
  }
}

function kindAt(path: Bytes, depth: number): Kind {
  const look = seen(path);
  if (look === undefined) return 'absent';
  if (look === 'hidden') return 'hidden';
  if (look === 'folder') return 'folder';
  if (look !== 'link') return 'file';
  return depth > 0 ? 'absent' : kindAt(realFolder(path), depth + 1);
}

/** Where a link leads, as far as that exists; the path itself for anything else. */
export function endOf(path: Bytes): Bytes {
  const look = seen(path);
  if (look !== 'link') return path;
  const end = realAsFar(path);
  if (end !== path) return end;
  // A dangling link: realAsFar keeps its name; what is written through it appears where it points.
  try {
    const to = readLink(path);
    return isAbsolute(to) ? realParent(to) : realParent(`${dirname(path)}/${to}`);
  } catch {
    return path; // gone in this moment: there is nothing behind it
  }
}

export type EntryType = Look['type'];

/** The names in a folder with what they are, one system call for all of them; undefined where it cannot be read. */
export function childrenOf(folder: Bytes): Entry[] | undefined {
  try {
    return entriesIn(folder);
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return codeOf(error) === 'ENOENT' ? [] : undefined;
  }
}

/** Every entry below a folder, parents first, at most `limit`; undefined where there are more or one cannot be read. */
export function entriesBelow(folder: Bytes, limit: number): { path: Bytes; type: EntryType }[] | undefined {
  const out: { path: Bytes; type: EntryType }[] = [];
  const queue = [folder];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    const children = childrenOf(at);
    if (children === undefined || out.length + children.length > limit) return undefined;
    for (const { name, type } of children) {
      const path = join(at, name);
      out.push({ path, type });
      if (type === 'folder') queue.push(path);
    }
  }
  return out;
}

/** Whether a tree holds anything but folders. Stops at the first thing found. */
export function holdsAnything(folder: Bytes): boolean {
  const queue = [folder];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    const children = childrenOf(at);
    // Unreadable: there may be something.
    if (children === undefined) return true;
    for (const { name, type } of children) {
      if (type !== 'folder') return true;
      queue.push(join(at, name));
    }
  }
  return false;
}

/** The topmost folder above `path` (or the path itself) that does not exist: what appears when it is made. */
export function topmostAbsent(path: Bytes): Bytes {
  let top = path;
  for (let at = dirname(path); at !== '/' && seen(at) === undefined; at = dirname(at)) top = at;
  return top;
}
