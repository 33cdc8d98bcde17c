/** One line to choose from. */
export interface Choice {
  readonly n: number;
  readonly text: string;
  /** What the filter finds it by beside its text. */
  readonly more?: string;
  /** There is nothing to be done with it: enter leaves it where it is. */
  readonly idle?: boolean;
}

export interface PickerState {
  readonly choices: readonly Choice[];
  readonly filter: string;
  /** Typed letters go into the filter. */
  readonly filtering: boolean;
  readonly cursor: number;
  readonly help: boolean;
  /** By word of the filter (in small letters): the numbers of choices that are found by it in what is not shown of them. */
  readonly beyond?: ReadonlyMap<string, ReadonlySet<number>>;
}

export type Next =
  | { readonly is: 'on'; readonly state: PickerState }
  | { readonly is: 'chosen'; readonly n: number }
  /** `back`: by escape, to where one came from. */
  | { readonly is: 'left'; readonly back: boolean };

export const opened = (choices: readonly Choice[]): PickerState => ({
  choices,
  filter: '',
  filtering: false,
  cursor: 0,
  help: false,
});

/**
 * The choices that the filter lets through: every word of it, in any order, whatever the case. Where none has them as they were typed,
 * those that have their letters, in order and close together (`rfctr` for `refactor`).
 */
export function visible({ choices, filter, beyond }: PickerState): readonly Choice[] {
  const words = wordsOf(filter);
  if (words.length === 0) return choices;
  const found = choices.filter((choice) =>
    words.every((word) => sought(choice).includes(word) || beyond?.get(word)?.has(choice.n) === true),
  );
  return found.length > 0 ? found : choices.filter((choice) => words.every((word) => hasLetters(sought(choice), word)));
}

/** The words of a filter, in small letters. */
export const wordsOf = (filter: string): readonly string[] => filter.toLowerCase().split(/\s+/).filter(Boolean);

const sought = ({ text, more = '' }: Choice): string => `${text} ${more}`.toLowerCase();

/** So many times its length a word may be stretched. */
const STRETCH = 2;

function hasLetters(text: string, word: string): boolean {
  for (let from = text.indexOf(word[0] ?? ''); from >= 0; from = text.indexOf(word[0] ?? '', from + 1)) {
    let at = from;
    for (const letter of word.slice(1)) {
      at = text.indexOf(letter, at + 1);
      if (at < 0) return false;
    }
    if (at - from < word.length * STRETCH) return true;
  }
  return false;
}

export const selected = (state: PickerState): Choice | undefined => visible(state)[state.cursor];

/** What a key does. Names are those that terminals send, see keys.ts. */
export function press(state: PickerState, key: string): Next {
  if (key === 'interrupt') return { is: 'left', back: false };
  if (state.help) return on({ ...state, help: false });
  if (key === 'enter') {
    const choice = selected(state);
    return choice === undefined || choice.idle === true ? on(state) : { is: 'chosen', n: choice.n };
  }
  if (key === 'escape')
    return state.filter !== '' || state.filtering
      ? on({ ...state, filter: '', filtering: false, cursor: 0 })
      : { is: 'left', back: true };
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
  return key === 'q' ? { is: 'left', back: false } : on(state);
}

const on = (state: PickerState): Next => ({ is: 'on', state });

const move = (state: PickerState, by: number): PickerState => ({
  ...state,
  cursor: Math.max(0, Math.min(visible(state).length - 1, state.cursor + by)),
});
