import type { Checkpoint } from './read.ts';
import type { Change } from './record.ts';

/** How much is kept. */
export interface RetentionRules {
  /** Checkpoints of a project. */
  readonly maxSnapshots: number;
  /** Bytes of the store. */
  readonly maxTotalBytes: number;
  /** Bytes of held files. */
  readonly maxHoldBytes?: number;
  /** Over one of these sizes, so large a share of it is made free: then the next checkpoint is not over it again. */
  readonly slack?: number;
  readonly retentionMs: number;
  /** Held files below folders of these names can be made again: they are given back after so long, ms. */
  readonly regenerable?: { readonly names: readonly string[]; readonly ms: number };
}

/** What a person asked for, or what a restore saved first, stays this many times as long as a turn. */
const LONGER = 2;

/**
 * What is let go of one project. By age: everything but the newest checkpoint, which goes only when the whole project has been left
 * alone for as long (`stale`). By number: turns that only made new files or did nothing go first, then turns that lost data, oldest
 * first; safety checkpoints and those made by hand last.
 */
export function expired(
  checkpoints: readonly Checkpoint[],
  rules: Pick<RetentionRules, 'maxSnapshots' | 'retentionMs'>,
  now: number,
  stale = false,
): Checkpoint[] {
  const oldest = oldestFirst(checkpoints);
  if (!stale) oldest.pop();
  const out = new Set(oldest.filter((checkpoint) => now - startOf(checkpoint, now) > keepFor(checkpoint, rules)));
  let left = checkpoints.length - out.size;
  for (const checkpoint of [...oldest].sort((a, b) => worth(a) - worth(b))) {
    if (left <= rules.maxSnapshots) break;
    if (out.has(checkpoint)) continue;
    out.add(checkpoint);
    left--;
  }
  return [...out];
}

/** Imported ones, whose place in the order is another store's, come first. */
export const oldestFirst = (checkpoints: readonly Checkpoint[]): Checkpoint[] =>
  [...checkpoints].sort((a, b) => placeIn(a) - placeIn(b) || a.record.n - b.record.n);

const placeIn = ({ record }: Checkpoint): number => (record.origin === undefined ? record.order : -1);

/**
 * A clock that was ahead and went back must not keep a checkpoint for ever: what starts in the future starts now. What was imported is
 * as old as it is here.
 */
export const startOf = ({ record }: Checkpoint, now: number): number =>
  Math.min(Math.max(record.started, record.origin?.imported ?? 0), now);

export const keepFor = ({ record }: Checkpoint, rules: Pick<RetentionRules, 'retentionMs'>): number =>
  rules.retentionMs * (record.kind === 'turn' && record.origin === undefined ? 1 : LONGER);

function worth({ record }: Checkpoint): number {
  if (record.kind !== 'turn' || record.origin !== undefined) return 2;
  return losesData(record.changes) ? 1 : 0;
}

/** Whether something that was there is otherwise afterwards: what only came into being is lost to nobody. */
export const losesData = (changes: readonly Change[]): boolean =>
  changes.some(({ before, later }) => before.kind !== 'absent' || (later?.length ?? 0) > 0);
