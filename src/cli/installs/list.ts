import { batchesOf, inLanes, sizesOnDisk } from '../../installs/disk.ts';
import { heldBy } from '../../installs/gc.ts';
import { proofOf } from '../../installs/proof.ts';
import { type State, statesIn } from '../../installs/states.ts';
import { wishOf } from '../../installs/sweep.ts';
import type { Bytes } from '../../platform/bytes.ts';
import { lookAt } from '../../platform/files.ts';
import { columns } from '../columns.ts';
import type { Answer } from '../command.ts';
import { pathKeys, shown } from '../paths.ts';
import { ago, bytes, count, styleFor } from '../style.ts';
import { openHome } from './place.ts';

interface Row {
  readonly key: string;
  readonly root: Bytes;
  readonly checkout: Bytes | undefined;
  readonly bytes: number;
  readonly touched: number;
  readonly state: 'live' | 'orphan' | 'held' | 'no record' | 'unproved';
  readonly reason: string;
}

/** `belay installs list`. */
export async function list(): Promise<Answer> {
  const { home, userHome, config } = await openHome();
  const wish = wishOf(home, userHome, config);
  const states = wish.roots.flatMap(statesIn);
  const rows: Row[][] = [];
  await inLanes(batchesOf(states), 2, async (batch, i) => {
    const sizes = await sizesOnDisk(batch.map(({ folder }) => folder));
    const held = heldBy(batch);
    rows[i] = batch.map((state, j) => ({
      ...told(state, held[j], proofOf(state, wish.known(state.key))),
      bytes: sizes[j] ?? 0,
    }));
  });
  const all = rows.flat();
  const total = all.reduce((sum, row) => sum + row.bytes, 0);
  const now = Date.now();
  const style = styleFor(process.stdout);
  const head = ['key', 'size', 'age', 'state', 'checkout'];
  const table = all.map((row) => [
    row.key,
    bytes(row.bytes),
    ago(row.touched, now),
    row.state,
    `${row.checkout === undefined ? '' : shown(row.checkout)}${row.state === 'live' ? '' : ` (${row.reason})`}`.trim(),
  ]);
  const line = columns(head, table, [1]);
  return {
    json: {
      total_bytes: total,
      count: all.length,
      installs: all.map(({ checkout, root, touched, ...row }) => ({
        ...row,
        root: pathKeys(root).path,
        ...(checkout === undefined ? { checkout: null } : checkoutKeys(checkout)),
        age_s: Math.max(0, Math.floor((now - touched) / 1000)),
      })),
    },
    text:
      all.length === 0
        ? 'no checkout has an install state\n'
        : `${[style.bold(`${count(all.length, 'install state')}, ${bytes(total)}`), '', style.bold(line(head)), ...table.map(line)].join('\n')}\n`,
  };
}

/** A checkout's path, with its bytes beside it where it is no text. */
export function checkoutKeys(path: Bytes): Record<string, string> {
  const keys = pathKeys(path);
  return { checkout: keys.path, ...(keys.path_bytes === undefined ? {} : { checkout_bytes: keys.path_bytes }) };
}

function told(state: State, held: string | undefined, proof: ReturnType<typeof proofOf>): Omit<Row, 'bytes'> {
  const { key, root, folder, record } = state;
  const look = lookAt(folder);
  const touched = look === undefined ? Date.now() : Number(BigInt(look.mtime) / 1_000_000n);
  const row = { key, root, checkout: typeof record === 'object' ? record.path : undefined, touched };
  if (held !== undefined) return { ...row, state: 'held', reason: held };
  switch (proof.is) {
    case 'deleted':
      return { ...row, state: 'orphan', reason: proof.by };
    case 'no record':
    case 'unproved':
      return { ...row, state: proof.is, reason: proof.why };
    default:
      return {
        ...row,
        state: 'live',
        reason: proof.is === 'moved' ? 'its worktree was moved' : 'its checkout is there',
      };
  }
}
