import type { Database } from './sqlite.ts';

export interface SessionRow {
  readonly session: string;
  readonly name: string;
  readonly source: string | null;
  readonly shell: string | null;
  readonly title: string | null;
  readonly preview: string | null;
  readonly cwd: string | null;
  readonly started: number;
  readonly last: number;
  readonly ended: number;
  readonly open: number;
  readonly turns: number;
  readonly commands: number;
  readonly files: number;
  readonly handed: string | null;
  readonly compacted: string | null;
}

export interface RowFilter {
  readonly source?: string;
  readonly cwd?: string;
  readonly since?: number;
  readonly limit: number;
}

/** In a folder or below it, told so that an index can be asked: `0` is the character after the slash. */
export const withinFolder = (column: string): string => `(${column} = ? OR (${column} >= ? AND ${column} < ?))`;
export function folderValues(cwd: string): readonly string[] {
  const folder = cwd.replace(/\/$/, '');
  return [cwd, `${folder}/`, `${folder}0`];
}

/** Sessions, the one that was used last first. */
export function sessionRows(db: Database, { source, cwd, since, limit }: RowFilter): SessionRow[] {
  const parts: [string, ...unknown[]][] = [['events > 0']];
  if (source !== undefined) parts.push(['source = ?', source]);
  if (cwd !== undefined) parts.push([withinFolder('cwd'), ...folderValues(cwd)]);
  if (since !== undefined) parts.push(['last >= ?', since]);
  const sql = `SELECT * FROM sessions WHERE ${parts.map(([text]) => text).join(' AND ')} ORDER BY last DESC, name DESC LIMIT ?`;
  return db.prepare(sql).all(...parts.flatMap(([, ...rest]) => rest), limit) as SessionRow[];
}

/** An event whose text is searched, and its session. */
export interface EventRow {
  readonly t: number;
  readonly kind: string;
  readonly turn: string | null;
  readonly seq: number;
  /** The beginning of it. */
  readonly text: string;
  readonly session: string;
  readonly title: string | null;
}

/** So many sessions are looked at together. */
const SOME = 50;

/** Events of all sessions, the newest first: those of the sessions that were used last, for as long as one of them may have a newer one. */
export function newestEvents(db: Database, { source, since = 0, limit }: RowFilter): EventRow[] {
  const sessions = db.prepare(
    `SELECT id, last FROM sessions WHERE last >= ? ${source === undefined ? '' : 'AND source = ?'} ORDER BY last DESC LIMIT ? OFFSET ?`,
  );
  const values = source === undefined ? [since] : [since, source];
  const events = db.prepare(
    `SELECT e.t, e.kind, e.turn, e.seq, substr(e.text, 1, 300) AS text, s.session, s.title, e.id
     FROM events e JOIN sessions s ON s.id = e.session WHERE e.session = ? AND e.t >= ? ORDER BY e.t DESC, e.id DESC LIMIT ?`,
  );
  let newest: (EventRow & { readonly id: number })[] = [];
  for (let at = 0; ; at += SOME) {
    const some = sessions.all(...values, SOME, at) as { id: number; last: number }[];
    const oldest = newest.length < limit ? -1 : (newest.at(-1)?.t ?? -1);
    const near = some.filter(({ last }) => last >= oldest);
    const more = near.flatMap(({ id }) => events.all(id, since, limit) as typeof newest);
    newest = [...newest, ...more].sort((a, b) => b.t - a.t || b.id - a.id).slice(0, limit);
    if (near.length < SOME) return newest.map(({ id: _, ...row }) => row);
  }
}

export interface Stats {
  readonly sessions: number;
  readonly turns: number;
  readonly commands: number;
  readonly events: number;
  readonly saved_bytes: number;
  readonly mean_minutes: number;
  readonly by_source: readonly { readonly name: string; readonly count: number }[];
  readonly projects: readonly { readonly name: string; readonly count: number }[];
  readonly verbs: readonly { readonly name: string; readonly count: number }[];
}

export function statsOf(db: Database): Stats {
  const sums = db
    .prepare(
      `SELECT count(*) AS sessions, coalesce(sum(turns), 0) AS turns, coalesce(sum(commands), 0) AS commands, coalesce(sum(events), 0) AS events,
       coalesce(sum(saved), 0) AS saved_bytes, coalesce(avg(last - started), 0) / 60000.0 AS mean_minutes FROM sessions WHERE events > 0`,
    )
    .get() as Omit<Stats, 'by_source' | 'projects' | 'verbs'>;
  const counted = (sql: string): { name: string; count: number }[] =>
    db.prepare(sql).all() as { name: string; count: number }[];
  const verbs = new Map<string, number>();
  for (const { name, count } of counted('SELECT verbs AS name, count(*) AS count FROM checkpoints GROUP BY verbs'))
    for (const verb of name.split(' ')) if (verb !== '') verbs.set(verb, (verbs.get(verb) ?? 0) + count);
  return {
    ...sums,
    by_source: counted(
      "SELECT coalesce(source, '?') AS name, count(*) AS count FROM sessions WHERE events > 0 GROUP BY 1 ORDER BY 2 DESC, 1",
    ),
    projects: counted('SELECT root AS name, count(*) AS count FROM checkpoints GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 10'),
    verbs: [...verbs]
      .map(([name, count]) => ({ name, count }))
      .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
      .slice(0, 10),
  };
}
