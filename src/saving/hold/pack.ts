import fs from 'node:fs';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { isAbsentError, isTooLong, type Look, reach } from '../../platform/files.ts';

/** Written out when this much has gathered. */
const BLOCK = 4 << 20;

/** Room for the first few. */
const FIRST = 128 << 10;

/**
 * The bytes of many small files, one after the other in one file: no file is created a file held (creating one costs ten times
 * what reading a small one does).
 */
export class Pack {
  readonly #path: Bytes;
  readonly #sync: boolean;
  #fd: number | undefined;
  #block: Buffer = Buffer.allocUnsafe(FIRST);
  /** Bytes in the file, and in the block behind them. */
  #written = 0;
  #waiting = 0;

  constructor(path: Bytes, sync: boolean) {
    this.#path = path;
    this.#sync = sync;
  }

  /**
   * Reads an open file of so many bytes behind what has gathered, and says how many it had: of a longer one, one more. Nothing of it is
   * the pack's before `add`.
   */
  read(fd: number, size: number): number {
    const from = this.#waiting;
    const end = from + size + 1;
    if (this.#block.length < end) {
      const larger = Buffer.allocUnsafe(Math.max(end, 2 * this.#block.length));
      this.#block.copy(larger, 0, 0, from);
      this.#block = larger;
    }
    // One byte more is asked for than there should be: a regular file that gives less has ended.
    let at = from + fs.readSync(fd, this.#block, from, size + 1, null);
    for (let got = at - from; got !== 0 && at < from + size; at += got)
      got = fs.readSync(fd, this.#block, at, end - at, null);
    return at - from;
  }

  /** The first bytes of what was read last; where they begin. They count as kept when a later `add` or `close` has not thrown. */
  add(size: number): number {
    const at = this.#written + this.#waiting;
    this.#waiting += size;
    if (this.#waiting >= BLOCK) this.#flush();
    return at;
  }

  #flush(): void {
    if (this.#waiting === 0) return;
    this.#fd ??= fs.openSync(toBuffer(this.#path), 'wx', 0o600);
    // By position: when a full disk took only a part, the next try writes it whole, and where the entries say.
    writeAt(this.#fd, this.#block.subarray(0, this.#waiting), this.#written);
    this.#written += this.#waiting;
    this.#waiting = 0;
  }

  /** Everything is in the file after this. Throws where the disk is full. */
  close(): void {
    try {
      this.#flush();
      if (this.#fd !== undefined && this.#sync) fs.fsyncSync(this.#fd);
    } finally {
      if (this.#fd !== undefined) fs.closeSync(this.#fd);
      this.#fd = undefined;
    }
  }
}

function writeAt(fd: number, bytes: Uint8Array, start: number): void {
  for (let done = 0; done < bytes.length; ) done += fs.writeSync(fd, bytes, done, bytes.length - done, start + done);
}

/** Of a pack; undefined where the file is shorter than its manifest says: one damaged hold must not keep the rest from being settled. */
export function readStretch(path: Bytes, at: number, size: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(size);
  if (size === 0) return bytes;
  try {
    const fd = fs.openSync(toBuffer(path), 'r');
    try {
      for (let done = 0; done < size; ) {
        const got = fs.readSync(fd, bytes, done, size - done, at + done);
        if (got === 0) return undefined;
        done += got;
      }
    } finally {
      fs.closeSync(fd);
    }
  } catch (error) {
    if (isAbsentError(error)) return undefined;
    throw error;
  }
  return bytes;
}

/** O_NONBLOCK: a fifo that took the name since it was looked at must not stop us. */
const READ = fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK;

/** The same content for all that stat can tell. */
export const sameContent = (a: Look, b: Look): boolean =>
  a.type === b.type && a.ino === b.ino && a.dev === b.dev && a.size === b.size && a.mtime === b.mtime;

/**
 * `sameContent` of a regular file and what is open: of a hundred small files this is asked a hundred times. `whole`: neither have its mode,
 * owner and names changed.
 */
function isStill(look: Look, fd: number, whole: boolean): boolean {
  const now = fs.fstatSync(fd, { bigint: true });
  return (
    (!whole || String(now.ctimeNs) === look.ctime) &&
    String(now.mtimeNs) === look.mtime &&
    Number(now.size) === look.size &&
    String(now.ino) === look.ino &&
    String(now.dev) === look.dev &&
    now.isFile()
  );
}

/**
 * Reads a small regular file, as it was at one moment, for a pack to add. `moving`: not the file that was looked at any more, or written
 * while it was read. Throws what open and read throw. `whole`: the look may be from before the hold, and all of it has to be true still.
 */
export function readSmall(path: Bytes, look: Look, whole: boolean, pack: Pack): 'read' | 'moving' {
  const fd = isTooLong(path) ? reach(path, (at) => fs.openSync(at, READ)) : fs.openSync(toBuffer(path), READ);
  try {
    return pack.read(fd, look.size) === look.size && isStill(look, fd, whole) ? 'read' : 'moving';
  } finally {
    fs.closeSync(fd);
  }
}
