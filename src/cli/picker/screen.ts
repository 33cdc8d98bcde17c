import type { styleFor } from '../style.ts';
import { cut, padRight } from '../style.ts';
import { type PickerState, selected, visible } from './state.ts';

export interface Size {
  readonly rows: number;
  readonly columns: number;
}

const HELP = [
  'up, down, j, k, page up, page down   choose',
  '/                                    filter: type words; escape clears it',
  'enter                                what would be restored, and a question',
  'q, escape, ctrl-c                    leave, nothing is changed',
  '?                                    this help',
];

/** The whole screen as lines: choices above, what the chosen one changed below. */
export function screen(
  state: PickerState,
  title: string,
  preview: readonly string[],
  size: Size,
  style: ReturnType<typeof styleFor>,
): string[] {
  const hint = '/ filter   enter restore   ? help   q leave';
  const typed = state.filtering || state.filter !== '';
  const head = [
    style.bold(cut(title, size.columns)),
    typed ? cut(`/${state.filter}`, size.columns) : style.dim(cut(hint, size.columns)),
  ];
  if (state.help) return [...head, '', ...HELP.map((line) => cut(line, size.columns))];
  const all = visible(state);
  const room = Math.max(3, Math.floor((size.rows - head.length - 2) / 2));
  const first = Math.max(0, Math.min(state.cursor - Math.floor(room / 2), all.length - room));
  const rows = all.slice(first, first + room).map((choice, i) => {
    const text = cut(choice.text, size.columns - 2);
    return first + i === state.cursor ? style.inverse(padRight(`> ${text}`, size.columns)) : `  ${text}`;
  });
  if (all.length === 0) rows.push('  nothing matches');
  const line = style.dim('─'.repeat(size.columns));
  const left = size.rows - head.length - rows.length - 2;
  const below =
    selected(state) === undefined ? [] : preview.slice(0, Math.max(0, left)).map((text) => cut(text, size.columns));
  return [...head, ...rows, line, ...below];
}
