import { type Bytes, fromText } from '../platform/bytes.ts';
import type { Config } from '../platform/config.ts';
import { makeFolder } from '../platform/files.ts';
import { acquire } from '../platform/lock.ts';
import { describe, log } from '../platform/log.ts';
import { isAbsolute, join } from '../platform/paths.ts';
import type { World } from '../saving/world.ts';
import { putOff } from './due.ts';
import { collectInstalls, type Gc, type GcWish } from './gc.ts';
import { recall } from './known.ts';
import { installsFolder } from './layout.ts';

/** What the configuration and the home say about which states there are, and what is proof. */
export function wishOf(home: Bytes, userHome: Bytes | undefined, { installs }: Config): GcWish {
  const more = installs.roots
    .map(fromText)
    .map((path) => (path.startsWith('~/') ? join(userHome ?? '/', path.slice(2)) : path));
  return {
    roots: [...new Set([installsFolder(home), ...more.filter(isAbsolute)])],
    known: (key) => recall(home, key),
  };
}

/**
 * Gives back the states of deleted checkouts, in the background; `worktrees` themselves are never touched. Whatever goes wrong is
 * logged, and nobody waits for it.
 */
export async function sweep(world: World): Promise<Gc | undefined> {
  const { home, userHome, config, off, unsure } = world;
  if (off || unsure !== undefined || home === undefined) return undefined;
  try {
    makeFolder(join(home, 'worktrees'));
    const lock = acquire(join(home, 'worktrees/.sweep.lock'), 0);
    if (lock === undefined) return undefined; // somebody is at it
    try {
      putOff(home, config);
      return await collectInstalls({ ...wishOf(home, userHome, config), sizes: false });
    } finally {
      lock.release();
    }
  } catch (error) {
    log(home, `sweep of install states: ${describe(error)}`, 'debug');
    return undefined;
  }
}
