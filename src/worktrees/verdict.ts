import { toText } from '../platform/bytes.ts';
import type { Facts } from './facts.ts';

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
  if (facts.inside !== undefined) return keep(`another worktree lies in it (${toText(facts.inside)})`);
  if (facts.underWay !== undefined) return keep(`${facts.underWay} is under way`);
  if (work === 'unknown') return keep('git cannot tell what it holds');
  if (work.tracked > 0) return keep('uncommitted changes');
  if (work.repositories.length > 0) return keep(`a repository inside it (${toText(work.repositories[0] ?? '')})`);
  if (facts.unique === 'unknown') return keep('git cannot tell which commits only it has');
  if (facts.unique > 0) return keep(`${facts.unique} unpushed commit${facts.unique === 1 ? '' : 's'}`);
  if (facts.ownRef !== undefined) return keep(`only ${facts.ownRef} of it holds something`);
  if (facts.age < maxAge) return keep(`touched ${spanOf(facts.age)} ago, less than ${spanOf(maxAge)}`);
  const { untracked, ignored } = work;
  if (untracked.length > 0 || ignored.length > 0)
    return {
      verdict: 'archive',
      reason: `only ${[...(untracked.length > 0 ? ['untracked'] : []), ...(ignored.length > 0 ? ['ignored'] : [])].join(' and ')} files`,
    };
  return {
    verdict: 'remove',
    reason: `${facts.merged ? 'merged' : facts.pushed ? 'pushed' : 'nothing of its own'} and clean`,
  };
}

const keep = (reason: string): Verdict => ({ verdict: 'keep', reason });

function spanOf(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 120) return `${minutes}m`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)}h` : `${Math.floor(minutes / 1440)}d`;
}
