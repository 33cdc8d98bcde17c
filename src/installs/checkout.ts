import { identityOf as folderAt, type Identity } from '../checkpoint/projects.ts';
import { type Bytes, fromBuffer, toText } from '../platform/bytes.ts';
import { codeOf, lookAt, lookThrough, readBytesIfAny, realAsFar, realPath } from '../platform/files.ts';
import { dirname, join, resolve } from '../platform/paths.ts';
import { nameOf } from '../platform/processes.ts';

/** What is known of a checkout while it is there, so that its deletion can be proved when it is not. */
export interface Checkout {
  readonly v: 1;
  readonly path: Bytes;
  /** The folder itself: one that was moved is still the same. */
  readonly self: Identity;
  /** The machine that saw it: another one's paths are not this one's. */
  readonly machine: string;
  /** The folder above it: a volume that is not mounted leaves another one in its place. */
  readonly parent: Identity;
  /** It was a linked worktree. */
  readonly repository?: Linked;
}

export interface Linked {
  /** The repository's `.git`. */
  readonly commonDir: Bytes;
  /** This worktree's folder below `<commonDir>/worktrees`. */
  readonly gitDir: Bytes;
}

/** The checkout as it is now. Throws where there is none. */
export function lookAtCheckout(given: Bytes): Checkout {
  const path = realPath(given);
  const parent = identityOf(dirname(path));
  const self = identityOf(path);
  if (parent === undefined || self === undefined) throw new Error(`${toText(path)} is no folder`);
  const repository = linkedOf(path);
  return { v: 1, path, self, machine: machineName(), parent, ...(repository === undefined ? {} : { repository }) };
}

export const machineName = (): string => nameOf(process.pid).machine;

/** A folder by its device, inode and, where there is one, birth; a link not followed; undefined where it is no folder. */
export const identityOf = (folder: Bytes): Identity | undefined =>
  lookAt(folder)?.type === 'folder' ? folderAt(folder) : undefined;

/** Whether a folder seen then and one seen now are the same: a freed inode number is soon given out again, not so its birth. */
export const isSame = (then: Identity, now: Identity): boolean =>
  then.device === now.device &&
  then.inode === now.inode &&
  (then.born === undefined || now.born === undefined || then.born === now.born);

/** A linked worktree's own folder and its repository's (gitrepository-layout(5)); undefined for every other folder. */
export function linkedOf(path: Bytes): Linked | undefined {
  const dotGit = join(path, '.git');
  if (lookAt(dotGit)?.type !== 'file') return undefined;
  const named = /^gitdir: (.+?)\n*$/s.exec(contentOf(dotGit) ?? '')?.[1];
  if (named === undefined) return undefined;
  const gitDir = realAsFar(resolve(path, named));
  const common = contentOf(join(gitDir, 'commondir'))?.replace(/\n+$/, '');
  return common === undefined ? undefined : { gitDir, commonDir: realAsFar(resolve(gitDir, common)) };
}

/** Where the repository says that a worktree of it is now, by the worktree's own folder; undefined where it says nothing. */
export function placeNamedIn(gitDir: Bytes): Bytes | undefined {
  const named = contentOf(join(gitDir, 'gitdir'))?.replace(/\n+$/, '');
  return named === undefined || named === '' ? undefined : dirname(resolve(gitDir, named));
}

function contentOf(file: Bytes): Bytes | undefined {
  try {
    if (lookThrough(file)?.type !== 'file') return undefined;
    const bytes = readBytesIfAny(file);
    return bytes === undefined ? undefined : fromBuffer(bytes);
  } catch (error) {
    if (codeOf(error) === 'EACCES') return undefined;
    throw error;
  }
}
