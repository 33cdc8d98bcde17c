import fs from 'node:fs';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { codeOf, isAbsentError, readLink } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { blobOid, type IndexEntry } from './index-file.ts';
import type { Repository } from './repository.ts';

/**
 * How a tracked path stands in the work tree, found by `lstat` and, where the stat data differ, by hashing: git itself would run the
 * repository's clean filters here, and planning must run nothing.
 * `same`: the bytes are those of the index. `changed`: other bytes or another kind of file. `mode`: only the executable bit differs.
 */
export type State =
  | { readonly kind: 'same' | 'absent' | 'folder' }
  | { readonly kind: 'changed' | 'mode'; readonly oid?: string };

/** Bytes: of one file, and of all that one command asks about; beyond it a file with other stat data counts as changed. */
const MOST_HASHED = 32 << 20;
const ALL_HASHED = 512 << 20;
const MILLISECONDS = 0.001;

export const GITLINK = 0o160000;
const LINK = 0o120000;

export const isGitlink = (entry: Pick<IndexEntry, 'mode'>): boolean => (entry.mode & 0o170000) === GITLINK;

export const isFolderEntry = (entry: Pick<IndexEntry, 'mode'>): boolean => (entry.mode & 0o170000) === 0o040000;

export function statOf(path: Bytes): fs.Stats | undefined {
  try {
    return fs.lstatSync(toBuffer(path), { throwIfNoEntry: false });
  } catch (error) {
    if (isAbsentError(error) || codeOf(error) === 'EACCES') return undefined;
    throw error;
  }
}

/** Compares one entry after the other with the work tree of `repo`. */
export class Status {
  readonly #repo: Repository;
  readonly #written: number;
  #hashed = 0;

  constructor(repo: Repository) {
    this.#repo = repo;
    this.#written = statOf(repo.indexFile)?.mtimeMs ?? 0;
  }

  of(entry: IndexEntry): State {
    const path = join(this.#repo.workTree ?? '/', entry.path);
    const stat = statOf(path);
    if (stat === undefined) return { kind: 'absent' };
    if (stat.isDirectory()) return { kind: 'folder' };
    const link = (entry.mode & 0o170000) === LINK;
    if (link !== stat.isSymbolicLink() || (!link && !stat.isFile())) return { kind: 'changed' };
    if (this.#unchanged(entry, stat)) return modeOf(this.#repo, entry, stat);
    this.#hashed += stat.size;
    const oid = this.#hashed > ALL_HASHED ? undefined : oidOf(path, stat, this.#repo.oidBytes);
    return oid === entry.oid && !entry.intentToAdd
      ? modeOf(this.#repo, entry, stat)
      : { kind: 'changed', ...(oid === undefined ? {} : { oid }) };
  }

  /** git's own shortcut, with its care for entries written in the moment the index was (racy-git). */
  #unchanged(entry: IndexEntry, stat: fs.Stats): boolean {
    return (
      Math.abs(entry.mtime - stat.mtimeMs) < MILLISECONDS &&
      Math.abs(entry.ctime - stat.ctimeMs) < MILLISECONDS &&
      entry.size === stat.size % 2 ** 32 &&
      entry.ino === stat.ino % 2 ** 32 &&
      entry.mtime < this.#written - MILLISECONDS &&
      !entry.intentToAdd
    );
  }
}

function modeOf(repo: Repository, entry: IndexEntry, stat: fs.Stats): State {
  if ((entry.mode & 0o170000) === LINK || repo.config.flag('core.filemode') === false) return { kind: 'same' };
  const executable = (stat.mode & 0o100) !== 0;
  return executable === ((entry.mode & 0o100) !== 0) ? { kind: 'same' } : { kind: 'mode', oid: entry.oid };
}

/** The blob name of a file's own bytes; undefined where it is too large or cannot be read. */
export function oidOf(path: Bytes, stat: fs.Stats, oidBytes: number): string | undefined {
  if (stat.size > MOST_HASHED) return undefined;
  try {
    if (stat.isSymbolicLink()) return blobOid(toBuffer(readLink(path)), oidBytes);
    if (!stat.isFile()) return undefined;
    return blobOid(fs.readFileSync(toBuffer(path)), oidBytes);
  } catch (error) {
    if (isAbsentError(error) || codeOf(error) === 'EACCES') return undefined;
    throw error;
  }
}
