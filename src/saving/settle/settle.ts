import { partOf } from '../../checkpoint/part.ts';
import { type History, readHistory } from '../../checkpoint/read.ts';
import { openStore, type Store } from '../../checkpoint/store.ts';
import { writeRecord } from '../../checkpoint/write.ts';
import type { Bytes } from '../../platform/bytes.ts';
import { bytesOf } from '../../platform/config.ts';
import { removeTree } from '../../platform/files.ts';
import { acquire } from '../../platform/lock.ts';
import { describe, log } from '../../platform/log.ts';
import { join } from '../../platform/paths.ts';
import { raiseOrder } from '../../turns/order.ts';
import {
  finishedHolds,
  isEnded,
  isOrphan,
  noteDone,
  type PendingTurn,
  pendingTurns,
  readTurn,
} from '../../turns/pending.ts';
import { type EndManifest, isSpent, manifestsOf, readEnd, reopenEnd, takeEnd } from '../end.ts';
import type { Manifest } from '../hold/manifest.ts';
import { isAnythingPending } from '../pending-any.ts';
import { basesOf } from '../place.ts';
import type { World } from '../world.ts';
import { seenBy } from './around.ts';
import { endsUnderWay } from './awaited.ts';
import { draftsOf, type ProjectDraft } from './draft.ts';
import { endNow, endRules, mayHaveGoneOn, runsOn } from './end-turn.ts';
import { isNextLine, isTyped } from './found-next.ts';
import { moveHeld } from './moves.ts';
import { withOvertaken } from './overtaken.ts';
import { recordCheckpoint } from './recorded.ts';
import { namedFar, putAside, removeUnless, sweep } from './remove.ts';
import { doneBefore, renameTurn, requeue, sinceEnd } from './running.ts';
import { Spill } from './spill.ts';

/** What a settle wrote. */
export interface Settled {
  readonly root: Bytes;
  readonly n: number;
  readonly key: string;
  readonly changes: number;
  readonly session: string;
}

export interface SettleOptions {
  /** A reader of this session: its turns before `turn` are over, whether or not somebody said so. */
  readonly session?: string;
  readonly turn?: string;
  /** Somebody is about to read: turns of which something may still run are settled as far as they are. */
  readonly reader?: boolean;
  /** How long to wait for another settle, ms. */
  readonly wait: number;
  /** Asked after each turn: whether the store has to be looked after before the next one. What is left stays pending. */
  readonly isFull?: () => boolean;
}

/** `busy`: another settle did not come to its end in time, nobody knows what is missing. `failed`: turns that are over and stay pending. */
export type Settling =
  | { readonly is: 'settled'; readonly settled: readonly Settled[]; readonly failed: readonly PendingTurn[] }
  | { readonly is: 'busy' };

/** Settles every turn that is over, oldest first. Idempotent: killed anywhere, it is simply done again. */
export async function settleAll(world: World, options: SettleOptions): Promise<Settling> {
  const { home } = world;
  const out: Settled[] = [];
  const failed: PendingTurn[] = [];
  const all: Settling = { is: 'settled', settled: out, failed };
  if (home === undefined || !isAnythingPending(world)) return all;
  await endsUnderWay(home, options);
  const lock = acquire(join(home, 'checkpoints/.settle.lock'), options.wait, { watched: true });
  if (lock === undefined) return { is: 'busy' };
  try {
    for (const base of basesOf(home)) {
      const looking = new Set<number>();
      const pending = pendingTurns(base);
      for (const { folder, turn } of pending) {
        // Not ours any more: whoever has it settles the rest.
        if (!lock.beat()) return { is: 'busy' };
        if (turn.home !== home) continue;
        const hasNext = options.reader === true && pending.some((later) => isNextLine(turn, later.turn));
        if (!hasNext && !isOver(folder, turn, options)) {
          if (turn.pid !== undefined && isTyped(turn) && !isOld(turn)) looking.add(turn.pid);
          continue;
        }
        // The line before it is being looked at, by a process that settles both: the numbers are in the order typed.
        if (!options.reader && turn.pid !== undefined && isTyped(turn) && looking.has(turn.pid)) continue;
        try {
          out.push(...(await settleTurn(world, home, folder, options.reader ?? false)));
        } catch (error) {
          failed.push(turn);
          log(home, `settle of turn ${turn.turn} of ${turn.session} failed, it stays pending: ${describe(error)}`);
        }
        if (options.isFull?.()) return all;
      }
    }
    for (const base of basesOf(home)) sweep(base, base !== home);
  } finally {
    lock.release();
  }
  return all;
}

const DAY_MS = 86_400_000;

const isOld = (turn: PendingTurn): boolean => Date.now() - turn.started > DAY_MS;

function isOver(folder: Bytes, turn: PendingTurn, options: SettleOptions): boolean {
  if (isEnded(folder) || isOrphan(turn)) return true;
  if (turn.session === options.session && partOf(turn.turn) !== options.turn) return true;
  return turn.owner === undefined && isOld(turn);
}

async function settleTurn(world: World, home: Bytes, folder: Bytes, reader: boolean): Promise<Settled[]> {
  const found = readTurn(folder);
  if (found.is !== 'turn') return [];
  const { turn } = found;
  if (!isEnded(folder)) endNow(folder, turn, Number.POSITIVE_INFINITY, endRules(world, home));
  const seenAtEnd = readEnd(folder);
  if (seenAtEnd === undefined) return [];
  const manifests = manifestsOf(folder);
  const final = !runsOn(seenAtEnd) || isOrphan(turn) || isOld(turn) || (!seenAtEnd.jobs && isSpent(manifests));
  if (!final && !reader) return [];
  const end = mayHaveGoneOn(seenAtEnd)
    ? withOvertaken(
        home,
        turn,
        manifests,
        seenAtEnd,
        sinceEnd(seenAtEnd, takeEnd(folder, Number.POSITIVE_INFINITY, endRules(world, home))),
      )
    : seenAtEnd;
  const done = doneBefore(folder);
  if (!final && end.paths.every(({ path }) => done.has(path))) return [];
  raiseOrder(home, turn.order);
  const spill = new Spill(join(folder, 'left'));
  try {
    return await settleAs({ world, home, folder, turn, manifests, end, done, final, spill });
  } finally {
    spill.close();
  }
}

interface AtWork {
  readonly world: World;
  readonly home: Bytes;
  readonly folder: Bytes;
  readonly turn: PendingTurn;
  readonly manifests: readonly Manifest[];
  readonly end: EndManifest;
  readonly done: ReadonlySet<Bytes>;
  /** Nothing of the turn runs on. */
  readonly final: boolean;
  readonly spill: Spill;
}

async function settleAs({ world, home, folder, turn, manifests, end, done, final, spill }: AtWork): Promise<Settled[]> {
  const store = openStore(home);
  const all = draftsOf(turn, manifests, end, {
    userHome: world.userHome,
    largestBlob: bytesOf(world.config.checkpoints.max_file_size_mb),
    seen: await seenBy(world, store, folder),
    done,
    doneSeen: doneBefore(folder, 'seen'),
    keep: (bytes) => spill.keep(bytes),
  });
  // An earlier part has said what there is to say of a turn that changed nothing more.
  const drafts = done.size === 0 && final ? all : all.filter(({ draft }) => draft.changes.length > 0);
  if (!final && !drafts.some(({ draft }) => draft.changes.some(({ by }) => by === 'named'))) return [];
  const settled: Settled[] = [];
  for (const draft of drafts) {
    const written = writeDraft(store, draft, home);
    if (written === 'another') {
      renameTurn(folder, turn, home);
      log(home, `turn ${turn.turn} of ${turn.session} has the name of another one: it is settled under a new one`);
      return settled;
    }
    settled.push(written);
  }
  spill.close();
  if (final) finish(home, turn, folder, { manifests, drafts, end, done });
  else requeue(folder, turn, home, drafts);
  return settled;
}

interface SettledTurn {
  readonly manifests: readonly Manifest[];
  readonly drafts: readonly ProjectDraft[];
  readonly end: EndManifest;
  readonly done: ReadonlySet<Bytes>;
}

/**
 * Removes the turn. A hold that a job of it has finished since its paths were looked at is in no record: with that, the turn goes on. Once
 * the folder is put aside, no hold can be finished in it.
 */
function finish(home: Bytes, turn: PendingTurn, folder: Bytes, { manifests, drafts, end, done }: SettledTurn): void {
  const goesOn = (where: Bytes): boolean => {
    if (finishedHolds(where) <= end.holds) return false;
    const { jobs: _, ...rest } = end;
    reopenEnd(where, rest);
    requeue(where, turn, home, drafts);
    return true;
  };
  if (goesOn(folder)) return;
  noteDone(home, turn);
  const aside = putAside(folder);
  if (goesOn(aside)) return;
  const named = namedFar(manifests, drafts, done);
  for (const { header } of manifests) for (const far of header.far) removeUnless(far, named);
  removeTree(aside);
}

function writeDraft(store: Store, { root, draft, blobs, moves }: ProjectDraft, home: Bytes): Settled | 'another' {
  const written = writeRecord(store, root, draft, blobs);
  if (written.fresh) recordCheckpoint(home, written);
  if (!written.fresh && !hasAllOf(readHistory(store, written.key), written.n, draft)) return 'another';
  moveHeld(moves, join(join(store.base, 'holds'), `${written.key}/${written.n}`));
  return { root, n: written.n, key: written.key, changes: draft.changes.length, session: draft.session };
}

/** Whether the record of that number is this draft's, written by a settle that was killed, and not that of a turn of the same name. */
function hasAllOf({ checkpoints }: History, n: number, draft: ProjectDraft['draft']): boolean {
  const known = checkpoints.find(({ record }) => record.n === n)?.record.changes ?? [];
  const befores = new Map(known.map(({ path, before }) => [path, before]));
  return draft.changes.every(({ path, before, by }) => {
    const there = befores.get(path);
    if (by !== 'named' || there === undefined) return by !== 'named';
    if (there.kind !== 'file' || before.kind !== 'file') return there.kind === before.kind;
    return there.size === before.size && there.mtime === before.mtime;
  });
}
