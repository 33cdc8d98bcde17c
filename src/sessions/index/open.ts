import { createHash } from 'node:crypto';
import { type Bytes, fromText, toBuffer, toText } from '../../platform/bytes.ts';
import { codeOf, lookAt, makeFolder, removeFile } from '../../platform/files.ts';
import { homeFolder } from '../../platform/home.ts';
import { describe, log } from '../../platform/log.ts';
import { isOverNetwork } from '../../platform/network.ts';
import { dirname, join } from '../../platform/paths.ts';
import { isPrepared } from './schema.ts';
import type { Database } from './sqlite.ts';

/** The index cannot be had here: what it answers has to be read from the journals themselves. */
export class NoIndex extends Error {
  readonly why: 'no sqlite' | 'not ours';

  constructor(message: string, why: NoIndex['why'] = 'no sqlite') {
    super(message);
    this.why = why;
  }
}

/** There is no room to write in it, or it may not be written: what it has can still be read. */
export const cannotGrow = (error: unknown): boolean => /^SQLITE_(?:FULL|IOERR|READONLY)/.test(codeOf(error));

/** Where everybody may make folders. */
const SHARED = '/var/tmp';

/**
 * `state.db` in the home; where that lies on a file system over a network, in this machine's cache: several writers need shared
 * memory. It can be built anew from the journals at any time.
 */
export function indexFile(home: Bytes, env: ReadonlyMap<Bytes, Bytes>): Bytes {
  const file = join(home, 'state.db');
  if (!isOverNetwork(home)) return file;
  const given = env.get('XDG_CACHE_HOME');
  const user = homeFolder(env);
  const cache = given?.startsWith('/') ? given : user === undefined ? undefined : join(user, '.cache');
  if (cache === undefined || isOverNetwork(cache))
    return `${SHARED}/belay-${process.getuid?.() ?? 0}-${nameFor(home)}/state.db`;
  return join(cache, `belay/${nameFor(home)}/state.db`);
}

const nameFor = (home: Bytes): string => createHash('sha256').update(toBuffer(home)).digest('hex').slice(0, 16);

/**
 * Works with the index. One that is damaged, or of another version, is thrown away and built anew: it is made from the journals, which
 * are the record. Throws NoIndex where SQLite is not installed.
 */
export async function withIndex<T>(home: Bytes, env: ReadonlyMap<Bytes, Bytes>, work: (db: Database) => T): Promise<T> {
  const openDatabase = await loadSqlite();
  const file = indexFile(home, env);
  makeFolder(dirname(file));
  if (!isOurs(dirname(file))) throw new NoIndex(`${toText(dirname(file))} is somebody else's`, 'not ours');
  for (let tries = 0; ; tries++) {
    const db = openOr(openDatabase, file);
    try {
      if (db !== undefined && isPrepared(db)) return work(db);
    } catch (error) {
      if (!isDamage(error) || tries > 1) throw error;
      log(home, `state.db is damaged, it is built anew: ${describe(error)}`, 'warn');
    } finally {
      db?.close();
    }
    if (tries > 1) throw new Error('state.db cannot be made');
    discardIndex(file);
  }
}

/** What was typed stands in the index: a folder that somebody else made before us, or may look into, is no place for it. */
function isOurs(folder: Bytes): boolean {
  if (dirname(folder) !== SHARED) return true;
  const look = lookAt(folder);
  return look?.type === 'folder' && look.uid === (process.getuid?.() ?? 0) && (look.mode & 0o077) === 0;
}

/** What a large ingest changes stays in memory until it is committed. */
const CACHE_KB = 65_536;

/** What was opened may be no database at all. */
function openOr(openDatabase: (file: string) => Database, file: Bytes): Database | undefined {
  const umask = process.umask(0o077);
  try {
    const db = openDatabase(toBuffer(file).toString('utf8'));
    db.pragma('synchronous = NORMAL');
    db.pragma(`cache_size = -${CACHE_KB}`);
    return db;
  } catch (error) {
    if (isDamage(error)) return undefined;
    // It is there, but was made for another node, or not made at all.
    if (codeOf(error) === 'ERR_DLOPEN_FAILED' || /bindings file/.test(String(error)))
      throw new NoIndex(describe(error));
    throw error;
  } finally {
    process.umask(umask);
  }
}

/** What keeps this machine from having an index at all; nothing is made. */
export async function whyNoSqlite(): Promise<NoIndex['why'] | undefined> {
  try {
    openOr(await loadSqlite(), ':memory:')?.close();
    return undefined;
  } catch (error) {
    if (error instanceof NoIndex) return error.why;
    throw error;
  }
}

export function discardIndex(file: Bytes): void {
  for (const name of ['', '-wal', '-shm']) removeFile(`${file}${name}`);
}

const isDamage = (error: unknown): boolean =>
  /^SQLITE_(?:CORRUPT|NOTADB|SCHEMA|FORMAT)/.test(codeOf(error)) ||
  /malformed|no such (?:table|column)|vtable constructor failed/.test(String(error));

async function loadSqlite(): Promise<(file: string) => Database> {
  try {
    const { openDatabase } = await import('./sqlite.ts');
    return openDatabase;
  } catch (error) {
    throw new NoIndex(
      `better-sqlite3 is not installed: ${fromText(error instanceof Error ? error.message : String(error))}`,
    );
  }
}
