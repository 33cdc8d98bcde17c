import fs from 'node:fs';
import type { Store } from '../../checkpoint/store.ts';
import { type Bytes, isText, toBuffer } from '../../platform/bytes.ts';
import { type GitAnswer, git } from '../../platform/git.ts';

/** git on one work tree with the store as its repository and an index of belay's own. */
export interface WorkTree {
  readonly store: Store;
  readonly root: Bytes;
  readonly index: Bytes;
  /** Patterns of the user's and the repository's own exclude lists, in a file. */
  readonly excludes: Bytes | undefined;
  readonly deadline: number;
  /** No git process of it takes longer, ms. */
  readonly longest?: number | undefined;
  /** Object folder of the repository, lent for one capture. */
  readonly lent?: Bytes;
}

/** The state could not be put aside as it was: nothing of it is used (a stale tree would be worse than none). */
export class CaptureError extends Error {
  readonly slow: boolean;
  constructor(message: string, slow = false) {
    super(message);
    this.slow = slow;
  }
}

const INDEX_FORMAT = ['index.version=2', 'core.splitIndex=false', 'core.untrackedCache=false', 'index.sparse=false'];

export interface WorkTreeCall {
  readonly input?: string | Uint8Array;
  readonly magic?: boolean;
  /** Configuration beside that of every call. */
  readonly config?: readonly string[];
}

/**
 * A work tree whose path is no UTF-8 is named by an open descriptor of this process: git gets its arguments through node, which
 * would change the bytes.
 */
export function gitOn(tree: WorkTree, args: readonly string[], call: WorkTreeCall = {}): GitAnswer {
  const timeout = timeFor(tree);
  const run = (root: Bytes): GitAnswer =>
    git(args, {
      cwd: root,
      gitDir: tree.store.gitDir,
      workTree: root,
      index: tree.index,
      timeout,
      config: [...INDEX_FORMAT, ...(call.config ?? [])],
      ...(tree.excludes === undefined ? {} : { configPaths: { 'core.excludesFile': tree.excludes } }),
      ...(call.input === undefined ? {} : { input: call.input }),
      ...(call.magic ? { pathspecs: {} } : {}),
      ...(tree.lent === undefined ? {} : { objects: { alternates: [tree.lent] } }),
    });
  if (isText(tree.root)) return run(tree.root);
  const fd = fs.openSync(toBuffer(tree.root), fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
  try {
    return run(`/proc/${process.pid}/fd/${fd}`);
  } finally {
    fs.closeSync(fd);
  }
}

/** How long its next git process may take. */
function timeFor({ deadline, longest }: WorkTree): number {
  const left = deadline - Date.now();
  if (left <= 0) throw new CaptureError('out of time', true);
  return Math.min(left, longest ?? left);
}

export function must(answer: GitAnswer, doing: string): Buffer {
  if (answer.ok) return answer.out;
  if (answer.code === 'timeout') throw new CaptureError(`git took too long (${doing})`, true);
  throw new CaptureError(`${doing}: ${answer.err.trim().split('\n').slice(-2).join(' | ') || answer.code}`);
}

const list = (paths: readonly Bytes[]): Uint8Array => toBuffer(paths.map((path) => `${path}\0`).join(''));

/** git writes files over its threshold into one pack, and all others into a file each, which takes twice the time for many. */
const ONE_PACK = ['core.bigFileThreshold=1'];

export interface Adding {
  readonly many: boolean;
  readonly packs: readonly string[];
  readonly pieces: readonly (readonly Bytes[])[];
}

/**
 * `pieces`: folders to be added before, each list by a process of its own; what of them fails is for the process that adds everything.
 * `many`: nothing is in the index yet. Brings the index to what the work tree is. A build that makes and removes files beside us fails `add -A` as a whole; once
 * more, then by a list of paths, which minds no file that is gone (1 of 40 tries against 40 of 40). `packs`: git's settings of how large one is.
 */
export function addAll(tree: WorkTree, excluded: readonly Bytes[], { many, packs, pieces }: Adding): void {
  const without = excluded.map((path) => `:(exclude,literal)${path}`);
  const add = (pathspecs: readonly Bytes[] = ['.']): GitAnswer =>
    gitOn(tree, ['add', '-A', '--pathspec-from-file=-', '--pathspec-file-nul'], {
      input: list([...pathspecs, ...without]),
      magic: true,
      config: many ? [...ONE_PACK, ...packs] : [],
    });
  for (const piece of pieces) {
    const added = add(piece.map((path) => `:(literal)${path}`));
    if (!added.ok && added.code === 'timeout') must(added, 'add');
  }
  let answer = add();
  if (!answer.ok && answer.code !== 'timeout') answer = add();
  if (answer.ok) return;
  if (answer.code === 'timeout') must(answer, 'add');
  fs.rmSync(toBuffer(`${tree.index}.lock`), { force: true });
  const found = must(
    gitOn(tree, ['ls-files', '-z', '-o', '-m', '-d', '--exclude-standard']),
    `add failed (${answer.err.trim().split('\n').at(-1)}), ls-files`,
  );
  const paths = found
    .toString('latin1')
    .split('\0')
    .filter(
      (path) =>
        path !== '' && !path.endsWith('/') && !excluded.some((out) => path === out || path.startsWith(`${out}/`)),
    );
  must(gitOn(tree, ['update-index', '--add', '--remove', '-z', '--stdin'], { input: list(paths) }), 'update-index');
}

/** Paths that git ignores and that are saved all the same; once in the index, `add -A` keeps them up to date. */
export function addForced(tree: WorkTree, paths: readonly Bytes[]): void {
  if (paths.length === 0) return;
  must(gitOn(tree, ['update-index', '--add', '--remove', '-z', '--stdin'], { input: list(paths) }), 'update-index');
}

/** Takes what must not be captured any more out of the index, where an older state of it would stay. */
export function removeCached(tree: WorkTree, paths: readonly Bytes[]): void {
  if (paths.length === 0 || !fs.existsSync(toBuffer(tree.index))) return;
  const args = [
    'rm',
    '-r',
    '--cached',
    '-f',
    '-q',
    '--ignore-unmatch',
    '--pathspec-from-file=-',
    '--pathspec-file-nul',
  ];
  must(gitOn(tree, args, { input: list(paths) }), 'rm --cached');
}

export const writeTree = (tree: WorkTree): string =>
  must(gitOn(tree, ['write-tree']), 'write-tree')
    .toString('latin1')
    .trim();

/** Files that the repository's own index has although an ignore file names them; undefined where git cannot read it. */
export function trackedThoughIgnored(tree: WorkTree, repositoryIndex: Bytes): Bytes[] | undefined {
  const answer = gitOn({ ...tree, index: repositoryIndex }, ['ls-files', '-z', '-c', '-i', '--exclude-standard']);
  if (!answer.ok) return undefined;
  return answer.out
    .toString('latin1')
    .split('\0')
    .filter((path) => path !== '');
}

/** Copies every object of a tree that is lent by the repository into the store: nothing the user removes can take it away. */
export function ownObjects(tree: WorkTree, oid: string): void {
  const timeout = timeFor(tree);
  const { gitDir } = tree.store;
  // The pack's name is an argument, which has to be text: so it is said from within the store.
  const answer = git(['pack-objects', '--revs', '--quiet', '--window=0', '--threads=1', 'objects/pack/pack'], {
    cwd: gitDir,
    gitDir,
    input: `${oid}\n`,
    timeout,
    ...(tree.lent === undefined ? {} : { objects: { alternates: [tree.lent] } }),
  });
  must(answer, 'pack-objects');
}

/** The sizes of objects, in the order asked; undefined for what is missing. */
export function objectSizes(tree: WorkTree, oids: readonly string[]): (number | undefined)[] {
  const out = must(
    gitOn(tree, ['cat-file', '--batch-check=%(objectsize)', '--buffer'], { input: `${oids.join('\n')}\n` }),
    'cat-file',
  );
  return out
    .toString('latin1')
    .trimEnd()
    .split('\n')
    .map((line) => (/^\d+$/.test(line) ? Number(line) : undefined));
}
