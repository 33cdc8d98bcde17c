import fs from 'node:fs';
import type { Owner } from '../../checkpoint/record.ts';
import type { Store } from '../../checkpoint/store.ts';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { isAbsentError, lookAt, makeFolder, readBytesIfAny, removeFile, writeAtomic } from '../../platform/files.ts';
import { dirname, join } from '../../platform/paths.ts';
import type { FolderScan } from './scan.ts';

/** What is known from the last capture of a project, beside its kept index: a cache, safe to lose. */
export interface Kept {
  readonly v: 3;
  readonly m: number;
  readonly order: number;
  /** Milliseconds since 1970; how long it took; how many files. */
  readonly taken: number;
  readonly ms: number;
  readonly files: number;
  /** Hash of all that its record says beside the tree. */
  readonly meta: string;
  /** The exclude lists that no tree holds. */
  readonly exclude?: Bytes;
  /** Whose the project's folder was. */
  readonly owner: Owner;
  /** Work trees of the project, `` for its own: their trees and folders. */
  readonly trees: Readonly<Record<Bytes, KeptTree>>;
}

export interface KeptTree {
  readonly tree: string;
  /** Size, mtime and inode of the kept index right after this tree was written from it. */
  readonly index: string;
  readonly excluded: readonly Bytes[];
  readonly forced: readonly Bytes[];
  readonly folders: readonly (readonly [Bytes, FolderScan])[];
  /** Path → twelve bits, where they are not what git says. */
  readonly modes: readonly (readonly [Bytes, number])[];
  /** Files and links that are not their project's folder's owner's. */
  readonly owners: readonly (readonly [Bytes, number, number])[];
  /** Index entries (their offsets) that changed in the very second of the capture: their times prove nothing. */
  readonly fresh: readonly number[];
  /** Files that the repository tracks although it ignores them, and the stamp of its index when it was asked. */
  readonly tracked: { readonly index: string; readonly paths: readonly Bytes[] };
}

export const indexPath = (store: Store, key: string, tree: string): Bytes =>
  join(join(store.gitDir, 'indexes'), tree === '' ? key : `${key}.${tree}`);

const keptPath = (store: Store, key: string): Bytes => join(join(store.gitDir, 'indexes'), `${key}.json`);

export function readKept(store: Store, key: string): Kept | undefined {
  const bytes = readBytesIfAny(keptPath(store, key));
  if (bytes === undefined) return undefined;
  try {
    const kept = JSON.parse(bytes.toString('utf8')) as Kept;
    return kept.v === 3 ? kept : undefined;
  } catch {
    return undefined; // a cache: made anew by the next capture
  }
}

export const writeKept = (store: Store, key: string, kept: Kept): void =>
  writeAtomic(keptPath(store, key), JSON.stringify(kept));

/** The name of a private copy of a kept index, to work on. */
export const privateIndex = (kept: Bytes): Bytes => `${kept}.${process.pid}.${Math.random().toString(36).slice(2)}`;

/** Makes that copy; there may be no kept index yet. */
export function borrowIndex(kept: Bytes, own: Bytes): void {
  makeFolder(dirname(kept));
  try {
    fs.copyFileSync(toBuffer(kept), toBuffer(own), fs.constants.COPYFILE_FICLONE);
  } catch (error) {
    if (!isAbsentError(error)) throw error;
  }
}

export const keepIndex = (store: Store, key: string, tree: string, own: Bytes): void =>
  fs.renameSync(toBuffer(own), toBuffer(indexPath(store, key, tree)));

export function dropIndex(own: Bytes): void {
  removeFile(own);
  removeFile(`${own}.lock`); // of a git that was killed
}

/** Tells one written index from another. */
export function indexStamp(path: Bytes): string {
  const look = lookAt(path);
  return look === undefined ? '' : `${look.size} ${look.mtime} ${look.ino}`;
}
