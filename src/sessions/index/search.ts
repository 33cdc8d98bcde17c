import type { Question } from './question.ts';
import type { Database } from './sqlite.ts';

/** What is searched, beside the words. */
export interface Filter {
  readonly source?: string;
  /** A folder: sessions that were in it, or below. */
  readonly cwd?: string;
  /** Not older, ms since 1970. */
  readonly since?: number;
  readonly session?: string;
  readonly limit: number;
}

export interface Hit {
  readonly session: string;
  readonly title: string | null;
  readonly source: string | null;
  /** What was typed or asked first. */
  readonly preview: string | null;
  readonly last: number;
  readonly turn: string | null;
  readonly kind: string;
  /** The number of the event in its journal: where to look around. */
  readonly at: number;
  readonly t: number;
  /** Marked with U+0001 and U+0002 around each hit. */
  readonly snippet: string;
  /** Hits in the same session, this one included. */
  readonly hits: number;
}

interface Found {
  readonly id: number;
  readonly sid: number;
  readonly seq: number;
  readonly t: number;
  readonly turn: string | null;
  readonly kind: string;
  readonly session: string;
  readonly title: string | null;
  readonly source: string | null;
  readonly preview: string | null;
  readonly last: number;
}

/** The newest so many events that match are ranked: a word that is everywhere does not cost more than a rare one. */
const RANKED = 1500;

/** What a hit there says about the session. */
const WEIGHT: Readonly<Record<string, number>> = {
  title: 10,
  turn: 5,
  command: 3,
  message: 2,
  write: 2,
  checkpoint: 2,
};

const DAY = 86_400_000;

/** CJK and kana: written without blanks, so that a word is a part of a text. */
const UNBROKEN = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]/;

/**
 * Sessions that match, the best first, each with its best hit; within one session (`filter.session`) each hit, in its order. Where no
 * word matches, parts of words are looked for.
 */
export function search(db: Database, question: Extract<Question, { is: 'question' }>, filter: Filter): Hit[] {
  const { words, atoms } = question;
  const byPart = atoms.every((atom) => [...atom].length >= 3);
  const tables = atoms.some((atom) => UNBROKEN.test(atom)) ? ['grams'] : byPart ? ['words', 'grams'] : ['words'];
  for (const table of tables) {
    const found = table === 'grams' && !byPart ? scan(db, atoms, filter) : match(db, table, words, filter);
    if (found.length > 0)
      return filter.session === undefined
        ? ranked(db, table, words, found, filter)
        : inOrder(db, table, words, found, filter);
  }
  return [];
}

const COLUMNS = `e.id, e.session AS sid, e.seq, e.t, e.turn, e.kind, s.session, s.title, s.source, s.preview, s.last`;

function match(db: Database, table: string, words: string, filter: Filter): Found[] {
  const { sql, values } = conditions(filter);
  // FTS5 walks its rows from the newest on; nothing has to be sorted.
  const query = `SELECT ${COLUMNS} FROM ${table} JOIN events e ON e.id = ${table}.rowid JOIN sessions s ON s.id = e.session
    WHERE ${table} MATCH ? ${sql} ORDER BY ${table}.rowid DESC LIMIT ${RANKED}`;
  return db.prepare(query).all(words, ...values) as Found[];
}

/** One or two characters are no trigram: the newest texts are read. */
function scan(db: Database, atoms: readonly string[], filter: Filter): Found[] {
  const { sql, values } = conditions(filter);
  const query = `SELECT ${COLUMNS} FROM (SELECT * FROM events ORDER BY id DESC LIMIT 200000) e JOIN sessions s ON s.id = e.session
    WHERE ${atoms.map(() => 'instr(e.text, ?) > 0').join(' AND ')} ${sql} LIMIT ${RANKED}`;
  return db.prepare(query).all(...atoms, ...values) as Found[];
}

function conditions({ source, cwd, since, session }: Filter): {
  readonly sql: string;
  readonly values: readonly unknown[];
} {
  const parts: [string, ...unknown[]][] = [];
  if (source !== undefined) parts.push(['s.source = ?', source]);
  if (cwd !== undefined) parts.push(['(s.cwd = ? OR substr(s.cwd, 1, ?) = ?)', cwd, cwd.length + 1, `${cwd}/`]);
  if (since !== undefined) parts.push(['e.t >= ?', since]);
  if (session !== undefined) parts.push(['s.session = ?', session]);
  return {
    sql: parts.map(([text]) => `AND ${text}`).join(' '),
    values: parts.flatMap(([, ...rest]) => rest),
  };
}

function ranked(db: Database, table: string, words: string, found: readonly Found[], { limit }: Filter): Hit[] {
  const now = Date.now();
  const sessions = new Map<number, { best: Found; score: number; hits: number }>();
  for (const one of found) {
    const weight = WEIGHT[one.kind] ?? 1;
    const known = sessions.get(one.sid);
    if (known === undefined) {
      sessions.set(one.sid, { best: one, score: weight + 4 / (1 + Math.max(0, now - one.last) / (30 * DAY)), hits: 1 });
      continue;
    }
    known.hits++;
    known.score += weight / known.hits;
    if (weight > (WEIGHT[known.best.kind] ?? 1)) known.best = one;
  }
  return [...sessions.values()]
    .sort((a, b) => b.score - a.score || b.best.last - a.best.last)
    .slice(0, limit)
    .map(({ best, hits }) => told(db, table, words, best, hits));
}

const inOrder = (db: Database, table: string, words: string, found: readonly Found[], { limit }: Filter): Hit[] =>
  [...found]
    .sort((a, b) => a.seq - b.seq)
    .slice(0, limit)
    .map((one) => told(db, table, words, one, found.length));

function told(db: Database, table: string, words: string, { seq, sid: _, id, ...rest }: Found, hits: number): Hit {
  // Not `rowid = ?`: SQLite 3.53.2 then gives every row that matches.
  const query = `SELECT snippet(${table}, 0, char(1), char(2), '…', 16) AS text FROM ${table} WHERE ${table} MATCH ? AND rowid BETWEEN ? AND ?`;
  const row = db.prepare(query).get(words, id, id) as { readonly text: string } | undefined;
  const plain =
    row ?? (db.prepare('SELECT substr(text, 1, 200) AS text FROM events WHERE id = ?').get(id) as { text: string });
  return { ...rest, at: seq, snippet: plain.text, hits };
}
