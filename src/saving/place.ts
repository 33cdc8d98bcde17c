import type { Target } from '../effects/types.ts';
import type { Bytes } from '../platform/bytes.ts';
import { lookAt, makeFolder, namesVisible, realAsFar } from '../platform/files.ts';
import { dirname, isInside } from '../platform/paths.ts';
import { pendingFolder } from '../turns/pending.ts';
import { standInFor, standIns } from './hold/far.ts';
import { besideTargets } from './hold/reach.ts';

/**
 * Where a line's turn is kept: the home, or, when the line takes the home itself away, a folder that stands in for it.
 * Throws where there is no such place.
 */
export function baseFor(home: Bytes, targets: readonly Target[], userHome: Bytes | undefined): Bytes {
  const real = realAsFar(home);
  const paths = targets.map((target) => target.path);
  const taken = paths.some((path) => isInside(real, path));
  const base = taken || wouldBeReached(real, paths) ? standInFor(real, { targets: paths, home: userHome }) : undefined;
  if (base !== undefined) return base;
  if (taken) throw new Error('the line destroys the folder of belay itself, and there is no other place for a hold');
  makeFolder(home);
  return home;
}

/** A home that is made now, for this very line, may be made where a pattern of the line then finds it. */
function wouldBeReached(home: Bytes, targets: readonly Bytes[]): boolean {
  if (targets.length === 0 || lookAt(home) !== undefined) return false;
  let above = dirname(home);
  while (above !== '/' && lookAt(above) === undefined) above = dirname(above);
  return besideTargets(targets, 'hidden').includes(above);
}

/** Every folder that may have pending turns of this home. */
export const basesOf = (home: Bytes): Bytes[] => [
  home,
  ...standIns(realAsFar(home)).filter((base) => namesVisible(pendingFolder(base)).length > 0),
];
