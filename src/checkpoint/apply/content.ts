import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { copyWhole, pourSparse, writeSparse } from '../../platform/copy.ts';
import { codeOf } from '../../platform/files.ts';

/** From this size on, pieces that are all zeros are left as holes: a record does not say whether there were any. */
export const MAY_BE_SPARSE = 1 << 20;

/**
 * A new file with these bytes, for nobody else to read yet; `seconds`: its time of change, since 1970. `finish` has it while it is
 * open: what is done to the descriptor needs no second way to the file.
 */
export function writeNew(
  at: Buffer,
  content: Uint8Array,
  seconds: number | undefined,
  finish: (fd: number) => void,
): void {
  const fd = fs.openSync(at, 'wx', 0o600);
  try {
    if (content.length >= MAY_BE_SPARSE) writeSparse(fd, content);
    else for (let done = 0; done < content.length; ) done += fs.writeSync(fd, content, done);
    if (seconds !== undefined) fs.futimesSync(fd, seconds, seconds);
    finish(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/**
 * A new file with a held file's bytes: a reflink where the file system has them, else a copy, so that the hold stays whole whatever is
 * written into the new file. `mayLink`: there is no room for a copy; the two are one file then (true is returned), and the
 * hold's seal tells when it was written.
 */
export function copyHold(hold: Bytes, at: Buffer, mayLink: boolean): boolean {
  const from = toBuffer(hold);
  if (mayLink) {
    if (reflink(from, at)) return false;
    try {
      fs.linkSync(from, at);
      return true;
    } catch (error) {
      if (codeOf(error) !== 'EXDEV' && codeOf(error) !== 'EPERM' && codeOf(error) !== 'EMLINK') throw error;
    }
  }
  copyWhole(from, at);
  return false;
}

function reflink(from: Buffer, at: Buffer): boolean {
  try {
    fs.copyFileSync(from, at, fs.constants.COPYFILE_EXCL | fs.constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    fs.rmSync(at, { force: true });
    return false; // this file system has none; the caller links or copies
  }
}

/** The bytes put into the file that is there, so that every name of it has them. */
export function writeInto(at: Buffer, content: Uint8Array | { readonly hold: Bytes }): void {
  const fd = fs.openSync(at, fs.constants.O_WRONLY | fs.constants.O_NOFOLLOW | fs.constants.O_TRUNC);
  try {
    if (content instanceof Uint8Array)
      for (let done = 0; done < content.length; ) done += fs.writeSync(fd, content, done);
    else pour(content.hold, fd);
  } finally {
    fs.closeSync(fd);
  }
}

function pour(from: Bytes, to: number): void {
  const source = fs.openSync(toBuffer(from), 'r');
  try {
    pourSparse(source, to);
  } finally {
    fs.closeSync(source);
  }
}

/** Linux's O_PATH; see doorway.ts. */
const O_PATH = 0o10000000;

let descriptors: boolean | undefined;

/** Whether an open file can be addressed by its number (Linux's /proc). */
export function hasDescriptors(): boolean {
  descriptors ??= process.platform === 'linux' && fs.existsSync('/proc/self/fd');
  return descriptors;
}

/** The mode of the entry itself: a link that took its place meanwhile is not followed. */
export function setMode(at: Buffer, mode: number): void {
  if (!hasDescriptors()) {
    if (!fs.lstatSync(at).isSymbolicLink()) fs.chmodSync(at, mode);
    return;
  }
  const fd = fs.openSync(at, O_PATH | fs.constants.O_NOFOLLOW);
  try {
    fs.chmodSync(`/proc/self/fd/${fd}`, mode);
  } finally {
    fs.closeSync(fd);
  }
}

/** node cannot make one: mkfifo(1) does, addressed through our own open folder. */
export function makeFifo(at: Buffer, mode: number): void {
  const path = at.toString('latin1').replace(/^\/proc\/self\//, `/proc/${process.pid}/`);
  const made = spawnSync('mkfifo', ['-m', mode.toString(8), '--', path], { stdio: ['ignore', 'ignore', 'pipe'] });
  if (made.status !== 0) throw new Error(`mkfifo: ${made.error?.message ?? made.stderr.toString().trim()}`);
}
