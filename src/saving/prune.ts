import { pieceOf } from '../checkpoint/collect.ts';
import { measure } from '../checkpoint/measure.ts';
import { type Dropped, type Early, leftByPrune, notePruned, type Pruned, prune } from '../checkpoint/prune.ts';
import type { RetentionRules } from '../checkpoint/retention.ts';
import { openStore, type Store } from '../checkpoint/store.ts';
import type { Bytes } from '../platform/bytes.ts';
import { bytesOf, type Config } from '../platform/config.ts';
import { lookAt, readBytesIfAny, realAsFar, writeAtomic } from '../platform/files.ts';
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
  readonly tellEarly?: (going: Dropped) => void;
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

/** Whether the time has come, or the store is over its size; never by rules that may not be the user's (a broken configuration). */
export function isPruneDue(world: World): boolean {
  const base = baseToPrune(world);
  if (base === undefined) return false;
  const last = lookAt(join(base, '.last_prune')) ?? lookAt(join(base, 'store/HEAD'));
  if (last === undefined) return false;
  const age = Date.now() - Number(BigInt(last.mtime) / 1_000_000n);
  // A clock that was ahead when it was pruned last must not put the next time off for ever.
  return age > world.config.checkpoints.min_interval_hours * HOUR_MS || age < -HOUR_MS || isOverSize(world);
}

function baseToPrune({ off, unsure, home, config }: World): Bytes | undefined {
  return off || unsure !== undefined || !config.checkpoints.auto_prune || home === undefined
    ? undefined
    : join(home, 'checkpoints');
}

/**
 * Whether the store or the held files have grown over what they may take; where a prune could not make them smaller, whether they have
 * grown a good deal since.
 */
export function isOverSize(world: World): boolean {
  const base = baseToPrune(world);
  if (base === undefined || lookAt(join(base, 'store')) === undefined) return false;
  const { maxTotalBytes, maxHoldBytes = Number.POSITIVE_INFINITY } = rulesOf(world.config);
  const left = leftByPrune(base);
  const isOver = (size: number, most: number, before: number): boolean => size > Math.max(most, before + pieceOf(most));
  const now = measure(base);
  return isOver(now.store, maxTotalBytes, left.store) || isOver(now.holds, maxHoldBytes, left.holds);
}

/** By itself it makes so much room that the next checkpoint is not over the size again. */
export const SLACK = 1 / 8;

/** How long whoever writes is waited for where the store is over its size, ms. */
const PATIENCE = 30_000;

/**
 * Lets old checkpoints go, in the background; where only the time has come, not while somebody writes there: there is a next time. Whether
 * it was done. One that fails is not tried again before the time has come, or the store has grown.
 */
export function pruneWhenDue(world: World): boolean {
  const { home, config } = world;
  if (home === undefined || !isPruneDue(world)) return false;
  const base = join(home, 'checkpoints');
  const locks = takeAll(base, isOverSize(world) ? PATIENCE : 0);
  if (locks === undefined) return false;
  try {
    // Somebody else may have done it while he was waited for.
    if (isPruneDue(world)) {
      const rules = { ...rulesOf(config), slack: SLACK };
      const tellEarly = (going: Dropped): void => tellBefore(home, going);
      noteEarly(home, pruneBy(openStore(home), rules, { tellEarly }).early);
    }
    return true;
  } catch (error) {
    log(home, `prune: ${describe(error)}`);
    noteTried(home, base);
    return false;
  } finally {
    for (const lock of locks) lock.release();
  }
}

/** Held files that the prune in the background has let go before their time, and when (ms since 1970). */
export interface LetGo extends Early {
  readonly time: number;
}

const letGoFile = (base: Bytes): Bytes => join(base, '.let_go');

/** In the log, before it goes. */
const tellBefore = (home: Bytes, { key, n, held }: Dropped): void =>
  log(
    home,
    `prune: only checkpoint ${n} of ${key} has ${held} bytes of held files, whose time is not over: they go for room`,
    'warn',
  );

/** Nobody was there to be told: the log has it, and `belay checkpoints` says it. */
function noteEarly(home: Bytes, early: Early): void {
  if (early.bytes === 0) return;
  const size = `${early.bytes} bytes of held files of ${early.checkpoints} checkpoints`;
  log(home, `prune: ${size} went before their time, for room; nothing else keeps them`, 'warn');
  const told: LetGo = { ...early, time: Date.now() };
  writeAtomic(letGoFile(join(home, 'checkpoints')), JSON.stringify(told));
}

/** What went that way last, where that is not longer ago than anything is kept. */
export function lastLetGo({ home, config }: World): LetGo | undefined {
  const text = home === undefined ? undefined : readBytesIfAny(letGoFile(join(home, 'checkpoints')))?.toString('utf8');
  if (text === undefined) return undefined;
  try {
    const told = JSON.parse(text) as LetGo;
    return Date.now() - told.time < rulesOf(config).retentionMs ? told : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined; // it was only a word about the past
    throw error;
  }
}

/** On a full disk not even that may be written: then it is tried again, and whoever settles goes on all the same. */
function noteTried(home: Bytes, base: Bytes): void {
  try {
    notePruned(base, Date.now());
  } catch (error) {
    log(home, `prune: that it was tried cannot be noted: ${describe(error)}`);
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
