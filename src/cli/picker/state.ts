/** One line to choose from. */
export interface Choice {
  readonly n: number;
  readonly text: string;
}

export interface PickerState {
  readonly choices: readonly Choice[];
  readonly filter: string;
  /** Typed letters go into the filter. */
  readonly filtering: boolean;
  readonly cursor: number;
  readonly help: boolean;
}

export type Next =
  | { readonly is: 'on'; readonly state: PickerState }
  | { readonly is: 'chosen'; readonly n: number }
  | { readonly is: 'left' };

export const opened = (choices: readonly Choice[]): PickerState => ({
  choices,
  filter: '',
  filtering: false,
  cursor: 0,
  help: false,
});

/** The choices that the filter lets through: every word of it, in any order, whatever the case. */
export function visible({ choices, filter }: PickerState): readonly Choice[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return choices.filter(({ text }) => words.every((word) => text.toLowerCase().includes(word)));
}

export const selected = (state: PickerState): Choice | undefined => visible(state)[state.cursor];

/** What a key does. Names are those that terminals send, see keys.ts. */
export function press(state: PickerState, key: string): Next {
  if (key === 'interrupt') return { is: 'left' };
  if (state.help) return on({ ...state, help: false });
  if (key === 'enter') {
    const choice = selected(state);
    return choice === undefined ? on(state) : { is: 'chosen', n: choice.n };
  }
  if (key === 'escape')
    return state.filter !== '' || state.filtering
      ? on({ ...state, filter: '', filtering: false, cursor: 0 })
      : { is: 'left' };
  const moved = { up: -1, down: 1, pageup: -10, pagedown: 10, home: -1e9, end: 1e9 }[key];
  if (moved !== undefined) return on(move(state, moved));
  if (state.filtering) {
    if (key === 'backspace') return on({ ...state, filter: state.filter.slice(0, -1), cursor: 0 });
    return key.length === 1 ? on({ ...state, filter: state.filter + key, cursor: 0 }) : on(state);
  }
  if (key === '/') return on({ ...state, filtering: true });
  if (key === '?') return on({ ...state, help: true });
  if (key === 'k') return on(move(state, -1));
  if (key === 'j') return on(move(state, 1));
  return key === 'q' ? { is: 'left' } : on(state);
}

const on = (state: PickerState): Next => ({ is: 'on', state });

const move = (state: PickerState, by: number): PickerState => ({
  ...state,
  cursor: Math.max(0, Math.min(visible(state).length - 1, state.cursor + by)),
});
