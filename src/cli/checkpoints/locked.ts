import type { Store } from '../../checkpoint/store.ts';
import type { Bytes } from '../../platform/bytes.ts';
import { runtimeFolder } from '../../platform/home.ts';
import { takeAll, whoWrites } from '../../saving/prune.ts';
import type { World } from '../../saving/world.ts';
import { dropCaptured } from '../../turns/markers.ts';
import { refused } from '../command.ts';

/** How long whoever writes is waited for, ms. */
const PATIENCE = 30_000;

/** Nobody writes into the store while something is taken out of it. */
export function locked<T>(store: Store, act: () => T, patience = PATIENCE): T {
  const locks = takeAll(store.base, patience);
  if (locks === undefined) {
    const who = whoWrites(store.base);
    throw refused(
      'busy',
      `the store is being written${who === undefined ? '' : ` by ${who}`}`,
      'Run this again in a moment; who cannot be seen from here is taken for dead after 15 minutes.',
    );
  }
  try {
    return act();
  } finally {
    for (const lock of locks) lock.release();
  }
}

/** `act` lets captures go that turns may rest on: their wrappers are not to trust them while it does, nor afterwards. */
export function unmarked<T>({ env }: World, act: () => T): T {
  const drop = (): void => {
    // A shell that was started by another way into the machine may have none of its own.
    for (const given of [env, new Map<Bytes, Bytes>()]) {
      const runtime = runtimeFolder(given, false);
      if (runtime !== undefined) dropCaptured(runtime);
    }
  };
  drop();
  try {
    return act();
  } finally {
    drop();
  }
}
