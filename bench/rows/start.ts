import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { figure, type Row } from '../measure.ts';
import { bareEnvironment, type Place, protectedEnvironment, top } from '../place.ts';

const INTERACTIVE = {
  bash: { rc: '.bashrc', line: 'eval "$(belay init bash)"', argv: ['bash', '-i'] },
  zsh: { rc: '.zshrc', line: 'eval "$(belay init zsh)"', argv: ['zsh', '-d', '-i'] },
  // It is interactive on a terminal only.
  fish: {
    rc: '.config/fish/config.fish',
    line: 'belay init fish | source',
    argv: ['script', '-qec', 'fish -i', '/dev/null'],
  },
} as const;

/** What starting a shell costs: one that nobody types at, and those that people do. */
export function start(place: Place, rounds: number): readonly Row[] {
  const bare = bareEnvironment(top);
  const within = { ...bare, BASH_ENV: protectedEnvironment(place)['BASH_ENV'] ?? '' };
  const rows: Row[] = [
    beside('bash -c : with BASH_ENV', 'bash -c :', rounds, [
      () => started(['bash', '-c', ':'], within),
      () => started(['bash', '-c', ':'], bare),
    ]),
  ];
  for (const [shell, { rc, line, argv }] of Object.entries(INTERACTIVE)) {
    if (spawnSync(shell, ['-c', 'true']).status !== 0) continue;
    const home = (name: string, text: string): string => {
      const folder = join(top, `start-${shell}-${name}`);
      fs.mkdirSync(join(folder, '.config/fish'), { recursive: true });
      // Else fish makes it from all manual pages, in the background.
      fs.mkdirSync(join(folder, '.local/share/fish/generated_completions'), { recursive: true });
      fs.writeFileSync(join(folder, rc), text);
      return folder;
    };
    const [with_, without] = [home('belay', `${line}\n`), home('bare', '')];
    const env = { ...place.env, TERM: 'xterm', HISTFILE: '' };
    rows.push(
      beside(`interactive start, ${shell}`, 'without belay', rounds, [
        () => started(argv, { ...env, HOME: with_ }, 'exit\n'),
        () => started(argv, { ...env, HOME: without }, 'exit\n'),
      ]),
    );
  }
  return rows;
}

/** Taken in turns, so that what else the machine does falls on both. */
function beside(what: string, than: string, rounds: number, [one, other]: readonly [() => number, () => number]): Row {
  const [mine, bare]: [number[], number[]] = [[], []];
  for (let i = 0; i < rounds; i++) {
    mine.push(one());
    bare.push(other());
  }
  return { what, figure: figure(mine), beside: { what: than, figure: figure(bare) } };
}

/** From start to end, ms. */
function started(argv: readonly string[], env: Readonly<Record<string, string>>, input = ''): number {
  const [program = '', ...args] = argv;
  const begin = process.hrtime.bigint();
  const done = spawnSync(program, args, { cwd: top, env: { ...env }, input, timeout: 60_000 });
  if (done.status !== 0)
    throw new Error(`${argv.join(' ')}: ${done.error?.message ?? `${done.status}: ${done.stderr}`}`);
  return Number(process.hrtime.bigint() - begin) / 1e6;
}
