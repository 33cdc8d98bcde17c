import fs from 'node:fs';
import { writeObject } from '../../checkpoint/loose.ts';
import type { Store } from '../../checkpoint/store.ts';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { lookAt, openRegular, readBytesIfAny } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { walkEntries } from './index-file.ts';
import { indexStamp, type KeptTree } from './kept.ts';
import { type OwnTree, ownTree } from './own-tree.ts';
import type { Scan } from './scan.ts';

/** More files than this git looks at in less time, on several threads. */
const MOST_FILES = 2000;
const LARGEST_INDEX = 1 << 20;
/** More changed files, or a larger one, are git's. */
const MOST_CHANGED = 50;
const LARGEST = 1n << 20n;

export interface Again {
  readonly store: Store;
  readonly root: Bytes;
  /** The kept index, and what is known from when it was written. */
  readonly index: Bytes;
  readonly old: Pick<KeptTree, 'index' | 'fresh'>;
  /** None of its folders has got or lost an entry since. */
  readonly scan: Pick<Scan, 'folders'>;
}

export type Retaken =
  /** Every file is as the index says. */
  | { readonly is: 'same' }
  | { readonly is: 'changed'; readonly tree: OwnTree }
  /** Not decided here: it is git's. */
  | { readonly is: 'open' };

const OPEN: Retaken = { is: 'open' };

/**
 * A small tree in which the same files are as last time, looked at without git: each file beside what the index says of it (all that git
 * compares, and the parts of a second), contents of those that differ into the store. Whatever is not as simple as that is git's.
 */
export function takeAgain({ store, root, index, old, scan }: Again): Retaken {
  const bytes = (lookAt(index)?.size ?? 0) > LARGEST_INDEX ? undefined : readBytesIfAny(index);
  // Asked after it was read: another capture may put its own in place at any time.
  if (indexStamp(index) !== old.index) return OPEN;
  if (bytes === undefined || bytes.length < 12 || bytes.readUInt32BE(8) > MOST_FILES) return OPEN;
  const distrusted = new Set(old.fresh);
  const changed: { readonly at: number; readonly path: Bytes; readonly now: fs.BigIntStats }[] = [];
  let isOpen = false;
  const end = walkEntries(bytes, (at, name, nameEnd) => {
    if (isOpen) return;
    const path = bytes.toString('latin1', name, nameEnd);
    const isInTree = scan.folders.has(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
    const now = isInTree ? lookAtEntry(join(root, path)) : undefined;
    if (now === undefined || modeOf(now) >> 12 !== bytes.readUInt32BE(at + MODE) >> 12) isOpen = true;
    else if (distrusted.has(at) || !isSame(bytes, at, now)) changed.push({ at, path, now });
    if (changed.length > MOST_CHANGED) isOpen = true;
  });
  if (end === undefined || isOpen) return OPEN;
  for (const { at, path, now } of changed) {
    const oid = contentInto(store, join(root, path), now);
    if (oid === undefined) return OPEN;
    note(bytes, at, now, oid);
  }
  if (changed.length === 0) return { is: 'same' };
  const paths = changed.map(({ path }) => path);
  const tree = ownTree(store, bytes, paths);
  return tree === undefined ? OPEN : { is: 'changed', tree };
}

/** Of gitformat-index(5): where in an entry each field is, four bytes long. */
const CTIME = 0;
const MTIME = 8;
const DEVICE = 16;
const INODE = 20;
const MODE = 24;
const UID = 28;
const GID = 32;
const SIZE = 36;
const OID = 40;

const SECOND = 1_000_000_000n;
const low = (value: bigint): number => Number(BigInt.asUintN(32, value));

/** Undefined for what is gone, or may not be looked at. */
function lookAtEntry(path: Bytes): fs.BigIntStats | undefined {
  try {
    return fs.lstatSync(toBuffer(path), { bigint: true });
  } catch {
    return undefined; // git looks at it, and tells
  }
}

/** git's mode of a file or a link; 0 for anything else. */
const modeOf = (stat: fs.BigIntStats): number =>
  stat.isFile() ? ((stat.mode & 0o100n) === 0n ? 0o100644 : 0o100755) : stat.isSymbolicLink() ? 0o120000 : 0;

/** As git, which leaves the device out: the same disk may have another number tomorrow. */
const isSame = (bytes: Buffer, at: number, now: fs.BigIntStats): boolean =>
  timeAt(bytes, at + MTIME) === now.mtimeNs &&
  timeAt(bytes, at + CTIME) === now.ctimeNs &&
  bytes.readUInt32BE(at + SIZE) === low(now.size) &&
  bytes.readUInt32BE(at + INODE) === low(now.ino) &&
  bytes.readUInt32BE(at + MODE) === modeOf(now) &&
  bytes.readUInt32BE(at + UID) === Number(now.uid) &&
  bytes.readUInt32BE(at + GID) === Number(now.gid);

/** Nanoseconds; a year beyond 2106 is never the same and asked of git, which cuts it off. */
const timeAt = (bytes: Buffer, at: number): bigint =>
  BigInt(bytes.readUInt32BE(at)) * SECOND + BigInt(bytes.readUInt32BE(at + 4));

function note(bytes: Buffer, at: number, now: fs.BigIntStats, oid: string): void {
  const time = (ns: bigint, field: number): void => {
    bytes.writeUInt32BE(low(ns / SECOND), at + field);
    bytes.writeUInt32BE(Number(ns % SECOND), at + field + 4);
  };
  time(now.ctimeNs, CTIME);
  time(now.mtimeNs, MTIME);
  bytes.writeUInt32BE(low(now.dev), at + DEVICE);
  bytes.writeUInt32BE(low(now.ino), at + INODE);
  bytes.writeUInt32BE(modeOf(now), at + MODE);
  bytes.writeUInt32BE(Number(now.uid), at + UID);
  bytes.writeUInt32BE(Number(now.gid), at + GID);
  bytes.writeUInt32BE(low(now.size), at + SIZE);
  bytes.write(oid, at + OID, 'hex');
}

/** The content's name, once the store has it; undefined where it is large, cannot be read, or changes meanwhile. */
function contentInto(store: Store, path: Bytes, now: fs.BigIntStats): string | undefined {
  if (now.size > LARGEST || now.mtimeNs < 0n || now.ctimeNs < 0n) return undefined;
  const content = now.isFile() ? contentOf(path, now) : linkOf(path);
  return content === undefined ? undefined : writeObject(store, 'blob', content, false);
}

function linkOf(path: Bytes): Uint8Array | undefined {
  try {
    return fs.readlinkSync(toBuffer(path), 'buffer');
  } catch {
    return undefined; // another entry by now: git looks at it
  }
}

function contentOf(path: Bytes, now: fs.BigIntStats): Uint8Array | undefined {
  let fd: number | undefined;
  try {
    fd = openRegular(path);
    const content = fs.readFileSync(fd);
    const { ino, dev, size, mtimeNs, ctimeNs } = fs.fstatSync(fd, { bigint: true });
    const isStill =
      ino === now.ino && dev === now.dev && size === now.size && mtimeNs === now.mtimeNs && ctimeNs === now.ctimeNs;
    return isStill && BigInt(content.length) === size ? content : undefined;
  } catch {
    return undefined; // gone, or not to be read: git tells
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
}
