import { type Bytes, fromBuffer } from '../platform/bytes.ts';
import { lookThrough, realAsFar } from '../platform/files.ts';
import { git } from '../platform/git.ts';
import { join } from '../platform/paths.ts';

/** A worktree as the repository lists it (git-worktree(1), `list --porcelain`). */
export interface Tree {
  readonly path: Bytes;
  /** Object name of HEAD; empty where nothing was committed. */
  readonly head: string;
  /** Short name; undefined where HEAD is detached. */
  readonly branch?: Bytes;
  readonly main: boolean;
  readonly bare: boolean;
  /** Why it is locked; empty where nobody said why. */
  readonly locked?: Bytes;
  /** The folder is missing. */
  readonly missing: boolean;
}

/** A repository: its `.git`, and where its main worktree lies. */
export interface Repository {
  readonly commonDir: Bytes;
  readonly main: Bytes;
}

/** Undefined where the folder is in no repository that git knows. */
export function repositoryOf(folder: Bytes): Repository | undefined {
  const said = git(['rev-parse', '--path-format=absolute', '--git-common-dir'], { cwd: folder });
  if (!said.ok) return undefined;
  const commonDir = realAsFar(fromBuffer(said.out).replace(/\n$/, ''));
  const main = treesOf(commonDir)?.find((tree) => tree.main);
  return main === undefined ? undefined : { commonDir, main: main.path };
}

/** Every worktree of a repository, the main one first. Undefined where git cannot tell, which is not the same as none. */
export function treesOf(commonDir: Bytes): Tree[] | undefined {
  const said = git(['worktree', 'list', '--porcelain', '-z'], { gitDir: commonDir });
  if (!said.ok) return undefined;
  return fromBuffer(said.out)
    .split('\0\0')
    .filter((block) => block !== '')
    .map((block, i) => treeFrom(block.split('\0'), i === 0));
}

function treeFrom(lines: readonly Bytes[], main: boolean): Tree {
  const value = (name: string): Bytes | undefined => {
    const line = lines.find((one) => one === name || one.startsWith(`${name} `));
    return line?.slice(name.length + 1);
  };
  const path = realAsFar(value('worktree') ?? '');
  const branch = value('branch')?.replace(/^refs\/heads\//, '');
  const locked = value('locked');
  const head = value('HEAD') ?? '';
  return {
    path,
    head: /^0*$/.test(head) ? '' : head,
    ...(branch === undefined ? {} : { branch }),
    main,
    bare: value('bare') !== undefined,
    ...(locked === undefined ? {} : { locked }),
    missing: lookThrough(join(path, '.git')) === undefined && value('bare') === undefined,
  };
}
