/**
 * Bundles `belay` and `belay-snap` into files under dist/ that need no packages, and compiles belay-snap to a standalone executable
 * where bun is installed. A half-written file is never run: everything is written aside and renamed.
 *
 *   tsx scripts/build.ts [--if-stale] [--no-compile]
 *
 * `--if-stale` does nothing when dist/ was built from exactly these sources.
 */
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { jsonSchema } from '../src/cli/config/settings.ts';
import { forTerminal } from '../src/cli/fold.ts';
import { overview } from '../src/cli/help.ts';
import { fromText } from '../src/platform/bytes.ts';
import { acquire } from '../src/platform/lock.ts';
import { compile, whyNotCompiled } from './build/compile.ts';
import { packagesIn, writeLicences } from './build/licences.ts';
import { MANUAL_SOURCES, manualPages } from './build/man.ts';
import { buildPage } from './build/page.ts';
import { inTwoParts } from './build/parts.ts';
import { LATE_LINE, sample } from './build/sample.ts';
import { compileWrapper, NATIVE, whyNoWrapper } from './build/wrapper.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');

/** What the build is made from: when this is unchanged, so is what it would make. */
function fingerprint(): string {
  const sources = ['src', 'scripts/build', NATIVE]
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const hash = createHash('sha256');
  for (const file of [
    ...sources,
    join(root, 'package.json'),
    join(root, 'package-lock.json'),
    ...MANUAL_SOURCES.map((name) => join(root, name)),
    fileURLToPath(import.meta.url),
  ].sort()) {
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

/**
 * esbuild gives each module that imports one of node's a copy of it, a hundred properties for `node:fs`: a quarter of what a hold takes
 * beyond node's own start. Ours have it as it is.
 */
const FS: Plugin = {
  name: 'node:fs',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^node:fs$/ }, ({ importer, namespace }) =>
      namespace === 'file' && importer.startsWith(join(root, 'src'))
        ? { path: 'node:fs', namespace: 'as-it-is' }
        : null,
    );
    onLoad({ filter: /./, namespace: 'as-it-is' }, ({ path }) => ({ contents: `export default require("${path}")` }));
  },
};

const common: BuildOptions = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  // cosmiconfig can load TypeScript configuration; belay never lets it (a cloned repository must not run code).
  external: ['typescript', 'bun:*', 'better-sqlite3'],
  // Its CommonJS form asks for its own files by names that only it can know.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  plugins: [FS],
  logLevel: 'warning',
};

const commonJs: BuildOptions = { ...common, format: 'cjs', charset: 'ascii' };

/** `import.meta.url`, which only ES modules have. */
const urlOfFile = {
  define: { 'import.meta.url': 'belayUrl.href' },
  banner: { js: 'const belayUrl={get href(){return require("node:url").pathToFileURL(__filename).href}};' },
};

/** Packages that something was bundled of. */
const packages = new Set<string>();

async function bundle(name: string, options: BuildOptions): Promise<void> {
  const aside = join(dist, `.${name}`);
  const made = await build({ ...options, absWorkingDir: root, outfile: aside, metafile: true });
  for (const one of packagesIn(made.metafile)) packages.add(one);
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

/** As src/sessions/index/open.ts imports it, from the same folder. */
const SQLITE = apart('./sqlite.ts', './belay-sqlite.cjs');

/** A script without a package that src/platform/start.ts runs: a function of what it is `given`. The answer names its text. */
async function bundleScript(file: string, given: string, options: BuildOptions): Promise<string> {
  await bundle(file, {
    ...options,
    banner: { js: `(function(require,__filename,${given}){const module={};${urlOfFile.banner.js}` },
    footer: { js: 'return module.exports})' },
  });
  const text = readFileSync(join(dist, file));
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/**
 * A program for node: its text in one or two parts, V8's code for each, and what starts them (src/platform/start.ts). `word`: a command that
 * start.ts keeps code of.
 */
async function bundleProgram(
  name: string,
  entry: string,
  word: string,
  { parted = false, ...more }: BuildOptions & { readonly parted?: boolean } = {},
): Promise<void> {
  for (const file of readdirSync(dist).filter((one) => /\.(?:bundle|rest)\./.test(one) && one.startsWith(`${name}.`)))
    rmSync(join(dist, file));
  const options: BuildOptions = {
    ...commonJs,
    ...more,
    conditions: ['late'],
    minify: true,
    define: urlOfFile.define,
    // A bundle beside this one: there is no `import()` in a script that runs from kept code.
    supported: { 'dynamic-import': false },
  };
  const parts = parted ? await inTwoParts(root, entry, options) : undefined;
  const belayRest = parts === undefined ? '' : await bundleScript(`${name}.rest.cjs`, 'given', parts.rest);
  // Asked for late, perhaps when another version has taken the place of this one: its name says which one it is.
  if (parted) renameSync(join(dist, `${name}.rest.cjs`), join(dist, `${name}.rest.${belayRest}.cjs`));
  const first = parts?.first() ?? { ...options, entryPoints: [entry] };
  const belayBuild = await bundleScript(`${name}.bundle.cjs`, 'share', first);
  await bundle(`${name}.cjs`, {
    ...commonJs,
    entryPoints: ['src/platform/start.ts'],
    define: { belayBuild: JSON.stringify(belayBuild), belayRest: JSON.stringify(belayRest) },
  });
  const snap = word === 'list' ? [process.execPath, join(dist, 'belay-snap.cjs')] : undefined;
  const run = (line?: string) => sample([process.execPath, join(dist, `${name}.cjs`), word], { snap, line });
  run();
  if (parted) run(LATE_LINE);
  for (const part of [`bundle.${belayBuild}`, ...(parted ? [`rest.${belayRest}`] : [])])
    if (!existsSync(join(dist, `${name}.${part}.code`)))
      console.log(`build: node made no code ahead: ${name} starts slower on node`);
}

/** SQLite, which only what searches sessions reads: its JavaScript as one file, and what was compiled beside it. */
async function bundleSqlite(): Promise<void> {
  const compiled = join(root, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node');
  for (const name of ['belay-sqlite.cjs', 'better_sqlite3.node']) rmSync(join(dist, name), { force: true });
  if (!existsSync(compiled)) {
    return;
  }
  await bundle('belay-sqlite.cjs', {
    ...commonJs,
    entryPoints: ['src/sessions/index/sqlite.ts'],
    ...urlOfFile,
    external: ['bun:*'],
    minify: true,
  });
  copyFileSync(compiled, join(dist, '.better_sqlite3.node'));
  renameSync(join(dist, '.better_sqlite3.node'), join(dist, 'better_sqlite3.node'));
}

// Two at once would write over each other's files: the second finds the work done.
const building = acquire(fromText(join(root, 'node_modules/.building')), 600_000);
if (building === undefined) throw new Error('another build of this folder does not end (node_modules/.building.*)');
const stamp = join(dist, '.built-from');
const now = fingerprint();
if (!process.argv.includes('--if-stale') || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== now) {
  mkdirSync(dist, { recursive: true });
  rmSync(stamp, { force: true });
  rmSync(join(dist, 'belay-snap'), { force: true });
  await bundle('belay-mcp.cjs', { ...commonJs, entryPoints: ['src/cli/mcp/server.ts'], minify: true, ...urlOfFile });
  await bundleSqlite();
  await bundleProgram('belay-snap', 'src/snap/main.ts', 'hold', { parted: true });
  await bundleProgram('belay', 'src/cli/main.ts', 'list', {
    plugins: [FS, apart('mcp/server.ts', './belay-mcp.cjs'), SQLITE],
  });
  await manualPages(root, dist);
  for (const one of packagesIn(await buildPage(root, dist))) packages.add(one);
  writeFileSync(join(dist, 'config.schema.json'), `${JSON.stringify(jsonSchema(), null, 2)}\n`);
  writeFileSync(join(dist, 'help.txt'), overview()); // what bin/belay prints
  if (!process.argv.includes('--no-compile')) compile(root, dist);
  compileWrapper(root, dist);
  const has = (name: string): boolean => existsSync(join(dist, name));
  writeLicences(root, dist, {
    packages,
    sqlite: has('better_sqlite3.node'),
    bun: has('belay-snap'),
    glibc: has('wrapper'),
  });
  for (const name of ['belay.mjs', 'belay-mcp.mjs', 'belay-snap.mjs']) rmSync(join(dist, name), { force: true }); // of an earlier layout
  writeFileSync(stamp, now);
}
building.release();
// Each time, for as long as it is so.
if (process.platform === 'linux' && !existsSync(join(dist, 'wrapper'))) console.log(whyNoWrapper);
if (!existsSync(join(dist, 'belay-snap')) && !process.argv.includes('--no-compile')) console.log(whyNotCompiled(root));
if (!existsSync(join(dist, 'belay-sqlite.cjs'))) console.log(forTerminal(whyNoSqlite(), process.stdout));

function whyNoSqlite(): string {
  const said = join(root, 'node_modules/.not-compiled');
  const why = existsSync(said) ? ` (${readFileSync(said, 'utf8').trim().replace(/\s+/g, ' ')})` : '';
  return `build: better-sqlite3 could not be compiled${why}: sessions are recorded, but cannot be searched.
It wants python3, make, a C++ compiler and node's headers (fetched, or npm_config_nodedir=/usr). To try again: rm -r node_modules dist, then this.`;
}
