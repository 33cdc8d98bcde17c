import { createHash } from 'node:crypto';
import { projectKey } from '../checkpoint/projects.ts';
import { openStore } from '../checkpoint/store.ts';
import { type Bytes, toBuffer, toText } from '../platform/bytes.ts';
import { lookAt, makeFolder, namesInOrNone, readBytesIfAny, removeFile, writeAtomic } from '../platform/files.ts';
import { acquire } from '../platform/lock.ts';
import { describe, log } from '../platform/log.ts';
import { join } from '../platform/paths.ts';
import { projectRoot } from '../platform/roots.ts';
import { capture } from './capture/capture.ts';
import { readKept } from './capture/kept.ts';
import type { World } from './world.ts';

const dueFolder = (home: Bytes): Bytes => join(home, 'checkpoints/due');

const dueFile = (home: Bytes, root: Bytes): Bytes =>
  join(dueFolder(home), createHash('sha1').update(toBuffer(root)).digest('hex').slice(0, 16));

/** What is just being written beside them is nobody's yet: taken away, its writer would find it gone. */
const dueNames = (home: Bytes): Bytes[] => namesInOrNone(dueFolder(home)).filter((name) => /^[0-9a-f]{16}$/.test(name));

/** A capture of this project is due, in the background: after a turn that changed something, or when a shell first enters it. */
export function captureDue(world: World, root: Bytes): void {
  if (world.off || world.home === undefined || projectRoot(root, world.userHome) !== root) return;
  makeFolder(dueFolder(world.home));
  writeAtomic(dueFile(world.home, root), JSON.stringify(root));
}

/** Captures of one project take at most this share of the time. */
const SHARE = 5;
const LONGEST_PAUSE = 30_000;
const BUDGET = 120_000;
const LONGEST_GIT = 30_000;

/**
 * Takes the captures that are due, one at a time on the whole machine account. Whoever comes while somebody is at it leaves it
 * to him; a capture that fails, or of which a git process takes longer than half a minute, is logged, and due again after the next turn.
 */
export async function takeDueCaptures(world: World, isFull = (): boolean => false): Promise<void> {
  const { home } = world;
  if (world.off || home === undefined) return;
  while (dueNames(home).length > 0) {
    const lock = acquire(join(home, 'checkpoints/.capture.lock'), 0, { watched: true });
    if (lock === undefined) return;
    try {
      for (const name of dueNames(home)) {
        if (!lock.beat()) return; // taken for dead: another one is at it
        if (isFull()) return; // the rest is due again after the next turn
        await takeDue(world, home, join(dueFolder(home), name));
      }
    } finally {
      lock.release();
    }
  }
}

async function takeDue(world: World, home: Bytes, file: Bytes): Promise<void> {
  const root = readRoot(file);
  if (root === undefined || lookAt(root)?.type !== 'folder') return removeFile(file);
  const store = openStore(home);
  const kept = readKept(store, projectKey(store, root));
  if (kept !== undefined) await pause(kept.taken + Math.min(LONGEST_PAUSE, kept.ms * SHARE) - Date.now());
  removeFile(file); // what changes from here on makes it due again
  try {
    const done = await capture({ store, root, config: world.config, budget: BUDGET, longest: LONGEST_GIT });
    const isSlow = done.kind === 'left out' && done.because === 'too slow';
    if (done.kind === 'failed' || isSlow) log(home, `capture of ${toText(root)}: ${done.why}`);
  } catch (error) {
    log(home, `capture of ${toText(root)}: ${describe(error)}`);
  }
}

function readRoot(file: Bytes): Bytes | undefined {
  try {
    const text = readBytesIfAny(file)?.toString('utf8');
    return text === undefined ? undefined : (JSON.parse(text) as Bytes);
  } catch {
    return undefined; // half of a crash: it is removed, and the next turn makes it due again
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
