import fs from 'node:fs';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { isAbsentError, lookAt } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import type { Version } from '../record.ts';
import { oidOf } from '../version.ts';
import type { World } from './world.ts';

/** A larger tree is not searched to its end. */
const MOST_ENTRIES = 100_000;

/**
 * Looks in a project for a file that a turn moved and somebody moved on by hand: the same bytes under a name that nobody knows of.
 * Nothing but its name was ever kept of it, so this is the last place to look; the tree is read once, and only when it is asked for.
 */
export function finderOf(world: World): (root: Bytes, version: Version) => Bytes | undefined {
  const trees = new Map<Bytes, ReadonlyMap<number, readonly Bytes[]>>();
  return (root, version) => {
    if (version.kind !== 'file' || version.size === 0) return undefined;
    const oid = oidOf(version.content);
    const inode = version.content.at === 'nowhere' ? (version.content.ino ?? version.ino) : version.ino;
    if (oid === undefined && inode === undefined) return undefined;
    const tree = trees.get(root) ?? bySize(root);
    trees.set(root, tree);
    return tree.get(version.size)?.find((path) => {
      if (oid !== undefined) return world.oid(path) === oid;
      const present = world.at(path);
      // An inode number alone proves nothing: it may have been given out again.
      return present.is === 'there' && present.look.ino === inode && present.look.mtime === version.mtime;
    });
  };
}

/** The regular files of a tree by their size; links are not followed, no `.git` is looked into. */
function bySize(root: Bytes): Map<number, Bytes[]> {
  const out = new Map<number, Bytes[]>();
  const folders = [root];
  let left = MOST_ENTRIES;
  for (let folder = folders.pop(); folder !== undefined && left > 0; folder = folders.pop())
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name.toString('latin1'));
      if (--left <= 0) break;
      if (entry.isDirectory() && entry.name.toString('latin1') !== '.git') folders.push(path);
      const size = entry.isFile() ? lookAt(path)?.size : undefined;
      if (size === undefined) continue;
      const list = out.get(size);
      if (list) list.push(path);
      else out.set(size, [path]);
    }
  return out;
}

function entriesOf(folder: Bytes): fs.Dirent<Buffer>[] {
  try {
    return fs.readdirSync(toBuffer(folder), {
      encoding: 'buffer',
      withFileTypes: true,
    }) as unknown as fs.Dirent<Buffer>[];
  } catch (error) {
    if (isAbsentError(error) || (error as NodeJS.ErrnoException).code === 'EACCES') return []; // what cannot be read is not found
    throw error;
  }
}
