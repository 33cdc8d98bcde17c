/**
 * Bundles `belay` and `belay-snap` into files under dist/ that need no packages, and compiles belay-snap to a standalone executable
 * where bun is installed. A half-written file is never run: everything is written aside and renamed.
 *
 *   tsx scripts/build.ts [--if-stale] [--no-compile]
 *
 * `--if-stale` does nothing when dist/ was built from exactly these sources.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { compile } from './build/compile.ts';
import { sampleHold } from './build/sample.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');

/** Bundled CommonJS packages call `require` for node's own modules; an ES module has none. */
const REQUIRE =
  "import { createRequire as belayRequire } from 'node:module'; const require = belayRequire(import.meta.url);";

/** What the build is made from: when this is unchanged, so is what it would make. */
function fingerprint(): string {
  const sources = ['src', 'scripts/build']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const hash = createHash('sha256');
  for (const file of [
    ...sources,
    join(root, 'package.json'),
    join(root, 'package-lock.json'),
    fileURLToPath(import.meta.url),
  ].sort()) {
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

const common: BuildOptions = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  // cosmiconfig can load TypeScript configuration; belay never lets it (a cloned repository must not run code).
  external: ['typescript', 'bun:*', 'better-sqlite3'],
  // Its CommonJS form asks for its own files by names that only it can know.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  logLevel: 'warning',
};

async function bundle(entry: string, name: string, options: BuildOptions): Promise<void> {
  const aside = join(dist, `.${name}`);
  await build({ ...common, ...options, entryPoints: [join(root, entry)], outfile: aside });
  renameSync(aside, join(dist, name));
}

/** A file that is a bundle of its own: only the command that needs it reads it. */
const apart = (ending: string, bundled: string): Plugin => ({
  name: bundled,
  setup: ({ onResolve }) => {
    onResolve({ filter: /\.ts$/ }, ({ path }) =>
      path.endsWith(ending) ? { path: bundled, external: true } : undefined,
    );
  },
});

/** One file, and V8's code for it beside (src/snap/start.ts). */
async function bundleSnap(): Promise<void> {
  const commonJs: BuildOptions = {
    format: 'cjs',
    minify: true,
    charset: 'ascii',
    define: { 'import.meta.url': '__filename' },
  };
  await bundle('src/snap/main.ts', 'belay-snap.bundle.cjs', {
    ...commonJs,
    conditions: ['belay-snap'],
    banner: { js: '(function(require,__filename){' },
    footer: { js: '})' },
  });
  const text = join(dist, 'belay-snap.bundle.cjs');
  const code = join(dist, 'belay-snap.bundle.code');
  sampleHold([process.execPath, join(root, 'scripts/build/keep-code.cjs'), text, `${code}.new`, 'hold']);
  if (existsSync(`${code}.new`)) renameSync(`${code}.new`, code);
  else console.log('build: node made no code ahead: belay-snap starts slower on node');
  await bundle('src/snap/start.ts', 'belay-snap.cjs', { ...commonJs, minify: false });
}

const stamp = join(dist, '.built-from');
const now = fingerprint();
if (!process.argv.includes('--if-stale') || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== now) {
  mkdirSync(dist, { recursive: true });
  rmSync(stamp, { force: true });
  for (const name of ['belay-snap', 'belay-snap.bundle.code']) rmSync(join(dist, name), { force: true });
  const esm: BuildOptions = { format: 'esm', banner: { js: REQUIRE } };
  await bundle('src/cli/mcp/server.ts', 'belay-mcp.mjs', { ...esm, minify: true });
  await bundle('src/cli/main.ts', 'belay.mjs', { ...esm, plugins: [apart('mcp/server.ts', './belay-mcp.mjs')] });
  await bundleSnap();
  if (!process.argv.includes('--no-compile')) compile(root, dist);
  writeFileSync(stamp, now);
}
