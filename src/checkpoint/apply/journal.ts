import type { Bytes } from '../../platform/bytes.ts';
import { makeFolder, namesInOrNone, readBytesIfAny, removeFile, writeAtomic } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { nameOf, type ProcessName, stateOf } from '../../platform/processes.ts';
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

/** The name beside a target under which it is made ready. */
export const asideName = (folder: Bytes, order: number, i: number | string): Bytes =>
  join(folder, `.belay-${order}-${i}`);

export const isAside = (name: Bytes, order: number): boolean => name.startsWith(`.belay-${order}-`);

export function writeJournal(store: Store, journal: Omit<Journal, 'v' | 'holder'>): void {
  makeFolder(journals(store));
  const whole: Journal = { v: 1, holder: nameOf(process.pid), ...journal };
  writeAtomic(fileOf(store, journal.order), JSON.stringify(whole), { sync: true });
}

export const dropJournal = (store: Store, order: number): void => removeFile(fileOf(store, order));

/** Journals of restores that did not come to their end, oldest first. */
export function killedJournals(store: Store): Journal[] {
  const out: Journal[] = [];
  for (const name of namesInOrNone(journals(store))) {
    if (!/^\d+\.json$/.test(name)) continue;
    const bytes = readBytesIfAny(join(journals(store), name));
    if (bytes === undefined) continue;
    const journal = JSON.parse(bytes.toString('utf8')) as Journal;
    if (stateOf(journal.holder) === 'dead') out.push(journal);
  }
  return out.sort((a, b) => a.order - b.order);
}
