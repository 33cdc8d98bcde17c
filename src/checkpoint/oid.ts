import { createHash } from 'node:crypto';
import fs from 'node:fs';
import type { Bytes } from '../platform/bytes.ts';
import { reach } from '../platform/files.ts';

/** git's name (SHA-1) for these bytes as a blob. */
export function blobOid(content: Uint8Array): string {
  return createHash('sha1').update(`blob ${content.byteLength}\0`).update(content).digest('hex');
}

export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

const STEP = 1 << 20;

/**
 * git's name for an open file's content, read in steps of 1 MB from its beginning. `size` goes into the name first: where the
 * file has another length by the time it is read, the answer is undefined (somebody writes it).
 */
export function openFileOid(fd: number, size: number): string | undefined {
  const hash = createHash('sha1').update(`blob ${size}\0`);
  const buffer = Buffer.allocUnsafe(Math.min(STEP, Math.max(1, size)));
  let at = 0;
  for (;;) {
    const got = fs.readSync(fd, buffer, 0, buffer.length, at);
    if (got === 0) break;
    at += got;
    if (at > size) return undefined;
    hash.update(buffer.subarray(0, got));
  }
  return at === size ? hash.digest('hex') : undefined;
}

/** git's name for a file's content; a link in the last name is not followed. Throws what open throws. */
export function fileOid(path: Bytes): string | undefined {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = fs.constants;
  const fd = reach(path, (at) => fs.openSync(at, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  try {
    return openFileOid(fd, fs.fstatSync(fd).size);
  } finally {
    fs.closeSync(fd);
  }
}
