import fs from 'node:fs';
import { type Bytes, toBuffer } from '../platform/bytes.ts';
import { lookAt, makeFolder } from '../platform/files.ts';
import { notWritable } from '../platform/format.ts';
import { join } from '../platform/paths.ts';

/**
 * The next number in the order among turns: a counter, never a clock. Throws where the home is another user's.
 */
export function nextOrder(home: Bytes): number {
  const why = notWritable(home);
  if (why !== undefined) throw new Error(why);
  makeFolder(join(home, 'checkpoints'));
  return countUp(join(home, 'checkpoints/order'));
}

/** The number that was given last; 0 where none was. */
export const lastOrder = (home: Bytes): number => lookAt(join(home, 'checkpoints/order'))?.size ?? 0;

/** The counter is at least this far: a home that was lost and made again must not count from one. */
export function raiseOrder(home: Bytes, order: number): void {
  makeFolder(join(home, 'checkpoints'));
  raise(join(home, 'checkpoints/order'), order);
}

/**
 * A number nobody else gets, without a lock: one byte is appended, and where it ended up is the number. Two at once get two
 * numbers: the position behind an append is each writer's own.
 */
export function countUp(file: Bytes): number {
  const fd = fs.openSync(toBuffer(file), 'a', 0o600);
  try {
    fs.writeSync(fd, '.');
    return positionOf(fd) ?? fs.fstatSync(fd).size;
  } finally {
    fs.closeSync(fd);
  }
}

export function raise(file: Bytes, atLeast: number): void {
  const fd = fs.openSync(toBuffer(file), 'a', 0o600);
  try {
    const missing = atLeast - fs.fstatSync(fd).size;
    if (missing > 0) fs.writeSync(fd, '.'.repeat(missing));
  } finally {
    fs.closeSync(fd);
  }
}

/** The file offset, which node does not tell; undefined without /proc (then two at the same instant may tie). */
function positionOf(fd: number): number | undefined {
  try {
    const pos = /^pos:\s*(\d+)/.exec(fs.readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1];
    return pos === undefined ? undefined : Number(pos);
  } catch {
    return undefined;
  }
}
