import type { Bytes } from '../platform/bytes.ts';
import { lookThrough } from '../platform/files.ts';
import { nameOf } from '../platform/processes.ts';
import { appendEvents } from '../turns/journal.ts';
import { eventsOf, readStory } from './find.ts';
import { hostName, mayGoOn } from './living.ts';

/** Where a session goes on. */
export interface ResumePoint {
  readonly session: string;
  /** The number of its newest turn: the next one has the next. */
  readonly turn: number;
  /** The folder of its newest command. */
  readonly cwd: Bytes | undefined;
}

/** Turns that are named in any event count, also those of lines that are not recorded themselves. */
export function resumePoint(home: Bytes, session: string): ResumePoint {
  let turn = 0;
  for (const event of eventsOf(home, session))
    if ('turn' in event && /^\d{1,9}$/.test(event.turn)) turn = Math.max(turn, Number(event.turn));
  const story = readStory(home, session);
  const last = story.turns.flatMap(({ commands }) => commands).at(-1)?.cwd ?? story.beginning?.cwd;
  const host = story.process.host ?? story.beginning?.host;
  const isHere = host === undefined || host === hostName();
  const cwd = last !== undefined && isHere && lookThrough(last)?.type === 'folder' ? last : undefined;
  return { session, turn, cwd };
}

/**
 * Says that the session goes on, by whom. A program that runs in one beside the shell that has it (`isBeside`) is not who has it: the session
 * is open for as long as the shell is.
 */
export function noteResumed(
  home: Bytes,
  session: string,
  source: string,
  pid: number | undefined,
  isBeside: boolean,
): void {
  const isGiven = pid !== undefined && !(isBeside && isHeld(home, session));
  const process = isGiven ? { host: hostName(), pid, start: nameOf(pid).start } : {};
  appendEvents(home, session, [{ e: 'resumed', t: Date.now(), source, ...process }], { known: true });
}

/** Whether a process that is known has it. */
function isHeld(home: Bytes, session: string): boolean {
  const { ended, last, process } = readStory(home, session);
  const { pid, start, host } = process;
  return pid !== undefined && start !== undefined && mayGoOn({ ended, last, pid, start, host });
}
