import fs from 'node:fs';
import type { Bytes } from '../../platform/bytes.ts';
import { lookAt, namesInOrNone } from '../../platform/files.ts';
import { log } from '../../platform/log.ts';
import { join } from '../../platform/paths.ts';
import { heldOid } from '../holds.ts';
import { eventOf } from '../ledger.ts';
import { isNow } from '../plan/compare.ts';
import { lookAround, type World } from '../plan/world.ts';
import { type Checkpoint, readHistory } from '../read.ts';
import type { Change, Content, SafetyRecord } from '../record.ts';
import type { Store } from '../store.ts';
import { sameVersion } from '../version.ts';
import { type Draft, type Written, writeRecord } from '../write.ts';
import { setMode } from './content.ts';
import { openDoorway } from './doorway.ts';
import { dropJournal, isAside, type Journal, killedJournals } from './journal.ts';

/**
 * Puts the books right after a restore that was killed: renames on their way are taken back or on, names made ready beside
 * their places go, and a record says which paths the restore had not come to. Then undo goes on from there, and the restore's own
 * safety checkpoint still leads back to where it started.
 */
export function recoverKilled(store: Store, nextOrder: () => number): readonly Written[] {
  const out: Written[] = [];
  const { killed, damaged } = killedJournals(store);
  for (const file of damaged) log(store.home, `the journal of an interrupted restore cannot be read: ${file}`);
  for (const journal of killed) {
    clearAsides(journal);
    const world = lookAround({ unlock: false });
    for (const key of journal.keys) {
      const found = readHistory(store, key).checkpoints.find(
        ({ record }) => record.session === journal.session && record.turn === journal.turn && record.kind === 'safety',
      );
      if (found === undefined) continue;
      closeFolders(key, found);
      const written = correct(store, key, found, nextOrder(), world, 'all');
      if (written) out.push(written);
    }
    dropJournal(store, journal.order);
  }
  return out;
}

/**
 * Records that a restore did not change what its safety checkpoint says it did. `all`: it was killed or could do nothing, its turns stand
 * as before; else it came to its end, and only these paths could not be done. A turn of which an undo has left some does not stand undone.
 */
export function correct(
  store: Store,
  key: string,
  checkpoint: Checkpoint,
  order: number,
  world: World,
  which: 'all' | ReadonlySet<Bytes>,
): Written | undefined {
  const record = checkpoint.record as SafetyRecord;
  const changes: Change[] = [];
  for (const [path, change] of eventOf(key, checkpoint).changes) {
    if (which !== 'all' && !which.has(path)) continue;
    if (sameVersion(change.before, change.after) || isNow(change.after, path, world, holdOid)) continue;
    if (!isNow(change.before, path, world, holdOid)) continue;
    const { movedTo: _, ...plain } = change;
    changes.push({ ...plain, before: change.after, after: change.before });
  }
  if (changes.length === 0) return undefined;
  const draft: Draft = {
    ...withoutNumber(record),
    turn: `${record.turn}-${which === 'all' ? 'cut' : 'rest'}`,
    order,
    started: Date.now(),
    ended: Date.now(),
    line: which === 'all' ? `the restore ${record.n} was interrupted` : `the restore ${record.n} could not do all`,
    changes,
    did:
      which === 'all'
        ? { what: 'redo', turns: [], partial: false, to: record.n }
        : { what: 'redo', turns: record.did.what === 'undo' ? record.did.turns : [], partial: true },
  };
  return writeRecord(store, record.root, draft, new Map());
}

/** A safety checkpoint's holds lie at absolute paths. */
const holdOid = (content: Content): string | undefined => (content.at === 'hold' ? heldOid(content.path) : undefined);

function withoutNumber(record: SafetyRecord): Omit<SafetyRecord, 'v' | 'n' | 'generation' | 'root'> {
  const { v: _v, n: _n, generation: _g, root: _r, ...rest } = record;
  return rest;
}

/** Folders are closed last (`000`, `555`): a killed restore has left them open to their owner. */
function closeFolders(key: string, checkpoint: Checkpoint): void {
  const door = openDoorway();
  try {
    for (const [path, { after }] of [...eventOf(key, checkpoint).changes].reverse()) {
      if (after.kind !== 'folder' || (after.mode & 0o700) === 0o700) continue;
      const look = lookAt(path);
      if (look?.type === 'folder' && look.mode === (after.mode | 0o700)) setMode(door.entry(path), after.mode);
    }
  } finally {
    door.close();
  }
}

function clearAsides(journal: Journal): void {
  const door = openDoorway();
  try {
    for (const { from, aside, to } of journal.moves) {
      if (lookAt(aside) === undefined) continue;
      fs.renameSync(door.entry(aside), door.entry(freeName(from, to)));
    }
    const busy = new Set(journal.moves.map(({ aside }) => aside));
    for (const folder of journal.folders)
      for (const name of namesInOrNone(folder)) {
        const path = join(folder, name);
        if (isAside(name, journal.order) && !busy.has(path)) removeAside(door.entry(path));
      }
  } finally {
    door.close();
  }
}

/** Where it came from or was to go; where both were taken meanwhile, beside: it is never left out of sight. */
function freeName(from: Bytes, to: Bytes): Bytes {
  for (const path of [from, to]) if (lookAt(path) === undefined) return path;
  let n = 1;
  while (lookAt(`${from}.belay-${n}`) !== undefined) n++;
  return `${from}.belay-${n}`;
}

/** Another recovery may be faster. */
const removeAside = (at: Buffer): void => fs.rmSync(at, { force: true, recursive: true });
