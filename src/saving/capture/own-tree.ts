import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { ObjectLooks } from '../../checkpoint/has-object.ts';
import { writeObject } from '../../checkpoint/loose.ts';
import { GITLINK_MODE } from '../../checkpoint/modes.ts';
import type { Store } from '../../checkpoint/store.ts';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { readBytesIfAny } from '../../platform/files.ts';
import { walkEntries } from './index-file.ts';
import { forgetOn, type KnownTree, readKnown, writeKnown } from './known-trees.ts';

/** Entries of folders that changed; a tree with more of them is git's. */
export const MOST_OURS = 3000;

class NotOurs extends Error {}

/** An index's tree in the store, and the index that says so. */
export interface OwnTree {
  readonly oid: string;
  /** Its entries as they were; what follows them in the file, whole. */
  readonly entries: Buffer;
  readonly tail: Buffer;
}

/**
 * What `git write-tree` does: the index's tree into the store, and into the index which folder has which, so that the next time only
 * those are written that changed: of `changed` paths, and where the index does not know it. To start git takes as long as a small tree's
 * whole capture. Undefined, and nothing done, where the index is no plain list, where too much changed, or where an object is lost: git
 * writes it then, or says what is the matter.
 */
export function ownTree(store: Store, bytes: Buffer, changed: readonly Bytes[] = []): OwnTree | undefined {
  const at: number[] = [];
  const end = walkEntries(bytes, (entry) => at.push(entry));
  const root = end === undefined ? undefined : readKnown(bytes, end);
  if (root === undefined) return undefined;
  for (const path of changed) forgetOn(root, path);
  const looks = new ObjectLooks(store);
  try {
    fill({ store, bytes, at, looks, left: MOST_OURS }, root, 0, '');
  } catch (error) {
    if (error instanceof NotOurs) return undefined;
    throw error;
  } finally {
    looks.close();
  }
  const entries = bytes.subarray(0, end);
  const trees = writeKnown(root);
  const hash = createHash('sha1').update(entries).update(trees).digest();
  return { oid: root.oid, entries, tail: Buffer.concat([trees, hash]) };
}

/** The same of an index's file, which then says so. */
export function ownTreeOf(store: Store, index: Bytes): string | undefined {
  const bytes = readBytesIfAny(index);
  const own = bytes === undefined ? undefined : ownTree(store, bytes);
  if (own === undefined) return undefined;
  const { oid, entries, tail } = own;
  const fd = fs.openSync(toBuffer(index), 'r+');
  try {
    fs.writeSync(fd, tail, 0, tail.length, entries.length);
    fs.ftruncateSync(fd, entries.length + tail.length);
  } finally {
    fs.closeSync(fd);
  }
  return oid;
}

/** An index's file anew, with its tree known. */
export const writeIndex = (index: Bytes, { entries, tail }: OwnTree): void =>
  fs.writeFileSync(toBuffer(index), Buffer.concat([entries, tail]), { mode: 0o600, flag: 'wx' });

interface Work {
  readonly store: Store;
  readonly bytes: Buffer;
  /** Where each entry begins. */
  readonly at: readonly number[];
  readonly looks: ObjectLooks;
  left: number;
}

const STAGE = 0x3000;
const INTENT_TO_ADD = 0x2000;
const EXTENDED = 0x4000;

/** One folder's tree, of the entries from number `from` on; those below it first. How many entries it has. */
function fill(work: Work, known: KnownTree, from: number, prefix: Bytes): number {
  const { store, bytes, at, looks } = work;
  if (known.count >= 0 && looks.has(known.oid)) return known.count;
  const before = new Map(known.below.map((one) => [one.name, one]));
  const below: KnownTree[] = [];
  const parts: Buffer[] = [];
  let i = from;
  while (i < at.length) {
    const entry = at[i] ?? 0;
    const flags = bytes.readUInt16BE(entry + 60);
    const isExtended = (flags & EXTENDED) !== 0;
    const name = entry + 62 + (isExtended ? 2 : 0);
    const path = bytes.toString('latin1', name, bytes.indexOf(0, name));
    if (!path.startsWith(prefix)) break;
    const isPlain = (flags & STAGE) === 0 && (!isExtended || (bytes.readUInt16BE(entry + 62) & INTENT_TO_ADD) === 0);
    if (work.left-- === 0 || !isPlain) throw new NotOurs();
    const slash = path.indexOf('/', prefix.length);
    if (slash >= 0) {
      const folder = path.slice(prefix.length, slash);
      const tree = before.get(folder) ?? { name: folder, count: -1, oid: '', below: [] };
      i += fill(work, tree, i, path.slice(0, slash + 1));
      below.push(tree);
      parts.push(toBuffer(`40000 ${folder}\0`), Buffer.from(tree.oid, 'hex'));
      continue;
    }
    const mode = bytes.readUInt32BE(entry + 24);
    const oid = bytes.subarray(entry + 40, entry + 60);
    if (mode !== GITLINK_MODE && !looks.has(oid.toString('hex'))) throw new NotOurs();
    parts.push(toBuffer(`${mode.toString(8)} ${path.slice(prefix.length)}\0`), oid);
    i++;
  }
  known.oid = writeObject(store, 'tree', Buffer.concat(parts), false);
  known.count = i - from;
  known.below = below;
  return known.count;
}
