import fs from 'node:fs';
import { type Bytes, fromBuffer, toBuffer } from '../platform/bytes.ts';
import { isAbsentError, namesInOrNone } from '../platform/files.ts';
import { git } from '../platform/git.ts';
import { join } from '../platform/paths.ts';
import type { Store } from './store.ts';

/** Bytes on disk that removing this name gives back; none where it vanishes meanwhile. */
export function fileBytes(path: Bytes): number | 'folder' {
  try {
    const stat = fs.lstatSync(toBuffer(path));
    if (stat.isDirectory()) return 'folder';
    return stat.nlink > 1 ? 0 : stat.blocks * 512;
  } catch (error) {
    if (isAbsentError(error)) return 0;
    throw error;
  }
}

/** How much of the disk a folder takes. */
export interface Taken {
  readonly bytes: number;
  /** What removing it would give back: files that have another name outside it stay where they are. */
  readonly ours: number;
}

/** Blocks on disk, a file with several names counted once; what vanishes meanwhile counts nothing. */
export function takenBy(folder: Bytes): Taken {
  let bytes = 0;
  let ours = 0;
  const several = new Map<string, { left: number; size: number }>();
  const visit = (path: Bytes): void => {
    let stat: fs.Stats;
    try {
      stat = fs.lstatSync(toBuffer(path));
      if (stat.isDirectory()) for (const name of namesInOrNone(path)) visit(join(path, name));
    } catch (error) {
      if (isAbsentError(error)) return;
      throw error;
    }
    const size = stat.blocks * 512;
    if (stat.isDirectory() || stat.nlink === 1) {
      bytes += size;
      ours += size;
      return;
    }
    const id = `${stat.dev}:${stat.ino}`;
    const known = several.get(id);
    if (known === undefined) {
      bytes += size;
      several.set(id, { left: stat.nlink - 1, size });
    } else known.left--;
  };
  visit(folder);
  for (const { left, size } of several.values()) if (left <= 0) ours += size;
  return { bytes, ours };
}

export const bytesOnDisk = (folder: Bytes): number => takenBy(folder).bytes;

/**
 * Bytes on disk of the objects that only this project's checkpoints and captures name, for every project: what the store would be
 * smaller by without it. One git process a project, and one for the sizes.
 */
export function uniqueBytes(store: Store, keys: readonly string[]): Map<string, number> {
  const owner = new Map<string, string>();
  for (const key of keys) {
    const answer = git(['rev-list', '--objects', '--no-object-names', `--glob=refs/belay/${key}/*`], {
      gitDir: store.gitDir,
      timeout: 120_000,
    });
    if (!answer.ok) continue;
    for (const oid of fromBuffer(answer.out).split('\n'))
      if (oid !== '') owner.set(oid, owner.has(oid) && owner.get(oid) !== key ? SEVERAL : key);
  }
  const out = new Map<string, number>(keys.map((key) => [key, 0]));
  const sizes = git(
    ['cat-file', '--batch-all-objects', '--unordered', '--batch-check=%(objectname) %(objectsize:disk)'],
    {
      gitDir: store.gitDir,
      timeout: 120_000,
    },
  );
  if (!sizes.ok) return out;
  for (const line of fromBuffer(sizes.out).split('\n')) {
    const key = owner.get(line.slice(0, 40));
    if (key !== undefined && key !== SEVERAL) out.set(key, (out.get(key) ?? 0) + Number(line.slice(41)));
  }
  return out;
}

const SEVERAL = '';
