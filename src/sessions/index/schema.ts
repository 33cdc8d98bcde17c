import type { Database } from './sqlite.ts';

/** Another number, and the index is built anew. */
const VERSION = 1;

/** Any other file of that name is not ours to read. */
const APPLICATION = 0x62656c79; // "bely"

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
CREATE TABLE turns(session INTEGER NOT NULL, turn TEXT NOT NULL, PRIMARY KEY(session, turn)) WITHOUT ROWID;
CREATE TABLE checkpoints(session INTEGER NOT NULL, turn TEXT, n INTEGER, root TEXT, verbs TEXT, files INTEGER, bytes INTEGER);
CREATE INDEX checkpoints_session ON checkpoints(session);
CREATE TABLE events(id INTEGER PRIMARY KEY, session INTEGER NOT NULL, seq INTEGER NOT NULL, t INTEGER NOT NULL, turn TEXT, kind TEXT NOT NULL, text TEXT NOT NULL);
CREATE INDEX events_session ON events(session);
CREATE VIRTUAL TABLE words USING fts5(text, content='events', content_rowid='id', tokenize="unicode61 remove_diacritics 2");
CREATE VIRTUAL TABLE grams USING fts5(text, content='events', content_rowid='id', tokenize='trigram', columnsize=0);
`;

/** Makes the tables of an empty file. False: it is another version's, or not an index. */
export function isPrepared(db: Database): boolean {
  const version = db.pragma('user_version', { simple: true });
  const application = db.pragma('application_id', { simple: true });
  if (version === VERSION && application === APPLICATION) return true;
  const { n } = db.prepare('SELECT count(*) AS n FROM sqlite_schema').get() as { readonly n: number };
  if (n > 0) return false;
  db.pragma('journal_mode = WAL');
  db.exec(
    `BEGIN IMMEDIATE; ${TABLES} PRAGMA user_version = ${VERSION}; PRAGMA application_id = ${APPLICATION}; COMMIT;`,
  );
  return true;
}
