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
 * Takes the lock without waiting. node has no flock(2); flock(1) locks the open file that it is handed as its standard input, which is
 * ours: the lock stays when it ends, and goes with our descriptor. Afterwards the name still leads to the file that was locked: whoever
 * renamed its folder away meanwhile had the lock before.
 */
export function takeFlock(path: Bytes): Flock {
  let fd: number;
  try {
    fd = fs.openSync(toBuffer(path), FLAGS, 0o600);
  } catch (error) {
    if (isAbsentError(error) && codeOf(error) !== 'ELOOP') return { is: 'gone' };
    return { is: 'held', why: `its lock cannot be opened (${codeOf(error)})` };
  }
  const held = (why: string): Flock => {
    fs.closeSync(fd);
    return { is: 'held', why };
  };
  const open = fs.fstatSync(fd, { bigint: true });
  if (!open.isFile()) return held('its lock is no file');
  const done = spawnSync('flock', ['-n', '0'], {
    stdio: [fd, 'ignore', 'ignore'],
    env: { PATH: process.env['PATH'] ?? '' },
  });
  if (done.error !== undefined) return held(`flock(1) cannot be started (${codeOf(done.error)})`);
  if (done.status !== 0) return held('locked');
  const now = lookAt(path);
  if (now?.ino === String(open.ino) && now.dev === String(open.dev))
    return { is: 'taken', release: () => fs.closeSync(fd) };
  fs.closeSync(fd);
  return { is: 'gone' };
}
