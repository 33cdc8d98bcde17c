import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { type Place, run, top } from './place.ts';

/**
 * How many git processes were started between Enter and the line's own program, seen by `strace` over the whole shell;
 * undefined where there is no strace. `line` begins with the program's name.
 */
export function gitProcesses(place: Place, cwd: string, line: string): number | undefined {
  if (spawnSync('strace', ['-V'], { stdio: 'ignore' }).status !== 0) return undefined;
  const trace = join(top, 'trace');
  run(
    'strace',
    ['-f', '-qq', '-e', 'trace=execve', '-s', '200', '-o', trace].concat([
      'bash',
      '--noediting',
      '--rcfile',
      'bench/rc.bash',
      '-i',
    ]),
    {
      cwd: process.cwd(),
      env: {
        ...place.env,
        BENCH_STAMPS: join(top, 'stamps'),
        BENCH_CWD: cwd,
        BENCH_PAUSE: '',
        BENCH_BETWEEN: '',
        BENCH_BELAY: '1',
      },
      input: `${line}\n`,
    },
  );
  const started = fs
    .readFileSync(trace, 'latin1')
    .split('\n')
    .map((entry) => /execve\("(?:[^"]*\/)?([^"/]+)"/.exec(entry)?.[1])
    .filter((name) => name !== undefined);
  const end = started.indexOf(line.split(' ')[0] ?? '');
  if (end < 0) throw new Error(`the trace does not show ${line.slice(0, 40)}`);
  const before = started.slice(0, end);
  if (!before.some((name) => name.startsWith('belay-snap') || name === 'node'))
    throw new Error(`the trace does not show belay-snap, so the line was not held: ${before.join(' ')}`);
  return before.filter((name) => name === 'git').length;
}
