import fs from 'node:fs';
import { join } from 'node:path';
import { type Place, run, top } from './place.ts';

/**
 * Types lines into an interactive bash and measures each from prompt to prompt, in milliseconds: reading it, belay's part
 * before, the command, belay's part after. `pause`: seconds of idling at each prompt, not counted; nor is
 * `between`, which is run after it. Where `place` is undefined, a bash without belay.
 */
export function atPrompt(
  place: Place | undefined,
  lines: readonly string[],
  options: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly pause?: number;
    readonly between?: string;
  },
): number[] {
  const stamps = join(top, 'stamps');
  fs.rmSync(stamps, { force: true });
  const rc = place === undefined ? 'bench/bare-rc.bash' : 'bench/belay-rc.bash';
  run('bash', ['--noediting', '--rcfile', rc, '-i'], {
    cwd: process.cwd(),
    env: {
      ...options.env,
      BENCH_STAMPS: stamps,
      BENCH_CWD: options.cwd,
      BENCH_PAUSE: options.pause ? String(options.pause) : '',
    },
    input: `${lines.join('\n')}\n`,
  });
  const notes = fs.readFileSync(stamps, 'latin1').trim().split('\n');
  const times = notes.map((note) => note.split(' ').map(Number));
  const spans = times.slice(1).map(([shown = 0], i) => (shown - (times[i]?.[1] ?? 0)) * 1000);
  if (spans.length !== lines.length) throw new Error(`${lines.length} lines were typed, ${spans.length} prompts came`);
  return spans;
}
