import type { Bytes } from '../platform/bytes.ts';

/** What turns that are not settled yet rest on: nothing of it may go. */
export interface Resting {
  /** Project key → numbers of captures. */
  readonly captures: ReadonlyMap<string, ReadonlySet<number>>;
  /** The place of the oldest of them in the order among turns. */
  readonly oldestOrder: number;
  /** Their folders on other file systems. */
  readonly far: ReadonlySet<Bytes>;
  /** What cannot be read of them: then no capture goes, and no hold on another file system. */
  readonly unknown: boolean;
}

export const NOTHING_RESTS: Resting = { captures: new Map(), oldestOrder: Infinity, far: new Set(), unknown: false };
