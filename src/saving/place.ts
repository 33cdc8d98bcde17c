import type { Target } from '../effects/types.ts';
import type { Bytes } from '../platform/bytes.ts';
import { makeFolder, namesVisible, realAsFar } from '../platform/files.ts';
import { isInside } from '../platform/paths.ts';
import { pendingFolder } from '../turns/pending.ts';
import { standInFor, standIns } from './hold/far.ts';

/**
 * Where a line's turn is kept: the home, or, when the line takes the home itself away, a folder that stands in for it.
 * Throws where there is no such place.
 */
export function baseFor(home: Bytes, targets: readonly Target[], userHome: Bytes | undefined): Bytes {
  const real = realAsFar(home);
  const taken = targets.filter((target) => isInside(real, target.path));
  if (taken.length === 0) {
    makeFolder(home);
    return home;
  }
  const base = standInFor(real, { targets: targets.map((target) => target.path), home: userHome });
  if (base === undefined)
    throw new Error('the line destroys the folder of belay itself, and there is no other place for a hold');
  return base;
}

/** Every folder that may have pending turns of this home. */
export const basesOf = (home: Bytes): Bytes[] => [
  home,
  ...standIns(realAsFar(home)).filter((base) => namesVisible(pendingFolder(base)).length > 0),
];
