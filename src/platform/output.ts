import fs from 'node:fs';

/** All of it to an open descriptor, waiting where a pipe that does not block is full. Past node's streams: those take 2 ms to make. */
export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSome(fd, bytes.subarray(at));
}

function writeSome(fd: number, bytes: Uint8Array): number {
  try {
    return fs.writeSync(fd, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    return 0;
  }
}
