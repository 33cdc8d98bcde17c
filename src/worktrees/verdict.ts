import { toText } from '../platform/bytes.ts';
import type { BehindGit, Facts } from './facts.ts';
import type { Work } from './work.ts';

export interface Verdict {
  readonly verdict: 'keep' | 'archive' | 'remove';
  readonly reason: string;
}

export interface Limits {
  /** Younger trees are left alone, ms; 0: age does not matter. */
  readonly maxAge: number;
}

/**
 * What may become of a worktree. Whatever would be lost, or is being used, keeps it; what only git does not know of is archived first.
 * Pure: the same facts give the same answer, so that it can be asked again at the moment of removal.
 */
export function verdictOf(facts: Facts, { maxAge }: Limits): Verdict {
  const { tree, work } = facts;
  if (tree.main) return keep('the main worktree');
  if (tree.bare) return keep('a bare repository');
  if (tree.missing) return keep('its folder is missing (git worktree prune forgets it)');
  if (tree.locked !== undefined && !facts.lockIsDead)
    return keep(tree.locked === '' ? 'locked' : `locked: ${toText(tree.locked)}`);
  if (facts.user !== undefined) return keep(`in use by ${facts.user}`);
  if (facts.mounted !== undefined) return keep(`something is mounted in it (${toText(facts.mounted)})`);
  if (facts.inside !== undefined) return keep(`another worktree lies in it (${toText(facts.inside)})`);
  if (facts.underWay !== undefined) return keep(`${facts.underWay} is under way`);
  if (work === 'unknown') return keep('git cannot tell what it holds');
  if (work.tracked > 0) return keep('uncommitted changes');
  if (facts.unique === 'unknown') return keep('git cannot tell which commits only it has');
  if (facts.unique > 0) return keep(`${facts.unique} unpushed commit${facts.unique === 1 ? '' : 's'}`);
  if (facts.ownRef !== undefined) return keep(`only ${facts.ownRef} of it holds something`);
  const why = facts.behindGit === undefined ? undefined : keptBehindGit(facts.behindGit);
  if (why !== undefined) return keep(why);
  if (facts.age < maxAge)
    return keep(`touched ${facts.age < 60_000 ? 'just now' : `${spanOf(facts.age)} ago`}, less than ${spanOf(maxAge)}`);
  return mayGo(facts, work);
}

/** What git does not show, and nobody could bring back. */
function keptBehindGit({ hidden, repositories, logged }: BehindGit): string | undefined {
  if (hidden === 'unknown') return 'git cannot tell what it holds';
  if (hidden.length > 0) return `git was told not to look at ${toText(hidden[0] ?? '')}`;
  if (repositories === 'unknown') return 'a folder in it cannot be read';
  if (repositories.length > 0) return `a repository inside it (${toText(repositories[0] ?? '')})`;
  return logged === 'unknown' ? 'git cannot tell what its reflog holds' : undefined;
}

/** What git has no other copy of is archived first. */
function mayGo({ merged, pushed, behindGit }: Facts, { untracked, ignored }: Work): Verdict {
  const files = [...(untracked.length > 0 ? ['untracked'] : []), ...(ignored.length > 0 ? ['ignored'] : [])];
  const commits = typeof behindGit?.logged === 'object' && behindGit.logged.commits > 0;
  const only = [
    ...(files.length > 0 ? [`only ${files.join(' and ')} files`] : []),
    ...(commits ? ['commits that only its reflog has'] : []),
  ];
  if (only.length > 0) return { verdict: 'archive', reason: only.join(', and ') };
  return { verdict: 'remove', reason: `${merged ? 'merged' : pushed ? 'pushed' : 'nothing of its own'} and clean` };
}

const keep = (reason: string): Verdict => ({ verdict: 'keep', reason });

function spanOf(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 120) return `${minutes}m`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)}h` : `${Math.floor(minutes / 1440)}d`;
}
