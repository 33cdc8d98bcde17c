import { spawnSync } from 'node:child_process';
import { bareEnvironment, top } from './place.ts';

/** Milliseconds that a program takes from start to end, `rounds` times. */
export function started(
  program: string,
  args: readonly string[],
  rounds: number,
  options: { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string } = {},
): number[] {
  return Array.from({ length: rounds }, () => {
    const begin = process.hrtime.bigint();
    const env = { ...(options.env ?? bareEnvironment(top)) };
    const done = spawnSync(program, args, { cwd: options.cwd ?? '/', env, stdio: 'ignore' });
    if (done.status !== 0) throw new Error(`${program} ${args.join(' ')}: status ${done.status}`);
    return Number(process.hrtime.bigint() - begin) / 1e6;
  });
}
