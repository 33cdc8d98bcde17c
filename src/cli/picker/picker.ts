import type { Call } from '../command.ts';
import { styleFor } from '../style.ts';
import { keysIn } from './keys.ts';
import { type Meaning, RESTORING, screen } from './screen.ts';
import { type Choice, opened, type PickerState, press, selected, wordsOf } from './state.ts';

/** A preview is made when the choice has rested for this long: an arrow key held down waits for none. ms */
const REST = 80;
/** A lone escape is a key of its own when nothing follows it within this time: slow lines cut sequences in two. ms */
const ESCAPE = 60;

/** Whether there is a person to choose: a dumb terminal or a pipe gets a list. */
export const canPick = (call: Call): boolean =>
  !call.json && process.stdin.isTTY === true && process.stdout.isTTY === true && process.env['TERM'] !== 'dumb';

export interface Picking {
  readonly title: string;
  readonly choices: readonly Choice[];
  /** Asked for the chosen one only. */
  readonly preview: (n: number) => Promise<readonly string[]>;
  readonly meaning?: Meaning;
  /** What a word of the filter finds in what is not shown of the choices: their numbers. Asked once for each word. */
  readonly beyond?: (word: string) => Promise<ReadonlySet<number>>;
  /** How it was left before: where somebody comes back to. */
  readonly from?: PickerState;
  /** Keys that were typed ahead, on the screen before. */
  readonly ahead?: readonly string[];
}

export type Picked = (
  | { readonly is: 'chosen'; readonly n: number }
  | { readonly is: 'left'; readonly back: boolean }
) & {
  readonly state: PickerState;
  /** Keys that came together with the one that left the screen: they are for the next one. */
  readonly ahead: readonly string[];
};

/** Lets a person choose on the terminal. Draws on the terminal's other screen, which is put away again whatever happens. */
export async function choose(picking: Picking): Promise<Picked> {
  const { title, choices, preview, meaning = RESTORING, beyond, from, ahead = [] } = picking;
  const { stdin, stdout } = process;
  const style = styleFor(stdout);
  const previews = new Map<number, readonly string[]>();
  let state: PickerState = from ?? opened(choices);
  let resting: NodeJS.Timeout | undefined;

  const draw = (): void => {
    const chosen = selected(state);
    const size = { rows: stdout.rows || 24, columns: stdout.columns || 80 };
    const lines = screen(state, title, (chosen && previews.get(chosen.n)) ?? ['…'], size, style, meaning);
    stdout.write(`\x1b[H${lines.map((line) => `${line}\x1b[K`).join('\r\n')}\x1b[J`);
    clearTimeout(resting);
    if (chosen !== undefined && !previews.has(chosen.n)) resting = setTimeout(() => void show(chosen.n), REST);
  };
  const show = async (n: number): Promise<void> => {
    try {
      previews.set(n, await preview(n));
    } catch (error) {
      previews.set(n, [error instanceof Error ? error.message : String(error)]);
    }
    if (selected(state)?.n === n) draw();
  };

  const away = onScreen(draw);
  try {
    draw();
    for (let keys = ahead; ; keys = keysIn(await nextChunk(stdin))) {
      for (const [i, key] of keys.entries()) {
        const next = press(state, key);
        if (next.is !== 'on') return { ...next, state, ahead: keys.slice(i + 1) };
        state = await lookedBeyond(next.state, beyond);
      }
      if (keys.length > 0) draw();
    }
  } finally {
    clearTimeout(resting);
    away();
  }
}

async function lookedBeyond(state: PickerState, beyond: Picking['beyond']): Promise<PickerState> {
  if (beyond === undefined) return state;
  const known = new Map(state.beyond);
  for (const word of wordsOf(state.filter)) if (!known.has(word)) known.set(word, await beyond(word));
  return { ...state, beyond: known };
}

/** Takes the terminal over; the answer gives it back as it was, also when the process is told to end. */
function onScreen(draw: () => void): () => void {
  const { stdin, stdout } = process;
  const away = (): void => {
    stdout.off('resize', draw);
    for (const [signal, leave] of leaves) process.off(signal, leave);
    stdout.write('\x1b[?25h\x1b[?1049l');
    stdin.setRawMode(false);
    stdin.pause();
  };
  const leaves = (['SIGTERM', 'SIGHUP', 'SIGINT'] as const).map((signal) => {
    const leave = (): void => {
      away();
      process.kill(process.pid, signal);
    };
    return [signal, leave] as const;
  });
  for (const [signal, leave] of leaves) process.once(signal, leave);
  stdin.setRawMode(true);
  stdin.resume();
  stdout.write('\x1b[?1049h\x1b[?25l');
  stdout.on('resize', draw);
  return away;
}

/** What was typed, an escape sequence whole. A terminal that is gone ends the picker as an interrupt does. */
async function nextChunk(stdin: NodeJS.ReadStream): Promise<string> {
  const first = await arrival(stdin);
  return first.endsWith('\x1b') ? first + (await arrival(stdin, ESCAPE)) : first;
}

function arrival(stdin: NodeJS.ReadStream, patience?: number): Promise<string> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const done = (text: string): void => {
      clearTimeout(timer);
      stdin.off('data', came);
      stdin.off('end', gone);
      resolve(text);
    };
    const came = (data: Buffer | string): void => done(String(data));
    const gone = (): void => done('\x03');
    stdin.once('data', came);
    stdin.once('end', gone);
    if (patience !== undefined) timer = setTimeout(() => done(''), patience);
  });
}
