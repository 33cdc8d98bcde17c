import { type Bytes, toText } from '../../platform/bytes.ts';
import { codeOf, lookAt, lookThrough, namesVisible, realAsFar } from '../../platform/files.ts';
import { type GitAnswer, git } from '../../platform/git.ts';
import { dirname, isInside, join, relativeTo, resolve } from '../../platform/paths.ts';
import type { GitRepository } from '../types.ts';
import { type Config, readConfig, userFile } from './config.ts';
import type { Setting } from './config-file.ts';
import { type IndexEntry, type IndexRead, parseStaged, readIndex } from './index-file.ts';
import { readText } from './read.ts';

type Env = (name: Bytes) => Bytes | undefined;

/** How git's own arguments and environment point at a repository. */
export interface Where {
  readonly cwd: Bytes;
  readonly env: Env;
  readonly gitDir?: Bytes;
  readonly workTree?: Bytes;
  readonly bare?: boolean;
  readonly command: readonly Setting[];
  readonly pathspecs: {
    readonly literal?: boolean;
    readonly noglob?: boolean;
    readonly glob?: boolean;
    readonly icase?: boolean;
  };
}

/** Milliseconds for one question; without an answer the project is captured. */
const PATIENCE = 5_000;

/** A repository as one command sees it. What it says about its state is read when asked for, and once. */
export class Repository implements GitRepository {
  readonly gitDir: Bytes;
  readonly commonDir: Bytes;
  readonly workTree: Bytes | undefined;
  /** The command's folder from the top of the work tree: `''`, or `sub/`. */
  readonly prefix: Bytes;
  readonly config: Config;
  readonly where: Where;
  readonly oidBytes: number;
  #index: readonly IndexEntry[] | undefined;
  /** A question took too long, or would: no more are asked. */
  #stuck: boolean | undefined;

  constructor(where: Where, gitDir: Bytes, discovered: Bytes | undefined) {
    this.where = where;
    this.gitDir = gitDir;
    this.commonDir = commonOf(gitDir);
    this.config = configOf(where, gitDir, this.commonDir);
    const set = where.workTree ?? where.env('GIT_WORK_TREE') ?? undefined;
    const configured = this.config.text('core.worktree');
    let top: Bytes | undefined;
    if (set !== undefined) top = realAsFar(resolve(where.cwd, set));
    else if (where.bare) top = undefined;
    else if (configured !== undefined) top = realAsFar(resolve(gitDir, configured));
    else if (this.config.flag('core.bare')) top = undefined;
    else top = discovered ?? realAsFar(where.cwd);
    this.workTree = top;
    const cwd = realAsFar(where.cwd);
    const below = top !== undefined && isInside(cwd, top) ? relativeTo(top, cwd) : '.';
    this.prefix = below === '.' ? '' : `${below}/`;
    this.oidBytes = this.config.text('extensions.objectformat')?.toLowerCase() === 'sha256' ? 32 : 20;
  }

  get indexFile(): Bytes {
    const set = this.where.env('GIT_INDEX_FILE');
    return set === undefined ? join(this.gitDir, 'index') : resolve(this.where.cwd, set);
  }

  /** Entries of the index, conflicts included; a split or unknown index is asked from git. Undefined: nobody can read it. */
  index(): readonly IndexEntry[] | undefined {
    if (this.#index) return this.#index;
    let read: IndexRead;
    try {
      read = readIndex(this.indexFile, this.oidBytes);
    } catch (error) {
      read = { kind: 'unreadable', reason: codeOf(error) };
    }
    if (read.kind === 'read') this.#index = read.entries;
    else {
      const answer = this.ask(['ls-files', '-s', '-z', '--full-name', ...this.top()]);
      if (answer.ok) this.#index = parseStaged(answer.out);
    }
    return this.#index;
  }

  private top(): string[] {
    return this.workTree === undefined ? [] : ['--', toText(this.workTree)];
  }

  /** Asks git, read-only: no filter, hook, fsmonitor, transport or lock (platform/git). */
  ask(
    args: readonly string[],
    options: {
      readonly input?: string;
      /** Pathspecs as the user's command would take them. */
      readonly magic?: boolean;
      /** A command that refuses to hear of literal pathspecs (`check-ignore`). */
      readonly plain?: boolean;
    } = {},
  ): GitAnswer {
    this.#stuck ??= neverEnds(this);
    if (this.#stuck) return { ok: false, code: 'timeout', out: Buffer.alloc(0), err: '' };
    const excludes = userFile(this.config, this.where.env, 'core.excludesfile');
    const index = this.where.env('GIT_INDEX_FILE');
    const answer = git(args, {
      timeout: PATIENCE,
      cwd: this.workTree === undefined ? this.gitDir : this.folder(),
      gitDir: this.gitDir,
      ...(this.workTree === undefined ? {} : { workTree: this.workTree }),
      ...(index === undefined ? {} : { index: this.indexFile }),
      ...(options.input === undefined ? {} : { input: Buffer.from(options.input, 'latin1') }),
      ...(options.magic ? { pathspecs: this.where.pathspecs } : {}),
      ...(options.plain ? { pathspecs: {} } : {}),
      config: [...(excludes === undefined ? [] : [`core.excludesFile=${toText(excludes)}`])],
    });
    this.#stuck = !answer.ok && answer.code === 'timeout';
    return answer;
  }

  /** The folder in which git would start, inside the work tree. */
  private folder(): Bytes {
    const top = this.workTree ?? this.gitDir;
    return this.prefix === '' ? top : join(top, this.prefix.slice(0, -1));
  }

  /** `refs/heads/main`, or undefined where HEAD is detached. */
  headRef(): Bytes | undefined {
    return headRefOf(this.gitDir);
  }

  /** Where `git bisect start` left from: a branch or a commit. */
  bisectStart(): Bytes | undefined {
    return readText(join(this.gitDir, 'BISECT_START'))?.trim();
  }

  /** The object that a full ref name holds; undefined where there is none. Loose and packed refs only. */
  ref(name: Bytes, depth = 0): Bytes | undefined {
    // git follows as many (refs.c, SYMREF_MAXDEPTH)
    if (depth > 5) return undefined;
    const own = readText(join(this.gitDir, name)) ?? readText(join(this.commonDir, name));
    const text = own?.trim();
    if (text?.startsWith('ref: ')) return this.ref(text.slice(5).trim(), depth + 1);
    if (text !== undefined && /^[0-9a-f]{40,64}$/.test(text)) return text;
    return this.packed().get(name);
  }

  #packed: ReadonlyMap<Bytes, Bytes> | undefined;
  private packed(): ReadonlyMap<Bytes, Bytes> {
    if (this.#packed) return this.#packed;
    const out = new Map<Bytes, Bytes>();
    for (const line of (readText(join(this.commonDir, 'packed-refs')) ?? '').split('\n')) {
      const hit = /^([0-9a-f]{40,64}) (\S+)$/.exec(line);
      if (hit) out.set(hit[2] ?? '', hit[1] ?? '');
    }
    this.#packed = out;
    return out;
  }

  /** Refs in files nobody but git reads (reftable). */
  get foreignRefs(): boolean {
    return this.config.text('extensions.refstorage') !== undefined;
  }

  /** HEAD's commit; undefined where the branch is unborn. */
  head(): Bytes | undefined {
    if (this.foreignRefs) return this.resolve('HEAD');
    return this.ref('HEAD');
  }

  /** Full names of all refs below a prefix (`refs/heads/`). */
  refsBelow(prefix: Bytes): Bytes[] {
    const out = new Set<Bytes>();
    for (const name of this.packed().keys()) if (name.startsWith(prefix)) out.add(name);
    const walk = (folder: Bytes): void => {
      for (const name of namesVisible(join(this.commonDir, folder))) {
        const path = `${folder}/${name}`;
        if (lookAt(join(this.commonDir, path))?.type === 'folder') walk(path);
        else if (!name.endsWith('.lock')) out.add(path);
      }
    };
    walk(prefix.replace(/\/$/, ''));
    return [...out];
  }

  /** A revision's commit or object by git's own rules; undefined where it names nothing. */
  resolve(revision: string): Bytes | undefined {
    const answer = this.ask(['rev-parse', '--verify', '--quiet', '--end-of-options', revision]);
    return answer.ok ? answer.out.toString('latin1').trim() : undefined;
  }

  /** A short name as git looks it up (gitrevisions(7), "<refname>"), without a process. */
  named(name: Bytes): Bytes | undefined {
    for (const full of [
      name,
      `refs/${name}`,
      `refs/tags/${name}`,
      `refs/heads/${name}`,
      `refs/remotes/${name}`,
      `refs/remotes/${name}/HEAD`,
    ]) {
      if (full === name && !/^(refs\/|[A-Z_]+$)/.test(name)) continue;
      const oid = this.ref(full);
      if (oid !== undefined) return oid;
    }
    return undefined;
  }
}

/** What a git folder's HEAD names; undefined where it is detached. */
export function headRefOf(gitDir: Bytes): Bytes | undefined {
  const text = readText(join(gitDir, 'HEAD'));
  return text?.startsWith('ref: ') ? text.slice(5).trim() : undefined;
}

function commonOf(gitDir: Bytes): Bytes {
  const text = readText(join(gitDir, 'commondir'))?.replace(/\n+$/, '');
  return text === undefined || text === '' ? gitDir : realAsFar(resolve(gitDir, text));
}

export function configOf(where: Where, gitDir: Bytes | undefined, commonDir: Bytes | undefined): Config {
  const head = gitDir === undefined ? undefined : headRefOf(gitDir);
  return readConfig({
    env: where.env,
    gitDir,
    commonDir,
    branch: head?.startsWith('refs/heads/') ? head.slice('refs/heads/'.length) : undefined,
    command: where.command,
  });
}

/** The repository in which a command would work, found as git finds it (git(1), `--git-dir`; gitrepository-layout(5)). */
export function findRepository(where: Where): Repository | undefined {
  const named = where.gitDir ?? where.env('GIT_DIR');
  if (named !== undefined && named !== '') {
    const path = realAsFar(resolve(where.cwd, named));
    const gitDir = linkedTo(path) ?? path;
    return isGitDir(gitDir) ? new Repository(where, gitDir, undefined) : undefined;
  }
  for (let folder = realAsFar(where.cwd); ; folder = dirname(folder)) {
    const dotGit = join(folder, '.git');
    const look = lookThrough(dotGit);
    if (look?.type === 'folder' && isGitDir(dotGit)) return new Repository(where, realAsFar(dotGit), folder);
    if (look?.type === 'file') {
      const gitDir = linkedTo(dotGit);
      return gitDir !== undefined && isGitDir(gitDir) ? new Repository(where, gitDir, folder) : undefined;
    }
    if (isGitDir(folder))
      return new Repository({ ...where, bare: where.bare ?? !hasTree(where, folder) }, folder, undefined);
    if (folder === '/') return undefined;
  }
}

/** Inside a `.git` folder git has no work tree unless it is told one. */
const hasTree = (where: Where, gitDir: Bytes): boolean =>
  where.workTree !== undefined || configOf(where, gitDir, commonOf(gitDir)).text('core.worktree') !== undefined;

/** Where a `.git` file leads. */
function linkedTo(path: Bytes): Bytes | undefined {
  if (lookThrough(path)?.type !== 'file') return undefined;
  const hit = /^gitdir: (.*?)[\r\n]*$/s.exec(readText(path) ?? '');
  return hit ? realAsFar(resolve(dirname(path), hit[1] ?? '')) : undefined;
}

const isGitDir = (path: Bytes): boolean => {
  if (lookThrough(join(path, 'HEAD')) === undefined && readText(join(path, 'HEAD')) === undefined) return false;
  const common = commonOf(path);
  return lookThrough(join(common, 'objects'))?.type === 'folder' && lookThrough(join(common, 'refs')) !== undefined;
};

/** git would wait for ever where a fifo stands in the place of one of its files. */
const neverEnds = ({ gitDir, commonDir, indexFile }: Repository): boolean =>
  [
    indexFile,
    join(gitDir, 'HEAD'),
    join(commonDir, 'config'),
    join(commonDir, 'packed-refs'),
    join(gitDir, 'config.worktree'),
  ].some((path) => lookThrough(path)?.type === 'fifo');
