import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readIndex } from '../../../src/effects/git/index-file.ts';
import { fromText } from '../../../src/platform/bytes.ts';

/** The folder of all repositories (`fixture.sh`), made once and put back before every line: linked worktrees hold absolute paths. */
export interface Box {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  reset(setup?: string): void;
  /** Objects that are reachable after `reset()`. */
  readonly reachable: ReadonlySet<string>;
}

export function openBox(): Box {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(fastFolder(), 'belay-git-')));
  process.once('exit', () => fs.rmSync(base, { recursive: true, force: true }));
  const root = path.join(base, 'box');
  const golden = path.join(base, 'golden');
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: path.join(root, 'home'),
    BOX: root,
    GIT_CONFIG_NOSYSTEM: '1',
    LANG: 'C.UTF-8',
    TERM: 'dumb',
  };
  fs.mkdirSync(root);
  const fixture = fileURLToPath(new URL('fixture.sh', import.meta.url));
  execFileSync('bash', ['-e', fixture], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  execFileSync('cp', ['-a', root, golden]);
  // Once whole: git's index of the copy knows none of its files.
  fs.rmSync(root, { recursive: true });
  execFileSync('cp', ['-a', golden, root]);
  const put = new Map<string, bigint>();
  noteChanges(root, '', put);
  const held = reachable(stateOf(root), env);
  return {
    root,
    env,
    reachable: held,
    reset(setup) {
      putBack(golden, root, put);
      if (setup)
        spawnSync('bash', ['-c', setup], { env, cwd: path.join(root, 'proj'), stdio: 'ignore', timeout: 60_000 });
    },
  };
}

/** The time of the last change of each file at or below `at`. */
function noteChanges(root: string, at: string, put: Map<string, bigint>): void {
  const is = fs.lstatSync(bytes(root + at), { bigint: true });
  if (!is.isDirectory()) put.set(at, is.ctimeNs);
  else for (const name of fs.readdirSync(bytes(root + at), 'latin1')) noteChanges(root, `${at}/${name}`, put);
}

/** Makes `root` what `golden` is. What has not changed since it was `put` there, by its times to the nanosecond, stays. */
function putBack(golden: string, root: string, put: Map<string, bigint>): void {
  const differing: string[] = [];
  const visit = (folder: string): void => {
    const [wanted, there] = [golden, root].map((top) => fs.readdirSync(bytes(top + folder), 'latin1')) as [
      string[],
      string[],
    ];
    for (const name of there)
      if (!wanted.includes(name)) fs.rmSync(bytes(`${root}${folder}/${name}`), { recursive: true, force: true });
    for (const name of wanted) {
      const at = `${folder}/${name}`;
      const was = fs.lstatSync(bytes(golden + at), { bigint: true });
      const is = fs.lstatSync(bytes(root + at), { bigint: true, throwIfNoEntry: false });
      if (is?.isDirectory() && was.mode === is.mode) visit(at);
      else if (is === undefined || stamp(was) !== stamp(is) || put.get(at) !== is.ctimeNs) {
        if (is) fs.rmSync(bytes(root + at), { recursive: true, force: true });
        differing.push(`.${at}`);
      }
    }
  };
  if (!fs.existsSync(root)) fs.mkdirSync(root);
  visit('');
  if (differing.length > 0)
    execFileSync('xargs', ['-0', 'cp', '-a', '--parents', '-t', root], {
      cwd: golden,
      input: bytes(differing.join('\0')),
    });
  for (const at of differing) noteChanges(root, at.slice(1), put);
}

const stamp = ({ mode, uid, gid, size, mtimeNs }: fs.BigIntStats): string => [mode, uid, gid, size, mtimeNs].join(' ');

/** Hundreds of small trees come and go: in memory where there is such a place. */
function fastFolder(): string {
  try {
    fs.accessSync('/dev/shm', fs.constants.W_OK);
    return '/dev/shm';
  } catch {
    return os.tmpdir(); // slower, no worse
  }
}

/** What is compared before and after a line. Paths are latin1: names of any bytes. */
export interface State {
  /** `folder`, or mode and blob name. */
  readonly files: ReadonlyMap<string, string>;
  /** By git folder: what each of its parts says. */
  readonly git: ReadonlyMap<string, GitState>;
}

export interface GitState {
  readonly head: string;
  /** Path and stage to mode and blob name. */
  readonly index: ReadonlyMap<string, string>;
  readonly refs: ReadonlyMap<string, string>;
  readonly stash: string;
  /** What the reflogs hold, one line after the other. */
  readonly logs: string;
}

export function stateOf(root: string): State {
  const files = new Map<string, string>();
  const git = new Map<string, GitState>();
  const visit = (folder: string): void => {
    if (isGitDir(folder)) {
      gitState(folder, git);
      return;
    }
    for (const name of fs.readdirSync(bytes(folder), 'latin1')) {
      const at = `${folder}/${name}`;
      const stat = fs.lstatSync(bytes(at));
      if (stat.isDirectory()) {
        if (name !== '.git') files.set(at, 'folder');
        visit(at);
      } else if (name !== '.git') files.set(at, `${stat.mode & 0o111 ? 'x' : '-'} ${blob(at, stat)}`);
    }
  };
  visit(root);
  return { files, git };
}

const bytes = (name: string): Buffer => Buffer.from(name, 'latin1');

function blob(at: string, stat: fs.Stats): string {
  const content = stat.isSymbolicLink() ? fs.readlinkSync(bytes(at), 'buffer') : fs.readFileSync(bytes(at));
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}

const isGitDir = (folder: string): boolean =>
  fs.existsSync(bytes(`${folder}/HEAD`)) && fs.existsSync(bytes(`${folder}/objects`));

function gitState(gitDir: string, git: Map<string, GitState>): void {
  git.set(gitDir, onePart(gitDir, true));
  for (const name of list(`${gitDir}/worktrees`))
    git.set(`${gitDir}/worktrees/${name}`, onePart(`${gitDir}/worktrees/${name}`, false));
  const modules = (folder: string): void => {
    for (const name of list(folder)) {
      const at = `${folder}/${name}`;
      if (isGitDir(at)) gitState(at, git);
      else modules(at);
    }
  };
  modules(`${gitDir}/modules`);
}

function onePart(gitDir: string, common: boolean): GitState {
  const refs = new Map<string, string>();
  const logs: string[] = [];
  if (common)
    for (const line of text(`${gitDir}/packed-refs`).split('\n')) {
      const [oid, name] = line.split(' ');
      if (name?.startsWith('refs/')) refs.set(name, oid ?? '');
    }
  const walk = (folder: string, each: (name: string) => void): void => {
    for (const name of list(`${gitDir}/${folder}`))
      if (fs.statSync(bytes(`${gitDir}/${folder}/${name}`)).isDirectory()) walk(`${folder}/${name}`, each);
      else each(`${folder}/${name}`);
  };
  walk('refs', (name) => refs.set(name, text(`${gitDir}/${name}`).trim()));
  walk('logs', (name) => logs.push(`${name}\n${text(`${gitDir}/${name}`)}`));
  const read = readIndex(fromText(`${gitDir}/index`), 20);
  const index = new Map<string, string>();
  if (read.kind === 'read')
    for (const entry of read.entries)
      index.set(`${entry.path}\0${entry.stage}`, `${entry.mode} ${entry.oid} ${entry.skipWorktree}`);
  return {
    head: text(`${gitDir}/HEAD`),
    index,
    refs,
    stash: text(`${gitDir}/logs/refs/stash`),
    logs: logs.join('\n'),
  };
}

function list(folder: string): string[] {
  return fs.existsSync(bytes(folder)) ? fs.readdirSync(bytes(folder), 'latin1').sort() : [];
}

function text(file: string): string {
  return fs.existsSync(bytes(file)) ? fs.readFileSync(bytes(file), 'latin1') : '';
}

/** Every object that a ref or a reflog of the repositories still leads to. */
export function reachable(state: State, env: Readonly<Record<string, string>>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const gitDir of state.git.keys()) {
    if (gitDir.includes('/worktrees/')) continue;
    try {
      const out = execFileSync('git', ['--git-dir', gitDir, 'rev-list', '--objects', '--all', '--reflog'], {
        env,
        stdio: ['ignore', 'pipe', 'ignore'],
        maxBuffer: 1 << 26,
      });
      for (const line of out.toString('latin1').split('\n')) found.add(line.slice(0, 40));
    } catch {
      // a repository that is broken on purpose holds nothing
    }
  }
  return found;
}
