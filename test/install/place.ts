import { strict as assert } from 'node:assert';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Place {
  /** The checkout that is installed from; its name has blanks and quotes, as has the home's. */
  readonly checkout: string;
  readonly home: string;
  readonly install: (args: readonly string[], env?: Record<string, string>) => SpawnSyncReturns<string>;
}

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const made: string[] = [];

/** A copy of this checkout: its sources, its build, and a link to its installed packages (as new as the lock file). */
export function place({ compiled = false } = {}): Place {
  const base = fs.mkdtempSync(join(tmpdir(), 'belay-install-'));
  made.push(base);
  const checkout = join(base, `a check"out's`);
  const home = join(base, `ho "me's`);
  fs.mkdirSync(home);
  fs.mkdirSync(checkout);
  for (const name of fs.readdirSync(root)) {
    if (['.git', 'node_modules', 'test', 'bench'].includes(name)) continue;
    fs.cpSync(join(root, name), join(checkout, name), {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
      filter: (path) => compiled || !path.endsWith('/dist/belay-snap'), // a hundred megabytes, copied again and again
    });
  }
  // Never newer than what is installed: `npm ci` would empty the folder that the link leads to.
  fs.utimesSync(join(checkout, 'package-lock.json'), 0, 0);
  fs.symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
  const install: Place['install'] = (args, env = {}) =>
    spawnSync('sh', [join(checkout, 'install.sh'), ...args], {
      cwd: base,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: base, ...env },
    });
  return { checkout, home, install };
}

export function succeeds(result: SpawnSyncReturns<string>): string {
  assert.equal(result.status, 0, `${result.stdout}${result.stderr}`);
  return result.stdout;
}

export const exists = (path: string): boolean => fs.existsSync(path);
export const text = (path: string): string => fs.readFileSync(path, 'utf8');
export const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** Takes away whatever `place` made. */
export function clear(): void {
  for (const base of made.splice(0)) fs.rmSync(base, { recursive: true, force: true });
}
