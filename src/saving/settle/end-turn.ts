import { partOf } from '../../checkpoint/part.ts';
import type { Bytes } from '../../platform/bytes.ts';
import { codeOf, realAsFar } from '../../platform/files.ts';
import { childrenSince, isAbove, nameOf, type ProcessName, stateOf } from '../../platform/processes.ts';
import { clearMarker } from '../../turns/markers.ts';
import { isEnded, type PendingTurn, pendingTurns } from '../../turns/pending.ts';
import { endSoFar, hasBackground, hasOpenCall } from '../calls.ts';
import { type EndManifest, type EndRules, takeEnd, writeEnd } from '../end.ts';
import { standIns } from '../hold/far.ts';
import { basesOf } from '../place.ts';
import { runtimeOf, type World } from '../world.ts';
import { asFoundNext, isLong, isNextLine, turnsSince } from './found-next.ts';

export const endRules = (world: World, home: Bytes): EndRules => ({
  config: world.config,
  belayFolders: [realAsFar(home), ...standIns(realAsFar(home))],
});

/**
 * Ends a turn: looks at its paths at once (`ended` in ms). What it settles to is written later, in the background or by the next
 * reader. Returns whether there is something to settle.
 */
export function endTurn(world: World, session: string, turn: string, ended: number): boolean {
  const { home } = world;
  if (world.off || home === undefined) return false;
  let found = false;
  for (const base of basesOf(home))
    for (const pending of pendingTurns(base)) {
      if (pending.turn.session !== session || partOf(pending.turn.turn) !== turn) continue;
      if (!isEnded(pending.folder)) endNow(pending.folder, pending.turn, ended, endRules(world, home));
      found = true;
    }
  const runtime = runtimeOf(world, false);
  if (runtime !== undefined) clearMarker(runtime, session, turn);
  return found;
}

/**
 * A turn whose folder is gone was settled by a reader meanwhile. Where nobody said when it ended, it was over when the next line of its
 * prompt began.
 */
export function endNow(folder: Bytes, turn: PendingTurn, ended: number, rules: EndRules): void {
  try {
    const soFar = endSoFar(folder);
    if (soFar !== undefined) return void writeEnd(folder, soFar);
    // Nobody said that the turn has ended: a call that was not answered runs on beside whoever asks.
    const on = Number.isFinite(ended) ? hasBackground(folder) : hasOpenCall(folder);
    const runs = { on, jobs: liveJobs(turn, ended) };
    if (!isLong(folder)) return void writeEnd(folder, takeEnd(folder, ended, rules, runs));
    const next = turnsSince(turn, ended).find((later) => isNextLine(turn, later.turn))?.turn.started ?? ended;
    const end = takeEnd(folder, Math.min(ended, next), rules, runs);
    writeEnd(folder, asFoundNext(folder, end, turnsSince(turn, Math.min(ended, next))));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

/** A job of the shell that was stopped (`rm -ri x`, Ctrl-Z) or runs on may go on destroying what the turn names. */
const liveJobs = (turn: PendingTurn, ended: number): ProcessName[] =>
  turn.source === 'cli' && turn.pid !== undefined && Number.isFinite(ended)
    ? childrenSince(turn.pid, turn.started).map(nameOf)
    : [];

/** Whether something of the turn may still run: its jobs are asked for again, as one that has ended has ended. */
export const runsOn = ({ running, jobs }: EndManifest): boolean =>
  running && (jobs === undefined || othersOf(jobs).some((job) => stateOf(job) !== 'dead'));

/** Whether something of the turn ran after its end was taken. */
export const mayHaveGoneOn = ({ running, jobs }: EndManifest): boolean =>
  running && (jobs === undefined || othersOf(jobs).length > 0);

/** The reader that asks was typed at the prompt after the turn, however soon: it is no job of it. */
const othersOf = (jobs: readonly ProcessName[]): ProcessName[] => jobs.filter(({ pid }) => !isAbove(pid));
