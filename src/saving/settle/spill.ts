import fs from 'node:fs';
import type { Source } from '../../checkpoint/fast-import.ts';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { removeFile } from '../../platform/files.ts';

/** So many bytes stay in memory; what comes after goes into a file. */
const IN_MEMORY = 32 << 20;

/**
 * Contents that were read and lie nowhere else for sure (the file may be written again at any moment), until the record is written: a
 * turn may have left many gigabytes of them.
 */
export class Spill {
  readonly #path: Bytes;
  #fd: number | undefined;
  #kept = 0;
  #size = 0;

  constructor(path: Bytes) {
    this.#path = path;
  }

  keep(bytes: Uint8Array): Source {
    if (this.#kept + bytes.byteLength <= IN_MEMORY) {
      this.#kept += bytes.byteLength;
      return bytes;
    }
    if (this.#fd === undefined) {
      removeFile(this.#path); // of a settle that was killed
      this.#fd = fs.openSync(toBuffer(this.#path), 'wx', 0o600);
    }
    const offset = this.#size;
    for (let done = 0; done < bytes.byteLength; )
      done += fs.writeSync(this.#fd, bytes, done, bytes.byteLength - done, offset + done);
    this.#size += bytes.byteLength;
    return { path: this.#path, offset, length: bytes.byteLength };
  }

  close(): void {
    if (this.#fd === undefined) return;
    fs.closeSync(this.#fd);
    this.#fd = undefined;
    removeFile(this.#path);
  }
}
