import { freeHolds, heldBytes } from '../checkpoint/free.ts';
import { readHistories } from '../checkpoint/read.ts';
import { openStore } from '../checkpoint/store.ts';
import { confirm } from './ask.ts';
import { locked } from './checkpoints/locked.ts';
import { numberOf } from './checkpoints/prune.ts';
import { type Command, wrongUsage } from './command.ts';
import { openContext } from './context.ts';
import { bytes, count } from './style.ts';

const HOUR_MS = 3_600_000;

/** `belay free`: the space of deleted files, which only held links and copies still take, is given back. */
export const free: Command = {
  summary: 'give back the space of deleted files',
  usage: ['belay free [--older-than HOURS] [--dry-run] [--yes]'],
  help: `
Large files are held by a link: deleting one frees its space only when its checkpoint goes, or by this. The checkpoints stay; what
was small is in the store and still comes back, what is given back does not.`,
  options: { 'older-than': { type: 'string' }, 'dry-run': { type: 'boolean' } },
  run: async (call) => {
    if (call.words.length > 0) throw wrongUsage('free takes no arguments');
    const hours = numberOf(call, 'older-than') ?? 0;
    const context = await openContext(call);
    const nothing = { json: { freed: [], freed_bytes: 0 }, text: 'no deleted file takes any space\n' };
    if (context.store === undefined) return nothing;
    const store = openStore(context.home);
    const before = Date.now() - hours * HOUR_MS;
    const held = [...readHistories(store)]
      .flatMap(([key, { checkpoints }]) => checkpoints.map(({ record }) => ({ key, record })))
      .filter(({ record }) => hours === 0 || record.ended < before)
      .map((one) => ({ ...one, bytes: heldBytes(store, one.key, one.record) }))
      .filter((one) => one.bytes > 0);
    if (held.length === 0) return nothing;
    const total = held.reduce((sum, one) => sum + one.bytes, 0);
    const what = `${bytes(total)} of ${count(held.length, 'checkpoint')}`;
    if (call.values['dry-run'] === true)
      return {
        json: {
          freed: held.map(({ key, record, bytes: size }) => ({ key, n: record.n, bytes: size })),
          freed_bytes: 0,
          dry_run: true,
        },
        text: `${what} would be given back\n`,
      };
    await confirm(call, `Give back ${what}? Those deleted files cannot be brought back then.`);
    const done = locked(store, () => held.map(({ key, record }) => freeHolds(store, key, record)));
    const freed = done.reduce((sum, one) => sum + one.held, 0);
    return {
      json: { freed: done.map(({ key, n, held: size }) => ({ key, n, bytes: size })), freed_bytes: freed },
      text: `${bytes(freed)} given back; the checkpoints stay\n`,
    };
  },
};
