import fs from 'node:fs';
import { type Bytes, fromBuffer, toBuffer } from '../platform/bytes.ts';
import { lookAt, readBytesIfAny, removeFile } from '../platform/files.ts';
import { join } from '../platform/paths.ts';
import type { Store } from './store.ts';

/** What git has counted in two trees, files apart. */
export interface Counted {
  files: number;
  insertions: number;
  deletions: number;
}

/**
 * `.counts`: what git has counted before, `<name> <files> <insertions> <deletions>` a line, so that a list need not start git for it
 * again. Names are those of commits, which never mean anything else; there is nothing in it but numbers. Safe to lose.
 */
const countsFile = (store: Store): Bytes => join(store.base, '.counts');

/** Larger than this it is begun anew. */
const LARGEST = 1 << 20;

export function readCounts(store: Store): Map<string, Counted> {
  const out = new Map<string, Counted>();
  const bytes = readBytesIfAny(countsFile(store));
  for (const line of bytes === undefined ? [] : fromBuffer(bytes).split('\n')) {
    const [name, files, insertions, deletions, more] = line.split(' ');
    if (name === undefined || deletions === undefined || more !== undefined) continue;
    const counted = { files: Number(files), insertions: Number(insertions), deletions: Number(deletions) };
    if (Object.values(counted).every(Number.isSafeInteger)) out.set(name, counted);
  }
  return out;
}

/** In one append, where the store is ours: two who come at once write the same. */
export function addCounts(store: Store, counts: ReadonlyMap<string, Counted>): void {
  if (counts.size === 0 || lookAt(store.base)?.uid !== process.getuid?.()) return;
  const text = [...counts].map(
    ([name, { files, insertions, deletions }]) => `${name} ${files} ${insertions} ${deletions}\n`,
  );
  const file = countsFile(store);
  try {
    if ((lookAt(file)?.size ?? 0) > LARGEST) removeFile(file);
    fs.appendFileSync(toBuffer(file), text.join(''), { mode: 0o600 });
  } catch {
    // a full or read-only disk: git counts again the next time
  }
}
