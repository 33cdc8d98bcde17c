import fs from 'node:fs';
import { type Bytes, fromBuffer, toBuffer } from '../platform/bytes.ts';
import { isAbsentError, lookAt, namesInOrNone } from '../platform/files.ts';
import { isHeldFarAway } from '../platform/lock.ts';
import { join } from '../platform/paths.ts';
import { writesFarAway } from './gate.ts';
import type { Store } from './store.ts';

/** A ref is locked for milliseconds; a lock of this age is not about to go by itself. */
const SETTLED_MS = 1000;

/** No git of ours runs so long (`git()` is given ten minutes at most and then killed): an older lock has no holder, whoever can be seen. */
const LONGEST_MS = 11 * 60_000;

/**
 * Takes away the lock files that killed git processes left in the store: refs, packed refs, never an index (those are each capture's
 * own). A lock tells nothing of its holder, so it goes only when no git works on this store, or none could. Returns how many went.
 */
export function breakStaleLocks(store: Store): number {
  const locks = locksIn(store).flatMap((path) => {
    const look = lookAt(path);
    const age = look === undefined ? 0 : Date.now() - Number(BigInt(look.mtime) / 1_000_000n);
    return look === undefined || age < SETTLED_MS ? [] : [{ path, ino: look.ino, ctime: look.ctime, age }];
  });
  if (locks.length === 0) return 0;
  // Looked for after the locks were: whoever holds one of them was there already.
  const busy = isGitAtWork(store);
  let gone = 0;
  for (const { path, ino, ctime, age } of locks) {
    if (busy && age < LONGEST_MS) continue;
    const now = lookAt(path);
    if (now?.ino !== ino || now.ctime !== ctime) continue;
    fs.rmSync(toBuffer(path), { force: true });
    gone++;
  }
  return gone;
}

function locksIn(store: Store): Bytes[] {
  const out = ['packed-refs.lock', 'HEAD.lock', 'config.lock'].map((name) => join(store.gitDir, name));
  const visit = (folder: Bytes, depth: number): void => {
    for (const name of namesInOrNone(folder)) {
      const path = join(folder, name);
      if (name.endsWith('.lock')) out.push(path);
      else if (depth > 0) visit(path, depth - 1);
    }
  };
  visit(join(store.gitDir, 'refs/belay'), 2); // <key>/turns/<n>
  return out;
}

const LOCKS = ['.restore.lock', '.settle.lock', '.capture.lock'];

/**
 * Whether any process that can be seen here is a git with this store as its repository (proc(5)), or somebody is at work who cannot be
 * seen: whoever starts a git has said so first. Unknown counts as yes.
 */
export function isGitAtWork(store: Store): boolean {
  if (writesFarAway(store) || LOCKS.some((name) => isHeldFarAway(join(store.base, name)))) return true;
  const wanted = `GIT_DIR=${store.gitDir}`;
  const names = namesInOrNone('/proc').filter((name) => /^\d+$/.test(name));
  if (names.length === 0) return true;
  return names.some((pid) => {
    try {
      return fromBuffer(fs.readFileSync(`/proc/${pid}/environ`))
        .split('\0')
        .includes(wanted);
    } catch (error) {
      // Gone meanwhile, or another user's: that one does not write here.
      if (isAbsentError(error) || ['ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? ''))
        return false;
      throw error;
    }
  });
}
