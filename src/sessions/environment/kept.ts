import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bytes, fromBuffer, fromText, toBuffer } from '../../platform/bytes.ts';
import { lookAt, lookThrough, readBytesIfAny, removeFile, writeAtomic } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import type { World } from '../../saving/world.ts';
import { folderName } from '../../turns/ids.ts';
import { journalFile, sessionsFolder } from '../../turns/journal.ts';
import { chainOf } from '../chain.ts';
import { fateOf } from './rules.ts';

/** The exported variables of a session, as they were at its newest look. */
export interface Kept {
  readonly set: ReadonlyMap<Bytes, Bytes>;
  /** How many may be secrets, or are too long, and were not kept. */
  readonly leftOut: number;
}

/** `sessions/<id>.environment`: never exported, never taken from an import. */
export const environmentFile = (home: Bytes, session: string): Bytes =>
  join(sessionsFolder(home), `${folderName(session)}.environment`);

/** More is not kept, and not read, bytes. */
const LARGEST = 128 * 1024;

/** How long a record that is being begun is waited for, ms. */
const PATIENCE = 2000;

/**
 * Keeps what the caller exports as the environment of the session, where that is recorded. What has not changed is not written. For the
 * background: the first line may still be on its way into the record, and who looked after a later turn may be done already.
 */
export async function keepEnvironment(world: World, session: string, turn: number): Promise<void> {
  const { env, home, foreign } = world;
  if (home === undefined || foreign !== undefined) return;
  const file = environmentFile(home, session);
  const text = mayKeep(world) ? textOf(env, turn) : undefined;
  for (const end = Date.now() + PATIENCE; text !== undefined && !isBegun(home, session); await sleep(50))
    if (world.config.sessions.record !== 'all' || Date.now() > end) return;
  if (text === undefined) {
    removeFile(file);
    return;
  }
  const there = fromBuffer(readBytesIfAny(file) ?? Buffer.alloc(0));
  if (there !== text && !(Number(parsed(there)?.turn) > turn)) writeAtomic(file, toBuffer(text));
}

const mayKeep = ({ config, unsure }: World): boolean =>
  config.sessions.environment && config.sessions.record !== 'off' && unsure === undefined;

const isBegun = (home: Bytes, session: string): boolean => lookAt(journalFile(home, session)) !== undefined;

/** What is written of an environment; undefined where that is too much. */
function textOf(env: ReadonlyMap<Bytes, Bytes>, turn: number): Bytes | undefined {
  const set: Record<string, Bytes> = {};
  let leftOut = 0;
  for (const [name, given] of [...env].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const value = name === 'PATH' ? pathOf(given) : given;
    const fate = fateOf(name, value);
    if (fate === 'kept') set[name] = value;
    if (fate === 'left out') leftOut++;
  }
  const text = `${JSON.stringify({ v: 1, host: fromText(os.hostname()), turn, left_out: leftOut, set })}\n`;
  return text.length > LARGEST ? undefined : text;
}

/** Without belay's own folders, which whoever goes on has again, and without what depends on the folder one is in. */
const pathOf = (path: Bytes): Bytes =>
  path
    .split(':')
    .filter((entry) => entry.startsWith('/') && !isOurs(entry))
    .join(':');

/**
 * What was kept of the session on this machine; undefined where there is nothing. The file is ours alone and is not believed for that: each
 * variable is asked again whether it may be kept.
 */
export function keptOf(home: Bytes, session: string): Kept | undefined {
  const file = environmentFile(home, session);
  const look = lookAt(file);
  if (look === undefined || look.type !== 'file' || look.size > LARGEST) return undefined;
  if (look.uid !== (process.getuid?.() ?? 0) || (look.mode & 0o077) !== 0) return undefined;
  const read = parsed(fromBuffer(readBytesIfAny(file) ?? Buffer.alloc(0)));
  if (read?.host !== fromText(os.hostname()) || typeof read.set !== 'object' || read.set === null) return undefined;
  const set = new Map<Bytes, Bytes>();
  for (const [name, value] of Object.entries(read.set))
    if (typeof value === 'string' && !value.includes('\0') && fateOf(name, value) === 'kept') set.set(name, value);
  return { set, leftOut: typeof read.left_out === 'number' ? read.left_out : 0 };
}

/** The same; of a session that was compressed and has kept nothing since, what the one before it had. */
export function keptIn(home: Bytes, session: string): Kept | undefined {
  for (const one of chainOf(home, session)) {
    const kept = keptOf(home, one);
    if (kept !== undefined) return kept;
  }
  return undefined;
}

interface Written {
  readonly host?: unknown;
  readonly turn?: unknown;
  readonly left_out?: unknown;
  readonly set?: unknown;
}

function parsed(text: Bytes): Written | undefined {
  try {
    return JSON.parse(text) as Written;
  } catch {
    return undefined; // half of a file somebody else wrote: as if there were none
  }
}

/**
 * What is otherwise than in the environment of whoever goes on: the session's value counts. Of its PATH the folders that are still there,
 * belay's wrappers before them and behind them what only the present one has.
 */
export function restoredFrom({ set }: Kept, now: ReadonlyMap<Bytes, Bytes>): ReadonlyMap<Bytes, Bytes> {
  const out = new Map<Bytes, Bytes>();
  for (const [name, value] of set) {
    const next = name === 'PATH' ? joinedPath(value, now.get('PATH') ?? '') : value;
    if (now.get(name) !== next) out.set(name, next);
  }
  return out;
}

function joinedPath(theirs: Bytes, ours: Bytes): Bytes {
  const here = ours.split(':');
  const wrappers = here.filter(isOurs);
  const there = theirs.split(':').filter((entry) => typeOf(entry) === 'folder');
  return [...new Set([...wrappers, ...there, ...here])].join(':');
}

const isOurs = (folder: Bytes): boolean => folder.startsWith('/') && typeOf(join(folder, '.belay')) !== undefined;

function typeOf(path: Bytes): string | undefined {
  try {
    return lookThrough(path)?.type;
  } catch {
    return undefined; // closed to us: no program is found there either
  }
}
