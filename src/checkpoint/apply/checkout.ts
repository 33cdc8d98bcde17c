import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { makeFolder, removeFile } from '../../platform/files.ts';
import { git } from '../../platform/git.ts';
import { dirname } from '../../platform/paths.ts';
import type { Store } from '../store.ts';

/** A file as git lays it down; `path` is relative to the folder that it goes into. */
export interface Laid {
  readonly path: Bytes;
  readonly oid: string;
  readonly executable: boolean;
}

/** A folder of our own, open as `fd`. `solid`: nobody can put another in its place. */
export interface Place {
  readonly path: Bytes;
  readonly fd: number;
  readonly solid: boolean;
}

/**
 * Lays files down as git checks out an index: from the store straight to the disk, conversions off, in a fifth of the time that it takes
 * us one by one. `files` are sorted by their paths, and none is there yet; they get what `umask` leaves of 0666 or 0777. False where
 * git could not do it: some may be there then.
 */
export function layDown(store: Store, index: Bytes, place: Place, umask: number, files: readonly Laid[]): boolean {
  makeFolder(dirname(index));
  fs.writeFileSync(toBuffer(index), indexOf(files), { mode: 0o600 });
  const before = process.umask(umask);
  // git goes to a work tree by its name. Where that could be led astray it stays at the root, and gets there by our descriptor; it
  // follows no links behind that, but this takes a third longer.
  const [workTree, ...prefix] = place.solid ? [place.path] : ['/', `--prefix=proc/${process.pid}/fd/${place.fd}/`];
  try {
    const call = { gitDir: store.gitDir, workTree: workTree ?? '/', index, timeout: 600_000 };
    return git(['checkout-index', '-a', '-q', ...prefix], call).ok;
  } finally {
    process.umask(before);
    removeFile(index);
  }
}

const HEADER = 12;
const FIXED = 62;
const HASH = 20;
const LONGEST_TOLD = 0xfff;

/** gitformat-index(5), version 2, no stat data. */
function indexOf(files: readonly Laid[]): Buffer {
  const sizeOf = ({ path }: Laid): number => (FIXED + path.length + 8) & ~7;
  const bytes = Buffer.alloc(HEADER + files.reduce((sum, file) => sum + sizeOf(file), 0) + HASH);
  bytes.write('DIRC', 'latin1');
  bytes.writeUInt32BE(2, 4);
  bytes.writeUInt32BE(files.length, 8);
  let at = HEADER;
  for (const file of files) {
    bytes.writeUInt32BE(file.executable ? 0o100755 : 0o100644, at + 24);
    bytes.write(file.oid, at + 40, 'hex');
    bytes.writeUInt16BE(Math.min(file.path.length, LONGEST_TOLD), at + 60);
    bytes.write(file.path, at + FIXED, 'latin1');
    at += sizeOf(file);
  }
  createHash('sha1').update(bytes.subarray(0, at)).digest().copy(bytes, at);
  return bytes;
}
