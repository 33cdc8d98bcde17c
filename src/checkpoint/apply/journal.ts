import fs from 'node:fs';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { makeFolder, namesInOrNone, readBytesIfAny, removeFile, writeAtomic } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { nameOf, type ProcessName } from '../../platform/processes.ts';
import type { Store } from '../store.ts';

/** Written before a restore touches anything, gone when it is through: what a killed one leaves for the next to put right. */
export interface Journal {
  readonly v: 1;
  readonly order: number;
  readonly holder: ProcessName;
  /** Session and turn of the safety checkpoints, one a project. */
  readonly session: string;
  readonly turn: string;
  readonly keys: readonly string[];
  /** Renames on their way: from → a name beside it → to. */
  readonly moves: readonly { readonly from: Bytes; readonly aside: Bytes; readonly to: Bytes }[];
  /** Folders in which names beside the targets may be left. */
  readonly folders: readonly Bytes[];
}

const journals = (store: Store): Bytes => join(store.base, 'restoring');

const fileOf = (store: Store, order: number): Bytes => join(journals(store), `${order}.json`);

/** The name beside a target under which it is made ready; or of a folder for many of them. */
export const asideName = (folder: Bytes, order: number, i: number | string): Bytes =>
  join(folder, `.belay-${order}-${i}`);

export const isAside = (name: Bytes, order: number): boolean => name.startsWith(`.belay-${order}-`);

export function writeJournal(store: Store, journal: Omit<Journal, 'v' | 'holder'>): void {
  makeFolder(journals(store));
  const whole: Journal = { v: 1, holder: nameOf(process.pid), ...journal };
  writeAtomic(fileOf(store, journal.order), JSON.stringify(whole), { sync: true });
}

export function dropJournal(store: Store, order: number): void {
  removeFile(indexAside(store, order));
  removeFile(fileOf(store, order));
}

/** A list of files for git, while it lays them down. */
export const indexAside = (store: Store, order: number): Bytes => join(journals(store), `${order}.index`);

const isJournal = (name: Bytes): boolean => /^\d+\.json$/.test(name);

/** Whether a restore is under way, or was killed. */
export const hasJournals = (store: Store): boolean => namesInOrNone(journals(store)).some(isJournal);

/**
 * Journals of restores that did not come to their end, oldest first: for the holder of the restores' lock, without which none is under
 * way. Whose holder cannot be seen from here (in a container) was told by the lock. One that cannot be read is kept beside as
 * `<order>.json.damaged`, and stands in nobody's way.
 */
export function killedJournals(store: Store): {
  readonly killed: readonly Journal[];
  readonly damaged: readonly Bytes[];
} {
  const killed: Journal[] = [];
  const damaged: Bytes[] = [];
  for (const name of namesInOrNone(journals(store)).filter(isJournal)) {
    const file = join(journals(store), name);
    const bytes = readBytesIfAny(file);
    const journal = bytes && parse(bytes.toString('utf8'));
    if (journal !== undefined) killed.push(journal);
    else if (bytes !== undefined) {
      fs.renameSync(toBuffer(file), toBuffer(`${file}.damaged`));
      damaged.push(`${file}.damaged`);
    }
  }
  return { killed: killed.sort((a, b) => a.order - b.order), damaged };
}

function parse(text: string): Journal | undefined {
  try {
    const journal = JSON.parse(text) as Partial<Journal> | null;
    const lists = [journal?.keys, journal?.moves, journal?.folders].every(Array.isArray);
    return journal?.v === 1 && typeof journal.order === 'number' && lists ? (journal as Journal) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
