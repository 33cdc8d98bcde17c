import type { Bytes } from '../../platform/bytes.ts';
import { isInside } from '../../platform/paths.ts';
import type { Out } from '../types.ts';
import type { Pathspec } from './pathspec.ts';
import type { Repository } from './repository.ts';

/**
 * What earlier commands of the same line did to a repository: the plan of `git add -A && git reset --hard` is wrong for the state that
 * stands there now.
 */
export interface LineState {
  /** Paths that `git add` put into the index; `forced`: ignored ones too. */
  grown: { readonly pathspec: Pathspec; readonly forced: boolean }[];
  /** Paths that left the index and stayed in the work tree. */
  shrunk: ((path: Bytes) => boolean)[];
  /** Paths whose index entries are those of a tree (`git reset`, `restore --staged`). */
  indexed: { readonly pathspec: Pathspec; readonly tree: Bytes }[];
  /** What the line itself has put into a commit or the stash: content that later commands cannot lose. */
  saved: 'nothing' | 'tracked' | 'all';
  /** Stash entries that the line itself has made and not taken back: what they bring back is what the line took away. */
  stashed: number;
  /** How many of the entries that are there now the line has dropped, from the newest on. */
  dropped: number;
  /** Paths that `git add` and then `git commit` put into HEAD. */
  kept: LineState['grown'];
  /** The line has made a commit of what was changed. */
  committed: boolean;
  /** The revision that HEAD will name; undefined: a commit that is not there yet. */
  head: Bytes | undefined;
  /** What remotes have may have come. */
  fetched: boolean;
}

export function stateOf(out: Out, repo: Repository): LineState {
  const key = `git:${repo.gitDir}`;
  const found = out.memory.get(key) as LineState | undefined;
  if (found) return found;
  const made: LineState = {
    grown: [],
    shrunk: [],
    indexed: [],
    saved: 'nothing',
    stashed: 0,
    dropped: 0,
    kept: [],
    committed: false,
    head: 'HEAD',
    fetched: false,
  };
  out.memory.set(key, made);
  return made;
}

const EARLIER = 'git:earlier';

/** Whether an earlier git command of the line may have made refs, or begun a merge, that are not there yet. */
export const followsGit = (out: Out): boolean => out.memory.has(EARLIER);

export const noteGit = (out: Out): void => {
  out.memory.set(EARLIER, true);
};

const INIT = 'git:init';

/** A folder in which an earlier `git init` of the line makes a repository. */
export const noteInit = (out: Out, folder: Bytes): void => {
  out.memory.set(INIT, [...((out.memory.get(INIT) as Bytes[] | undefined) ?? []), folder]);
};

export const initedAbove = (out: Out, path: Bytes): Bytes | undefined =>
  (out.memory.get(INIT) as Bytes[] | undefined)?.find((folder) => isInside(path, folder));
