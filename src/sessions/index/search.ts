import { COLUMNS, conditions, type Filter, type Found, sessionConditions } from './filter.ts';
import { newestWith } from './prefix.ts';
import type { Question } from './question.ts';
import type { Table } from './schema.ts';
import { snippetsOf, type Text } from './snippets.ts';
import type { Database } from './sqlite.ts';

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

type Asked = Extract<Question, { is: 'question' }>;

/**
 * Sessions that match, the best first, each with its best hit; within one session (`filter.session`) each hit, in its order. Where no
 * word matches, parts of words are looked for.
 */
export function search(db: Database, question: Asked, filter: Filter): Hit[] {
  const { table, words, found } = matching(db, question, filter);
  return filter.session === undefined
    ? ranked(db, table, words, found, filter)
    : inOrder(db, table, words, found, filter);
}

/** The sessions in which the newest so many events match, by their ids; nothing is ranked. */
export function sessionsWith(db: Database, question: Asked, filter: Filter): ReadonlySet<string> {
  const session = db.prepare('SELECT session FROM sessions WHERE id = ?');
  const ids = new Set(matching(db, question, filter).found.map(({ sid }) => sid));
  return new Set([...ids].map((id) => (session.get(id) as { readonly session: string }).session));
}

interface Matching {
  readonly table: Table;
  readonly words: string;
  readonly found: readonly Found[];
}

function matching(db: Database, question: Asked, filter: Filter): Matching {
  const { atoms } = question;
  const byPart = atoms.every((atom) => [...atom].length >= 3);
  const tables: Table[] = atoms.some((atom) => UNBROKEN.test(atom))
    ? ['grams']
    : byPart
      ? ['words', 'grams']
      : ['words'];
  for (const table of tables) {
    // A part of a word is none the less one where more follows: a `*` only makes it dearer.
    const words = table === 'grams' ? question.words.replaceAll('" *', '"') : question.words;
    const found =
      table === 'grams' && !byPart ? scan(db, atoms, filter) : match(db, table, { ...question, words }, filter);
    if (found.length > 0) return { table, words, found };
  }
  return { table: 'words', words: question.words, found: [] };
}

/** Of so few events, with so few characters, the texts are searched anew: what else matches everywhere is not looked through for them. */
const FEW = { events: 2000, characters: 100_000 };

/** The newest that match. */
function match(db: Database, table: Table, question: Asked, filter: Filter): Found[] {
  const { words } = question;
  const { sql, values } = conditions(filter);
  const few = values.length === 0 ? undefined : fewEvents(db, filter);
  if (few !== undefined) {
    const found = snippetsOf(db, table, words, few);
    return few
      .filter(({ id }) => found.has(id))
      .sort((a, b) => b.id - a.id)
      .slice(0, RANKED);
  }
  const newest = table === 'words' ? newestWith(db, question, filter) : undefined;
  if (newest !== undefined) return newest;
  // FTS5 walks its rows from the newest on; nothing has to be sorted. CROSS: it is asked once, and not for each event of a session.
  const query = `SELECT ${COLUMNS} FROM ${table} CROSS JOIN events e ON e.id = ${table}.rowid CROSS JOIN sessions s ON s.id = e.session
    WHERE ${table} MATCH ? ${sql} ORDER BY ${table}.rowid DESC LIMIT ${RANKED}`;
  return db.prepare(query).all(words, ...values) as Found[];
}

/** The events that a filter lets through, where they are few. */
function fewEvents(db: Database, filter: Filter): readonly (Found & Text)[] | undefined {
  const { parts, values } = sessionConditions(filter);
  const some = `SELECT events FROM sessions s WHERE ${parts.join(' AND ')} LIMIT ${FEW.events}`;
  const { n } = db.prepare(`SELECT total(events) AS n FROM (${some})`).get(...values) as { readonly n: number };
  if (n > FEW.events) return undefined;
  const of = conditions(filter);
  const query = `SELECT ${COLUMNS}, e.text FROM sessions s CROSS JOIN events e ON e.session = s.id WHERE true ${of.sql}`;
  const events = db.prepare(query).all(...of.values) as (Found & Text)[];
  return events.reduce((sum, { text }) => sum + text.length, 0) > FEW.characters ? undefined : events;
}

/** One or two characters are no trigram: the newest texts are read. */
function scan(db: Database, atoms: readonly string[], filter: Filter): Found[] {
  const { sql, values } = conditions(filter);
  const query = `SELECT ${COLUMNS} FROM (SELECT * FROM events ORDER BY id DESC LIMIT 200000) e JOIN sessions s ON s.id = e.session
    WHERE ${atoms.map(() => 'instr(e.text, ?) > 0').join(' AND ')} ${sql} LIMIT ${RANKED}`;
  return db.prepare(query).all(...atoms, ...values) as Found[];
}

function ranked(db: Database, table: Table, words: string, found: readonly Found[], { limit }: Filter): Hit[] {
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
  const order = [...sessions.values()].sort((a, b) => b.score - a.score || b.best.last - a.best.last);
  const best = newestOfEach(db, order.slice(0, RANKED_ANEW))
    .concat(order.slice(RANKED_ANEW))
    .slice(0, limit)
    .map(({ best: { id }, hits }) => ({ id, hits }));
  return told(db, table, words, best);
}

/** Of so many sessions the texts are compared. */
const RANKED_ANEW = 200;

/** The same order, but where several were found by the very same text the newest of these stands first: nothing else tells them apart. */
function newestOfEach<T extends { readonly best: Found }>(db: Database, order: readonly T[]): T[] {
  const text = db.prepare('SELECT text FROM events WHERE id = ?');
  const texts = order.map(({ best }) => (text.get(best.id) as Text).text);
  const alike = new Map<string, T[]>();
  for (const [n, one] of order.entries()) alike.set(texts[n] ?? '', [...(alike.get(texts[n] ?? '') ?? []), one]);
  for (const some of alike.values()) some.sort((a, b) => a.best.last - b.best.last);
  return texts.flatMap((one) => alike.get(one)?.pop() ?? []);
}

function inOrder(db: Database, table: Table, words: string, found: readonly Found[], { limit }: Filter): Hit[] {
  const first = [...found].sort((a, b) => a.seq - b.seq).slice(0, limit);
  return told(
    db,
    table,
    words,
    first.map(({ id }) => ({ id, hits: found.length })),
  );
}

/**
 * What is shown of these events. Their snippets are made in an index of their own, in memory: to find them again among all that match takes
 * far longer than to search.
 */
function told(
  db: Database,
  table: Table,
  words: string,
  some: readonly { readonly id: number; readonly hits: number }[],
): Hit[] {
  const event = db.prepare(
    `SELECT s.session, s.title, s.source, s.preview, s.last, e.turn, e.kind, e.seq AS at, e.t, e.text
     FROM events e JOIN sessions s ON s.id = e.session WHERE e.id = ?`,
  );
  const rows = some.map(({ id, hits }) => ({ ...(event.get(id) as Omit<Hit, 'snippet' | 'hits'> & Text), id, hits }));
  const snippets = snippetsOf(db, table, words, rows);
  return rows.map(({ id, text, ...row }) => ({ ...row, snippet: snippets.get(id) ?? text.slice(0, 200) }));
}
