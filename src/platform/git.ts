import { spawnSync } from 'node:child_process';
import { type Bytes, fromBuffer, toText } from './bytes.ts';

/** The only place that starts git. */

export interface GitCall {
  /** Folder in which git starts. */
  readonly cwd?: Bytes;
  readonly gitDir?: Bytes;
  readonly workTree?: Bytes;
  readonly index?: Bytes;
  readonly objects?: { readonly alternates: readonly Bytes[] };
  readonly input?: string | Uint8Array;
  /** Milliseconds; git is killed after. */
  readonly timeout?: number;
  /** Pathspecs mean what git's own commands mean by them (`:/`, globs, `:!x`), in the user's sense of `GIT_*_PATHSPECS`. Default: literal. */
  readonly pathspecs?: { readonly literal?: boolean; readonly noglob?: boolean; readonly icase?: boolean };
  /** Configuration for this one call, `name=value`. */
  readonly config?: readonly string[];
}

export type GitAnswer =
  | { readonly ok: true; readonly out: Buffer; readonly err: Bytes }
  | { readonly ok: false; readonly code: number | 'timeout' | 'missing'; readonly out: Buffer; readonly err: Bytes };

/**
 * git with nothing of the caller's environment or configuration that could steer it or make it run a program (FACTS §5):
 * no `GIT_*`, no user, system or global configuration, no fsmonitor, no hooks, no prompts, no optional locks.
 */
export function cleanGitEnvironment(call: GitCall): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env))
    if (value !== undefined && (name === 'PATH' || name === 'TMPDIR')) env[name] = value;
  if (env['PATH'] !== undefined) env['PATH'] = withoutWrappers(env['PATH']);
  Object.assign(env, {
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_AUTHOR_NAME: 'belay',
    GIT_AUTHOR_EMAIL: 'belay@localhost',
    GIT_COMMITTER_NAME: 'belay',
    GIT_COMMITTER_EMAIL: 'belay@localhost',
  });
  if (call.pathspecs) {
    delete env['GIT_LITERAL_PATHSPECS'];
    if (call.pathspecs.literal) env['GIT_LITERAL_PATHSPECS'] = '1';
    if (call.pathspecs.noglob) env['GIT_NOGLOB_PATHSPECS'] = '1';
    if (call.pathspecs.icase) env['GIT_ICASE_PATHSPECS'] = '1';
  }
  if (call.gitDir !== undefined) env['GIT_DIR'] = toText(call.gitDir);
  if (call.workTree !== undefined) env['GIT_WORK_TREE'] = toText(call.workTree);
  if (call.index !== undefined) env['GIT_INDEX_FILE'] = toText(call.index);
  if (call.objects) env['GIT_ALTERNATE_OBJECT_DIRECTORIES'] = call.objects.alternates.map(toText).join(':');
  return env;
}

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
  'protocol.allow=never',
];

/** One git process, waited for. Never throws for git's own failure: the answer tells. */
export function git(args: readonly string[], call: GitCall = {}): GitAnswer {
  const config = [...ALWAYS, ...(call.config ?? [])].flatMap((entry) => ['-c', entry]);
  const done = spawnSync('git', [...config, ...args], {
    cwd: call.cwd === undefined ? '/' : toText(call.cwd),
    env: cleanGitEnvironment(call),
    input: call.input === undefined ? '' : call.input,
    timeout: call.timeout ?? 30_000,
    killSignal: 'SIGKILL',
    maxBuffer: 1 << 30,
  });
  const out = done.stdout ?? Buffer.alloc(0);
  const err = done.stderr ? fromBuffer(done.stderr) : '';
  if (done.error) {
    const code = (done.error as NodeJS.ErrnoException).code;
    return { ok: false, code: code === 'ETIMEDOUT' ? 'timeout' : 'missing', out, err: err || String(done.error) };
  }
  return done.status === 0 ? { ok: true, out, err } : { ok: false, code: done.status ?? -1, out, err };
}
