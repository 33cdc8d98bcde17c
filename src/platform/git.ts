import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { type Bytes, fromBuffer, fromText, isText, toBuffer, toText } from './bytes.ts';
import { lookThrough, openRegular } from './files.ts';
import { beatHeld } from './lock.ts';
import { basename, dirname, join } from './paths.ts';

/** The only place that starts git. */

export interface GitCall {
  /** Folder in which git starts. */
  readonly cwd?: Bytes;
  readonly gitDir?: Bytes;
  readonly workTree?: Bytes;
  readonly index?: Bytes;
  readonly objects?: { readonly alternates: readonly Bytes[] };
  readonly input?: string | Uint8Array;
  /** Last words of the command line, of any bytes. With them there is no input: xargs(1) has it where they are no text. */
  readonly words?: readonly Bytes[];
  /** Its standard input instead: a file, or one that is open (read on from where it is). */
  readonly inputFile?: Bytes | number;
  /**
   * It talks to another repository: the user's own configuration and environment count (keys, proxies, helpers for passwords), but for
   * what would lead git to another store. Hooks of ours stay off.
   */
  readonly remote?: boolean;
  /** Milliseconds; git is killed after. */
  readonly timeout?: number;
  /** Pathspecs mean what git's own commands mean by them (`:/`, globs, `:!x`), in the user's sense of `GIT_*_PATHSPECS`. Default: literal. */
  readonly pathspecs?: { readonly literal?: boolean; readonly noglob?: boolean; readonly icase?: boolean };
  /** Configuration for this one call, `name=value`. */
  readonly config?: readonly string[];
  /** Configuration whose value is a path of any bytes, `core.excludesFile`. */
  readonly configPaths?: Readonly<Record<string, Bytes>>;
}

/** No git process of belay's runs longer than this, ms: a lock that is held meanwhile is not taken for abandoned before. */
export const LONGEST_CALL_MS = 600_000;

export type GitAnswer =
  | { readonly ok: true; readonly out: Buffer; readonly err: Bytes }
  | {
      readonly ok: false;
      /** `missing`: there is no git. `not run`: the system would not start it or it said more than fits; `err` tells. */
      readonly code: number | 'timeout' | 'missing' | 'not run';
      readonly out: Buffer;
      readonly err: Bytes;
    };

/**
 * git with nothing of the caller's environment or configuration that could steer it or make it run a program: no `GIT_*`, no user, system or global configuration, no fsmonitor, no hooks, no prompts, no optional locks, nothing fetched.
 */
function cleanGitEnvironment(call: GitCall, doors: Doors): Record<string, string> {
  const env: Record<string, string> = {};
  if (call.remote) return remoteEnvironment(call, doors);
  // By name: each look into `process.env` is a call of its own.
  const { PATH, TMPDIR } = process.env;
  if (PATH !== undefined) env['PATH'] = withoutWrappers(PATH);
  if (TMPDIR !== undefined) env['TMPDIR'] = TMPDIR;
  Object.assign(env, {
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: '',
    GIT_LITERAL_PATHSPECS: '1',
    ...AUTHOR,
  });
  if (call.pathspecs) {
    delete env['GIT_LITERAL_PATHSPECS'];
    if (call.pathspecs.literal) env['GIT_LITERAL_PATHSPECS'] = '1';
    if (call.pathspecs.noglob) env['GIT_NOGLOB_PATHSPECS'] = '1';
    if (call.pathspecs.icase) env['GIT_ICASE_PATHSPECS'] = '1';
  }
  if (call.gitDir !== undefined) env['GIT_DIR'] = doors.nameOf(call.gitDir);
  if (call.workTree !== undefined) env['GIT_WORK_TREE'] = doors.nameOf(call.workTree);
  if (call.index !== undefined) env['GIT_INDEX_FILE'] = doors.nameOf(call.index);
  if (call.objects)
    env['GIT_ALTERNATE_OBJECT_DIRECTORIES'] = call.objects.alternates
      .map((path) => doors.nameOf(path, /[:"\n]/))
      .join(':');
  return env;
}

function remoteEnvironment(call: GitCall, doors: Doors): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined && mayLead(name)) env[name] = value;
  if (env['PATH'] !== undefined) env['PATH'] = withoutWrappers(env['PATH']);
  Object.assign(env, { LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', ...AUTHOR });
  if (!process.stdin.isTTY) env['GIT_TERMINAL_PROMPT'] = '0';
  if (call.gitDir !== undefined) env['GIT_DIR'] = doors.nameOf(call.gitDir);
  return env;
}

const AUTHOR = {
  GIT_AUTHOR_NAME: 'belay',
  GIT_AUTHOR_EMAIL: 'belay@localhost',
  GIT_COMMITTER_NAME: 'belay',
  GIT_COMMITTER_EMAIL: 'belay@localhost',
};

/** Variables of the caller's that git may have when it talks to a remote: how to get there, never which store or tree is meant. */
const mayLead = (name: string): boolean =>
  !name.startsWith('GIT_') ||
  /^GIT_(?:SSH|SSL|HTTP|PROXY|ASKPASS|TERMINAL_PROMPT|ALLOW_PROTOCOL|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)$)/.test(name);

/** belay's own git is the real one. */
const withoutWrappers = (path: string): string =>
  path
    .split(':')
    .filter((entry) => !entry.endsWith('/shims/bin'))
    .join(':');

const ALWAYS = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.quotePath=false',
  'safe.directory=*',
  'gc.auto=0',
];
const LOCAL = ['protocol.allow=never'];
/** Nothing of the user's that signs, follows submodules, or packs in the background. */
const REMOTE = [
  'push.gpgSign=false',
  'push.recurseSubmodules=no',
  'fetch.recurseSubmodules=no',
  'fetch.writeCommitGraph=false',
  'maintenance.auto=false',
  'protocol.ext.allow=never',
];

/**
 * node hands names over as UTF-8 and would change other bytes. A path that is none is named by an open folder of this process
 * instead, which git reaches through /proc.
 */
class Doors {
  readonly #open: number[] = [];

  /** `never`: what the name must not have in it, either (a list of paths is parted by colons). */
  nameOf(path: Bytes, never?: RegExp): string {
    if (isText(path) && !never?.test(path)) return toText(path);
    if (lookThrough(path)?.type === 'folder') return this.#through(path);
    const folder = dirname(path);
    return folder === path ? toText(path) : join(fromText(this.nameOf(folder, never)), toText(basename(path)));
  }

  /** A file to be read, until all are closed. */
  open(path: Bytes): number {
    const fd = openRegular(path);
    this.#open.push(fd);
    return fd;
  }

  close(): void {
    for (const fd of this.#open) fs.closeSync(fd);
  }

  #through(folder: Bytes): string {
    const fd = fs.openSync(toBuffer(folder), fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
    this.#open.push(fd);
    return `/proc/${process.pid}/fd/${fd}`;
  }
}

/**
 * The person's own git on their terminal, with their configuration and programs (`git difftool`), but with no repository that the
 * caller's environment names.
 */
export function personsGit(args: readonly string[]): { readonly error?: Error; readonly status: number | null } {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^GIT_(?:DIR|WORK_TREE|INDEX_FILE|CONFIG)/.test(name)),
  );
  const { error, status } = spawnSync('git', args, { stdio: 'inherit', env });
  return error === undefined ? { status } : { error, status };
}

/** One git process, waited for. Never throws for git's own failure: the answer tells. */
export function git(args: readonly string[], call: GitCall = {}): GitAnswer {
  const doors = new Doors();
  beatHeld();
  try {
    return run(args, call, doors);
  } finally {
    doors.close();
    beatHeld();
  }
}

function run(args: readonly string[], call: GitCall, doors: Doors): GitAnswer {
  const { words, cwd, env } = told(args, call, doors);
  const last = call.words ?? [];
  const plain = last.every(isText);
  // node would hand other bytes over changed.
  const [program, ...rest] = plain ? ['git', ...words, ...last.map(toText)] : ['xargs', '-0', 'git', ...words];
  const input = plain ? (call.input ?? '') : Buffer.concat(last.map((word) => toBuffer(`${word}\0`)));
  const source = typeof call.inputFile === 'string' ? doors.open(call.inputFile) : call.inputFile;
  const done = spawnSync(program ?? 'git', rest, {
    cwd,
    env,
    ...(source === undefined ? { input } : { stdio: [source, 'pipe', 'pipe'] }),
    timeout: timeoutOf(call),
    killSignal: 'SIGKILL',
    maxBuffer: 1 << 30,
  });
  const out = done.stdout ?? Buffer.alloc(0);
  const err = done.stderr ? fromBuffer(done.stderr) : '';
  if (done.error) return unanswered(done.error, call, out, err);
  return done.status === 0 ? { ok: true, out, err } : { ok: false, code: done.status ?? -1, out, err };
}

const timeoutOf = (call: GitCall): number => Math.min(call.timeout ?? 30_000, LONGEST_CALL_MS);

function told(
  args: readonly string[],
  call: GitCall,
  doors: Doors,
): { words: string[]; cwd: string; env: Record<string, string> } {
  const paths = Object.entries(call.configPaths ?? {}).map(([name, path]) => `${name}=${doors.nameOf(path)}`);
  const config = [...ALWAYS, ...(call.remote ? REMOTE : LOCAL), ...(call.config ?? []), ...paths].flatMap((entry) => [
    '-c',
    entry,
  ]);
  const cwd = call.cwd === undefined ? '/' : doors.nameOf(call.cwd);
  return { words: [...config, ...args], cwd, env: cleanGitEnvironment(call, doors) };
}

function unanswered(error: Error, call: GitCall, out: Buffer, err: Bytes): GitAnswer {
  const { code } = error as NodeJS.ErrnoException;
  const there = call.cwd === undefined || lookThrough(call.cwd)?.type === 'folder';
  const why = code === 'ETIMEDOUT' ? 'timeout' : code === 'ENOENT' && there ? 'missing' : 'not run';
  return { ok: false, code: why, out, err: err || String(error) };
}

/** The same beside this process, for many questions at once; it reads nothing from its input. */
export function gitLater(args: readonly string[], call: Omit<GitCall, 'input' | 'inputFile'> = {}): Promise<GitAnswer> {
  const doors = new Doors();
  const { words, cwd, env } = told(args, call, doors);
  return new Promise((resolve) => {
    const child = spawn('git', words, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutOf(call),
      killSignal: 'SIGKILL',
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (piece) => out.push(piece));
    child.stderr.on('data', (piece) => err.push(piece));
    const done = (answer: GitAnswer): void => {
      doors.close();
      resolve(answer);
    };
    child.on('error', (error) => done(unanswered(error, call, Buffer.concat(out), '')));
    child.on('close', (status) => {
      const said = { out: Buffer.concat(out), err: fromBuffer(Buffer.concat(err)) };
      done(status === 0 ? { ok: true, ...said } : { ok: false, code: status ?? 'timeout', ...said });
    });
  });
}

/** git as the user runs it, hooks and configuration and all: for what the user asked git for. Its output goes to standard error. */
export function gitOfUser(args: readonly string[], cwd: Bytes): { readonly ok: boolean } {
  const { PATH = '', BELAY_SAVING: _, ...env } = process.env;
  const clean = Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^GIT_(DIR|WORK_TREE|INDEX_FILE|PREFIX)$/.test(name)),
  );
  const done = spawnSync('git', [...args], {
    cwd: toText(cwd),
    env: { ...clean, PATH: withoutWrappers(PATH) },
    stdio: ['ignore', 2, 2],
  });
  return { ok: done.status === 0 };
}
