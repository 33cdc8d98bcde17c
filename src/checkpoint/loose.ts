import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { deflateSync } from 'node:zlib';
import { type Bytes, fromBuffer, toBuffer } from '../platform/bytes.ts';
import { codeOf, isAbsentError, lookAt, makeFolder, readBytesIfAny, removeFile } from '../platform/files.ts';
import { dirname, join } from '../platform/paths.ts';
import { randomHex } from '../platform/random.ts';
import { type Commit, type Imported, type Source, sourceBytes } from './fast-import.ts';
import { blobOid, EMPTY_TREE } from './oid.ts';
import { type Store, StoreError } from './store.ts';

/** A commit that belay writes into the store by itself, as git would. */
export interface LooseWrite {
  readonly commit: Commit;
  /** Contents that the store may not have yet, by their oid. */
  readonly blobs: ReadonlyMap<string, Source>;
  /** Moved to the commit in this order, once all of them are locked. */
  readonly refs: readonly string[];
  /** `new`: none of the refs may be there yet. `any`: whatever they say; only for numbers that nobody else can have. */
  readonly over: 'new' | 'any';
  /** Waits until the objects are on the disk. */
  readonly sync?: boolean;
}

/** Whether no entry goes into a tree that is there already. */
export const isOwnTree = ({ entries }: Commit): boolean =>
  entries.every((entry) => !('tree' in entry) || !entry.path.includes('/'));

/**
 * Writes objects as files of the store, then the refs (gitrepository-layout(5)): what `git fast-import` makes of it, object by object, in
 * a fraction of the time: git takes as long to start, and looks each name of a folder up among all the others.
 */
export function writeLoose(store: Store, { commit, blobs, refs, over, sync = false }: LooseWrite): Imported {
  try {
    for (const [oid, source] of blobs) {
      const bytes = sourceBytes(source);
      if (blobOid(bytes) !== oid) throw new StoreError('no_content', `content is not ${oid} any more`);
      writeObject(store, 'blob', bytes, sync);
    }
    const tree = writeTree(store, commit.entries, sync);
    const when = `belay <belay@localhost> ${Math.floor(commit.when / 1000)} +0000`;
    const text = `tree ${tree}\nauthor ${when}\ncommitter ${when}\n\n${commit.subject}`;
    return pointAll(store, refs, writeObject(store, 'commit', toBuffer(text), sync), over);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    return { is: 'failed', why: error instanceof Error ? error.message : String(error) };
  }
}

const FOLDER = '40000';

/** In git's order: a folder counts as if its name ended with a slash. Empty folders are no entries. */
function writeTree(store: Store, entries: Commit['entries'], sync: boolean): string {
  const lines: { readonly place: Bytes; readonly head: Bytes; readonly oid: string }[] = [];
  const add = (mode: string, name: Bytes, oid: string): void => {
    if (oid !== EMPTY_TREE) lines.push({ place: mode === FOLDER ? `${name}/` : name, head: `${mode} ${name}\0`, oid });
  };
  const below = new Map<Bytes, Commit['entries'][number][]>();
  for (const entry of entries) {
    const slash = entry.path.indexOf('/');
    if (slash >= 0) {
      const [name, path] = [entry.path.slice(0, slash), entry.path.slice(slash + 1)];
      const list = below.get(name) ?? [];
      below.set(name, list);
      list.push({ ...entry, path });
    } else if ('tree' in entry) add(FOLDER, entry.path, entry.tree);
    else add('100644', entry.path, 'blob' in entry ? entry.blob : writeObject(store, 'blob', entry.data, sync));
  }
  for (const [name, list] of below) add(FOLDER, name, writeTree(store, list, sync));
  lines.sort((a, b) => (a.place < b.place ? -1 : 1));
  const parts = lines.flatMap(({ head, oid }) => [toBuffer(head), Buffer.from(oid, 'hex')]);
  return writeObject(store, 'tree', Buffer.concat(parts), sync);
}

/** An object as a file of its own, put in its place whole; one that is there is young again. */
export function writeObject(
  store: Store,
  type: 'blob' | 'tree' | 'commit',
  content: Uint8Array,
  sync: boolean,
): string {
  const whole = Buffer.concat([toBuffer(`${type} ${content.byteLength}\0`), content]);
  const oid = createHash('sha1').update(whole).digest('hex');
  const folder = join(store.gitDir, `objects/${oid.slice(0, 2)}`);
  const file = join(folder, oid.slice(2));
  if (lookAt(file)?.type === 'file') {
    fs.utimesSync(toBuffer(file), new Date(), new Date());
    return oid;
  }
  const temporary = join(folder, `tmp_obj_${randomHex(6)}`);
  const bytes = deflateSync(whole, { level: 1 });
  try {
    inFolder(folder, () => writeNew(temporary, bytes, 0o444, sync));
    fs.renameSync(toBuffer(temporary), toBuffer(file));
  } catch (error) {
    removeFile(temporary);
    throw error;
  }
  return oid;
}

function writeNew(path: Bytes, bytes: Uint8Array | string, mode: number, sync: boolean): void {
  const fd = fs.openSync(toBuffer(path), 'wx', mode);
  try {
    fs.writeFileSync(fd, bytes);
    if (sync) fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** A collection takes empty folders away. */
function inFolder(folder: Bytes, write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!isAbsentError(error)) throw error;
    makeFolder(folder);
    write();
  }
}

/** Locks every ref as git does, and moves them only when it has all of them. */
function pointAll(store: Store, refs: readonly string[], oid: string, over: LooseWrite['over']): Imported {
  const files = refs.map((ref) => join(store.gitDir, ref));
  const locked: Bytes[] = [];
  try {
    for (const file of files) {
      const lock = `${file}.lock`;
      inFolder(dirname(file), () => writeNew(lock, `${oid}\n`, 0o600, false));
      locked.push(lock);
    }
    const there = over === 'new' ? refs.find((ref) => isThere(store, ref)) : undefined;
    if (there !== undefined) return { is: 'taken', why: `${there} is there already` };
    for (const file of files) {
      fs.renameSync(toBuffer(`${file}.lock`), toBuffer(file));
      locked.shift();
    }
    return { is: 'written' };
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return { is: 'taken', why: 'a ref is locked' };
  } finally {
    for (const lock of locked) removeFile(lock);
  }
}

function isThere(store: Store, ref: string): boolean {
  if (lookAt(join(store.gitDir, ref)) !== undefined) return true;
  const packed = readBytesIfAny(join(store.gitDir, 'packed-refs'));
  return packed !== undefined && fromBuffer(packed).includes(` ${ref}\n`);
}
