import { type Bytes, toBuffer, toText } from './bytes.ts';
import { codeOf, lookAt, lookThrough, readBytes } from './files.ts';
import { join } from './paths.ts';
import { belayHome, homeFolder, profileOf } from './profile.ts';

/**
 * The configuration as one typed object. Data only, never code; only the user's own file may set anything but
 * `exclude`. Nothing is imported or parsed when no file is there: belay-snap starts before every destructive line.
 */
export interface Config {
  readonly checkpoints: {
    readonly enabled: boolean;
    readonly max_snapshots: number;
    readonly max_total_size_mb: number;
    readonly max_file_size_mb: number;
    readonly max_files: number;
    readonly budget_ms: number;
    readonly retention_days: number;
    readonly auto_prune: boolean;
    readonly min_interval_hours: number;
    readonly nested: boolean;
    readonly opaque: 'auto' | 'always' | 'never';
    readonly opaque_budget_ms: number;
    readonly precious: readonly string[];
    readonly on_unsaved: 'warn' | 'ask' | 'refuse';
    /** `power`: a hold is also synced to the disk, so that it survives a power cut. */
    readonly durability: 'process' | 'power';
    readonly hold: {
      readonly enabled: boolean;
      readonly max_mb: number;
      readonly min_free_percent: number;
      readonly skip: readonly string[];
    };
    readonly exclude: readonly string[];
  };
  /** Whether a line tells, once it is over, what was saved before it ran. */
  readonly notice: 'always' | 'first' | 'never';
  readonly sessions: {
    readonly record: 'all' | 'destructive' | 'off';
    readonly retention_days: number;
    /** A command that makes titles: JSON on its standard input, the title on its output. */
    readonly titler: string;
    /** Whether the exported variables of a session are kept, for whoever goes on in it. */
    readonly environment: boolean;
  };
  readonly compression: {
    readonly enabled: boolean;
    readonly threshold: number;
    readonly target_ratio: number;
    readonly context_tokens: number;
    /** A command that makes summaries: JSON on its standard input, the text on its output. */
    readonly summarizer: string;
  };
  readonly worktrees: {
    readonly dir: string;
    readonly branch_prefix: string;
    readonly max_age_hours: number;
    readonly sweep_hours: number;
    readonly copy: readonly string[];
  };
  readonly installs: { readonly roots: readonly string[]; readonly setup: string; readonly tools: readonly string[] };
  readonly agents: { readonly restore: 'own' | 'allow' | 'deny'; readonly every_turn: boolean };
}

export const DEFAULTS: Config = {
  checkpoints: {
    enabled: true,
    max_snapshots: 500,
    max_total_size_mb: 500,
    max_file_size_mb: 10,
    max_files: 50_000,
    budget_ms: 2000,
    retention_days: 7,
    auto_prune: true,
    min_interval_hours: 24,
    nested: true,
    opaque: 'auto',
    opaque_budget_ms: 60,
    precious: ['.env*', '*.local', '*.sqlite*', '*.db', '*.pem', '*.key', '*.ipynb'],
    on_unsaved: 'warn',
    durability: 'process',
    hold: {
      enabled: true,
      max_mb: 2048,
      min_free_percent: 10,
      skip: ['node_modules', '.venv', 'target', '__pycache__'],
    },
    exclude: [],
  },
  notice: 'first',
  sessions: { record: 'all', retention_days: 90, titler: '', environment: true },
  compression: { enabled: true, threshold: 0.5, target_ratio: 0.2, context_tokens: 200_000, summarizer: '' },
  worktrees: { dir: '.worktrees', branch_prefix: 'belay/', max_age_hours: 72, sweep_hours: 1, copy: [] },
  installs: { roots: [], setup: '', tools: [] },
  agents: { restore: 'own', every_turn: true },
};

export const CHOICES: Readonly<Record<string, readonly string[]>> = {
  opaque: ['auto', 'always', 'never'],
  on_unsaved: ['warn', 'ask', 'refuse'],
  durability: ['process', 'power'],
  notice: ['always', 'first', 'never'],
  record: ['all', 'destructive', 'off'],
  restore: ['own', 'allow', 'deny'],
};

/** What a number may be; where nothing is said, 0 or more. A size that is negative sets no limit. */
export const RANGES: Readonly<Record<string, { readonly least: number; readonly most: number }>> = {
  'checkpoints.max_snapshots': { least: 1, most: 1000 },
  'checkpoints.max_total_size_mb': { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY },
  'checkpoints.max_file_size_mb': { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY },
  'checkpoints.hold.max_mb': { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY },
};

/** Megabytes of a setting as bytes: a negative size is no limit. */
export const bytesOf = (megabytes: number): number => (megabytes < 0 ? Number.POSITIVE_INFINITY : megabytes * 2 ** 20);

export interface LoadedConfig {
  readonly config: Config;
  /** What was wrong in a file, in one line each: for the log and `belay doctor`. */
  readonly problems: readonly string[];
  /**
   * Why it is not wholly known what the user wants: the file is broken in part or as a whole, cannot be read, or nobody knows where
   * it lies. The defaults stand in for it, the strict answer where there is one (`STRICT`); nothing may be deleted on their strength.
   */
  readonly unsure?: string;
  readonly file?: Bytes;
}

/** `$XDG_CONFIG_HOME/belay`, else `~/.config/belay`; undefined where there is neither. A profile has its own, in its folder. */
export function configFolder(env: ReadonlyMap<Bytes, Bytes>): Bytes | undefined {
  if (profileOf(env) !== undefined) return belayHome(env);
  const given = env.get('XDG_CONFIG_HOME');
  if (given?.startsWith('/')) return join(given, 'belay');
  const home = homeFolder(env);
  return home === undefined ? undefined : join(home, '.config/belay');
}

/** What counts for a setting that somebody wrote down and nobody can read: a slip of the pen must not loosen anything. */
const STRICT: Readonly<Record<string, string>> = { restore: 'deny', record: 'off', on_unsaved: 'ask' };

/** The user's configuration, `config.{yaml,json}` in `configFolder`, laid over the defaults. Never throws. */
export async function loadConfig(env: ReadonlyMap<Bytes, Bytes>): Promise<LoadedConfig> {
  const folder = configFolder(env);
  if (folder === undefined)
    return { config: DEFAULTS, problems: [], unsure: 'HOME is not set: no configuration is read' };
  for (const name of ['config.yaml', 'config.json']) {
    const file = join(folder, name);
    const found = readIfFile(file);
    if (found === 'absent') continue;
    if ('why' in found) return broken(file, found.why, '');
    const problems: string[] = [];
    try {
      const data = (name.endsWith('.json') ? JSON.parse(found.text) : await parseYaml(file, found.text)) ?? {};
      if (typeof data !== 'object' || Array.isArray(data)) return broken(file, 'expected a table', found.text);
      const config = overlay(DEFAULTS, data, '', problems) as Config;
      return { config, problems, file, ...(problems[0] === undefined ? {} : { unsure: problems[0] }) };
    } catch (error) {
      return broken(file, oneLine(error), found.text);
    }
  }
  return { config: DEFAULTS, problems: [] };
}

/** A file that says nothing anybody can rely on: the defaults, and the strict answers to what it speaks of. */
function broken(file: Bytes, why: string, text: string): LoadedConfig {
  const problem = `${toText(file)}: ${why}`;
  const asked = /on_unsaved\W{1,8}refuse/.test(text) ? 'refuse' : text.includes('on_unsaved') ? 'ask' : 'warn';
  const config: Config = {
    ...DEFAULTS,
    checkpoints: { ...DEFAULTS.checkpoints, on_unsaved: asked },
    sessions: { ...DEFAULTS.sessions, record: 'off' },
    agents: { ...DEFAULTS.agents, restore: 'deny' },
  };
  return { config, problems: [problem], file, unsure: problem };
}

/** What a project's own files leave out of its captures: `.belayrc{,.json,.yaml}`, `package.json#belay`; only `exclude` counts. */
export async function projectExcludes(root: Bytes): Promise<readonly string[]> {
  for (const name of ['.belayrc', '.belayrc.json', '.belayrc.yaml', 'package.json']) {
    const file = join(root, name);
    const found = readIfFile(file);
    if (found === 'absent' || 'why' in found) continue;
    const { text } = found;
    if (name === 'package.json' && !text.includes('"belay"')) continue;
    try {
      const whole = name.endsWith('.json') ? JSON.parse(text) : await parseYaml(file, text);
      const data = name === 'package.json' ? whole?.belay : whole;
      const exclude = data?.exclude ?? data?.checkpoints?.exclude;
      if (isStrings(exclude)) return exclude;
    } catch {
      // A project's broken file is the project's business: it may not switch anything off here, so it says nothing.
    }
  }
  return [];
}

/** Larger than this is no configuration; a fifo or device of that name is never opened. */
const LARGEST = 1 << 20;

function readIfFile(file: Bytes): { readonly text: string } | { readonly why: string } | 'absent' {
  try {
    if (lookAt(file) === undefined) return 'absent';
    const look = lookThrough(file);
    if (look === undefined) return { why: 'a link that leads nowhere' };
    if (look.type !== 'file') return { why: `a ${look.type}, not a file` };
    if (look.size > LARGEST) return { why: 'too large for a configuration' };
    return { text: readBytes(file).toString('utf8') };
  } catch (error) {
    return { why: `cannot be read (${codeOf(error) || error})` };
  }
}

async function parseYaml(file: Bytes, text: string): Promise<Record<string, Record<string, unknown>> | undefined> {
  const { defaultLoadersSync } = await import('cosmiconfig');
  return defaultLoadersSync['.yaml'](toBuffer(file).toString('utf8'), text);
}

const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** The parser's first line that says what is wrong, with its position `(line:column)`. */
const oneLine = (error: unknown): string =>
  String(error instanceof Error ? error.message : error)
    .replace(/^(?:YAML|JSON) Error in .*:\n/, '')
    .split('\n')[0] ?? '';

/** A folder of its own below the project, not the project itself; `.git` is git's. */
function isBelow(path: string): boolean {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  return (
    !path.startsWith('/') && !path.includes('\0') && names.length > 0 && names[0] !== '.git' && !names.includes('..')
  );
}

/** What is wrong with this value for this setting, if anything is. */
export function problemOf(name: string, value: unknown): string | undefined {
  const problems: string[] = [];
  const given = name.split('.').reduceRight<unknown>((below, key) => ({ [key]: below }), value);
  overlay(DEFAULTS, given, '', problems);
  return problems[0];
}

/** `given` over `base`: known names with the right type only; everything else is said and ignored. */
function overlay(base: unknown, given: unknown, name: string, problems: string[]): unknown {
  if (typeof base === 'object' && base !== null && !Array.isArray(base)) {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      problems.push(`${name || 'the file'}: expected a table`);
      return base;
    }
    const out: Record<string, unknown> = { ...(base as Record<string, unknown>) };
    for (const [key, value] of Object.entries(given)) {
      const path = name ? `${name}.${key}` : key;
      if (!Object.hasOwn(out, key)) problems.push(`${path}: no such setting`);
      else out[key] = overlay(out[key], value, path, problems);
    }
    return out;
  }
  if (Array.isArray(base)) {
    if (isStrings(given)) return given;
    problems.push(`${name}: expected a list of strings`);
    return base;
  }
  const setting = name.slice(name.lastIndexOf('.') + 1);
  const choices = CHOICES[setting];
  if (choices) {
    if (typeof given === 'string' && choices.includes(given)) return given;
    problems.push(`${name}: expected one of ${choices.join(', ')}`);
    return STRICT[setting] ?? base;
  }
  if (name === 'worktrees.dir' && typeof given === 'string' && !isBelow(given)) {
    problems.push(`${name}: expected a relative path below the project`);
    return base;
  }
  if (typeof base !== 'number') {
    if (typeof given === typeof base) return given;
    problems.push(`${name}: expected a ${typeof base}`);
    return base;
  }
  const { least, most } = RANGES[name] ?? { least: 0, most: Number.POSITIVE_INFINITY };
  if (typeof given === 'number' && Number.isFinite(given) && given >= least && given <= most) return given;
  const range = least === 0 ? ', 0 or more' : Number.isFinite(most) ? ` from ${least} to ${most}` : '';
  problems.push(`${name}: expected a number${range}`);
  return base;
}
