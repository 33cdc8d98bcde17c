import { readHistories } from '../../checkpoint/read.ts';
import { findStore } from '../../checkpoint/store.ts';
import { type Bytes, toText } from '../../platform/bytes.ts';
import { lookAt, writeAtomic } from '../../platform/files.ts';
import { basename, dirname, join } from '../../platform/paths.ts';
import { folderName } from '../../turns/ids.ts';
import { nextOrder } from '../../turns/order.ts';
import { damagedTurns, isEnded, type PendingTurn, pendingTurns } from '../../turns/pending.ts';
import { manifestsOf } from '../end.ts';
import { basesOf } from '../place.ts';
import type { World } from '../world.ts';
import { endNow, endRules } from './end-turn.ts';

/**
 * Turns whose `turn.json` a power loss has cut: what they hold is whole, and their folders tell whose they are. They are written anew, as
 * turns of which only the verbs are known, and have ended; the next settle files them. Returns what was done, one line each.
 */
export function mendTurns(world: World, home: Bytes): string[] {
  const done: string[] = [];
  for (const base of basesOf(home))
    for (const folder of damagedTurns(base)) {
      const turn = rebuilt(home, folder);
      if (turn === undefined) {
        done.push(`${toText(folder)}: its turn cannot be told any more, and stays as it is`);
        continue;
      }
      writeAtomic(join(folder, 'turn.json'), JSON.stringify(turn));
      if (!isEnded(folder)) endNow(folder, turn, Number.POSITIVE_INFINITY, endRules(world, home));
      done.push(`turn ${turn.turn} of session ${turn.session}: its turn.json was damaged, and is written anew`);
    }
  return done;
}

/** Undefined where the folder's name does not tell the ids, or nothing was put aside. */
function rebuilt(home: Bytes, folder: Bytes): PendingTurn | undefined {
  const session = idOf(basename(dirname(folder)));
  const turn = idOf(basename(folder));
  const [first] = manifestsOf(folder);
  const look = first === undefined ? undefined : lookAt(join(first.folder, 'manifest.jsonl'));
  if (session === undefined || turn === undefined || first === undefined || look === undefined) return undefined;
  const started = Number(BigInt(look.mtime) / 1_000_000n);
  return {
    v: 1,
    session,
    turn,
    source: 'cli',
    shell: '',
    cwd: first.header.roots.find((root) => root !== null) ?? '/',
    line: '',
    hidden: true,
    started,
    order: placeAt(home, started),
    home,
  };
}

/** The id that a folder is called after; undefined where the name has only a part of it. */
function idOf(name: Bytes): string | undefined {
  const id = name.startsWith('=') ? Buffer.from(name.slice(1), 'hex').toString('utf8') : name;
  return folderName(id) === name ? id : undefined;
}

/** Its place in the order among turns: half a step behind the last that began before it. */
function placeAt(home: Bytes, started: number): number {
  const store = findStore(home);
  const known = [
    ...[...(store === undefined ? [] : readHistories(store).values())].flatMap(({ checkpoints }) =>
      checkpoints.flatMap(({ record }) => (record.origin === undefined ? [record] : [])),
    ),
    ...basesOf(home).flatMap((base) => pendingTurns(base).map(({ turn }) => turn)),
  ];
  const later = known.filter((one) => one.started > started);
  if (later.length === 0) return nextOrder(home);
  return Math.max(0, ...known.filter((one) => one.started <= started).map(({ order }) => order)) + 0.5;
}
