import fs from 'node:fs';
import { partOf } from '../../checkpoint/part.ts';
import { openStore, type Store } from '../../checkpoint/store.ts';
import { writeRecord } from '../../checkpoint/write.ts';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { copyWhole } from '../../platform/copy.ts';
import { codeOf, lookAt, makeFolder } from '../../platform/files.ts';
import { acquire } from '../../platform/lock.ts';
import { describe, log } from '../../platform/log.ts';
import { join } from '../../platform/paths.ts';
import { raiseOrder } from '../../turns/order.ts';
import { isEnded, isOrphan, noteDone, type PendingTurn, pendingTurns, readTurn } from '../../turns/pending.ts';
import { dropIdleLinks, manifestsOf, readEnd, takeEnd } from '../end.ts';
import type { Manifest } from '../hold/manifest.ts';
import { basesOf } from '../place.ts';
import type { World } from '../world.ts';
import { seenBy } from './around.ts';
import { draftsOf, type ProjectDraft } from './draft.ts';
import { endNow, endRules } from './end-turn.ts';
import { removeUnless, removeWhole, sweep } from './remove.ts';
import { doneBefore, requeue, sinceEnd } from './running.ts';

/** What a settle wrote. */
export interface Settled {
  readonly root: Bytes;
  readonly n: number;
  readonly key: string;
  readonly changes: number;
}

export interface SettleOptions {
  /** A reader of this session: its turns before `turn` are over, whether or not somebody said so. */
  readonly session?: string;
  readonly turn?: string;
  /** Somebody is about to read: turns of which something may still run are settled as far as they are. */
  readonly reader?: boolean;
  /** How long to wait for another settle, ms. */
  readonly wait: number;
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
  if (world.off || home === undefined) return all;
  if (basesOf(home).every((base) => pendingTurns(base).length === 0)) return all;
  const lock = acquire(join(home, 'checkpoints/.settle.lock'), options.wait);
  if (lock === undefined) return { is: 'busy' };
  try {
    for (const base of basesOf(home))
      for (const { folder, turn } of pendingTurns(base)) {
        lock.beat();
        if (turn.home !== home || !isOver(folder, turn, options)) continue;
        try {
          out.push(...(await settleTurn(world, home, folder, options.reader ?? false)));
        } catch (error) {
          failed.push(turn);
          log(home, `settle of turn ${turn.turn} of ${turn.session} failed, it stays pending: ${describe(error)}`);
        }
      }
    for (const base of basesOf(home)) sweep(base);
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
  const final = !seenAtEnd.running || isOrphan(turn) || isOld(turn);
  if (!final && !reader) return [];
  const end = seenAtEnd.running
    ? sinceEnd(seenAtEnd, takeEnd(folder, Number.POSITIVE_INFINITY, endRules(world, home)))
    : seenAtEnd;
  const manifests = manifestsOf(folder);
  const done = doneBefore(folder);
  if (!final && end.paths.every(({ path }) => done.has(path))) return [];
  raiseOrder(home, turn.order);
  const store = openStore(home);
  const drafts = draftsOf(turn, manifests, end, {
    userHome: world.userHome,
    largestBlob: world.config.checkpoints.max_file_size_mb * 1024 * 1024,
    seen: await seenBy(world, store, folder),
    done,
  });
  const settled = drafts.map((draft) => writeDraft(store, draft));
  if (final) finish(home, turn, folder, manifests, drafts);
  else requeue(folder, turn, home, end);
  return settled;
}

function finish(
  home: Bytes,
  turn: PendingTurn,
  folder: Bytes,
  manifests: readonly Manifest[],
  drafts: readonly ProjectDraft[],
): void {
  dropIdleLinks(manifests);
  noteDone(home, turn);
  for (const { header } of manifests) for (const far of header.far) removeUnless(far, drafts);
  removeWhole(folder);
}

function writeDraft(store: Store, { root, draft, blobs, moves }: ProjectDraft): Settled {
  const written = writeRecord(store, root, draft, blobs);
  const to = join(join(store.base, 'holds'), `${written.key}/${written.n}`);
  if (moves.length > 0) makeFolder(to);
  for (const move of moves) moveFile(move.from, join(to, move.to));
  return { root, n: written.n, key: written.key, changes: draft.changes.length };
}

/** By rename; across file systems by copy. Gone already: an earlier try has moved it. */
function moveFile(from: Bytes, to: Bytes): void {
  if (lookAt(from) === undefined) return;
  try {
    fs.renameSync(toBuffer(from), toBuffer(to));
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error;
    copyWhole(toBuffer(from), toBuffer(to));
    fs.rmSync(toBuffer(from));
  }
}
