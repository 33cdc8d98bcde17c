import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { type Bytes, toBuffer } from './bytes.ts';
import { codeOf, isAbsentError, lookAt } from './files.ts';

/** A lock of flock(2): other programs take the same one. It ends with the process that holds it, however that ends. */
export type Flock =
  | { readonly is: 'taken'; release(): void }
  /** Somebody has it, or nobody here can know: it cannot be opened, is no file, or there is no flock(1). */
  | { readonly is: 'held'; readonly why: string }
  /** The folder that it lies in is gone. */
  | { readonly is: 'gone' };

const FLAGS = fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK;

/**
 * Takes the lock without waiting. node has no flock(2); flock(1) locks the open file that it inherits from us: the lock stays when it ends,
 * and goes with our descriptor. Afterwards the name still leads to the file that was locked: whoever renamed its folder away meanwhile had
 * the lock before.
 */
export const takeFlock = (path: Bytes): Flock => takeFlocks([path])[0] ?? { is: 'gone' };

/** Many at once, each by itself: one process starts flock(1) for all. */
export function takeFlocks(paths: readonly Bytes[]): Flock[] {
  const opened = paths.map(openLock);
  const fds = opened.flatMap((one) => (typeof one === 'number' ? [one] : []));
  const held = heldOf(fds);
  return opened.map((one, i) => {
    if (typeof one !== 'number') return one;
    const why = typeof held === 'string' ? held : held.has(one) ? 'locked' : undefined;
    if (why === undefined && isNameOf(paths[i] ?? '', one)) return { is: 'taken', release: () => fs.closeSync(one) };
    fs.closeSync(one);
    return why === undefined ? { is: 'gone' } : { is: 'held', why };
  });
}

function openLock(path: Bytes): number | Exclude<Flock, { readonly is: 'taken' }> {
  let fd: number;
  try {
    fd = fs.openSync(toBuffer(path), FLAGS, 0o600);
  } catch (error) {
    if (isAbsentError(error) && codeOf(error) !== 'ELOOP') return { is: 'gone' };
    return { is: 'held', why: `its lock cannot be opened (${codeOf(error)})` };
  }
  if (fs.fstatSync(fd).isFile()) return fd;
  fs.closeSync(fd);
  return { is: 'held', why: 'its lock is no file' };
}

/** Says which of its descriptors could not be locked. */
const SCRIPT = 'for fd; do flock -n "$fd" || echo "$fd"; done; echo end';

const FIRST = 3;

/** Those that somebody else has locked; or why that cannot be known. */
function heldOf(fds: readonly number[]): ReadonlySet<number> | string {
  if (fds.length === 0) return new Set();
  const done = spawnSync('/bin/sh', ['-c', SCRIPT, 'sh', ...fds.map((_, i) => String(FIRST + i))], {
    stdio: ['ignore', 'pipe', 'ignore', ...fds],
    env: { PATH: process.env['PATH'] ?? '' },
    encoding: 'utf8',
  });
  const lines = done.stdout?.split('\n') ?? [];
  if (done.error !== undefined || !lines.includes('end')) return `flock(1) cannot be started (${codeOf(done.error)})`;
  return new Set(lines.filter((line) => /^\d+$/.test(line)).map((line) => fds[Number(line) - FIRST] ?? -1));
}

function isNameOf(path: Bytes, fd: number): boolean {
  const open = fs.fstatSync(fd, { bigint: true });
  const now = lookAt(path);
  return now?.ino === String(open.ino) && now.dev === String(open.dev);
}
