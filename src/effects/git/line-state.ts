import type { Bytes } from '../../platform/bytes.ts';
import type { Out } from '../types.ts';
import type { Pathspec } from './pathspec.ts';
import type { Repository } from './repository.ts';

/**
 * What earlier commands of the same line did to a repository: the plan of `git add -A && git reset --hard` is wrong for the state that
 * stands there now (FACTS §2).
 */
export interface LineState {
  /** Paths that `git add` put into the index; `forced`: ignored ones too. */
  grown: { readonly pathspec: Pathspec; readonly forced: boolean }[];
  /** Paths that left the index and stayed in the work tree. */
  shrunk: ((path: Bytes) => boolean)[];
  /** What the line itself has put into a commit or the stash: content that later commands cannot lose. */
  saved: 'nothing' | 'tracked' | 'all';
  /** `git stash push` ran: there is an entry to drop, and the work tree is what HEAD says. */
  stashed: boolean;
  /** HEAD may be another commit than now. */
  moved: boolean;
  /** A merge, rebase, … may be in progress. */
  started: boolean;
}

export function stateOf(out: Out, repo: Repository): LineState {
  const key = `git:${repo.gitDir}`;
  const found = out.memory.get(key) as LineState | undefined;
  if (found) return found;
  const made: LineState = { grown: [], shrunk: [], saved: 'nothing', stashed: false, moved: false, started: false };
  out.memory.set(key, made);
  return made;
}
