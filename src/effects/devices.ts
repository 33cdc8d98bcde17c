import fs from 'node:fs';
import { type Bytes, toBuffer } from '../platform/bytes.ts';

/** Names that swallow what is written or lead to a stream that is open anyway (null(4), fd(4), bash(1) REDIRECTION). */
const SINK =
  /^\/dev\/(null|zero|full|random|urandom|tty\w*|console|ptmx|stdin|stdout|stderr|fd\/.*|pts\/.*|tcp\/.*|udp\/.*|log)$|^\/(proc|sys)\//;

/** Writing there destroys no file content. */
export const isSink = (path: Bytes): boolean => SYSTEM.has(path[1] ?? '') && SINK.test(path);

/** What `/dev`, `/proc` and `/sys` begin with: of a hundred names this is asked three hundred times. */
const SYSTEM: ReadonlySet<string> = new Set(['d', 'p', 's']);

/** Content of a disk, which no hold of a file can keep: `/dev/sdz` also where it is not plugged in now. */
export function isDisk(path: Bytes): boolean {
  if (!path.startsWith('/dev/') || path.startsWith('/dev/shm/') || path.startsWith('/dev/mqueue/')) return false;
  try {
    return fs.statSync(toBuffer(path)).isBlockDevice();
  } catch {
    return true; // not there now: it can be when the line runs
  }
}
