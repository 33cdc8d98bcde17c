import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sample } from './sample.ts';

/**
 * belay-snap (and what it can do of belay, src/cli/compiled.ts) as an executable of its own, by bun, from the sources: it splits them into
 * parts, each loaded when it is first needed (the same that esbuild's bundle does by functions). Where bun is not there or does not run,
 * node runs the bundle.
 */
export function compile(root: string, dist: string): void {
  const bun = bunOf(root);
  if (!existsSync(bun)) return;
  const made = join(dist, '.belay-snap');
  const order = join(dist, '.belay-snap.order');
  try {
    const first = compiled(bun, root, made, []);
    if (first.status !== 0) {
      console.log(`build: belay-snap could not be compiled\n${first.stderr}`);
      return;
    }
    if (sample([made, 'hold'], { env: { BUN_BYTECODE_ORDER_OUT: order } }).status !== 0) {
      console.log('build: the compiled belay-snap does not run on this machine');
      return;
    }
    // Once more, with what that run needed laid side by side: fewer pages to read. The first one does as well.
    if (existsSync(order)) compiled(bun, root, `${made}.ordered`, [`--bytecode-order=${order}`]);
    const ordered = existsSync(`${made}.ordered`) && sample([`${made}.ordered`, 'hold']).status === 0;
    renameSync(ordered ? `${made}.ordered` : made, join(dist, 'belay-snap'));
  } finally {
    for (const name of [made, order, `${made}.ordered`]) rmSync(name, { force: true });
  }
}

const bunOf = (root: string): string => join(root, 'node_modules/.bin/bun');

/** What to say where there is no compiled belay-snap, and what helps. */
export const whyNotCompiled = (root: string): string =>
  existsSync(bunOf(root))
    ? 'build: belay-snap is not compiled: node runs it. To try again: rm -r dist, then this.'
    : 'build: bun is not installed: node runs belay-snap. To try again: rm -r node_modules dist, then this.';

/** The flags keep a project's .env, bunfig.toml, tsconfig.json and package.json out of what runs there. */
const compiled = (bun: string, root: string, out: string, more: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync(
    bun,
    [
      'build',
      '--compile',
      '--target=bun',
      '--format=esm',
      '--splitting',
      '--conditions=late',
      '--bytecode',
      '--minify',
      // A hold is over before compiled code pays: two thirds of its time went into compiling it.
      '--compile-jit-policy=10',
      '--no-compile-autoload-dotenv',
      '--no-compile-autoload-bunfig',
      '--no-compile-autoload-tsconfig',
      '--no-compile-autoload-package-json',
      // cosmiconfig can load TypeScript configuration; belay never lets it (a cloned repository must not run code).
      '--external=typescript',
      '--external=better-sqlite3',
      ...more,
      'src/cli/compiled.ts',
      '--outfile',
      out,
    ],
    { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  );
