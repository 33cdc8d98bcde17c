import type { Bytes } from '../platform/bytes.ts';
import { isDisk } from './devices.ts';
import { seenToHold } from './looks.ts';
import type { Targets } from './targets.ts';
import type { Telling } from './telling.ts';
import type { Way } from './types.ts';
import { holdsAnything, topmostAbsent } from './world.ts';

/**
 * What an effect means for one path. `loss`: existing content can be lost; `held`: something to be undone, no content lost;
 * `absent`: it would be deleted, but nothing is there; `nothing`: the command cannot change it.
 */
export type Loss = 'loss' | 'held' | 'absent' | 'nothing';

/** Looks at the path and adds its target. `to`: where a move ends. */
export function lossAt(telling: Telling, path: Bytes, targets: Targets, to: Bytes | undefined): Loss {
  const { effect, deferred } = telling;
  const { way } = effect;
  const recursive = effect.recursive === true;
  const add = (whole: boolean): void => targets.add(path, way, whole, deferred, way === 'move' ? to : undefined);
  if (isDisk(path)) {
    add(recursive);
    return way === 'append' || way === 'create' ? 'held' : 'loss';
  }
  const look = seenToHold(path);
  if (look === undefined) return absent(telling, path, targets);
  if (way === 'create') return 'nothing';
  if (look === 'hidden') {
    add(recursive);
    return way === 'append' ? 'held' : 'loss';
  }
  if (look === 'folder') return folder(telling, path, add);
  const isStream = look === 'device' || look === 'fifo' || look === 'socket';
  // Writing into one of these destroys no content that is kept anywhere.
  if (isStream && (way === 'write-in-place' || way === 'append')) return 'nothing';
  add(false);
  return way === 'append' ? 'held' : 'loss';
}

function folder(telling: Telling, path: Bytes, add: (whole: boolean) => void): Loss {
  const { way, recursive, emptyFolder } = telling.effect;
  if (way === 'metadata' || way === 'move') {
    add(way === 'move' || recursive === true);
    return 'loss';
  }
  if (recursive) {
    add(true);
    return holdsAnything(path) ? 'loss' : 'held';
  }
  if ((emptyFolder !== true && way !== 'replace') || holdsAnything(path)) return 'nothing';
  add(false);
  return 'held';
}

const TAKES_AWAY: ReadonlySet<Way> = new Set(['delete', 'move', 'metadata', 'git-state']);

function absent(telling: Telling, path: Bytes, targets: Targets): Loss {
  const { way, recursive } = telling.effect;
  if (telling.blind && way !== 'create' && way !== 'append') {
    targets.add(path, way, recursive === true, telling.deferred);
    return 'loss';
  }
  if (TAKES_AWAY.has(way)) return way === 'delete' ? 'absent' : 'nothing';
  targets.add(topmostAbsent(path), 'create', true, telling.deferred);
  return 'held';
}
