import fs from 'node:fs';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { readBytesIfAny } from '../../platform/files.ts';

/** One file of an index (gitformat-index(5), versions 2 and 3). */
export interface IndexEntry {
  readonly path: Bytes;
  /** git's: 0o100644, 0o100755, 0o120000, 0o160000. */
  readonly mode: number;
  /** Seconds since 1970. */
  readonly ctime: number;
  readonly uid: number;
  readonly gid: number;
  /** Where the entry begins in the file. */
  readonly at: number;
}

const HEADER = 12;
const FIXED = 62;
const EXTENDED = 0x4000;
/** The name's length, as far as it fits: a longer one ends at its NUL. */
const LENGTH = 0xfff;

/**
 * The entries of an index that belay's own git has written, those only whose ctime is `since` (seconds) or later; undefined where it is
 * no such file.
 */
export function readIndex(path: Bytes, since = 0): IndexEntry[] | undefined {
  const out: IndexEntry[] = [];
  return eachEntry(path, since, (entry) => out.push(entry)) ? out : undefined;
}

/** The same one by one: all of them at once take more room than the index does. False where it is no such file. */
export function eachEntry(path: Bytes, since: number, use: (entry: IndexEntry) => void): boolean {
  const bytes = readBytesIfAny(path);
  if (bytes === undefined) return false;
  const end = walkEntries(bytes, (at, name, nameEnd) => {
    const ctime = bytes.readUInt32BE(at);
    if (ctime < since) return;
    use({
      path: bytes.toString('latin1', name, nameEnd),
      mode: bytes.readUInt32BE(at + 24),
      ctime,
      uid: bytes.readUInt32BE(at + 28),
      gid: bytes.readUInt32BE(at + 32),
      at,
    });
  });
  return end !== undefined;
}

/** Where each entry begins, its name begins and its name ends; then where the entries end, undefined where it is no such file. */
export function walkEntries(
  bytes: Buffer,
  use: (at: number, name: number, nameEnd: number) => void,
): number | undefined {
  if (bytes.length < HEADER || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = bytes.readUInt32BE(4);
  if (version !== 2 && version !== 3) return undefined;
  let at = HEADER;
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    if (at + FIXED > bytes.length) return undefined; // cut off
    const flags = bytes.readUInt16BE(at + 60);
    const name = at + FIXED + (flags & EXTENDED ? 2 : 0);
    const length = flags & LENGTH;
    const end = length < LENGTH ? name + length : bytes.indexOf(0, name);
    if (end < 0 || end >= bytes.length) return undefined;
    use(at, name, end);
    at += (end - at + 8) & ~7; // padded with 1–8 NUL bytes to a multiple of eight
  }
  return at;
}

const SIZE_FIELD = 36;

/**
 * Takes the size out of entries, so that git looks into those files whatever their times say: git compares whole seconds, and an
 * edit within the second of a capture, with the old mtime put back, would pass for no edit. (git reads an index without
 * checking its hash, and writes a right one.)
 */
export function distrust(path: Bytes, entries: readonly number[]): void {
  if (entries.length === 0) return;
  const fd = fs.openSync(toBuffer(path), 'r+');
  try {
    for (const at of entries) fs.writeSync(fd, Buffer.alloc(4), 0, 4, at + SIZE_FIELD);
  } finally {
    fs.closeSync(fd);
  }
}

/** How many files a repository's index says it has; undefined where there is none. */
export function countInIndex(path: Bytes): number | undefined {
  const bytes = readBytesIfAny(path);
  if (bytes === undefined || bytes.length < HEADER || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  return bytes.readUInt32BE(8);
}
