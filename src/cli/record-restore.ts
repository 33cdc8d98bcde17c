import type { SafetyRecord } from '../checkpoint/record.ts';
import { noteEvents } from '../turns/journal.ts';
import type { Context } from './context.ts';

/** Marks the turns that a restore took back, or put there again, in the records of their sessions; nothing is erased there. */
export function recordRestore({ home, session }: Context, { what, turns }: SafetyRecord['did']): void {
  for (const of of new Set(turns.map((turn) => turn.session))) {
    const event = {
      e: what === 'redo' ? 'redone' : 'undone',
      t: Date.now(),
      turns: turns.filter((turn) => turn.session === of).map(({ turn }) => turn),
      by: session ?? '',
      what,
    } as const;
    noteEvents(home, of, [event], { known: true });
  }
}
