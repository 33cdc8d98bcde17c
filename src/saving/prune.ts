import { type Pruned, prune } from '../checkpoint/prune.ts';
import type { RetentionRules } from '../checkpoint/retention.ts';
import { bytesBelow } from '../checkpoint/size.ts';
import { openStore, type Store } from '../checkpoint/store.ts';
import type { Bytes } from '../platform/bytes.ts';
import type { Config } from '../platform/config.ts';
import { lookAt, realAsFar } from '../platform/files.ts';
import { acquire, type Lock } from '../platform/lock.ts';
import { describe, log } from '../platform/log.ts';
import { join } from '../platform/paths.ts';
import { farMark } from './hold/far.ts';
import { restingOn } from './resting.ts';
import type { World } from './world.ts';

const HOUR_MS = 3_600_000;

/** So many turns apart the store's size is looked at. */
const TURNS = 16;

/** What the configuration says about how much is kept. */
export const rulesOf = ({ checkpoints }: Config): RetentionRules => ({
  maxSnapshots: checkpoints.max_snapshots,
  maxTotalBytes: checkpoints.max_total_size_mb * 1e6,
  maxHoldBytes: checkpoints.hold.max_mb * 1e6,
  retentionMs: checkpoints.retention_days * 24 * HOUR_MS,
});

export interface PruneWish {
  readonly orphans?: boolean;
  readonly dryRun?: boolean;
  readonly tell?: (doing: string) => void;
}

/** Prunes by these rules what no turn of this home rests on. With the locks of `takeAll`. */
export function pruneBy(store: Store, rules: RetentionRules, wish: PruneWish = {}): Pruned {
  return prune(store, {
    ...wish,
    rules,
    now: Date.now(),
    resting: restingOn(store),
    farMark: farMark(realAsFar(store.home)),
  });
}

/**
 * Lets old checkpoints go, in the background, when the time or the size of the store says so; not while somebody writes there, and
 * never by rules that may not be the user's (a broken configuration).
 */
export function pruneWhenDue(world: World): void {
  const { home, config } = world;
  const rules = config.checkpoints;
  if (world.off || world.unsure !== undefined || home === undefined || !rules.auto_prune) return;
  const base = join(home, 'checkpoints');
  if (lookAt(join(base, 'store')) === undefined) return;
  if (!isTime(base, rules.min_interval_hours * HOUR_MS) && !isTooLarge(base, rules.max_total_size_mb * 1e6)) return;
  const locks = takeAll(base, 0);
  try {
    if (locks !== undefined) pruneBy(openStore(home), rulesOf(config));
  } catch (error) {
    log(home, `prune: ${describe(error)}`);
  } finally {
    for (const lock of locks ?? []) lock.release();
  }
}

/** A clock that was ahead when it was pruned last must not put the next time off for ever. */
function isTime(base: Bytes, interval: number): boolean {
  const last = lookAt(join(base, '.last_prune')) ?? lookAt(join(base, 'store/HEAD'));
  if (last === undefined) return false;
  const age = Date.now() - Number(BigInt(last.mtime) / 1_000_000n);
  return age > interval || age < -HOUR_MS;
}

function isTooLarge(base: Bytes, limit: number): boolean {
  const turns = lookAt(join(base, 'order'))?.size ?? 0;
  return turns % TURNS === 0 && bytesBelow(join(base, 'store')) > limit;
}

/** Everybody who writes records and holds has one of these. Undefined where one was not to be had in `wait` ms. */
export function takeAll(base: Bytes, wait: number): Lock[] | undefined {
  const locks: Lock[] = [];
  for (const name of ['.restore.lock', '.settle.lock', '.capture.lock']) {
    const lock = acquire(join(base, name), wait);
    if (lock === undefined) {
      for (const taken of locks) taken.release();
      return undefined;
    }
    locks.push(lock);
  }
  return locks;
}
