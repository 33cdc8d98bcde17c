import fs from 'node:fs';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { codeOf, lookAt } from '../../platform/files.ts';
import { basename, dirname, join } from '../../platform/paths.ts';
import { hasDescriptors } from './content.ts';

/**
 * The only way by which a restore reaches a path: every parent opened one after the other, no link followed, and the last name
 * addressed through the open folder (`/proc/self/fd/<n>/<name>`), so that a folder swapped for a link between looking and
 * writing leads nowhere.
 */
export interface Doorway {
  /** A path that means `path`'s entry in its opened parent. Throws ELOOP or ENOTDIR where a parent is a link or no folder. */
  entry(path: Bytes): Buffer;
  /** The folder and its missing parents, made with `modeOf`'s modes; what had to be made, outermost first. */
  make(folder: Bytes, modeOf: (path: Bytes) => number): Bytes[];
  /** Whose the folder is. */
  owner(folder: Bytes): { readonly uid: number; readonly gid: number };
  /** Forgets what is open at and below a path that is about to be renamed or removed. */
  forget(path: Bytes): void;
  /** Permissions that were widened to get in, to be set back at the end. */
  readonly widened: Map<Bytes, number>;
  close(): void;
}

/** Linux's O_PATH: a folder that may be entered but not listed (`/home` of others) can be opened, too. Not in node's constants. */
const O_PATH = 0o10000000;
const MOST_OPEN = 200;

export function openDoorway(): Doorway {
  return hasDescriptors() ? byDescriptor() : byLooking();
}

function byDescriptor(): Doorway {
  const open = new Map<Bytes, number>();
  const widened = new Map<Bytes, number>();
  /** Open folders in which names can be made and removed: asked once each. */
  const workable = new Set<Bytes>();
  const owners = new Map<Bytes, { readonly uid: number; readonly gid: number }>();
  const flags = O_PATH | fs.constants.O_DIRECTORY | fs.constants.O_NOFOLLOW;

  const forget = (path: Bytes): void => {
    for (const folder of [...open.keys()]) if (folder === path || folder.startsWith(`${path}/`)) drop(folder);
  };

  const drop = (folder: Bytes): void => {
    const fd = open.get(folder);
    if (fd !== undefined) fs.closeSync(fd);
    open.delete(folder);
    workable.delete(folder);
    owners.delete(folder);
  };

  const descriptor = (folder: Bytes): number => {
    const known = open.get(folder);
    if (known !== undefined) {
      open.delete(folder); // used last: dropped last
      open.set(folder, known);
      return known;
    }
    const opened = folder === '/' ? fs.openSync('/', flags) : withWidened(folder, (at) => fs.openSync(at, flags));
    open.set(folder, opened);
    for (const oldest of open.keys()) {
      if (open.size <= MOST_OPEN) break;
      drop(oldest);
    }
    return opened;
  };

  const entry = (path: Bytes): Buffer => toBuffer(`/proc/self/fd/${descriptor(dirname(path))}/${basename(path)}`);

  /** A folder of our own that we may not enter (mode 000) is opened for the time being. */
  const withWidened = <T>(path: Bytes, use: (at: Buffer) => T): T => {
    try {
      return use(entry(path));
    } catch (error) {
      if (codeOf(error) !== 'EACCES' || !widen(dirname(path))) throw error;
      return use(entry(path));
    }
  };

  const widen = (folder: Bytes): boolean => widenFolder(folder, entry(folder), widened);

  return {
    widened,
    entry: (path) => {
      const at = entry(path);
      const folder = dirname(path);
      if (workable.has(folder)) return at;
      // Only our own folders are asked: elsewhere the operation itself fails and says so.
      if (!canWork(at)) widen(folder);
      workable.add(folder);
      return at;
    },
    owner: (folder) => {
      const known = owners.get(folder);
      if (known !== undefined) return known;
      const { uid, gid } = fs.fstatSync(descriptor(folder));
      owners.set(folder, { uid, gid });
      return { uid, gid };
    },
    make: (folder, modeOf) => {
      // What is open is there, unless it was removed meanwhile: then nothing can be made in it, and that is said.
      if (open.has(folder)) return [];
      const missing: Bytes[] = [];
      for (let at = folder; at !== '/'; at = dirname(at)) {
        const look = seen(lookIn(at));
        if (look === 'folder') break;
        if (look !== undefined) throw Object.assign(new Error(`${at} is no folder`), { code: 'ENOTDIR' });
        missing.unshift(at);
      }
      for (const path of missing) {
        if (!canWork(entry(path))) widen(dirname(path));
        fs.mkdirSync(entry(path), { mode: 0o700 });
        const mode = modeOf(path);
        fs.chmodSync(entry(path), mode | 0o700);
        if ((mode & 0o700) !== 0o700) widened.set(path, mode);
      }
      return missing;
    },
    forget,
    close: () => {
      for (const folder of [...open.keys()]) drop(folder);
    },
  };

  /** Undefined where it, or a parent of it, is not there. */
  function lookIn(path: Bytes): fs.Stats | undefined {
    try {
      return withWidened(path, (at) => fs.lstatSync(at));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }
}

const seen = (stat: fs.Stats | undefined): string | undefined =>
  stat === undefined ? undefined : stat.isDirectory() ? 'folder' : 'other';

/** May names be made and removed in the entry's folder? */
function canWork(entry: Buffer): boolean {
  try {
    fs.accessSync(entry.subarray(0, entry.lastIndexOf(0x2f) + 1), fs.constants.W_OK | fs.constants.X_OK);
    return true;
  } catch {
    return false; // said by the operation itself, if widening does not help
  }
}

function widenFolder(folder: Bytes, at: Buffer, widened: Map<Bytes, number>): boolean {
  const stat = fs.lstatSync(at);
  const mode = stat.mode & 0o7777;
  if (!stat.isDirectory() || stat.uid !== process.getuid?.() || (mode & 0o700) === 0o700) return false;
  fs.chmodSync(at, mode | 0o700);
  if (!widened.has(folder)) widened.set(folder, mode);
  return true;
}

/** Whether nobody but us and root can put another folder in its place, or in that of one above. */
export const isSolid = (folder: Bytes): boolean => {
  for (let at = folder; ; at = dirname(at)) {
    if (lookAt(at)?.type !== 'folder' || isSwappable(at)) return false;
    if (at === '/') return true;
  }
};

/** Others own it or can write it: what lies in it can be swapped. */
function isSwappable(folder: Bytes): boolean {
  const look = lookAt(folder);
  if (look === undefined) return true;
  const theirs = look.uid !== process.getuid?.() && look.uid !== 0;
  return theirs || ((look.mode & 0o022) !== 0 && (look.mode & 0o1000) === 0);
}

/**
 * Without `/proc` (macOS) parents are looked at before each use; a parent that others can write is refused, because it could
 * be swapped in between.
 */
function byLooking(): Doorway {
  const widened = new Map<Bytes, number>();
  const check = (folder: Bytes): void => {
    for (let at = folder; at !== '/'; at = dirname(at)) {
      const look = lookAt(at);
      if (look === undefined) throw Object.assign(new Error(`${at} is gone`), { code: 'ENOENT' });
      if (look.type !== 'folder') throw Object.assign(new Error(`${at} is no folder`), { code: 'ENOTDIR' });
      if (isSwappable(at)) throw Object.assign(new Error(`others can write ${at}`), { code: 'EPERM' });
    }
  };
  return {
    widened,
    entry: (path) => {
      check(dirname(path));
      if (!canWork(toBuffer(path))) widenFolder(dirname(path), toBuffer(dirname(path)), widened);
      return toBuffer(join(dirname(path), basename(path)));
    },
    make: (folder, modeOf) => {
      const missing: Bytes[] = [];
      for (let at = folder; at !== '/' && lookAt(at) === undefined; at = dirname(at)) missing.unshift(at);
      for (const path of missing) {
        check(dirname(path));
        fs.mkdirSync(toBuffer(path), { mode: 0o700 });
        fs.chmodSync(toBuffer(path), modeOf(path) | 0o700);
        if ((modeOf(path) & 0o700) !== 0o700) widened.set(path, modeOf(path));
      }
      return missing;
    },
    owner: (folder) => fs.lstatSync(toBuffer(folder)),
    forget: () => {},
    close: () => {},
  };
}
