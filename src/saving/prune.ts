import { prune } from '../checkpoint/retention.ts';
import { bytesBelow } from '../checkpoint/size.ts';
import { openStore } from '../checkpoint/store.ts';
import type { Bytes } from '../platform/bytes.ts';
import { lookAt } from '../platform/files.ts';
import { acquire, type Lock } from '../platform/lock.ts';
import { describe, log } from '../platform/log.ts';
import { join } from '../platform/paths.ts';
import type { World } from './world.ts';

const HOUR_MS = 3_600_000;

/** So many turns apart the store's size is looked at. */
const TURNS = 64;

/** Lets old checkpoints go, in the background, when the time or the size of the store says so; not while somebody writes there. */
export function pruneWhenDue(world: World): void {
  const { home, config } = world;
  const rules = config.checkpoints;
  if (world.off || home === undefined || !rules.auto_prune) return;
  const base = join(home, 'checkpoints');
  if (lookAt(join(base, 'store')) === undefined) return;
  const maxTotalBytes = rules.max_total_size_mb * 1e6;
  if (!isTime(base, rules.min_interval_hours * HOUR_MS) && !isTooLarge(base, maxTotalBytes)) return;
  const locks = takeAll(base);
  try {
    if (locks === undefined) return;
    const retentionMs = rules.retention_days * 24 * HOUR_MS;
    prune(openStore(home), { maxSnapshots: rules.max_snapshots, maxTotalBytes, retentionMs }, Date.now());
  } catch (error) {
    log(home, `prune: ${describe(error)}`);
  } finally {
    for (const lock of locks ?? []) lock.release();
  }
}

function isTime(base: Bytes, interval: number): boolean {
  const last = lookAt(join(base, '.last_prune')) ?? lookAt(join(base, 'store/HEAD'));
  return last !== undefined && Date.now() - Number(BigInt(last.mtime) / 1_000_000n) > interval;
}

function isTooLarge(base: Bytes, limit: number): boolean {
  const turns = lookAt(join(base, 'order'))?.size ?? 0;
  return turns % TURNS === 0 && bytesBelow(join(base, 'store')) > limit;
}

/** All that write hold one of these; none is waited for: there is a next time. */
function takeAll(base: Bytes): Lock[] | undefined {
  const locks: Lock[] = [];
  for (const name of ['.restore.lock', '.settle.lock', '.capture.lock']) {
    const lock = acquire(join(base, name), 0);
    if (lock === undefined) {
      for (const taken of locks) taken.release();
      return undefined;
    }
    locks.push(lock);
  }
  return locks;
}
