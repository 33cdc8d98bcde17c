import { type Pruned, prune } from '../checkpoint/prune.ts';
import type { RetentionRules } from '../checkpoint/retention.ts';
import { bytesBelow } from '../checkpoint/size.ts';
import { openStore, type Store } from '../checkpoint/store.ts';
import type { Bytes } from '../platform/bytes.ts';
import { bytesOf, type Config } from '../platform/config.ts';
import { lookAt, realAsFar } from '../platform/files.ts';
import { acquire, holderOf, type Lock } from '../platform/lock.ts';
import { describe, log } from '../platform/log.ts';
import { join } from '../platform/paths.ts';
import { farMark } from './hold/far.ts';
import { restingOn } from './resting.ts';
import type { World } from './world.ts';

const HOUR_MS = 3_600_000;

/** What the configuration says about how much is kept. */
export const rulesOf = ({ checkpoints }: Config): RetentionRules => ({
  maxSnapshots: checkpoints.max_snapshots,
  maxTotalBytes: bytesOf(checkpoints.max_total_size_mb),
  maxHoldBytes: bytesOf(checkpoints.hold.max_mb),
  retentionMs: checkpoints.retention_days * 24 * HOUR_MS,
  regenerable: { names: checkpoints.hold.skip, ms: 24 * HOUR_MS },
});

export interface PruneWish {
  readonly orphans?: boolean;
  readonly removed?: ReadonlySet<string>;
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
 * Whether the time has come, or the store is over its size; never by rules that may not be the user's (a broken configuration). Makes
 * nothing on disk.
 */
export function isPruneDue({ off, unsure, home, config }: World): boolean {
  const rules = config.checkpoints;
  if (off || unsure !== undefined || home === undefined || !rules.auto_prune) return false;
  const base = join(home, 'checkpoints');
  const last = lookAt(join(base, '.last_prune')) ?? lookAt(join(base, 'store/HEAD'));
  if (last === undefined) return false;
  const age = Date.now() - Number(BigInt(last.mtime) / 1_000_000n);
  // A clock that was ahead when it was pruned last must not put the next time off for ever.
  if (age > rules.min_interval_hours * HOUR_MS || age < -HOUR_MS) return true;
  return age > BREATH_MS && bytesBelow(join(base, 'store/objects')) > bytesOf(rules.max_total_size_mb);
}

/** Between two prunes of a store that will not get smaller, ms: somebody writes there all the time, or what is left is too large. */
const BREATH_MS = 600_000;

/** Lets old checkpoints go, in the background; not while somebody writes there: there is a next time. Whether it was done. */
export function pruneWhenDue(world: World): boolean {
  const { home, config } = world;
  if (home === undefined || !isPruneDue(world)) return false;
  const locks = takeAll(join(home, 'checkpoints'), 0);
  try {
    if (locks !== undefined) pruneBy(openStore(home), rulesOf(config));
    return locks !== undefined;
  } catch (error) {
    log(home, `prune: ${describe(error)}`);
    return false;
  } finally {
    for (const lock of locks ?? []) lock.release();
  }
}

/** Everybody who writes records and holds has one of these. */
const LOCKS = ['.restore.lock', '.settle.lock', '.capture.lock'];

/** Who has one of them now, for people. */
export const whoWrites = (base: Bytes): string | undefined =>
  LOCKS.map((name) => holderOf(join(base, name))).find((who) => who !== undefined);

/** Takes all of them. Undefined where one was not to be had in `wait` ms. */
export function takeAll(base: Bytes, wait: number): Lock[] | undefined {
  const locks: Lock[] = [];
  for (const name of LOCKS) {
    const lock = acquire(join(base, name), wait, { watched: true });
    if (lock === undefined) {
      for (const taken of locks) taken.release();
      return undefined;
    }
    locks.push(lock);
  }
  return locks;
}
