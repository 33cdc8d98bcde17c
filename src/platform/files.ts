import fs from 'node:fs';
import { type Bytes, fromBuffer, toBuffer } from './bytes.ts';
import { basename, dirname, isAbsolute, join, normalize } from './paths.ts';

/** What lstat says, in the form that belay keeps: times in nanoseconds as decimal strings (they outgrow a double). */
export interface Look {
  readonly type: 'file' | 'folder' | 'link' | 'fifo' | 'socket' | 'device';
  /** All twelve permission bits. */
  readonly mode: number;
  readonly size: number;
  readonly mtime: string;
  readonly ctime: string;
  readonly ino: string;
  readonly dev: string;
  readonly nlink: number;
  readonly uid: number;
  /** -1 where an older hold did not note it. */
  readonly gid: number;
}

/** The codes that mean *there is nothing of that name*. ENAMETOOLONG: nobody can use such a name (but see `isTooLong`). */
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);

/**
 * A path that no system call takes whole (PATH_MAX, its NUL included). What goes down folder by folder (`rm -rf`) reaches it all the
 * same, so whoever met it in a folder must not call it absent, and `reach` goes there by steps.
 */
export const isTooLong = (path: Bytes): boolean => path.length >= 4096;

/** Linux's O_PATH: a folder that may be entered but not listed can be opened, too. Not in node's constants. */
const O_PATH = 0o10000000;
let throughFolders: boolean | undefined;

/**
 * A path in the form that a system call takes: one that is too long goes on from an open folder, where the system can name those
 * (`/proc/self/fd/<n>/…`).
 */
export function reach<T>(path: Bytes, use: (at: Buffer) => T): T {
  if (!isTooLong(path)) return use(toBuffer(path));
  throughFolders ??= process.platform === 'linux' && fs.existsSync('/proc/self/fd');
  const open: number[] = [];
  try {
    let at = path;
    while (throughFolders && isTooLong(at)) {
      const cut = at.lastIndexOf('/', 4000);
      if (cut < 32) break; // no name is so long
      const fd = fs.openSync(toBuffer(at.slice(0, cut)), O_PATH | fs.constants.O_DIRECTORY);
      open.push(fd);
      at = `/proc/self/fd/${fd}${at.slice(cut)}`;
    }
    return use(toBuffer(at));
  } finally {
    for (const fd of open) fs.closeSync(fd);
  }
}

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | undefined)?.code ?? '';

export const isAbsentError = (error: unknown): boolean => ABSENT.has(codeOf(error));

type Typed = Pick<fs.Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink' | 'isFIFO' | 'isSocket'>;

function typeOf(entry: Typed): Look['type'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  if (entry.isSymbolicLink()) return 'link';
  if (entry.isFIFO()) return 'fifo';
  return entry.isSocket() ? 'socket' : 'device';
}

function look(stat: fs.BigIntStats): Look {
  return {
    type: typeOf(stat),
    mode: Number(stat.mode) & 0o7777,
    size: Number(stat.size),
    mtime: String(stat.mtimeNs),
    ctime: String(stat.ctimeNs),
    ino: String(stat.ino),
    dev: String(stat.dev),
    nlink: Number(stat.nlink),
    uid: Number(stat.uid),
    gid: Number(stat.gid),
  };
}

/** An error object costs twenty times the call that it speaks of, and "not there" is the usual answer. */
const WITHOUT_ERROR = { bigint: true, throwIfNoEntry: false } as const;

/** The entry itself, a link not followed; undefined where there is none. Other errors (EACCES, EIO) throw. */
export function lookAt(path: Bytes): Look | undefined {
  try {
    const stat = isTooLong(path)
      ? reach(path, (at) => fs.lstatSync(at, WITHOUT_ERROR))
      : fs.lstatSync(toBuffer(path), WITHOUT_ERROR);
    return stat === undefined ? undefined : look(stat);
  } catch (error) {
    if (isAbsentError(error)) return undefined;
    throw error;
  }
}

/** What the entry itself is, and no more: the numbers of a look cost as much as the call. Throws as `lookAt` does. */
export function typeAt(path: Bytes): Look['type'] | undefined {
  try {
    const stat = reach(path, (at) => fs.lstatSync(at, { throwIfNoEntry: false }));
    return stat === undefined ? undefined : typeOf(stat);
  } catch (error) {
    if (isAbsentError(error)) return undefined;
    throw error;
  }
}

/** What a path leads to, links followed; undefined where it leads nowhere. Other errors throw. */
export function lookThrough(path: Bytes): Look | undefined {
  try {
    const stat = reach(path, (at) => fs.statSync(at, WITHOUT_ERROR));
    return stat === undefined ? undefined : look(stat);
  } catch (error) {
    if (isAbsentError(error)) return undefined;
    throw error;
  }
}

export const lookAtOpen = (fd: number): Look => look(fs.fstatSync(fd, { bigint: true }));

export const readLink = (path: Bytes): Bytes => fromBuffer(reach(path, (at) => fs.readlinkSync(at, 'buffer')));

/** Whether the entry was there before this moment (ms since 1970), as far as the file system tells; its birth, else its last change. */
export function isOlderThan(path: Bytes, moment: number): boolean {
  try {
    const { birthtimeMs, ctimeMs } = fs.lstatSync(toBuffer(path));
    return ctimeMs < moment || (birthtimeMs > 0 && birthtimeMs < moment);
  } catch (error) {
    if (isAbsentError(error)) return false;
    throw error;
  }
}

/** Whether the entry is as and where it was at this moment (ms since 1970): renaming it, too, moves its last change (ctime). */
export function isUntouchedSince(path: Bytes, moment: number): boolean {
  const look = lookAt(path);
  return look !== undefined && Number(BigInt(look.ctime) / 1_000_000n) < moment;
}

/** The names in a folder, sorted by bytes. Throws what readdir throws. */
export const namesIn = (folder: Bytes): Bytes[] => reach(folder, (at) => fs.readdirSync(at, 'latin1')).sort();

export interface Entry {
  readonly name: Bytes;
  readonly type: Look['type'];
}

/**
 * The entries of a folder, sorted by bytes. Throws what readdir throws. Latin-1 is what gives the bytes on node and bun alike: asked for
 * buffers, bun 1.4 leaves the types out.
 */
export const entriesIn = (folder: Bytes): Entry[] =>
  fs
    .readdirSync(toBuffer(folder), { withFileTypes: true, encoding: 'latin1' })
    .map((entry) => ({ name: entry.name, type: typeOf(entry) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

/** The names in a folder; none where there is no such folder, or it is no folder. One that may not be read throws: closed is not empty. */
export function namesInOrNone(folder: Bytes): Bytes[] {
  try {
    return namesIn(folder);
  } catch (error) {
    if (isAbsentError(error)) return [];
    throw error;
  }
}

/** The same, or `closed` where the folder may not be read: what is in it nobody here can know. */
export function namesUnlessClosed(folder: Bytes): Bytes[] | 'closed' {
  try {
    return namesInOrNone(folder);
  } catch (error) {
    if (codeOf(error) === 'EACCES') return 'closed';
    throw error;
  }
}

/** The names that this process can see, as a shell's globs do: none in a folder that is closed to it. */
export function namesVisible(folder: Bytes): Bytes[] {
  const names = namesUnlessClosed(folder);
  return names === 'closed' ? [] : names;
}

/** Every link in the path followed. Throws where it does not exist. */
export const realPath = (path: Bytes): Bytes => fromBuffer(fs.realpathSync.native(toBuffer(path), 'buffer') as Buffer);

/**
 * The path with every link in its *parents* followed and its last name kept: where the entry really lies. Parents that
 * do not exist are kept as text. A path that ends in `/.`, `/..` or a slash names the folder itself, so it is followed.
 */
export function realParent(path: Bytes): Bytes {
  if (!isAbsolute(path)) throw new Error(`realParent needs an absolute path, got ${path}`);
  const bare = path.replace(/\/+$/, '') || '/';
  const last = basename(bare);
  if (bare === '/' || last === '.' || last === '..') return realAsFar(bare);
  return join(realAsFar(dirname(bare)), last);
}

/** `realPath` of the longest existing beginning, the rest joined by text. */
export function realAsFar(path: Bytes): Bytes {
  try {
    return realPath(path);
  } catch (error) {
    if (!isAbsentError(error) && codeOf(error) !== 'EACCES') throw error;
    if (path === '/' || path === '') return '/';
    const bare = path.replace(/\/+$/, '');
    return normalize(join(realAsFar(dirname(bare)), basename(bare)));
  }
}

const REGULAR = fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK | fs.constants.O_NOCTTY;

/** Opens a regular file for reading. Throws where the name has become a link, or something that is none: a fifo stops nobody. */
export function openRegular(path: Bytes): number {
  const fd = reach(path, (at) => fs.openSync(at, REGULAR));
  if (fs.fstatSync(fd).isFile()) return fd;
  fs.closeSync(fd);
  throw Object.assign(new Error('no regular file any more'), { code: 'EINVAL' });
}

export const readBytes = (path: Bytes): Buffer => reach(path, (at) => fs.readFileSync(at));

/** The file's content; undefined where there is none. */
export function readBytesIfAny(path: Bytes): Buffer | undefined {
  try {
    return readBytes(path);
  } catch (error) {
    if (isAbsentError(error)) return undefined;
    throw error;
  }
}

/** Makes the folder and its missing parents, 0700. */
export const makeFolder = (path: Bytes): void => {
  fs.mkdirSync(toBuffer(path), { recursive: true, mode: 0o700 });
};

/** Written beside the target, 0600, and renamed over it: readers see the old or the new, never a half. */
export function writeAtomic(
  path: Bytes,
  content: string | Uint8Array,
  options: { readonly sync?: boolean } = {},
): void {
  const temporary = toBuffer(`${path}.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`);
  try {
    const fd = fs.openSync(temporary, 'wx', 0o600);
    try {
      fs.writeFileSync(fd, content);
      if (options.sync) fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
    fs.renameSync(temporary, toBuffer(path));
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}

/** Written whole or not at all, 0600, where nothing has the name yet: of two at once the first has written it. False for the other. */
export function writeFirst(path: Bytes, content: string | Uint8Array): boolean {
  const temporary = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`;
  fs.writeFileSync(toBuffer(temporary), content, { mode: 0o600, flag: 'wx' });
  try {
    fs.linkSync(toBuffer(temporary), toBuffer(path));
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return false;
  } finally {
    removeFile(temporary);
  }
}

/** A file of the user's, written as one step, with the mode that it had. */
export function rewriteFile(path: Bytes, content: string | Uint8Array): void {
  const mode = lookThrough(path)?.mode ?? 0o644;
  writeAtomic(path, content);
  fs.chmodSync(toBuffer(path), mode);
}

/** No error where there is none. Not `fs.rmSync`, for which node reads its code for whole trees. */
export function removeFile(path: Bytes): void {
  try {
    fs.unlinkSync(toBuffer(path));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

export const removeTree = (path: Bytes): void => fs.rmSync(toBuffer(path), { force: true, recursive: true });
