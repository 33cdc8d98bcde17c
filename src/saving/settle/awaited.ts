import { setTimeout } from 'node:timers/promises';
import type { Bytes } from '../../platform/bytes.ts';
import { lookAt } from '../../platform/files.ts';
import { stateOf } from '../../platform/processes.ts';
import { isEnded, type PendingTurn, pendingOf } from '../../turns/pending.ts';
import { basesOf } from '../place.ts';

/** How long the end of a line that was typed right before is waited for, ms; no end comes where something took the prompt's hook away. */
const PATIENCE = 2000;
const STEP = 5;

/**
 * The prompt tells the end of a line in the background, with the time of it. A reader that is typed at once may be quicker; it
 * waits for that, because without the time an edit by hand since the prompt would pass for the line's work.
 */
export async function endsUnderWay(
  home: Bytes,
  { session, turn }: { readonly session?: string; readonly turn?: string },
): Promise<void> {
  if (session === undefined || turn === undefined) return;
  const waited = basesOf(home)
    .flatMap((base) => pendingOf(base, session))
    .filter((pending) => isTold(pending.turn, turn))
    .map(({ folder }) => folder);
  const limit = performance.now() + PATIENCE;
  while (waited.some((folder) => lookAt(folder) !== undefined && !isEnded(folder)) && performance.now() < limit)
    await setTimeout(STEP);
}

/** An earlier line of a prompt that lives; a part (`7~1`) belongs to a job, and whoever has no prompt tells no end. */
const isTold = ({ source, turn, owner }: PendingTurn, now: string): boolean =>
  source === 'cli' && turn !== now && !turn.includes('~') && owner !== undefined && stateOf(owner) === 'alive';
