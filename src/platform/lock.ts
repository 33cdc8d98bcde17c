import fs from 'node:fs';
import { type Bytes, toBuffer } from './bytes.ts';
import { codeOf, isAbsentError, lookAt, makeFolder, readBytesIfAny } from './files.ts';
import { dirname } from './paths.ts';
import { nameOf, type ProcessName, stateOf } from './processes.ts';

/** Held until `release`. `beat` says that the holder lives, to those who cannot see its process. */
export interface Lock {
  beat(): void;
  release(): void;
}

/** A holder in another namespace or on another host counts as dead after this long without a beat (DESIGN §4). */
export const HEARTBEAT_MS = 120_000;

/**
 * A lock file that names its holder. One whose process is proved dead is taken over at once. Waits up to `wait` ms for a
 * living one; undefined when that was not enough.
 */
export function acquire(path: Bytes, wait: number): Lock | undefined {
  makeFolder(dirname(path));
  const mine = JSON.stringify({ ...nameOf(process.pid), token: Math.random().toString(36).slice(2) });
  const until = Date.now() + wait;
  for (;;) {
    if (tryTake(path, mine)) return held(path, mine);
    const other = readBytesIfAny(path)?.toString('utf8');
    if (other === undefined) continue;
    if (isAbandoned(path, other)) {
      takeAway(path, other);
      continue;
    }
    const left = until - Date.now();
    if (left <= 0) return undefined;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.min(20, left));
  }
}

/** The file appears whole or not at all: written aside, then linked. */
function tryTake(path: Bytes, mine: string): boolean {
  const aside = toBuffer(`${path}.${process.pid}.${Math.random().toString(36).slice(2)}`);
  fs.writeFileSync(aside, mine, { mode: 0o600, flag: 'wx' });
  try {
    fs.linkSync(aside, toBuffer(path));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    fs.unlinkSync(aside);
  }
}

function isAbandoned(path: Bytes, text: string): boolean {
  let holder: ProcessName;
  try {
    holder = JSON.parse(text);
  } catch {
    return expired(path); // not one of ours: wait for its age
  }
  const state = stateOf(holder);
  return state === 'dead' || (state === 'foreign' && expired(path));
}

function expired(path: Bytes): boolean {
  const look = lookAt(path);
  return look !== undefined && Date.now() - Number(BigInt(look.mtime) / 1_000_000n) > HEARTBEAT_MS;
}

/**
 * Two may find the same corpse: the rename decides, and whoever finds that he moved a newer lock than the one he judged puts
 * it back where nobody took the name meanwhile.
 */
function takeAway(path: Bytes, judged: string): void {
  const grave = toBuffer(`${path}.${process.pid}.dead`);
  try {
    fs.renameSync(toBuffer(path), grave);
  } catch (error) {
    if (isAbsentError(error)) return;
    throw error;
  }
  try {
    if (fs.readFileSync(grave, 'utf8') !== judged) fs.linkSync(grave, toBuffer(path));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    fs.rmSync(grave, { force: true });
  }
}

function held(path: Bytes, mine: string): Lock {
  const isMine = (): boolean => readBytesIfAny(path)?.toString('utf8') === mine;
  return {
    beat: () => {
      const now = new Date();
      if (isMine()) fs.utimesSync(toBuffer(path), now, now);
    },
    release: () => {
      if (isMine()) fs.rmSync(toBuffer(path), { force: true });
    },
  };
}
