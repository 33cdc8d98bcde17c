import { styleFor } from '../style.ts';
import { keysIn } from './keys.ts';
import { screen } from './screen.ts';
import { type Choice, opened, type PickerState, press, selected } from './state.ts';

/**
 * Lets a person choose on the terminal; undefined when it was left. Draws on the terminal's other screen, which is put away again
 * whatever happens. `preview` is asked for the chosen one only.
 */
export async function choose(
  title: string,
  choices: readonly Choice[],
  preview: (n: number) => Promise<readonly string[]>,
): Promise<number | undefined> {
  const { stdin, stdout } = process;
  const style = styleFor(stdout);
  const previews = new Map<number, readonly string[]>();
  let state: PickerState = opened(choices);

  const draw = (): void => {
    const chosen = selected(state);
    const size = { rows: stdout.rows || 24, columns: stdout.columns || 80 };
    const lines = screen(state, title, (chosen && previews.get(chosen.n)) ?? ['…'], size, style);
    stdout.write(`\x1b[H${lines.map((line) => `${line}\x1b[K`).join('\r\n')}\x1b[J`);
    if (chosen === undefined || previews.has(chosen.n)) return;
    previews.set(chosen.n, ['…']);
    void preview(chosen.n).then(
      (text) => {
        previews.set(chosen.n, text);
        if (selected(state)?.n === chosen.n) draw();
      },
      (error: unknown) => previews.set(chosen.n, [String(error)]),
    );
  };

  stdin.setRawMode(true);
  stdin.resume();
  stdout.write('\x1b[?1049h\x1b[?25l');
  stdout.on('resize', draw);
  try {
    draw();
    for (;;) {
      const chunk = await new Promise<string>((resolve) => stdin.once('data', (data) => resolve(String(data))));
      for (const key of keysIn(chunk)) {
        const next = press(state, key);
        if (next.is === 'left') return undefined;
        if (next.is === 'chosen') return next.n;
        state = next.state;
      }
      draw();
    }
  } finally {
    stdout.off('resize', draw);
    stdout.write('\x1b[?25h\x1b[?1049l');
    stdin.setRawMode(false);
    stdin.pause();
  }
}
