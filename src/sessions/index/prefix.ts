import { COLUMNS, conditions, type Filter, type Found } from './filter.ts';
import type { Question } from './question.ts';
import { snippetsOf, type Text } from './snippets.ts';
import type { Database } from './sqlite.ts';

/** Fewer texts are searched whole in a moment, and so are beginnings that are longer: few words share them. */
const MANY = 100_000;
const SHORT = 5;

/** So many of the newest texts are looked at, and so many that match are enough. */
const LOOKED = 1000;
const ENOUGH = 100;

/** Where the index of parts can say nothing, whatever is newest is a candidate, and this is how far back a filter is tried. */
const NEWEST = '(SELECT * FROM events ORDER BY id DESC LIMIT 20000) e';

/**
 * The newest events with the beginning of a word that thousands of words share: FTS5 would first join the places of all of them. The index of
 * parts tells candidates, the newest first, and each is asked by itself. Undefined where that does not tell enough.
 */
export function newestWith(
  db: Database,
  { words, parts, begun }: Extract<Question, { is: 'question' }>,
  filter: Filter,
): Found[] | undefined {
  if (begun > SHORT) return undefined;
  const { n } = db.prepare('SELECT max(id) AS n FROM events').get() as { readonly n: number | null };
  if ((n ?? 0) < MANY) return undefined;
  const { sql, values } = conditions(filter);
  const from = parts === '' ? NEWEST : 'grams CROSS JOIN events e ON e.id = grams.rowid';
  const query = `SELECT ${COLUMNS}, e.text FROM ${from} CROSS JOIN sessions s ON s.id = e.session
    WHERE ${parts === '' ? 'true' : 'grams MATCH ?'} ${sql} ORDER BY ${parts === '' ? 'e.id' : 'grams.rowid'} DESC LIMIT ${LOOKED}`;
  const rows = db.prepare(query).all(...(parts === '' ? [] : [parts]), ...values) as (Found & Text)[];
  const found = snippetsOf(db, 'words', words, rows);
  const hits = rows.filter(({ id }) => found.has(id));
  const isAll = parts !== '' && rows.length < LOOKED;
  return isAll || hits.length >= ENOUGH ? hits : undefined;
}
