import type { Bytes } from '../../platform/bytes.ts';
import { type Act, commandOrProgram, keyword, opened, perform, positional } from './calls.ts';
import type { Deed } from './deed.ts';
import type { Answer, Dialect, Invocation } from './dialect.ts';
import { follow } from './follow.ts';
import { isTrue, joinPaths, listValue, textValue, UNKNOWN } from './values.ts';

/** nodejs.org/api/fs.html, without `Sync`; `fs.promises` has the same names. */
const ACTS: ReadonlyMap<Bytes, Act> = new Map<Bytes, Act>([
  ['process.chdir', { act: 'chdir', on: 0 }],
  ['fs.unlink', { act: 'delete', on: 0 }],
  ['fs.rmdir', { act: 'tree', on: 0 }],
  ['fs.writeFile', { act: 'write', on: 0 }],
  ['fs.appendFile', { act: 'append', on: 0 }],
  ['fs.truncate', { act: 'write', on: 0 }],
  ['fs.rename', { act: 'move', from: 0, to: 1 }],
  ['fs.copyFile', { act: 'copy', from: 0, to: 1 }],
  ['fs.cp', { act: 'merge-tree', from: 0, to: 1 }],
  ['fs.chmod', { act: 'metadata', on: 0 }],
  ['fs.chown', { act: 'metadata', on: 0 }],
  ['fs.open', { act: 'open', on: 0, mode: 1 }],
  ['Bun.write', { act: 'write', on: 0 }],
  ['Deno.remove', { act: 'tree', on: 0 }],
  ['Deno.writeTextFile', { act: 'write', on: 0 }],
  ['Deno.writeFile', { act: 'write', on: 0 }],
  ['Deno.rename', { act: 'move', from: 0, to: 1 }],
  ['rimraf', { act: 'tree', on: 0 }],
  ['rimraf.sync', { act: 'tree', on: 0 }],
  ['fs-extra.remove', { act: 'tree', on: 0 }],
  ['fs-extra.emptyDir', { act: 'tree', on: 0 }],
]);

/** Modules of Node itself: loading them does nothing. */
const MODULES = new Set(
  'fs path os child_process util url crypto assert events stream readline zlib http https net process timers perf_hooks v8 vm module querystring string_decoder rimraf fs-extra'.split(
    ' ',
  ),
);

const PURE = new Set(
  (
    'console.log console.error console.table console.dir JSON.stringify JSON.parse process.exit process.cwd process.stdout.write process.stderr.write ' +
    'process.hrtime process.memoryUsage Math.max Math.min Math.floor Math.ceil Math.round Math.random Math.sqrt Math.pow Object.keys ' +
    'Object.values Object.entries Object.assign Array.from Array.isArray Number String Boolean parseInt parseFloat Date Date.now Buffer.from ' +
    'fs.readFile fs.readdir fs.exists fs.stat fs.lstat fs.realpath fs.mkdir fs.access fs.existsSync fs.readlink fs.close ' +
    'path.resolve path.basename path.dirname path.extname os.homedir os.tmpdir os.cpus os.platform os.hostname util.inspect ' +
    'crypto.randomBytes crypto.randomUUID crypto.createHash setTimeout setInterval Promise.all encodeURIComponent decodeURIComponent ' +
    '.toString .split .join .map .filter .reduce .forEach .then .catch .finally .slice .splice .push .pop .shift .trim .replace .replaceAll .match .test ' +
    '.write .end .includes .startsWith .endsWith .indexOf .toUpperCase .toLowerCase .concat .sort .reverse .keys .values .entries .digest .update .on ' +
    '.toISOString .getTime .padStart .padEnd .repeat .find .some .every .flat .flatMap .length .toFixed .charCodeAt .isFile .isDirectory'
  ).split(' '),
);

const KEYWORDS = new Set(
  (
    'const let var function return if else for of in while do new await async typeof void delete throw try catch finally switch case break ' +
    'continue class extends import export from as default yield'
  ).split(' '),
);

/** `node:fs/promises`, `fs.promises.rmSync` and `fs.rm` are one row. */
const plainName = (name: Bytes): Bytes =>
  name
    .replace(/^node:/, '')
    .replace(/\.promises\b/, '')
    .replace(/Sync$/, '');

function call(invocation: Invocation): Answer | undefined {
  const { args } = invocation;
  const name = plainName(invocation.name);
  const first = positional(args, 0);
  if (name === 'require' || name === 'import' || name === 'process.getBuiltinModule') {
    const module = first?.kind === 'text' ? first.text.replace(/^node:/, '').replace(/\/promises$/, '') : '';
    return MODULES.has(module) ? { value: { kind: 'name', path: module } } : undefined;
  }
  if (name === '.slice' && invocation.receiver.kind === 'list') {
    const from = first?.kind === 'text' ? Number(first.text) : 0;
    return { value: listValue(invocation.receiver.items.slice(from), invocation.receiver.rest) };
  }
  if (name === 'path.join') return { value: args.map((arg) => arg.value).reduce(joinPaths) ?? UNKNOWN };
  if (name === 'fs.rm')
    return perform({ act: isTrue(keyword(args, 'recursive')) ? 'tree' : 'delete', on: 0 }, invocation);
  if (name === 'fs.writeFile' && /^a/.test(flagOf(args))) return perform({ act: 'append', on: 0 }, invocation);
  if (name === 'fs.createWriteStream') return { deeds: opened(first, keyword(args, 'flags') ?? textValue('w')) };
  if (name === 'child_process.exec') return perform({ act: 'shell', on: 0 }, invocation);
  if (/^child_process\.(execFile|spawn)$/.test(name) || name === 'Bun.spawn') {
    const rest = positional(args, 1);
    if (isTrue(keyword(args, 'shell'))) return { deeds: commandOrProgram(first, textValue('1')) };
    const words =
      rest?.kind === 'list'
        ? listValue([first ?? UNKNOWN, ...rest.items], rest.rest)
        : rest === undefined || rest.kind === 'record'
          ? listValue([first ?? UNKNOWN])
          : UNKNOWN;
    return { deeds: commandOrProgram(words, undefined) };
  }
  if (/^(eval|Function|child_process\.fork|vm\.\w+)$/.test(name)) return { deeds: [{ kind: 'opaque' }] };
  const act = ACTS.get(name);
  if (act) return perform(act, invocation);
  return PURE.has(name) ? {} : undefined;
}

function flagOf(args: Invocation['args']): Bytes {
  const flag = keyword(args, 'flag');
  return flag?.kind === 'text' ? flag.text : '';
}

const DIALECT: Dialect = {
  language: 'javascript',
  concat: ['+'],
  bare: undefined,
  keywords: KEYWORDS,
  pure: PURE,
  call,
  destroys: (name) => /^fs\.(unlink|rm|rmdir)$/.test(plainName(name)),
};

/** `node -e`, `-p`, a program on standard input, with `process.argv` where its values are known. The core modules are there without `require` in `-e`. */
export const javascriptDeeds = (source: Bytes, argv: readonly Bytes[] = []): Deed[] =>
  follow(source, DIALECT, new Map([['process.argv', listValue(argv.map(textValue))]]));
