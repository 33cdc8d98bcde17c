import fs from 'node:fs';
import { type Bytes, fromBuffer } from '../platform/bytes.ts';
import { codeOf, entriesIn, isAbsentError, lookAt, openRegular } from '../platform/files.ts';
import { readNote } from '../platform/notes.ts';
import { isAbsolute, join } from '../platform/paths.ts';
import type { Checkout } from './checkout.ts';
import { checkoutFile, pathFile } from './layout.ts';

/** One `installs/<key>/`. */
export interface State {
  /** The `installs/` that it lies in. */
  readonly root: Bytes;
  readonly key: string;
  readonly folder: Bytes;
  readonly record: StateRecord | 'none' | 'unreadable';
}

/** What a state says of its checkout. */
export interface StateRecord {
  readonly path: Bytes;
  /** When it was written, as the file system tells it: nanoseconds, decimal. */
  readonly written: string;
  readonly checkout?: Checkout;
}

/** The states of a root, sorted by key. Throws what readdir throws, but for a root that is not there. */
export function statesIn(root: Bytes): State[] {
  let entries: ReturnType<typeof entriesIn>;
  try {
    entries = entriesIn(root);
  } catch (error) {
    if (isAbsentError(error)) return [];
    throw error;
  }
  return entries
    .filter(({ name, type }) => type === 'folder' && !name.startsWith('.'))
    .map(({ name }) => stateAt(root, name));
}

export function stateAt(root: Bytes, key: string): State {
  const folder = join(root, key);
  return { root, key, folder, record: readRecord(folder) };
}

/** The checkout's path is the record; what proves its deletion lies beside it, and counts only where both say the same. */
export function readRecord(folder: Bytes): State['record'] {
  try {
    const file = pathFile(folder);
    const look = lookAt(file);
    if (look === undefined) return 'none';
    const path = textOf(file).replace(/\n$/, '');
    if (!isAbsolute(path) || path.includes('\0')) return 'unreadable';
    const checkout = readCheckout(checkoutFile(folder));
    return { path, written: look.ctime, ...(checkout?.path === path ? { checkout } : {}) };
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return 'unreadable';
  }
}

/** Undefined where it is not whole. */
export function readCheckout(file: Bytes): Checkout | undefined {
  const seen = readNote<Checkout>(file, ['path', 'machine']);
  return typeof seen?.parent?.inode === 'string' && typeof seen.self?.inode === 'string' ? seen : undefined;
}

function textOf(file: Bytes): Bytes {
  const fd = openRegular(file);
  try {
    return fromBuffer(fs.readFileSync(fd));
  } finally {
    fs.closeSync(fd);
  }
}
