import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { type Place, run, top } from './place.ts';

export interface Started {
  /** Forks of the shell among them. */
  readonly processes: number;
  readonly git: number;
}

/**
 * What was started between Enter and the line's own program, seen by `strace` over the whole shell; undefined where there is no
 * strace. `line` begins with the program's name.
 */
export function startedBefore(place: Place, cwd: string, line: string): Started | undefined {
  if (spawnSync('strace', ['-V'], { stdio: 'ignore' }).status !== 0) return undefined;
  const trace = join(top, 'trace');
  const calls = 'trace=execve,clone,clone3,fork,vfork';
  const shell = ['bash', '--noediting', '--rcfile', 'bench/rc.bash', '-i'];
  run('strace', ['-f', '-qq', '-e', calls, '-s', '200', '-o', trace, ...shell], {
    cwd: process.cwd(),
    env: {
      ...place.env,
      BENCH_STAMPS: join(top, 'stamps'),
      BENCH_CWD: cwd,
      BENCH_PAUSE: '',
      // The last thing before each prompt.
      BENCH_BETWEEN: '/bin/true prompt',
      BENCH_BELAY: '1',
    },
    input: `${line}\n`,
  });
  const events = fs.readFileSync(trace, 'latin1').split('\n');
  const program = line.split(' ')[0] ?? '';
  const end = events.findIndex((event) => event.includes('execve(') && programOf(event) === program);
  if (end < 0) throw new Error(`the trace does not show ${line.slice(0, 40)}`);
  const begin = events.findLastIndex((event, at) => at < end && event.includes('["/bin/true", "prompt"]'));
  const between = events.slice(begin + 1, end);
  const programs = between.map(programOf).filter((name) => name !== undefined);
  if (!programs.some((name) => name.startsWith('belay-snap') || name === 'node'))
    throw new Error(`the trace does not show belay-snap, so the line was not held: ${programs.join(' ')}`);
  // The last of them is to become the line's own program.
  const forks = between.filter((event) => /\b(clone3?|v?fork)\(/.test(event) && !event.includes('CLONE_THREAD'));
  return { processes: forks.length - 1, git: programs.filter((name) => name === 'git').length };
}

const programOf = (event: string): string | undefined => /execve\("(?:[^"]*\/)?([^"/]+)"/.exec(event)?.[1];
