import type { Store } from '../../checkpoint/store.ts';
import { takeAll } from '../../saving/prune.ts';
import { refused } from '../command.ts';

/** Nobody writes into the store while something is taken out of it. */
export function locked<T>(store: Store, act: () => T): T {
  const locks = takeAll(store.base, 30_000);
  if (locks === undefined) throw refused('busy', 'the store is being written', 'Run this again in a moment.');
  try {
    return act();
  } finally {
    for (const lock of locks) lock.release();
  }
}
