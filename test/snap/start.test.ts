import { strict as assert } from 'node:assert';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { suite } from 'uvu';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Bundled as scripts/build.ts does; only what leads where is asked. */
async function bundled(): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/snap/main.ts'],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    conditions: ['late'],
    external: ['typescript'],
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  return metafile;
}

interface Start {
  /** What is evaluated before belay-snap looks at its arguments. */
  readonly files: ReadonlySet<string>;
  readonly builtins: ReadonlySet<string>;
  /** Bytes of source text of all that, and of everything. */
  readonly bytes: number;
  readonly all: number;
}

/** Follows `import … from` alone: `import()` and `require()` load when they are reached. */
function startOf({ inputs }: Metafile): Start {
  const files = new Set<string>();
  const builtins = new Set<string>();
  const follow = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const { path, kind, external } of inputs[file]?.imports ?? []) {
      if (kind !== 'import-statement') continue;
      if (external) builtins.add(path);
      else follow(path);
    }
  };
  follow('src/snap/main.ts');
  const bytesOf = (names: Iterable<string>): number =>
    [...names].reduce((sum, name) => sum + (inputs[name]?.bytes ?? 0), 0);
  return { files, builtins, bytes: bytesOf(files), all: bytesOf(Object.keys(inputs)) };
}

const start = suite('what belay-snap loads before a line of rm');
const { files, builtins, bytes, all } = startOf(await bundled());
const among = (pattern: RegExp): string[] => [...files].filter((name) => pattern.test(name));

start('no other program than the core utilities', () => {
  assert.ok(files.has('src/effects/families/coreutils.ts'));
  const core = /families\/(coreutils|copy|pieces|backup)\.ts$/;
  assert.deepEqual(
    among(/^src\/effects\/families\//).filter((name) => !core.test(name)),
    [],
  );
  assert.deepEqual(among(/^src\/effects\/(git|languages|archives|find)\/(?!late)/), []);
});

start('nothing that puts zsh into bash’s words', () => {
  assert.deepEqual(among(/^src\/shell\/zsh\/(translate|global-aliases|words|lex|cursor|simple)/), []);
});

start('nothing that settles, captures, restores or reads the store', () => {
  assert.deepEqual(among(/^src\/(saving\/(settle|capture)|checkpoint|cli|agents)\//), []);
});

start('no package but the parser', () => {
  assert.deepEqual(
    among(/node_modules/).filter((name) => !name.startsWith('node_modules/unbash/')),
    [],
  );
});

start('of the runtime nothing but its file system', () => {
  assert.deepEqual([...builtins], ['node:fs']);
});

start('less than half of its text', () => {
  assert.ok(bytes < all / 2, `${bytes} of ${all} bytes`);
});

start.run();
