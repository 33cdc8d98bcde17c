import type { TimelineRow } from '../documents.ts';

export interface Filter {
  /** Words, all of which are in what was run, the project, the session or the number. */
  readonly text: string;
  /** A project's key; '' is every one. */
  readonly project: string;
  /** Who ran it; '' is anybody. */
  readonly source: string;
  /** Also what changed nothing. */
  readonly idle: boolean;
}

export const NO_FILTER: Filter = { text: '', project: '', source: '', idle: false };

export const isFiltered = ({ text, project, source }: Filter): boolean => `${text}${project}${source}` !== '';

export function chosen(
  rows: readonly TimelineRow[],
  { text, project, source, idle }: Filter,
  rootOf: (key: string) => string,
): readonly TimelineRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    if (row.idle && !idle) return false;
    if (project !== '' && row.key !== project) return false;
    if (source !== '' && sourceOf(row) !== source) return false;
    if (words.length === 0) return true;
    const all = `#${row.n} ${row.line} ${row.reason} ${rootOf(row.key)} ${row.session} ${row.source}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/** `claude` of `claude:bash`. */
export const sourceOf = ({ source }: TimelineRow): string => source.split(':')[0] ?? source;
