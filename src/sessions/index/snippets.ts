import { type Table, TOKENS } from './schema.ts';
import type { Database } from './sqlite.ts';

export interface Text {
  readonly text: string;
}

/** Which of these rows match, each with what is shown of it: asked in an index of their own, in memory. */
export function snippetsOf(
  db: Database,
  table: Table,
  words: string,
  rows: readonly ({ readonly id: number } & Text)[],
): ReadonlyMap<number, string> {
  const shown = `temp.shown_${table}`;
  db.pragma('temp_store = MEMORY');
  db.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS ${shown} USING fts5(text, tokenize='${TOKENS[table]}')`);
  const put = db.prepare(`INSERT INTO ${shown}(rowid, text) VALUES (?, ?)`);
  const find = db.prepare(
    `SELECT rowid AS id, snippet(shown_${table}, 0, char(1), char(2), '…', 16) AS text FROM ${shown} WHERE shown_${table} MATCH ?`,
  );
  // One transaction, which is never kept: the table is empty again whatever happens.
  db.exec('BEGIN');
  try {
    for (const { id, text } of rows) put.run(id, text);
    const found = find.all(words) as { readonly id: number; readonly text: string }[];
    return new Map(found.map(({ id, text }) => [id, text]));
  } finally {
    db.exec('ROLLBACK');
  }
}
