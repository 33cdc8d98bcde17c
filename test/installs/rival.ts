import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { LOADER } from '../loader.ts';
import type { Deed } from './rival-run.ts';

/** How often each race is run: a thousand times with BELAY_TEST_RACES=1000, a few in every run. */
export const TRIES = Number(process.env['BELAY_TEST_RACES'] ?? 4);

export interface Rival {
  /** Starts it; the answer comes when it is done. */
  acts(deed: Deed): Promise<unknown>;
  end(): void;
}

/** Another process, which acts at the same time. */
export function rival(): Rival {
  const script = fileURLToPath(new URL('./rival-run.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', LOADER, script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting: ((answer: unknown) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(JSON.parse(line)));
  return {
    acts: (deed) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        child.stdin.write(`${JSON.stringify(deed)}\n`);
      }),
    end: () => child.kill(),
  };
}

/** Spread over what the first process takes. */
export const somewhere = (microseconds: number): number => Math.floor(Math.random() * microseconds);
