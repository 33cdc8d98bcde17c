import fs from 'node:fs';
import { openStore, type Store } from '../../checkpoint/store.ts';
import { writeRecord } from '../../checkpoint/write.ts';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { codeOf, lookAt, makeFolder, namesInOrNone, realAsFar, removeTree } from '../../platform/files.ts';
import { acquire } from '../../platform/lock.ts';
import { describe, log } from '../../platform/log.ts';
import { dirname, join } from '../../platform/paths.ts';
import { clearMarker } from '../../turns/markers.ts';
import { raiseOrder } from '../../turns/order.ts';
import {
  isEnded,
  isOrphan,
  noteDone,
  type PendingTurn,
  pendingFolder,
  pendingTurns,
  readTurn,
} from '../../turns/pending.ts';
import { capturesOf } from '../before.ts';
import { capture } from '../capture/capture.ts';
import { dropIdleLinks, type EndRules, manifestsOf, readEnd, takeEnd, writeEnd } from '../end.ts';
import { standIns } from '../hold/far.ts';
import { basesOf } from '../place.ts';
import { runtimeOf, type World } from '../world.ts';
import { draftsOf, type ProjectDraft, type Seen } from './draft.ts';
import { seenChanges } from './seen.ts';

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
  /** How long to wait for another settle, ms. */
  readonly wait: number;
}

const rulesOf = (world: World, home: Bytes): EndRules => ({
  config: world.config,
  belayFolders: [realAsFar(home), ...standIns(realAsFar(home))],
});

/**
 * Ends a turn: looks at its paths at once. What it settles to is written later, in the background or by the next reader.
 * Returns whether there is something to settle.
 */
export function endTurn(world: World, session: string, turn: string, ended: number): boolean {
  const { home } = world;
  if (world.off || home === undefined) return false;
  let found = false;
  for (const base of basesOf(home))
    for (const pending of pendingTurns(base)) {
      if (pending.turn.session !== session || partOf(pending.turn.turn) !== turn) continue;
      if (!isEnded(pending.folder)) endNow(pending.folder, ended, rulesOf(world, home));
      found = true;
    }
  const runtime = runtimeOf(world, false);
  if (runtime !== undefined) clearMarker(runtime, session, turn);
  return found;
}

/** `7~1` is a part of turn `7`. */
const partOf = (turn: string): string => turn.replace(/~\d+$/, '');

function endNow(folder: Bytes, ended: number, rules: EndRules): void {
  try {
    writeEnd(folder, takeEnd(folder, ended, rules));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error; // a reader has settled it meanwhile
  }
}

/** Settles every turn that is over, oldest first. Idempotent: killed anywhere, it is simply done again. */
export async function settleAll(world: World, options: SettleOptions): Promise<readonly Settled[]> {
  const { home } = world;
  if (world.off || home === undefined) return [];
  const waiting = basesOf(home).flatMap((base) => pendingTurns(base));
  if (waiting.length === 0) return [];
  const lock = acquire(join(home, 'checkpoints/.settle.lock'), options.wait);
  if (lock === undefined) return [];
  const out: Settled[] = [];
  try {
    for (const base of basesOf(home))
      for (const { folder, turn } of pendingTurns(base)) {
        lock.beat();
        if (turn.home !== home || !isOver(folder, turn, options)) continue;
        try {
          out.push(...(await settleTurn(world, home, folder)));
        } catch (error) {
          log(home, `settle of turn ${turn.turn} of ${turn.session} failed, it stays pending: ${describe(error)}`);
        }
      }
    for (const base of basesOf(home)) sweep(base);
  } finally {
    lock.release();
  }
  return out;
}

const DAY_MS = 86_400_000;

function isOver(folder: Bytes, turn: PendingTurn, options: SettleOptions): boolean {
  if (isEnded(folder) || isOrphan(turn)) return true;
  if (turn.session === options.session && partOf(turn.turn) !== options.turn) return true;
  return turn.owner === undefined && Date.now() - turn.started > DAY_MS;
}

async function settleTurn(world: World, home: Bytes, folder: Bytes): Promise<Settled[]> {
  if (!isEnded(folder)) endNow(folder, Number.POSITIVE_INFINITY, rulesOf(world, home));
  const turn = readTurn(folder);
  const end = readEnd(folder);
  if (turn === undefined || end === undefined) return [];
  raiseOrder(home, turn.order);
  const manifests = manifestsOf(folder);
  const store = openStore(home);
  const seen = await seenBy(world, store, folder);
  const drafts = draftsOf(turn, manifests, end, {
    userHome: world.userHome,
    largestBlob: world.config.checkpoints.max_file_size_mb * 1024 * 1024,
    seen,
  });
  if (!end.running) dropIdleLinks(manifests);
  const settled = drafts.map((draft) => writeDraft(store, draft));
  noteDone(folder);
  for (const { header } of manifests) for (const far of header.far) removeUnless(far, drafts);
  removeWhole(folder);
  return settled;
}

/** Background captures take their time; a reader who waits for one is told nothing untrue. */
const AFTER_BUDGET = 60_000;

/** The projects in which something unknown ran, captured again. */
async function seenBy(world: World, store: Store, folder: Bytes): Promise<Seen[]> {
  const out: Seen[] = [];
  for (const before of capturesOf(folder)) {
    const { root } = before;
    const captureBefore = before.kind === 'captured' ? before.m : before.last;
    if (lookAt(root) === undefined) continue;
    const done = await capture({ store, root, config: world.config, budget: AFTER_BUDGET });
    if (done.kind === 'left out' || done.kind === 'failed') {
      log(world.home, `capture of ${root}: ${done.why}`);
      continue;
    }
    if (captureBefore === undefined) continue;
    const uncertain = before.kind !== 'captured';
    const changes = seenChanges({ store, key: done.key, before: captureBefore, after: done.m, uncertain });
    out.push({ root, captureBefore, captureAfter: done.m, changes });
  }
  return out;
}

function writeDraft(store: Store, { root, draft, blobs, moves }: ProjectDraft): Settled {
  const written = writeRecord(store, root, draft, blobs);
  const to = join(join(store.base, 'holds'), `${written.key}/${written.n}`);
  if (moves.length > 0) makeFolder(to);
  for (const move of moves) moveFile(move.from, join(to, move.to));
  return { root, n: written.n, key: written.key, changes: draft.changes.length };
}

/** Out of sight first, at once: a turn half removed must not be settled again. */
function removeWhole(folder: Bytes): void {
  const gone = `${folder}.gone`;
  removeTree(gone);
  fs.renameSync(toBuffer(folder), toBuffer(gone));
  removeTree(gone);
}

/** By rename; across file systems by copy. Gone already: an earlier try has moved it. */
function moveFile(from: Bytes, to: Bytes): void {
  if (lookAt(from) === undefined) return;
  try {
    fs.renameSync(toBuffer(from), toBuffer(to));
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error;
    fs.copyFileSync(toBuffer(from), toBuffer(to), fs.constants.COPYFILE_FICLONE);
    fs.rmSync(toBuffer(from));
  }
}

/** A far folder stays while a record names a file in it; everything else in it goes. */
function removeUnless(far: Bytes, drafts: readonly ProjectDraft[]): void {
  const named = new Set<Bytes>();
  for (const { draft } of drafts)
    for (const { before } of draft.changes)
      if (before.kind === 'file' && before.content.at === 'hold') named.add(before.content.path);
  for (const name of namesInOrNone(far)) if (!named.has(join(far, name))) removeTree(join(far, name));
  try {
    fs.rmdirSync(toBuffer(far));
  } catch (error) {
    if (!['ENOTEMPTY', 'ENOENT', 'EEXIST'].includes(codeOf(error))) throw error;
  }
}

/** Marks of settled turns and empty sessions, once nobody can speak of them any more. */
function sweep(base: Bytes): void {
  const pending = pendingFolder(base);
  for (const session of namesInOrNone(pending)) {
    const folder = join(pending, session);
    for (const name of namesInOrNone(folder)) {
      const path = join(folder, name);
      if (name.endsWith('.gone')) removeTree(path);
      const look = lookAt(path);
      if (look === undefined || Date.now() - Number(BigInt(look.mtime) / 1_000_000n) < DAY_MS) continue;
      if (name.endsWith('.done')) fs.rmSync(toBuffer(path), { force: true });
      else if (readTurn(path) === undefined) removeTree(path);
    }
    removeIfEmpty(folder);
  }
  if (dirname(base).includes('/.belay-') && namesInOrNone(pending).length === 0) removeTree(base);
}

function removeIfEmpty(folder: Bytes): void {
  try {
    fs.rmdirSync(toBuffer(folder));
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(codeOf(error))) throw error;
  }
}
