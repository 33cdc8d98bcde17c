import fs from 'node:fs';
import { fromBuffer } from './bytes.ts';
import { openRegular } from './files.ts';

const BLOCK = 1 << 20;
/** Holes are looked for in pieces of this size: no file system allocates less. */
const PIECE = 4096;
const NOTHING = Buffer.alloc(PIECE);

/**
 * A new file (0600) with the bytes of another, the last name not followed: a reflink where the file system has them, else a copy; holes
 * stay holes, so that a sparse file takes no more room than it did. Throws EEXIST where the name is taken.
 */
export function copyWhole(from: Buffer, to: Buffer): void {
  const fd = openRegular(fromBuffer(from));
  try {
    const { size, blocks } = fs.fstatSync(fd);
    // By its descriptor: the name may be given to a link or a fifo at any moment, and node's copy follows and waits.
    const open = openName(fd);
    if (blocks * 512 >= size && open !== undefined)
      fs.copyFileSync(open, to, fs.constants.COPYFILE_EXCL | fs.constants.COPYFILE_FICLONE);
    else if (open === undefined || !clone(open, to)) copyOpen(fd, to);
  } finally {
    fs.closeSync(fd);
  }
}

/** Another name of an open file; undefined where the system has none. */
const openName = (fd: number): string | undefined =>
  fs.existsSync('/proc/self/fd') ? `/proc/self/fd/${fd}` : undefined;

function clone(from: string, to: Buffer): boolean {
  try {
    fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL | fs.constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    fs.rmSync(to, { force: true });
    return false; // no reflinks here
  }
}

function copyOpen(source: number, to: Buffer): void {
  const target = fs.openSync(to, 'wx', 0o600);
  try {
    pourSparse(source, target);
  } finally {
    fs.closeSync(target);
  }
}

/** Everything from the source's beginning, what is all zeros left out, into an empty file. */
export function pourSparse(source: number, target: number): void {
  const buffer = Buffer.allocUnsafe(BLOCK);
  let at = 0;
  for (;;) {
    const got = fs.readSync(source, buffer, 0, BLOCK, at);
    if (got === 0) break;
    writePieces(target, buffer, got, at);
    at += got;
  }
  fs.ftruncateSync(target, at);
}

/** These bytes into an empty file, what is all zeros left out. */
export function writeSparse(target: number, content: Uint8Array): void {
  writePieces(target, Buffer.from(content.buffer, content.byteOffset, content.byteLength), content.byteLength, 0);
  fs.ftruncateSync(target, content.byteLength);
}

function writePieces(target: number, buffer: Buffer, size: number, at: number): void {
  for (let start = 0; start < size; ) {
    let end = start;
    while (end < size && !isHole(buffer, end, size)) end += PIECE;
    end = Math.min(end, size);
    for (let done = start; done < end; ) done += fs.writeSync(target, buffer, done, end - done, at + done);
    start = end;
    while (start < size && isHole(buffer, start, size)) start += PIECE;
  }
}

/** The last piece of a block may be shorter. */
function isHole(buffer: Buffer, start: number, limit: number): boolean {
  const end = Math.min(start + PIECE, limit);
  return buffer.compare(NOTHING, 0, end - start, start, end) === 0;
}
