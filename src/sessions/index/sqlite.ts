import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';

/** A bundle of its own (scripts/build.ts), which lies beside the part that was compiled: only what searches sessions loads it. */
const beside = join(dirname(fileURLToPath(import.meta.url)), 'better_sqlite3.node');

export type Database = Sqlite;
export type Statement = ReturnType<Sqlite['prepare']>;

/** How long one waits for another writer of the index, ms. */
const PATIENCE = 5000;

export const openDatabase = (file: string): Database =>
  new Sqlite(file, { timeout: PATIENCE, ...(fs.existsSync(beside) ? { nativeBinding: beside } : {}) });
