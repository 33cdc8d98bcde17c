import type { styleFor } from '../style.ts';
import { cut, padRight } from '../style.ts';
import { type PickerState, selected, visible } from './state.ts';

export interface Size {
  readonly rows: number;
  readonly columns: number;
}

/** What the keys do that mean something else elsewhere. */
export interface Meaning {
  /** One word, and a sentence. */
  readonly enter: readonly [hint: string, help: string];
  /** Where escape goes, where that is not out. */
  readonly back?: string;
}

export const RESTORING: Meaning = { enter: ['restore', 'what would be restored, and a question'] };

const helpOf = ({ enter, back }: Meaning): string[] => [
  'up, down, j, k, page up, page down   choose',
  '/                                    filter: type words; escape clears it',
  `enter                                ${enter[1]}`,
  ...(back === undefined ? [] : [`escape                               ${back}`]),
  `${back === undefined ? 'q, escape, ctrl-c' : 'q, ctrl-c        '}                    leave, nothing is changed`,
  '?                                    this help',
];

/** The whole screen as lines: choices above, what the chosen one changed below. */
export function screen(
  state: PickerState,
  title: string,
  preview: readonly string[],
  size: Size,
  style: ReturnType<typeof styleFor>,
  meaning: Meaning = RESTORING,
): string[] {
  const back = meaning.back === undefined ? '' : '   esc back';
  const hint = `/ filter   enter ${meaning.enter[0]}${back}   ? help   q leave`;
  const typed = state.filtering || state.filter !== '';
  const head = [
    style.bold(cut(title, size.columns)),
    typed ? cut(`/${state.filter}`, size.columns) : style.dim(cut(hint, size.columns)),
  ];
  if (state.help) return [...head, '', ...helpOf(meaning).map((line) => cut(line, size.columns))];
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
