import type { Bytes } from '../../platform/bytes.ts';
import { dirname, join, normalize } from '../../platform/paths.ts';
import { wild } from '../../platform/wild.ts';
import { parseConfig, type Setting } from './config-file.ts';
import { readText } from './read.ts';

/** git's configuration as one command would see it, read as data: nothing in it is ever run. */
export interface Config {
  /** The last value; `true` where the line has no `=`. */
  get(name: Bytes): Bytes | true | undefined;
  text(name: Bytes): Bytes | undefined;
  /** git's boolean: true, yes, on, a number but 0. */
  flag(name: Bytes): boolean | undefined;
  readonly settings: readonly Setting[];
}

export interface ConfigSources {
  readonly env: (name: Bytes) => Bytes | undefined;
  readonly gitDir: Bytes | undefined;
  readonly commonDir: Bytes | undefined;
  /** Branch that HEAD names, for `includeIf "onbranch:…"`. */
  readonly branch: Bytes | undefined;
  /** `-c name=value` of the command line, in order. */
  readonly command: readonly Setting[];
}

const DEPTH = 10;
const MOST = 200;
const LARGEST = 4 << 20;

export function readConfig(sources: ConfigSources): Config {
  const settings: Setting[] = [];
  for (const file of files(sources)) settings.push(...readFile(file, sources));
  if (sources.commonDir !== undefined) {
    settings.push(...readFile(join(sources.commonDir, 'config'), sources));
    if (sources.gitDir !== undefined && settings.some(({ name, value }) => name === WORKTREE_CONFIG && isTrue(value)))
      settings.push(...readFile(join(sources.gitDir, 'config.worktree'), sources));
  }
  settings.push(...fromEnvironment(sources.env), ...sources.command);
  const last = new Map<Bytes, Bytes | true>();
  for (const { name, value } of settings) last.set(name, value);
  return {
    settings,
    get: (name) => last.get(name),
    text: (name) => {
      const value = last.get(name);
      return value === true ? undefined : value;
    },
    flag: (name) => {
      const value = last.get(name);
      return value === undefined ? undefined : isTrue(value);
    },
  };
}

const WORKTREE_CONFIG = 'extensions.worktreeconfig';

const isTrue = (value: Bytes | true): boolean =>
  value === true || /^(true|yes|on)$/i.test(value) || (/^\d+[kmg]?$/i.test(value) && Number.parseInt(value, 10) !== 0);

/** git-config(1), FILES: the system's, then the user's. */
function files({ env }: ConfigSources): Bytes[] {
  const out: Bytes[] = [];
  const system = env('GIT_CONFIG_NOSYSTEM');
  if (system === undefined || !isTrue(system)) out.push(env('GIT_CONFIG_SYSTEM') ?? '/etc/gitconfig');
  const global = env('GIT_CONFIG_GLOBAL');
  if (global !== undefined) return [...out, global];
  const home = env('HOME');
  const data = env('XDG_CONFIG_HOME') || (home === undefined ? undefined : join(home, '.config'));
  if (data !== undefined) out.push(join(data, 'git/config'));
  if (home !== undefined) out.push(join(home, '.gitconfig'));
  return out;
}

/** git stops at a loop of includes; a file met twice says nothing new. */
function readFile(file: Bytes, sources: ConfigSources, above: readonly Bytes[] = [], seen = { files: 0 }): Setting[] {
  if (above.length > DEPTH || above.includes(file) || seen.files++ > MOST) return [];
  const out: Setting[] = [];
  // git itself stops at a file that it may not read: then nothing is destroyed
  for (const setting of parseConfig(readText(file, LARGEST) ?? '')) {
    out.push(setting);
    if (setting.value === true) continue;
    const included =
      setting.name === 'include.path' ||
      (setting.name.startsWith('includeif.') &&
        setting.name.endsWith('.path') &&
        holds(setting.name.slice('includeif.'.length, -'.path'.length), file, sources));
    if (!included) continue;
    const path = expand(setting.value, sources.env);
    out.push(...readFile(path.startsWith('/') ? path : join(dirname(file), path), sources, [...above, file], seen));
  }
  return out;
}

export function expand(path: Bytes, env: (name: Bytes) => Bytes | undefined): Bytes {
  const home = env('HOME');
  if (home !== undefined && (path === '~' || path.startsWith('~/'))) return home + path.slice(1);
  return path;
}

/** git-config(1), "Conditional includes". What cannot be decided here is taken as included: an alias too many costs nothing. */
function holds(condition: Bytes, file: Bytes, { env, gitDir, branch }: ConfigSources): boolean {
  const at = condition.indexOf(':');
  const kind = condition.slice(0, at);
  let pattern = condition.slice(at + 1);
  if (kind === 'gitdir' || kind === 'gitdir/i') {
    if (gitDir === undefined) return false;
    pattern = expand(pattern, env);
    if (pattern.startsWith('./')) pattern = join(dirname(file), pattern.slice(2));
    else if (!pattern.startsWith('/')) pattern = `**/${pattern}`;
    if (pattern.endsWith('/')) pattern += '**';
    return wild(pattern, { path: true, ignoreCase: kind === 'gitdir/i' }).test(gitDir);
  }
  if (kind === 'onbranch') {
    if (branch === undefined) return false;
    return wild(pattern.endsWith('/') ? `${pattern}**` : pattern, { path: true }).test(branch);
  }
  return true;
}

/** `GIT_CONFIG_COUNT` and `GIT_CONFIG_PARAMETERS` (git's own `-c`, handed to its children). */
export function fromEnvironment(env: (name: Bytes) => Bytes | undefined): Setting[] {
  const out: Setting[] = [];
  const count = Number(env('GIT_CONFIG_COUNT') ?? 0);
  for (let n = 0; n < count && n < 1000; n++) {
    const key = env(`GIT_CONFIG_KEY_${n}`);
    if (key !== undefined) out.push({ name: canonical(key), value: env(`GIT_CONFIG_VALUE_${n}`) ?? '' });
  }
  for (const word of (env('GIT_CONFIG_PARAMETERS') ?? '').matchAll(/'([^']*)'(?:='([^']*)')?/g)) {
    const [whole = '', value] = [word[1], word[2]];
    out.push(value === undefined ? settingOf(whole) : { name: canonical(whole), value });
  }
  return out;
}

/** `-c name=value`, `-c name`. */
export function settingOf(text: Bytes): Setting {
  const at = text.indexOf('=');
  return at < 0
    ? { name: canonical(text), value: true }
    : { name: canonical(text.slice(0, at)), value: text.slice(at + 1) };
}

/** Section and variable name are case-blind, the subsection between is not. */
export function canonical(name: Bytes): Bytes {
  const first = name.indexOf('.');
  const last = name.lastIndexOf('.');
  if (first < 0) return name.toLowerCase();
  return name.slice(0, first).toLowerCase() + name.slice(first, last) + name.slice(last).toLowerCase();
}

/** The user's file of ignore patterns: `core.excludesFile`, else git's default place. */
export function userFile(
  config: Config,
  env: (name: Bytes) => Bytes | undefined,
  name: 'core.excludesfile' | 'core.attributesfile',
): Bytes | undefined {
  const set = config.text(name);
  if (set !== undefined) return set === '' ? undefined : normalize(expand(set, env));
  const home = env('HOME');
  const data = env('XDG_CONFIG_HOME') || (home === undefined ? undefined : join(home, '.config'));
  return data === undefined ? undefined : join(data, name === 'core.excludesfile' ? 'git/ignore' : 'git/attributes');
}
