import { changedSomething, type Event, type Ledger } from '../checkpoint/ledger.ts';
import { groupTurns, type Turn } from '../checkpoint/turns.ts';
import type { Bytes } from '../platform/bytes.ts';
import { confirm, isAnswerable } from './ask.ts';
import { isMine, newestMark, ranHere } from './choose-turn.ts';
import type { Call } from './command.ts';
import type { Context } from './context.ts';
import { carryOut, type Wish } from './restoring.ts';
import { count } from './style.ts';

/** Nobody has said which turn: `undo` has looked for it. */
const isFound = ({ words, values }: Call): boolean =>
  words.length === 0 && values['turn'] === undefined && values['session'] === undefined;

/** Lines that were typed while belay was off are in no record: what is taken back is older than they are, which is said. */
export function offSince(context: Context, ledger: Ledger, turn: Turn, call: Call): string[] {
  if (
    !isFound(call) ||
    newestMark(context, ledger, isMine(context, ledger, context.session), turn, 'off') === undefined
  )
    return [];
  return ['belay was off in this shell since: what ran then is in no record, and is not taken back.'];
}

/**
 * `undo` goes back turn by turn, and past lines that belay knows nothing of. Where it comes so to a turn that the person at the prompt
 * need not have in mind (belay was off since, or newer ones are undone and it ran in another project) and it takes more away than it
 * brings, nothing goes without a question: `mkdir x && sh set-up.sh x && cd x` is such a turn, and takes the whole of x with it.
 */
export async function askOlder(context: Context, call: Call, ledger: Ledger, turn: Turn, wish: Wish): Promise<Wish> {
  const { values } = call;
  const isAgreed = call.yes || values['force'] === true || values['agreed'] !== undefined;
  if (isAgreed || values['dry-run'] === true || !isFound(call)) return wish;
  if (offSince(context, ledger, turn, call).length === 0 && !isBeyond(context, ledger, turn)) return wish;
  const { steps } = carryOut(context, call, wish, true).plan;
  const removed = steps.filter((step) => step.do === 'remove').length;
  const written = steps.length - removed;
  if (removed <= written) return wish;
  const question = `${capital(wish.title.would)}: ${count(removed, 'path')} removed, ${written === 0 ? 'none' : written} written?`;
  const notes = wish.before ?? [];
  if (!isAnswerable(call)) await confirm(call, [...notes, question].join(' '));
  process.stderr.write(notes.map((note) => `${note}\n`).join(''));
  await confirm(call, question);
  return { ...wish, before: [] };
}

/** It ran elsewhere, and what the session did after it is undone already. */
function isBeyond(context: Context, ledger: Ledger, turn: Turn): boolean {
  if (turn.events.some((event) => ranHere(context, event))) return false;
  const mine = isMine(context, ledger, context.session);
  const changed = (event: Event): boolean => mine(event) && changedSomething(event.record);
  return groupTurns(ledger, changed).some(({ order }) => order > turn.order);
}

const capital = (text: Bytes): Bytes => text.slice(0, 1).toUpperCase() + text.slice(1);
