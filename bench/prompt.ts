import fs from 'node:fs';
import { join } from 'node:path';
import { type Place, run, top } from './place.ts';

const STARTS = {
  bash: ['bash', '--noediting', '--rcfile', 'bench/rc.bash', '-i'],
  zsh: ['zsh', '-i'],
  // It shows prompts on a terminal only.
  fish: ['script', '-qec', "fish --no-config -C 'source bench/rc.fish'", '/dev/null'],
} as const;

/** What makes a prompt write no record: no setting does, for what a setting forbids is left to belay-snap. */
export const RECORD_OFF = {
  bash: `__belay_record() { :; }; __belay_record_end() { :; }; __belay_find_journal() { :; }; __belay_journal=$BENCH_STAMPS
    eval "$(declare -f __belay_prompted | grep -v '"e":"done"')"`,
  zsh: '__belay_records=',
  fish: 'function __belay_record; end; function __belay_has_begun; false; end; set -g __belay_journal_session off',
} as const;

interface Prompt {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly shell?: 'bash' | 'zsh' | 'fish';
  readonly record?: 'off';
  /** Seconds of idling at each prompt, not counted. */
  readonly pause?: number;
  /** Run after the pause, not counted either. */
  readonly between?: string;
}

/**
 * Types lines into an interactive shell and measures each from prompt to prompt, in milliseconds: reading it, belay's part
 * before, the command, belay's part after. Where `place` is undefined, a shell without belay.
 */
export function atPrompt(place: Place | undefined, lines: readonly string[], options: Prompt): number[] {
  const stamps = join(top, 'stamps');
  fs.rmSync(stamps, { force: true });
  const zdot = join(top, 'zdot');
  fs.mkdirSync(zdot, { recursive: true });
  fs.writeFileSync(join(zdot, '.zshrc'), `source '${join(process.cwd(), 'bench/rc.zsh')}'\n`);
  const shell = options.shell ?? 'bash';
  const [program, ...args] = STARTS[shell];
  run(program, args, {
    cwd: process.cwd(),
    env: {
      ...options.env,
      ZDOTDIR: zdot,
      BENCH_BELAY: place === undefined ? '' : '1',
      BENCH_AFTER: place === undefined || options.record !== 'off' ? '' : RECORD_OFF[shell],
      BENCH_STAMPS: stamps,
      BENCH_CWD: options.cwd,
      BENCH_PAUSE: options.pause ? String(options.pause) : '',
      BENCH_BETWEEN: options.between ?? '',
    },
    input: `${lines.join('\n')}\nexit 0\n`,
  });
  const notes = fs.readFileSync(stamps, 'latin1').trim().split('\n');
  const times = notes.map((note) => note.split(' ').map(Number));
  const spans = times.slice(1).map(([shown = 0], i) => (shown - (times[i]?.[1] ?? 0)) * 1000);
  if (spans.length !== lines.length) throw new Error(`${lines.length} lines were typed, ${spans.length} prompts came`);
  return spans;
}
