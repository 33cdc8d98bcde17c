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

/** Sessions, the one that was used last first. */
export function sessionRows(db: Database, { source, cwd, since, limit }: RowFilter): SessionRow[] {
  const parts: [string, ...unknown[]][] = [['events > 0']];
  if (source !== undefined) parts.push(['source = ?', source]);
  if (cwd !== undefined) parts.push(['(cwd = ? OR substr(cwd, 1, ?) = ?)', cwd, cwd.length + 1, `${cwd}/`]);
  if (since !== undefined) parts.push(['last >= ?', since]);
  const sql = `SELECT * FROM sessions WHERE ${parts.map(([text]) => text).join(' AND ')} ORDER BY last DESC LIMIT ?`;
  return db.prepare(sql).all(...parts.flatMap(([, ...rest]) => rest), limit) as SessionRow[];
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
