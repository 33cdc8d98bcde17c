import { partOf } from '../../checkpoint/part.ts';
import { isOrphan, pendingTurns } from '../../turns/pending.ts';
import { basesOf } from '../place.ts';
import type { World } from '../world.ts';
import { endTurn } from './end-turn.ts';

/**
 * Ends every turn of a session whose processes were ended, and of those that were started from it and have ended with it: nobody else may be
 * left to tell it. What is changed from `ended` (ms) on is somebody else's work.
 */
export function endSession(world: World, session: string, ended: number): void {
  const { home } = world;
  if (home === undefined) return;
  const of = basesOf(home)
    .flatMap((base) => pendingTurns(base))
    .filter(({ turn }) => turn.session === session || (turn.parent === session && isOrphan(turn)))
    .map(({ turn }) => ({ session: turn.session, turn: partOf(turn.turn) }));
  for (const one of of) endTurn(world, one.session, one.turn, ended);
}
