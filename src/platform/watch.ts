import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { type Bytes, isText, toBuffer, toText } from './bytes.ts';
import { codeOf, lookAt } from './files.ts';
import { bootId } from './processes.ts';

/**
 * Whether a holder whose process cannot be seen from here (a container's) still lives, asked of the kernel: he keeps a fifo open for
 * reading, and whoever opens it for writing is told when nobody does (ENXIO, fifo(7)). That needs one kernel and one inode, no common
 * process numbers. Two fifos take turns, so that who waits for the next number does not speak for the holder of this one.
 */
const fifoOf = (path: Bytes, n: number): Bytes => `${path}.alive${n % 2}`;

/** What a lock says of its fifos: the boot of its kernel, and their device and inode. */
export interface Watch {
  readonly boot: string;
  readonly fifos: readonly string[];
}

/** The fifos of a lock, made where they are missing; undefined where there can be none: then only a heartbeat tells. */
export function watchOf(path: Bytes): Watch | undefined {
  const boot = bootId();
  if (boot === '') return undefined;
  const missing = [0, 1].map((n) => fifoOf(path, n)).filter((fifo) => lookAt(fifo) === undefined);
  if (missing.length > 0 && missing.every(isText))
    spawnSync('mkfifo', ['-m', '600', '--', ...missing.map(toText)], { stdio: 'ignore' });
  const fifos = [0, 1].map((n) => identity(fifoOf(path, n)));
  return fifos.includes('') ? undefined : { boot, fifos };
}

function identity(fifo: Bytes): string {
  const look = lookAt(fifo);
  return look?.type === 'fifo' ? `${look.dev}:${look.ino}` : '';
}

/** Says that this process lives, until the descriptor is closed or the process is gone; undefined where it cannot. */
export function openWatch(path: Bytes, n: number): number | undefined {
  try {
    return fs.openSync(toBuffer(fifoOf(path, n)), fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
  } catch {
    return undefined; // only the heartbeat tells then
  }
}

/** Proof that the holder of a number is gone: false where that cannot be known from here. */
export function isUnwatched(path: Bytes, n: number, watch: Watch | undefined): boolean {
  if (watch === undefined || watch.boot === '' || watch.boot !== bootId()) return false;
  if (watch.fifos[n % 2] !== identity(fifoOf(path, n))) return false;
  try {
    fs.closeSync(fs.openSync(toBuffer(fifoOf(path, n)), fs.constants.O_WRONLY | fs.constants.O_NONBLOCK));
    return false;
  } catch (error) {
    return codeOf(error) === 'ENXIO';
  }
}
