import fs from 'node:fs';
import { type Bytes, toBuffer } from './bytes.ts';
import { codeOf, lookAt, makeFolder, namesIn, removeFile } from './files.ts';
import { basename, dirname, join } from './paths.ts';
import { stateOf } from './processes.ts';
import { isFull, sign, signerOf, sleep } from './signed.ts';
import { isUnwatched, openWatch, watchOf } from './watch.ts';

/** Held until `release`. */
export interface Lock {
  /** Says that the holder lives, to those who cannot see its process. False: somebody took it for dead; it is no longer ours. */
  beat(): boolean;
  release(): void;
}

/**
 * A holder on another host, or in another namespace and not watched, counts as dead after this long without a beat. Every git process that belay
 * starts is a beat before and after, and none runs longer than ten minutes.
 */
export const HEARTBEAT_MS = 900_000;

/**
 * A lock is a row of files, `<path>.1`, `<path>.2`, …: the highest number counts. It names its holder, and `<number>.over` beside it
 * says that he is through. Whoever finds the highest one over, or its holder proved dead, makes the next number by a link, which
 * only one can. Nothing that somebody else may be judging is removed or renamed, so that a process which was stopped between its
 * look and its deed takes nobody's lock away.
 *
 * Waits up to `wait` ms for a living holder; undefined when that was not enough. `watched`: for what is held long, so that nobody waits
 * for a holder that was killed in a container.
 */
export function acquire(path: Bytes, wait: number, how: { readonly watched?: boolean } = {}): Lock | undefined {
  makeFolder(dirname(path));
  const watch = how.watched ? watchOf(path) : undefined;
  const until = Date.now() + wait;
  const aside = `${path}.new-${process.pid}-${Math.random().toString(36).slice(2)}`;
  try {
    sign(aside, 'wx', watch);
    for (;;) {
      const last = highest(path);
      if (last === undefined) makeFirst(path);
      else if (isOver(path, last)) {
        const alive = watch === undefined ? undefined : openWatch(path, last + 1);
        if (watch !== undefined && alive === undefined) sign(aside, 'w'); // nobody may take its silence for a death
        if (takeNext(path, last, aside)) return held(path, last + 1, alive);
        if (alive !== undefined) fs.closeSync(alive);
      }
      const left = until - Date.now();
      if (left <= 0 && last !== undefined) return undefined;
      if (last !== undefined) sleep(Math.min(20, left));
    }
  } finally {
    removeFile(aside);
  }
}

/** Whether somebody holds it whose process cannot be seen from here: in another namespace, on another host. */
export function isHeldFarAway(path: Bytes): boolean {
  const last = lookAt(dirname(path)) === undefined ? undefined : highest(path);
  if (last === undefined || isOver(path, last)) return false;
  const holder = signerOf(numbered(path, last));
  return holder === undefined || stateOf(holder) === 'foreign';
}

/** Who holds it, for people: `process 7 on host`; undefined where nobody does, or nobody can tell. */
export function holderOf(path: Bytes): string | undefined {
  const last = lookAt(dirname(path)) === undefined ? undefined : highest(path);
  if (last === undefined || isOver(path, last)) return undefined;
  const holder = signerOf(numbered(path, last));
  if (holder === undefined) return undefined;
  const host = holder.machine.split(' ')[1] ?? '';
  return `process ${holder.pid}${stateOf(holder) === 'foreign' ? ` on ${host === '' ? 'another host' : host}` : ''}`;
}

const numbered = (path: Bytes, n: number): Bytes => `${path}.${n}`;

function numbers(path: Bytes): number[] {
  const prefix = `${basename(path)}.`;
  return namesIn(dirname(path))
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)))
    .sort((a, b) => a - b);
}

const highest = (path: Bytes): number | undefined => numbers(path).at(-1);

/** Number 0 was nobody's. */
function makeFirst(path: Bytes): void {
  try {
    fs.closeSync(fs.openSync(toBuffer(numbered(path, 0)), 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

function isOver(path: Bytes, n: number): boolean {
  const file = numbered(path, n);
  if (n === 0 || lookAt(`${file}.over`) !== undefined) return true;
  const look = lookAt(file);
  if (look === undefined) return false; // a later one has come
  if (look.type !== 'file') return true; // no lock of ours has that form
  const holder = signerOf(file);
  if (holder === undefined) return isExpired(file); // cut short by a power loss
  const state = stateOf(holder);
  return state === 'dead' || (state === 'foreign' && (isExpired(file) || isUnwatched(path, n, holder.watch)));
}

function isExpired(file: Bytes): boolean {
  const look = lookAt(file);
  return look !== undefined && Date.now() - Number(BigInt(look.mtime) / 1_000_000n) > HEARTBEAT_MS;
}

/**
 * The link decides. A number that was given out and cleared away meanwhile could be made once more: then the one before it is gone,
 * too (they are cleared from below), and a higher one is there.
 */
function takeNext(path: Bytes, last: number, aside: Bytes): boolean {
  const mine = numbered(path, last + 1);
  try {
    const now = new Date();
    fs.utimesSync(toBuffer(aside), now, now);
    fs.linkSync(toBuffer(aside), toBuffer(mine));
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
  if (lookAt(numbered(path, last)) === undefined || highest(path) !== last + 1) {
    removeFile(mine);
    return false;
  }
  clearBelow(path, last);
  return true;
}

/** What was over before the one that was taken over, and what killed processes left half made. */
function clearBelow(path: Bytes, last: number): void {
  for (const n of numbers(path))
    if (n < last) {
      removeFile(numbered(path, n));
      removeFile(`${numbered(path, n)}.over`);
    }
  const prefix = `${basename(path)}.new-`;
  for (const name of namesIn(dirname(path)))
    if (name.startsWith(prefix) && isExpired(join(dirname(path), name))) removeFile(join(dirname(path), name));
}

/** On a full disk no file can say that it is over: one that names nobody and is as old as can be says the same. */
function age(file: Bytes): void {
  try {
    fs.truncateSync(toBuffer(file));
    fs.utimesSync(toBuffer(file), 0, 0);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

const holding = new Set<Lock>();

/** A beat of every lock that this process holds: before and after whatever takes long. */
export function beatHeld(): void {
  for (const lock of holding) lock.beat();
}

function held(path: Bytes, n: number, watch: number | undefined): Lock {
  let alive = watch;
  const file = numbered(path, n);
  const lock: Lock = {
    beat: () => {
      try {
        const now = new Date();
        fs.utimesSync(toBuffer(file), now, now);
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error;
        return false;
      }
      return lookAt(numbered(path, n + 1)) === undefined;
    },
    release: () => {
      holding.delete(lock);
      try {
        fs.closeSync(fs.openSync(toBuffer(`${file}.over`), 'w', 0o600));
      } catch (error) {
        if (isFull(error)) age(file);
        else if (!['ENOENT', 'EROFS'].includes(codeOf(error))) throw error; // the folder is gone with all that it locked
      } finally {
        if (alive !== undefined) fs.closeSync(alive);
        alive = undefined;
      }
    },
  };
  holding.add(lock);
  return lock;
}
