import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';

/** Begins the name under which the first part asks `require` for what is in the rest (src/platform/start.ts). */
const ASKED = '#rest/';

export interface Parts {
  /** What it asks for later: gives `modules`, a function for each file that is asked for. To be bundled before the other. */
  readonly rest: BuildOptions;
  /** What the program needs at every start, and what of it the rest has asked for. */
  readonly first: () => BuildOptions;
}

/**
 * A program in two scripts for node: what its entry imports, and what only `import()` and `require` reach. To read what no line calls takes
 * as long as to read what one calls, and modules that nobody asks for late need no wrapper. The rest has no module of the first part a
 * second time (a module may have state): it is given those, which the first part offers by `share`.
 */
export async function inTwoParts(root: string, entry: string, options: BuildOptions): Promise<Parts> {
  const [late, shared] = [new Set<string>(), new Set<string>()];
  const plugins = options.plugins ?? [];
  const asking: BuildOptions = { ...options, plugins: [...plugins, asksFor(root, late)] };
  const seen = await build({
    ...asking,
    absWorkingDir: root,
    entryPoints: [entry],
    outdir: root,
    write: false,
    metafile: true,
  });
  const files = Object.keys(seen.metafile.inputs).filter((file) => existsSync(join(root, file)));
  for (const file of files) if (late.has(file)) throw new Error(`${file} is imported at the start, and asked for late`);
  const names = await exportsOf(root, files);
  const from = (contents: string) => ({ contents, resolveDir: root, loader: 'js' }) as const;
  return {
    rest: { ...options, plugins: [...plugins, given(root, names, shared)], stdin: from(entryOfRest(late)) },
    first: () => ({ ...asking, stdin: from(entryOfFirst(entry, [...shared].sort(), names)) }),
  };
}

/** Leaves to the rest what the first part does not import; `late` is filled with those files. */
const asksFor = (root: string, late: Set<string>): Plugin => ({
  name: 'late',
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /./ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      const isLate = kind === 'dynamic-import' || (kind === 'require-call' && importer.startsWith(join(root, 'src')));
      if (!isLate || pluginData === RESOLVING || path.startsWith('node:')) return null;
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: RESOLVING });
      if (found.external || found.errors.length > 0) return found;
      const file = relative(root, found.path);
      late.add(file);
      return { path: ASKED + file, external: true };
    });
  },
});

/** A module of the first part is what the first part has given; `shared` is filled with those files. */
const given = (root: string, names: ReadonlyMap<string, readonly string[]>, shared: Set<string>): Plugin => ({
  name: 'given',
  setup: ({ onResolve, onLoad, resolve }) => {
    onResolve({ filter: /./ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (pluginData === RESOLVING || path.startsWith('node:')) return null;
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: RESOLVING });
      const file = relative(root, found.path);
      if (found.errors.length > 0 || found.external || !names.has(file)) return found;
      shared.add(file);
      return { path: file, namespace: 'given' };
    });
    onLoad({ filter: /./, namespace: 'given' }, ({ path }) => ({
      contents: `export const {${names.get(path)?.join(',')}} = given(${JSON.stringify(path)});`,
    }));
  },
});

/** Keeps a plugin from being asked again by its own question. */
const RESOLVING = Symbol('resolving');

/** What each module exports, by its file. */
async function exportsOf(root: string, files: readonly string[]): Promise<Map<string, readonly string[]>> {
  const entryPoints = files.map((file) => join(root, file));
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    format: 'esm',
    logLevel: 'error',
    outdir: root,
    write: false,
    metafile: true,
  });
  return new Map(Object.values(metafile.outputs).map((made) => [made.entryPoint ?? '', made.exports]));
}

const entryOfRest = (late: ReadonlySet<string>): string =>
  `export const modules = {${[...late]
    .sort()
    .map((file) => `${JSON.stringify(ASKED + file)}: () => require(${JSON.stringify(`./${file}`)})`)
    .join(',\n')}};`;

/** Nothing is gathered before the rest is asked for. */
function entryOfFirst(entry: string, shared: readonly string[], names: ReadonlyMap<string, readonly string[]>): string {
  const all = shared.map((file, i) => ({ file, own: (names.get(file) ?? []).map((name) => [name, `${name}_${i}`]) }));
  const imports = all.map(
    ({ file, own }) =>
      `import {${own.map(([name, here]) => `${name} as ${here}`).join(',')}} from ${JSON.stringify(`./${file}`)};`,
  );
  const modules = all.map(
    ({ file, own }) => `${JSON.stringify(file)}: {${own.map(([name, here]) => `${name}: ${here}`).join(',')}}`,
  );
  return `import './${entry}';\n${imports.join('\n')}\nshare(() => ({${modules.join(',\n')}}));`;
}
