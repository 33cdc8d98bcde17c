import { spawnSync } from 'node:child_process';
import { log } from '../platform/log.ts';
import type { World } from '../saving/world.ts';

/** More than any title or summary. */
const MOST = 4 << 20;

/** What a command of the configuration answers to this input; undefined, and in the log, where it fails or takes longer than `patience` ms. */
export function askOutside(
  { home }: Pick<World, 'home'>,
  setting: string,
  command: string,
  input: unknown,
  patience: number,
): string | undefined {
  const done = spawnSync('sh', ['-c', command], {
    input: JSON.stringify(input),
    encoding: 'utf8',
    timeout: patience,
    killSignal: 'SIGKILL',
    maxBuffer: MOST,
    // Nothing that it starts is saved in turn.
    env: { ...process.env, BELAY_SAVING: '1' },
  });
  if (done.status === 0 && done.stdout.trim() !== '') return done.stdout;
  const why = done.error?.message ?? (done.status === 0 ? 'it said nothing' : `status ${done.status ?? done.signal}`);
  log(home, `${setting}: ${why}`, 'warn');
  return undefined;
}
