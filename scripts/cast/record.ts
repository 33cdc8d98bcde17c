import fs from 'node:fs';
import { join } from 'node:path';
import { type Stage, setStage, strike } from '../../src/cli/demo/stage.ts';
import { blocksOf, linesOf } from '../blocks.ts';
import { settled } from '../tour.ts';
import type { Cast, Event } from './asciicast.ts';

const [WIDTH, HEIGHT] = [100, 27];
/** An OSC that no terminal knows: it shows nothing. */
const PROMPT = /\x1b\]belay-cast \d+\x07/;
const PATIENCE_MS = 20_000;

/** The first blocks of the README that are typed: its sixty seconds. */
export function tourLines(root: string): readonly string[] {
  const readme = fs.readFileSync(join(root, 'README.md'), 'utf8');
  const blocks = blocksOf(readme).filter(({ is }) => is === 'console');
  return blocks.slice(0, 3).flatMap(linesOf);
}

/** Types the tour into a bash and gives what its terminal showed, at a person's pace. */
export async function record(root: string): Promise<Cast> {
  const { spawn } = await import('node-pty');
  const stage = setStage(root, true);
  const rc = join(stage.folder, 'rc.bash');
  fs.writeFileSync(rc, RC);
  const shell = spawn('bash', ['--rcfile', rc, '-i'], {
    name: 'xterm-256color',
    cols: WIDTH,
    rows: HEIGHT,
    cwd: stage.project,
    env: { ...stage.env, TERM: 'xterm-256color', COLUMNS: '' },
  });
  let unread = '';
  shell.onData((text) => {
    unread += text;
  });
  /** What came once it is as it should be. */
  const until = async (isThere: (text: string) => boolean): Promise<string> => {
    for (const end = Date.now() + PATIENCE_MS; !isThere(unread); ) {
      if (Date.now() > end) throw new Error(`the shell said only: ${JSON.stringify(unread)}`);
      await new Promise((go) => setTimeout(go, 5));
    }
    const text = unread;
    unread = '';
    return text;
  };
  const events: Event[] = [];
  const pace = paceOf(7);
  let at = 0.4;
  const show = (text: string): void => {
    events.push({ at: Math.round(at * 1000) / 1000, text: elsewhere(text.replace(PROMPT, ''), stage) });
  };
  try {
    show(await until((text) => PROMPT.test(text)));
    for (const line of tourLines(root)) {
      at += 0.9;
      for (const char of line) {
        shell.write(char);
        // The echo of a character is at least that character.
        show(await until((text) => text.includes(char)));
        at += pace();
      }
      at += 0.35;
      shell.write('\r');
      const printed = await until((text) => PROMPT.test(text));
      const end = printed.indexOf('\n') + 1;
      show(printed.slice(0, end));
      at += 0.25;
      show(printed.slice(end));
      at += 0.7 + 0.28 * printed.split('\n').length;
      await settled(join(stage.folder, 'belay/checkpoints/pending'));
    }
    at += 2.5;
    show('');
  } finally {
    shell.kill();
    strike(stage);
  }
  return { width: WIDTH, height: HEIGHT, title: 'belay: sixty seconds', events };
}

const RC = `PS1='\\[\\e]belay-cast \\#\\a\\]\\[\\e[1;36m\\]shop\\[\\e[0m\\] \\[\\e[2m\\]$\\[\\e[0m\\] '
unset HISTFILE PROMPT_COMMAND
bind 'set enable-bracketed-paste off'
bind 'set bell-style none'
eval "$(belay init bash)"
`;

/** Seconds between two keys, uneven as a person's and always the same. */
function paceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return 0.045 + 0.06 * (state / 2_147_483_648);
  };
}

/** The folders are a person's. */
const elsewhere = (text: string, { folder, project }: Stage): string =>
  text.replaceAll(project, '/home/you/shop').replaceAll(folder, '/home/you');
