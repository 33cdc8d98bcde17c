import type { Bytes } from '../../platform/bytes.ts';
import { dirname, join } from '../../platform/paths.ts';
import type { Arg, Place } from '../../shell/types.ts';
import { knownArg } from '../languages/deed.ts';
import { type Row, textOfArg, touch, type Use } from '../row.ts';

const OPTIONS =
  'prefix,C,dir,cwd= w,workspace= ws,workspaces include-workspace-root g,global D,save-dev,dev,d P,save-prod O,save-optional,optional E,save-exact,exact no-save dry-run ' +
  'ignore-scripts f,force legacy-peer-deps omit= include= production silent,s loglevel= registry= filter,F= r,recursive frozen-lockfile immutable no-lockfile if-present ' +
  'pack-destination= script-shell= y,yes json tag= access= otp= userconfig= cache= v version help h pure-lockfile T,tilde peer latest,L i,interactive';

/** npm(1): commands and their other names. */
const ALIASES: Readonly<Record<Bytes, Bytes>> = {
  i: 'install',
  in: 'install',
  ins: 'install',
  add: 'install',
  isntall: 'install',
  'clean-install': 'ci',
  ic: 'ci',
  'install-clean': 'ci',
  rm: 'uninstall',
  r: 'uninstall',
  un: 'uninstall',
  unlink: 'uninstall',
  remove: 'uninstall',
  up: 'update',
  upgrade: 'update',
  udpate: 'update',
  t: 'test',
  tst: 'test',
  'run-script': 'run',
  rum: 'run',
  urn: 'run',
  ddp: 'dedupe',
  it: 'install',
  cit: 'ci',
  x: 'exec',
  dlx: 'exec',
};

const INSTALLS = /^(install|ci|uninstall|update|prune|dedupe|link|rebuild|import)$/;
const PUBLISHES = /^(version|pkg|init|set-script|pack|publish|shrinkwrap)$/;
const SCRIPTS = /^(test|start|stop|restart)$/;
const HARMLESS =
  /^(ls|list|la|ll|view|info|show|v|outdated|config|get|help|root|bin|prefix|search|whoami|ping|doctor|explain|why|fund|docs|bugs|repo|login|logout|adduser|owner|team|token|access|deprecate|dist-tag|star|stars|completion|audit|diff|query|hook|org|profile|licenses|store|server|node|policies|cache)$/;

/** The nearest folder with a package.json, from where the command works. */
function packageRoot(use: Use): Place {
  const folder = use.words.value('prefix');
  const start = folder === undefined ? use.call.cwd : placeOf(use, folder);
  if (start.kind === 'unknown') return start;
  for (let at = start.path; ; at = dirname(at)) {
    if (use.out.kindOf(join(at, 'package.json')) === 'file') return { kind: 'known', path: at };
    if (at === '/' || !at.startsWith('/')) return start;
  }
}

function placeOf(use: Use, folder: Arg): Place {
  const path = use.out.absolute(folder);
  return path === undefined ? { kind: 'unknown' } : { kind: 'known', path };
}

/** The scripts of a package.json; none where it cannot be read or is no JSON. */
function scriptsOf(use: Use, root: Place): ReadonlyMap<Bytes, Bytes> {
  const text = root.kind === 'known' ? use.out.textOf(join(root.path, 'package.json')) : undefined;
  if (text === undefined) return new Map();
  try {
    const { scripts } = JSON.parse(text) as { scripts?: unknown };
    if (typeof scripts !== 'object' || scripts === null) return new Map();
    return new Map(Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return new Map(); // no JSON: the package manager fails on it too
  }
}

/** One script with those before and after it, its text walked as `sh -c` would run it (npm-run-script(1)). */
function runScript(use: Use, root: Place, name: Bytes, args: readonly Arg[], asked = true): void {
  const scripts = scriptsOf(use, root);
  if (!scripts.has(name)) {
    if (asked && !use.words.has('if-present')) use.out.remark(`no script called ${name}`);
    return;
  }
  for (const step of [`pre${name}`, name, `post${name}`]) {
    const text = scripts.get(step);
    if (text === undefined) continue;
    const own = step === name && args.length > 0;
    const path =
      root.kind === 'known' ? `export PATH='${root.path.replaceAll("'", "'\\''")}/node_modules/.bin':"$PATH"\n` : '';
    use.call.script(`${path}${text}${own ? ' "$@"' : ''}`, {
      shell: 'sh',
      cwd: root,
      positional: [knownArg('sh'), ...(own ? args : [])],
    });
  }
}

/** What installing rewrites: nothing that could not be made again is in node_modules, so it is held but no loss. */
function installed(use: Use, root: Place, action: Bytes): void {
  const { words, out, verb, call } = use;
  if (words.has('global') || words.has('dry-run')) return;
  const kept = { verb, way: 'replace' as const, from: root, follows: true, destructive: false };
  const names = use.words.operands.slice(1);
  const changesManifest =
    (action !== 'install' || names.length > 0) && action !== 'ci' && action !== 'prune' && action !== 'dedupe';
  for (const path of [...(changesManifest ? ['package.json'] : []), ...LOCKS]) {
    if (out.kindOf(path, root) === 'file') out.effect({ ...kept, path });
  }
  if (action === 'ci' || action === 'prune' || action === 'dedupe') {
    out.effect({
      verb,
      path: 'node_modules',
      way: 'delete',
      recursive: true,
      from: root,
      note: 'installed packages are removed',
    });
  } else if (action === 'uninstall') {
    for (const name of names) {
      const text = textOfArg(name);
      if (text !== undefined)
        out.effect({
          verb,
          path: `node_modules/${text}`,
          way: 'delete',
          recursive: true,
          from: root,
          destructive: false,
        });
    }
  }
  if (words.has('ignore-scripts')) return;
  for (const step of ['preinstall', 'install', 'postinstall', 'prepare'])
    if (action !== 'uninstall') runScript(use, root, step, [], false);
  if (action !== 'uninstall' && action !== 'prune') out.opaque(verb, root.kind === 'known' ? root : call.cwd);
}

const LOCKS: readonly Bytes[] = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
];

/** npm takes `--help` and `-v` anywhere; the others hand what stands behind a script's name to the script. */
function asksForHelp(use: Use): boolean {
  const asked = /^(-h|--help|-v|--version)$/;
  if (use.verb === 'npm') return use.words.has('help', 'h', 'v', 'version');
  return asked.test(textOfArg(use.call.argv[1]) ?? '');
}

function packageManager(use: Use): void {
  const { words, out, verb, call } = use;
  const [first, ...rest] = words.operands;
  const typed = first === undefined && verb === 'yarn' ? 'install' : (textOfArg(first) ?? '');
  const action = ALIASES[typed] ?? typed;
  const root = packageRoot(use);
  if (first?.kind === 'unknown') out.opaque(verb, call.cwd);
  else if (action === 'audit' && textOfArg(rest[0]) === 'fix') installed(use, root, 'update');
  else if (action === '' || HARMLESS.test(action)) return;
  else if (INSTALLS.test(action)) installed(use, root, action);
  else if (action === 'run') {
    if (rest[0]) runScript(use, root, textOfArg(rest[0]) ?? '?', behindDashes(use, rest));
  } else if (SCRIPTS.test(action)) runScript(use, root, action, behindDashes(use, words.operands));
  else if (action === 'exec') call.run([knownArg('npx'), ...rest]);
  else if (PUBLISHES.test(action)) manifest(use, root, action);
  else if (verb !== 'npm' && scriptsOf(use, root).has(action)) runScript(use, root, action, rest);
  else out.opaque(verb, call.cwd);
}

/** npm-pack(1): the archive is `NAME-VERSION.tgz`, in the working directory or `--pack-destination`. */
function packed(use: Use, root: Place): void {
  const text = root.kind === 'known' ? use.out.textOf(join(root.path, 'package.json')) : undefined;
  if (text === undefined || use.words.has('dry-run') || use.words.operands.length > 1) return;
  const name = /"name"\s*:\s*"([^"]+)"/.exec(text)?.[1]?.replace(/^@/, '').replaceAll('/', '-');
  const version = /"version"\s*:\s*"([^"]+)"/.exec(text)?.[1];
  const folder = textOfArg(use.words.value('pack-destination')) ?? '.';
  if (name !== undefined && version !== undefined) touch(use, `${folder}/${name}-${version}.tgz`, 'write-in-place');
}

/** Commands that rewrite package.json itself or run its scripts on the way out. */
function manifest(use: Use, root: Place, action: Bytes): void {
  if (action === 'pack') packed(use, root);
  if (action === 'shrinkwrap') {
    use.out.effect({ verb: use.verb, path: 'package-lock.json', way: 'move', from: root });
    use.out.effect({ verb: use.verb, path: 'npm-shrinkwrap.json', way: 'replace', from: root });
    return;
  }
  const rewrites = action === 'version' || action === 'pkg';
  use.out.effect({
    verb: use.verb,
    path: 'package.json',
    way: 'replace',
    from: root,
    follows: true,
    destructive: rewrites,
  });
  if (!/^(pack|publish|version)$/.test(action)) return;
  for (const step of ['prepublishOnly', 'prepack', 'prepare', 'preversion', 'version', 'postversion']) {
    runScript(use, root, step, [], false);
  }
}

/** npm gives a script only what stands behind `--`, the others everything. */
function behindDashes(use: Use, rest: readonly Arg[]): readonly Arg[] {
  const at = use.call.argv.findIndex((arg) => textOfArg(arg) === '--');
  if (at >= 0) return use.call.argv.slice(at + 1);
  return use.verb === 'npm' ? [] : rest.slice(1);
}

export const nodePackages: readonly Row[] = [
  {
    names: 'npm pnpm yarn yarnpkg cnpm',
    manual: 'npm(1)',
    loses: '`ci`, `prune`, `dedupe` and `uninstall` delete below node_modules; scripts of package.json are followed',
    options: OPTIONS,
    idle: '',
    does: [(use) => (asksForHelp(use) ? undefined : packageManager(use))],
  },
  {
    names: 'bun',
    manual: 'bun.sh/docs/cli',
    loses: 'as npm; a script file is opaque',
    options: `${OPTIONS} e,eval= p,print=`,
    idle: '',
    does: [
      (use) => {
        const code = use.words.value('e', 'p');
        const first = textOfArg(use.words.operands[0]) ?? '';
        if (code) use.call.run([{ kind: 'known', text: 'node' }, { kind: 'known', text: '-e' }, code]);
        else if (/\.[cm]?[jt]sx?$/.test(first)) use.call.run([{ kind: 'known', text: 'node' }, ...use.words.operands]);
        else if (!asksForHelp(use)) packageManager(use);
      },
    ],
  },
];
