import fs from 'node:fs';
import { type Bytes, fromBuffer, toBuffer } from '../../platform/bytes.ts';
import type { Member } from './tar.ts';

const MEMBERS = 5_000;
const DIRECTORY = 4 << 20;

/** The members of a zip archive, from its central directory (APPNOTE 4.3.12, 4.3.16). Undefined as for `tarMembers`. */
export function zipMembers(path: Bytes): Member[] | undefined {
  let fd: number | undefined;
  try {
    fd = fs.openSync(toBuffer(path), fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    const stat = fs.fstatSync(fd);
    if (!stat.isFile()) return undefined;
    const tail = Buffer.alloc(Math.min(stat.size, 65_557));
    fs.readSync(fd, tail, 0, tail.length, stat.size - tail.length);
    const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
    if (end < 0) return undefined;
    const count = tail.readUInt16LE(end + 10);
    const size = tail.readUInt32LE(end + 12);
    const offset = tail.readUInt32LE(end + 16);
    if (count > MEMBERS || size > DIRECTORY || offset === 0xffffffff) return undefined;
    const directory = Buffer.alloc(size);
    if (fs.readSync(fd, directory, 0, size, offset) < size) return undefined;
    return entries(directory, count);
  } catch {
    return undefined; // unreadable or damaged: what is in it is not known, which is what the answer says
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
}

function entries(directory: Buffer, count: number): Member[] | undefined {
  const out: Member[] = [];
  let at = 0;
  for (let index = 0; index < count; index++) {
    if (directory.readUInt32LE(at) !== 0x02014b50) return undefined;
    const length = directory.readUInt16LE(at + 28);
    const name = fromBuffer(directory.subarray(at + 46, at + 46 + length));
    out.push({ name, folder: name.endsWith('/') });
    at += 46 + length + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return out;
}
