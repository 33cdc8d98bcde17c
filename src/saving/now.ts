import fs from 'node:fs';
import { openFileOid } from '../checkpoint/oid.ts';
import type { Bytes } from '../platform/bytes.ts';
import { isAbsentError, type Look, lookAt, lookAtOpen, namesIn, reach } from '../platform/files.ts';
import { basename, dirname, isInside, join } from '../platform/paths.ts';
import { isIgnoredFolder } from './ignore.ts';

/** Every path below a folder, itself first; what cannot be read is passed over (there is nothing to compare it with). */
export function* pathsBelow(path: Bytes, rules: { skip: readonly Bytes[]; never: readonly Bytes[] }): Generator<Bytes> {
  if (rules.never.some((folder) => isInside(path, folder))) return;
  const look = tryLook(path);
  if (look === undefined) return;
  if (look.type === 'folder' && rules.skip.includes(basename(path)) && isIgnoredFolder(path)) return;
  yield path;
  if (look.type !== 'folder') return;
  for (const name of tryNames(path)) yield* pathsBelow(join(path, name), rules);
}

export function tryLook(path: Bytes): Look | undefined {
  try {
    return lookAt(path);
  } catch {
    return undefined; // no right to look: what it is now stays unknown, and unknown is kept as it is
  }
}

/**
 * Looks at paths that had only folders above them when they were noted. Where one of those is a link or a file by now, nothing lies
 * there: what a look through it finds goes by another name (`mv data /big; ln -s /big data`).
 */
export function lookWithoutLinks(): (path: Bytes) => Look | undefined {
  const folders = new Map<Bytes, boolean>([['/', true]]);
  const isFolder = (path: Bytes): boolean => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const found = isFolder(dirname(path)) && tryLook(path)?.type === 'folder';
    folders.set(path, found);
    return found;
  };
  return (path) => (isFolder(dirname(path)) ? tryLook(path) : undefined);
}

function tryNames(path: Bytes): Bytes[] {
  try {
    return namesIn(path);
  } catch {
    return [];
  }
}

const READ = fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK | fs.constants.O_NOCTTY;

/** git's name for the content of the file that was looked at; undefined where it is another one by now or cannot be read. */
export function oidOf(path: Bytes, look: Look): string | undefined {
  try {
    const fd = reach(path, (at) => fs.openSync(at, READ));
    try {
      const before = lookAtOpen(fd);
      if (before.ino !== look.ino || before.size !== look.size || before.mtime !== look.mtime) return undefined;
      const oid = openFileOid(fd, look.size);
      return lookAtOpen(fd).mtime === look.mtime ? oid : undefined;
    } finally {
      fs.closeSync(fd);
    }
  } catch (error) {
    if (isAbsentError(error) || (error as NodeJS.ErrnoException).code !== undefined) return undefined;
    throw error;
  }
}
