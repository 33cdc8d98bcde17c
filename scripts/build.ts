/**
 * Bundles `belay` and `belay-snap` into single files under dist/, and compiles belay-snap to a standalone executable
 * where bun is installed. A half-written file is never run: everything is written aside and renamed.
 *
 *   tsx scripts/build.ts [--if-stale] [--no-compile]
 *
 * `--if-stale` does nothing when dist/ was built from exactly these sources.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');

/** Bundled CommonJS packages call `require` for node's own modules; an ES module has none. */
const REQUIRE =
  "import { createRequire as belayRequire } from 'node:module'; const require = belayRequire(import.meta.url);";

/** What the build is made from: when this is unchanged, so is what it would make. */
function fingerprint(): string {
  const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const hash = createHash('sha256');
  for (const file of [...sources, join(root, 'package-lock.json'), fileURLToPath(import.meta.url)].sort()) {
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

async function bundle(entry: string, name: string): Promise<boolean> {
  if (!existsSync(join(root, entry))) {
    console.log(`build: ${entry} is not there: dist/${name} left out`);
    return false;
  }
  await build({
    entryPoints: [join(root, entry)],
    outfile: join(dist, `.${name}`),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: { js: REQUIRE },
    // cosmiconfig can load TypeScript configuration; belay never lets it (a cloned repository must not run code).
    external: ['typescript', 'bun:*', 'better-sqlite3'],
    logLevel: 'warning',
  });
  renameSync(join(dist, `.${name}`), join(dist, name));
  return true;
}

/** The flags keep a project's .env, bunfig.toml, tsconfig.json and package.json out of what runs there. */
function compile(): void {
  const bun = join(root, 'node_modules/.bin/bun');
  if (!existsSync(bun)) {
    console.log('build: bun is not installed: belay-snap runs on node');
    return;
  }
  const made = spawnSync(
    bun,
    [
      'build',
      '--compile',
      '--format=esm',
      '--bytecode',
      '--minify',
      // A hold is over before compiled code pays: two thirds of its time went into compiling it.
      '--compile-jit-policy=10',
      '--no-compile-autoload-dotenv',
      '--no-compile-autoload-bunfig',
      '--no-compile-autoload-tsconfig',
      '--no-compile-autoload-package-json',
      join(dist, 'belay-snap.mjs'),
      '--outfile',
      join(dist, '.belay-snap'),
    ],
    { cwd: dist, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  );
  if (made.status !== 0) {
    console.log(`build: belay-snap could not be compiled: node runs it\n${made.stderr}`);
  } else if (spawnSync(join(dist, '.belay-snap'), ['--version'], { timeout: 20_000 }).status !== 0) {
    console.log('build: the compiled belay-snap does not run on this machine: node runs it');
  } else {
    renameSync(join(dist, '.belay-snap'), join(dist, 'belay-snap'));
  }
  rmSync(join(dist, '.belay-snap'), { force: true });
}

const stamp = join(dist, '.built-from');
const now = fingerprint();
if (!process.argv.includes('--if-stale') || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== now) {
  mkdirSync(dist, { recursive: true });
  rmSync(stamp, { force: true });
  rmSync(join(dist, 'belay-snap'), { force: true });
  await bundle('src/cli/main.ts', 'belay.mjs');
  if ((await bundle('src/snap/main.ts', 'belay-snap.mjs')) && !process.argv.includes('--no-compile')) compile();
  writeFileSync(stamp, now);
}
