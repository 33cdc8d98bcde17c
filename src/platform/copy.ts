import fs from 'node:fs';

const BLOCK = 1 << 20;
/** Holes are looked for in pieces of this size: no file system allocates less. */
const PIECE = 4096;
const NOTHING = Buffer.alloc(PIECE);

/**
 * A new file (0600) with the bytes of another, the last name not followed: a reflink where the file system has them, else a copy; holes
 * stay holes, so that a sparse file takes no more room than it did. Throws EEXIST where the name is taken.
 */
export function copyWhole(from: Buffer, to: Buffer): void {
  const stat = fs.lstatSync(from);
  if (!stat.isFile()) throw Object.assign(new Error('no regular file any more'), { code: 'EINVAL' });
  const { size, blocks } = stat;
  if (blocks * 512 >= size) fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL | fs.constants.COPYFILE_FICLONE);
  else if (!clone(from, to)) copySparse(from, to);
}

function clone(from: Buffer, to: Buffer): boolean {
  try {
    fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL | fs.constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    fs.rmSync(to, { force: true });
    return false; // no reflinks here
  }
}

function copySparse(from: Buffer, to: Buffer): void {
  const source = fs.openSync(from, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
  try {
    const target = fs.openSync(to, 'wx', 0o600);
    try {
      pourSparse(source, target);
    } finally {
      fs.closeSync(target);
    }
  } finally {
    fs.closeSync(source);
  }
}

/** Everything from the source's beginning, what is all zeros left out, into an empty file. */
export function pourSparse(source: number, target: number): void {
  const buffer = Buffer.allocUnsafe(BLOCK);
  let at = 0;
  for (;;) {
    const got = fs.readSync(source, buffer, 0, BLOCK, at);
    if (got === 0) break;
    for (let start = 0; start < got; ) {
      let end = start;
      while (end < got && !isHole(buffer, end, got)) end += PIECE;
      end = Math.min(end, got);
      for (let done = start; done < end; ) done += fs.writeSync(target, buffer, done, end - done, at + done);
      start = end;
      while (start < got && isHole(buffer, start, got)) start += PIECE;
    }
    at += got;
  }
  fs.ftruncateSync(target, at);
}

/** The last piece of a block may be shorter. */
function isHole(buffer: Buffer, start: number, limit: number): boolean {
  const end = Math.min(start + PIECE, limit);
  return buffer.compare(NOTHING, 0, end - start, start, end) === 0;
}
