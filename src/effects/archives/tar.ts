import fs from 'node:fs';
import { type Bytes, fromBuffer, toBuffer } from '../../platform/bytes.ts';
import { inflated } from './inflate.ts';

export interface Member {
  /** As the archive says it: relative, absolute, with `..`. */
  readonly name: Bytes;
  readonly folder: boolean;
  /** Permission bits, where the archive has them. */
  readonly mode?: number;
}

/** More members than this are not listed: the caller takes the whole folder. */
const MEMBERS = 5_000;
const BLOCK = 512;

/** Bytes of an archive at a place; shorter at its end. */
type Source = (at: number, length: number) => Buffer;

/**
 * The members of a tar archive (tar(5): ustar, GNU long names, pax `path`), read from its headers only; the content is skipped.
 * Undefined: no such file, another compression than gzip, damaged, too many.
 */
export function tarMembers(path: Bytes): Member[] | undefined {
  let fd: number | undefined;
  try {
    fd = fs.openSync(toBuffer(path), fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    if (!fs.fstatSync(fd).isFile()) return undefined;
    const open = fd;
    const plain: Source = (at, length) => {
      const buffer = Buffer.alloc(length);
      return buffer.subarray(0, fs.readSync(open, buffer, 0, length, at));
    };
    const start = plain(0, 2);
    if (start[0] !== 0x1f || start[1] !== 0x8b) return members(plain);
    const whole = inflated(open);
    return whole && members((at, length) => whole.subarray(at, at + length));
  } catch {
    return undefined; // unreadable or damaged: what is in it is not known, which is what the answer says
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
}

/** A number in octal or, with the top bit set, in base 256 (tar(5)). */
function number(field: Buffer): number {
  if (((field[0] ?? 0) & 0x80) !== 0) {
    let value = (field[0] ?? 0) & 0x7f;
    for (const byte of field.subarray(1)) value = value * 256 + byte;
    return value;
  }
  return Number.parseInt(text(field).trim() || '0', 8);
}

function text(field: Buffer): Bytes {
  const end = field.indexOf(0);
  return fromBuffer(end < 0 ? field : field.subarray(0, end));
}

function members(source: Source): Member[] | undefined {
  const out: Member[] = [];
  let at = 0;
  let longName: Bytes | undefined;
  for (;;) {
    const header = source(at, BLOCK);
    if (header.length < BLOCK || header.every((byte) => byte === 0))
      return at === 0 && header.length > 0 && header.length < BLOCK ? undefined : out;
    if (!checks(header)) return undefined;
    const size = number(header.subarray(124, 136));
    const type = String.fromCharCode(header[156] ?? 0);
    if (!Number.isSafeInteger(size) || size < 0) return undefined;
    if (type === 'L') longName = text(source(at + BLOCK, Math.min(size, 65_536)));
    else if (type === 'x') longName = paxPath(source(at + BLOCK, Math.min(size, 1 << 20))) ?? longName;
    else if (type !== 'g' && type !== 'K' && type !== 'V') {
      const prefix =
        text(header.subarray(257, 262)) === 'ustar' && header[262] === 0 ? text(header.subarray(345, 500)) : '';
      const short = text(header.subarray(0, 100));
      const name = longName ?? (prefix === '' ? short : `${prefix}/${short}`);
      out.push({ name, folder: type === '5' || name.endsWith('/'), mode: number(header.subarray(100, 108)) & 0o7777 });
      longName = undefined;
      if (out.length > MEMBERS) return undefined;
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
}

/** The header's checksum, its own field counted as blanks. */
function checks(header: Buffer): boolean {
  let sum = 0;
  for (let at = 0; at < BLOCK; at++) sum += at >= 148 && at < 156 ? 32 : (header[at] ?? 0);
  return sum === number(header.subarray(148, 156));
}

/** `LENGTH path=VALUE\n` (pax(1), extended header). */
function paxPath(records: Buffer): Bytes | undefined {
  const all = fromBuffer(records);
  for (let at = 0; at < all.length; ) {
    const length = Number.parseInt(all.slice(at), 10);
    if (!(length > 0)) return undefined;
    const record = all.slice(all.indexOf(' ', at) + 1, at + length - 1);
    if (record.startsWith('path=')) return record.slice(5);
    at += length;
  }
  return undefined;
}
