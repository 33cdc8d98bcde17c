import { stripVTControlCharacters } from 'node:util';
import { undoneTurns } from '../checkpoint/ledger.ts';
import type { Call } from './command.ts';
import { knownHere, ledgerFor, openContext } from './context.ts';
import { list, row, statsFor } from './list.ts';
import { shown } from './paths.ts';
import { choose } from './picker/picker.ts';
import { show } from './show.ts';
import { count } from './style.ts';

/** The number of the checkpoint that a person chose; undefined when the picker was left, or there is nothing to choose. */
export async function pickCheckpoint(call: Call): Promise<number | undefined> {
  const context = await openContext(call);
  const here = knownHere(context);
  const all = here?.history.checkpoints ?? [];
  if (here === undefined || context.store === undefined || all.length === 0) {
    const empty = await list.run({ ...call, words: [] });
    if (typeof empty !== 'number') process.stdout.write(empty.text);
    return undefined;
  }
  const stats = statsFor(context, here, all);
  const undone = undoneTurns(ledgerFor([here]));
  const choices = all.map((checkpoint) => {
    const { cells } = row(checkpoint, stats.get(checkpoint), here, undone);
    const [n, , time, reason, changed, notes] = cells;
    return { n: Number(n), text: `${n.padStart(4)}  ${time}  ${reason}  ${changed}  ${notes}`.trimEnd() };
  });
  const { directory: _, ...values } = call.values;
  const picked = await choose({
    title: `${shown(context.root)}  ${count(all.length, 'checkpoint')}`,
    choices,
    preview: (n) => differenceOf({ ...call, values }, n),
  });
  return picked.is === 'chosen' ? picked.n : undefined;
}

/** What a checkpoint's turn changed, as lines without colours. */
export async function differenceOf(call: Call, n: number): Promise<readonly string[]> {
  const told = await show.run({ ...call, words: [String(n)] });
  return typeof told === 'number' ? [] : stripVTControlCharacters(told.text).split('\n').slice(2);
}
