import { createHash } from 'node:crypto';
import { type Bytes, fromBuffer } from '../../platform/bytes.ts';
import { lookThrough } from '../../platform/files.ts';
import { readRegular } from './read.ts';

/** One entry of git's index (gitformat-index(5)). */
export interface IndexEntry {
  /** From the top of the work tree. */
  readonly path: Bytes;
  readonly mode: number;
  /** Hexadecimal. */
  readonly oid: string;
  /** 0, or 1 to 3 in a conflict. */
  readonly stage: number;
  readonly assumeValid: boolean;
  readonly skipWorktree: boolean;
  /** `git add -N`: the path only, no content. */
  readonly intentToAdd: boolean;
  /** Milliseconds with their fraction, as `Stats.mtimeMs` has them. */
  readonly mtime: number;
  readonly ctime: number;
  readonly ino: number;
  readonly uid: number;
  readonly gid: number;
  readonly size: number;
}

export type IndexRead =
  | { readonly kind: 'read'; readonly entries: readonly IndexEntry[] }
  /** Split into a shared index, or nothing that we know how to read. */
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Some five million entries. */
const LARGEST = 512 << 20;

const EXTENDED = 0x4000;

/** The index without asking git: no process, no filter, no fsmonitor. A missing file is an empty index. */
export function readIndex(file: Bytes, oidBytes: number): IndexRead {
  const data = readRegular(file, LARGEST);
  if (data === undefined)
    return lookThrough(file) === undefined ? { kind: 'read', entries: [] } : { kind: 'unreadable', reason: 'no file' };
  if (data.length === 0) return { kind: 'read', entries: [] };
  return parseIndex(data, oidBytes);
}

export function parseIndex(data: Buffer, oidBytes: number): IndexRead {
  const unreadable = (reason: string): IndexRead => ({ kind: 'unreadable', reason });
  if (data.length < 12 + oidBytes || data.toString('latin1', 0, 4) !== 'DIRC') return unreadable('no index');
  const version = data.readUInt32BE(4);
  if (version < 2 || version > 4) return unreadable(`version ${version}`);
  const count = data.readUInt32BE(8);
  const end = data.length - oidBytes;
  const entries: IndexEntry[] = [];
  let at = 12;
  let previous = '';
  for (let n = 0; n < count; n++) {
    const fixed = 40 + oidBytes + 2;
    if (at + fixed > end) return unreadable('cut off');
    const flags = data.readUInt16BE(at + 40 + oidBytes);
    const extended = (flags & EXTENDED) !== 0;
    const more = extended ? data.readUInt16BE(at + fixed) : 0;
    let name = at + fixed + (extended ? 2 : 0);
    let path: Bytes;
    let next: number;
    if (version === 4) {
      let byte = data[name++] ?? 0;
      let strip = byte & 0x7f;
      while (byte & 0x80) {
        byte = data[name++] ?? 0;
        strip = ((strip + 1) << 7) | (byte & 0x7f);
      }
      const nul = data.indexOf(0, name);
      if (nul < 0 || nul > end) return unreadable('cut off');
      path = previous.slice(0, previous.length - strip) + data.toString('latin1', name, nul);
      next = nul + 1;
    } else {
      const length = flags & 0xfff;
      const nul = length < 0xfff ? name + length : data.indexOf(0, name);
      if (nul < 0 || nul > end) return unreadable('cut off');
      path = data.toString('latin1', name, nul);
      next = at + ((nul - at + 8) & ~7);
    }
    if (path === '' || path.startsWith('/')) return unreadable('no path');
    entries.push({
      path,
      mode: data.readUInt32BE(at + 24),
      oid: data.toString('hex', at + 40, at + 40 + oidBytes),
      stage: (flags >> 12) & 3,
      assumeValid: (flags & 0x8000) !== 0,
      skipWorktree: (more & 0x4000) !== 0,
      intentToAdd: (more & 0x2000) !== 0,
      ctime: data.readUInt32BE(at) * 1000 + data.readUInt32BE(at + 4) / 1e6,
      mtime: data.readUInt32BE(at + 8) * 1000 + data.readUInt32BE(at + 12) / 1e6,
      ino: data.readUInt32BE(at + 20),
      uid: data.readUInt32BE(at + 28),
      gid: data.readUInt32BE(at + 32),
      size: data.readUInt32BE(at + 36),
    });
    previous = path;
    at = next;
  }
  while (at + 8 <= end) {
    const kind = data.toString('latin1', at, at + 4);
    if (kind === 'link') return unreadable('split index');
    const first = kind[0] ?? '';
    if ((first < 'A' || first > 'Z') && kind !== 'sdir') return unreadable(`extension ${kind}`);
    at += 8 + data.readUInt32BE(at + 4);
  }
  return { kind: 'read', entries };
}

/** The name under which git would store these bytes as they are. */
export function blobOid(content: Uint8Array, oidBytes: number): string {
  return createHash(oidBytes === 32 ? 'sha256' : 'sha1')
    .update(`blob ${content.byteLength}\0`)
    .update(content)
    .digest('hex');
}

/** What `git ls-files -s -z` prints, for an index that only git can read: no stat data, so that every file counts as changed until hashed. */
export function parseStaged(out: Buffer): IndexEntry[] {
  const entries: IndexEntry[] = [];
  for (const line of fromBuffer(out).split('\0')) {
    const hit = /^(\d+) ([0-9a-f]+) ([0-3])\t([\s\S]+)$/.exec(line);
    if (!hit) continue;
    entries.push({
      path: hit[4] ?? '',
      mode: Number.parseInt(hit[1] ?? '0', 8),
      oid: hit[2] ?? '',
      stage: Number(hit[3]),
      assumeValid: false,
      skipWorktree: false,
      intentToAdd: false,
      mtime: 0,
      ctime: 0,
      ino: 0,
      uid: 0,
      gid: 0,
      size: 0,
    });
  }
  return entries;
}
