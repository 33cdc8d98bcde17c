import type { Database } from './sqlite.ts';

/** One of another number is brought to this one where MIGRATIONS know how, else it is built anew. */
const VERSION = 2;

/** Sessions of one source or folder are found without looking at all. */
const BY_PLACE = `
CREATE INDEX IF NOT EXISTS sessions_source ON sessions(source, last DESC);
CREATE INDEX IF NOT EXISTS sessions_cwd ON sessions(cwd);
`;

/** By the number that an index has: what it lacks to be of the next one. */
const MIGRATIONS: Readonly<Record<number, string>> = { 1: BY_PLACE };

/** Any other file of that name is not ours to read. */
const APPLICATION = 0x62656c79; // "bely"

/** The two ways in which texts are searched, and how each takes them apart. */
export const TOKENS = { words: 'unicode61 remove_diacritics 2', grams: 'trigram' } as const;
export type Table = keyof typeof TOKENS;

const TABLES = `
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE sessions(
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, session TEXT NOT NULL, source TEXT, shell TEXT, model TEXT, parent TEXT, cwd TEXT,
  host TEXT, pid INTEGER, start TEXT, title TEXT, title_by TEXT, preview TEXT, started INTEGER NOT NULL DEFAULT 0,
  last INTEGER NOT NULL DEFAULT 0, ended INTEGER NOT NULL DEFAULT 0, open INTEGER NOT NULL DEFAULT 1, turns INTEGER NOT NULL DEFAULT 0,
  commands INTEGER NOT NULL DEFAULT 0, writes INTEGER NOT NULL DEFAULT 0, files INTEGER NOT NULL DEFAULT 0,
  saved INTEGER NOT NULL DEFAULT 0, events INTEGER NOT NULL DEFAULT 0, handed TEXT, compacted TEXT, after TEXT,
  offset INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX sessions_last ON sessions(last DESC);
CREATE INDEX sessions_open ON sessions(open) WHERE open = 1;
${BY_PLACE}CREATE TABLE turns(session INTEGER NOT NULL, turn TEXT NOT NULL, PRIMARY KEY(session, turn)) WITHOUT ROWID;
CREATE TABLE checkpoints(session INTEGER NOT NULL, turn TEXT, n INTEGER, root TEXT, verbs TEXT, files INTEGER, bytes INTEGER);
CREATE INDEX checkpoints_session ON checkpoints(session);
CREATE TABLE events(id INTEGER PRIMARY KEY, session INTEGER NOT NULL, seq INTEGER NOT NULL, t INTEGER NOT NULL, turn TEXT, kind TEXT NOT NULL, text TEXT NOT NULL);
CREATE INDEX events_session ON events(session);
CREATE VIRTUAL TABLE words USING fts5(text, content='events', content_rowid='id', tokenize='${TOKENS.words}');
CREATE VIRTUAL TABLE grams USING fts5(text, content='events', content_rowid='id', tokenize='${TOKENS.grams}', columnsize=0);
INSERT INTO words(words, rank) VALUES('hashsize', 33554432);
INSERT INTO grams(grams, rank) VALUES('hashsize', 67108864);
`;

/** Makes the tables of an empty file. False: it is another version's, or not an index. */
export function isPrepared(db: Database): boolean {
  const version = db.pragma('user_version', { simple: true });
  const application = db.pragma('application_id', { simple: true });
  if (version === VERSION && application === APPLICATION) return true;
  if (application === APPLICATION && isMigrated(db, Number(version))) return true;
  const { n } = db.prepare('SELECT count(*) AS n FROM sqlite_schema').get() as { readonly n: number };
  if (n > 0) return false;
  db.pragma('journal_mode = WAL');
  db.exec(
    `BEGIN IMMEDIATE; ${TABLES} PRAGMA user_version = ${VERSION}; PRAGMA application_id = ${APPLICATION}; COMMIT;`,
  );
  return true;
}

function isMigrated(db: Database, from: number): boolean {
  let steps = '';
  for (let now = from; now < VERSION; now++) {
    const step = MIGRATIONS[now];
    if (step === undefined) return false;
    steps += step;
  }
  if (from >= VERSION) return false;
  db.exec(`BEGIN IMMEDIATE; ${steps} PRAGMA user_version = ${VERSION}; COMMIT;`);
  return true;
}
