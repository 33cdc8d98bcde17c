import { toText } from '../../platform/bytes.ts';
import type { RowFilter, SessionRow } from '../../sessions/index/rows.ts';
import { cleanTitle } from '../../sessions/titles.ts';
import type { Answer, Call } from '../command.ts';
import { ago, count, cut, padRight, styleFor, widthOf } from '../style.ts';
import { type Asked, numberOf, rowsOf, sinceOf, sourceOf, textOf } from './asked.ts';

/** `belay sessions list`: the one that was used last first. */
export async function listSessions(asked: Asked): Promise<Answer> {
  const { call } = asked;
  const { rows, note } = await rowsOf(asked, { ...filterOf(call), limit: numberOf(call, 'limit', 20) });
  return {
    json: { sessions: rows.map(documentOf) },
    text: rows.length === 0 ? nothing(asked) : asText(rows),
    page: true,
    ...(note === undefined ? {} : { note }),
  };
}

/** `--source`, `--since` and `--here`. */
export const filterOf = (call: Call): Omit<RowFilter, 'limit'> => ({
  ...sourceOf(call),
  ...sinceOf(call),
  ...(call.values['here'] === true && call.cwd !== undefined ? { cwd: toText(call.cwd) } : {}),
});

export const documentOf = (row: SessionRow): Record<string, unknown> => ({
  id: row.session,
  title: row.title,
  preview: row.preview,
  source: row.source,
  shell: row.shell,
  cwd: row.cwd,
  started: new Date(row.started).toISOString(),
  ended: row.open === 1 ? null : new Date(row.last).toISOString(),
  last: new Date(row.last).toISOString(),
  turns: row.turns,
  commands: row.commands,
  files: row.files,
  ...(row.handed === null ? {} : { handed_to: row.handed }),
  ...(row.compacted === null ? {} : { compacted_into: row.compacted }),
});

function nothing({ call }: Asked): string {
  const [source, days] = [textOf(call, 'source'), textOf(call, 'since')];
  const asked = [
    source === undefined ? '' : ` of source ${source}`,
    call.values['here'] === true ? ' in this folder' : '',
    days === undefined ? '' : ` of the last ${count(Number(days), 'day')}`,
  ].join('');
  if (asked === '') return 'No session was recorded yet: the next line in a shell that has loaded belay begins one.\n';
  return `No session${asked}.\n`;
}

export const nameOf = ({ title, preview }: Pick<SessionRow, 'title' | 'preview'>): string =>
  title ?? (cleanTitle(preview ?? '') || '(nothing typed)');

/** A terminal of fewer columns is not told how many files there were. */
const WIDE = 100;

function asText(rows: readonly SessionRow[]): string {
  const style = styleFor(process.stdout);
  const now = Date.now();
  const columns = process.stdout.isTTY ? process.stdout.columns || 80 : 120;
  const cells = rows.map((row) => [
    row.session,
    row.source ?? '?',
    ago(row.last, now) + (row.open === 1 ? ', open' : ''),
    `${count(row.turns, 'turn')}${row.files > 0 && columns >= WIDE ? `, ${count(row.files, 'file')}` : ''}`,
    nameOf(row),
  ]);
  const widths = [0, 1, 2, 3].map((i) => Math.max(...cells.map((row) => widthOf(row[i] ?? ''))));
  const room = columns - widths.reduce((sum, one) => sum + one + 2, 0);
  const width = Math.max(12, Math.min(60, room));
  return cells
    .map(([id = '', source = '', when = '', size = '', name = '']) =>
      [
        style.yellow(padRight(id, widths[0] ?? 0)),
        style.cyan(padRight(source, widths[1] ?? 0)),
        style.dim(padRight(when, widths[2] ?? 0)),
        padRight(size, widths[3] ?? 0),
        style.bold(cut(name, width)),
      ].join('  '),
    )
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}
