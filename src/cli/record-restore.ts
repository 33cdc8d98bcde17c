import { type Event, isUndone, type Ledger, turnId, undoneTurns } from '../checkpoint/ledger.ts';
import { partOf } from '../checkpoint/part.ts';
import type { SafetyRecord } from '../checkpoint/record.ts';
import { noteEvents } from '../turns/journal.ts';
import type { Context } from './context.ts';

type Did = SafetyRecord['did'];

/** Marks the turns that a restore took back, or put there again, in the records of their sessions; nothing is erased there. */
export function recordRestore(context: Context, ledger: Ledger, keys: Iterable<string>, did: Did): void {
  note(context, did.what === 'redo' ? 'redone' : 'undone', did, did.turns);
  if (did.what === 'rollback') note(context, 'redone', did, broughtBack(ledger, keys, did));
}

function note({ home, session }: Context, e: 'undone' | 'redone', { what }: Did, turns: Did['turns']): void {
  const by = session ?? '';
  for (const of of new Set(turns.map((turn) => turn.session))) {
    const its = turns.filter((turn) => turn.session === of).map(({ turn }) => turn);
    noteEvents(home, of, [{ e, t: Date.now(), turns: its, by, what }], { known: true });
  }
}

/** Turns from before the checkpoint that was gone back to, which an undo behind it had taken back. */
function broughtBack(ledger: Ledger, keys: Iterable<string>, did: Did): Did['turns'] {
  const last = ledger.events.at(-1);
  if (last === undefined) return [];
  const order = last.record.order + 1;
  const restores = [...keys].map(
    (key): Event => ({ ...last, key, record: { ...last.record, kind: 'safety', did, order }, changes: new Map() }),
  );
  const [now, then] = [undoneTurns(ledger), undoneTurns({ ...ledger, events: [...ledger.events, ...restores] })];
  const found = ledger.events.filter(({ record }) => isUndone(now, record) && !isUndone(then, record));
  return [...new Map(found.map(({ record }) => [turnId(record), record])).values()].map(({ session, turn }) => ({
    session,
    turn: partOf(turn),
  }));
}
