import fs from 'node:fs';
import { createRequire } from 'node:module';

/** A larger compressed archive is not looked into: a line waits for this. */
const COMPRESSED = 8 << 20;
const PLAIN = 64 << 20;

/** The content of a gzip file that is open; undefined where it is too large. Throws where it is damaged. */
export function inflated(fd: number): Buffer | undefined {
  const { size } = fs.fstatSync(fd);
  if (size > COMPRESSED) return undefined;
  const packed = Buffer.alloc(size);
  fs.readSync(fd, packed, 0, size, 0);
  // Loaded only here: most lines extract nothing.
  const zlib = createRequire(import.meta.url)('node:zlib') as typeof import('node:zlib');
  return zlib.gunzipSync(packed, { maxOutputLength: PLAIN });
}
