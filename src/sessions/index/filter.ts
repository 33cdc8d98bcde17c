import { folderName } from '../../turns/ids.ts';
import { folderValues, withinFolder } from './rows.ts';

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

/** What the rank goes by: of many that are found, few are shown. */
export interface Found {
  readonly id: number;
  readonly sid: number;
  readonly seq: number;
  readonly kind: string;
  readonly last: number;
}

/** The columns of Found, of `events e` and `sessions s`. */
export const COLUMNS = 'e.id, e.session AS sid, e.seq, e.kind, s.last';

/** As SQL behind a WHERE. */
export function conditions(filter: Filter): { readonly sql: string; readonly values: readonly unknown[] } {
  const { parts, values } = sessionConditions(filter);
  const { since } = filter;
  return since === undefined
    ? { sql: parts.map((text) => `AND ${text}`).join(' '), values }
    : { sql: [...parts, 'e.t >= ?'].map((text) => `AND ${text}`).join(' '), values: [...values, since] };
}

/** What a filter says of a session. */
export function sessionConditions({ source, cwd, since, session }: Filter): {
  readonly parts: readonly string[];
  readonly values: readonly unknown[];
} {
  const parts: [string, ...unknown[]][] = [];
  if (source !== undefined) parts.push(['s.source = ?', source]);
  if (cwd !== undefined) parts.push([withinFolder('s.cwd'), ...folderValues(cwd)]);
  if (since !== undefined) parts.push(['s.last >= ?', since]);
  if (session !== undefined) parts.push(['s.name = ?', folderName(session)]);
  return { parts: parts.map(([text]) => text), values: parts.flatMap(([, ...rest]) => rest) };
}
