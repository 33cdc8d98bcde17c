import os from 'node:os';
import { fromText } from '../platform/bytes.ts';
import { lookAt } from '../platform/files.ts';
import { nameOf } from '../platform/processes.ts';
import { maskSecrets } from '../platform/secrets.ts';
import type { World } from '../saving/world.ts';
import { journalFile, noteEvents } from '../turns/journal.ts';
import type { JournalEvent } from '../turns/journal-events.ts';
import type { TurnIdentity } from '../turns/types.ts';

/** The text of a script may be of any length; what is kept of a line is for people. */
const LONGEST = 16_384;

/**
 * Adds a line to the record of its session, which it begins where there is none. `saved`: it may destroy something, which is all that
 * `record: destructive` keeps. A line hidden from history is never kept. The answer says why it could not be written.
 */
export function recordLine(identity: TurnIdentity, world: World, saved: boolean): string | undefined {
  const { home, config } = world;
  const { record } = config.sessions;
  if (world.off || home === undefined || identity.hidden || record === 'off') return undefined;
  if (record === 'destructive' && !saved) return undefined;
  const t = Date.now();
  const { session, turn, cwd } = identity;
  const line = maskSecrets(identity.line);
  const command: JournalEvent = {
    e: 'command',
    t,
    turn,
    line: line.length > LONGEST ? `${line.slice(0, LONGEST)}...` : line,
    cwd,
  };
  const isNew = lookAt(journalFile(home, session)) === undefined;
  return noteEvents(home, session, isNew ? [beginningOf(identity, t), command] : [command]);
}

function beginningOf({ session, source, shell, cwd, pid, parent }: TurnIdentity, t: number): JournalEvent {
  return {
    e: 'session',
    v: 1,
    t,
    id: session,
    source,
    shell,
    cwd,
    host: fromText(os.hostname()),
    uid: process.getuid?.() ?? 0,
    ...(pid === undefined ? {} : { pid, start: nameOf(pid).start }),
    ...(parent === undefined ? {} : { parent }),
  };
}
