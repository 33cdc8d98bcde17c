import { type Bytes, toText } from '../../platform/bytes.ts';
import type { Repository } from './repository.ts';

/**
 * What a word means as a revision, or undefined. Plain branch and tag names are looked up without a process. `head`: where an earlier
 * command of the line leaves HEAD.
 */
export function revisionOf(repo: Repository, word: Bytes, head: Bytes = 'HEAD'): Bytes | undefined {
  const now = word === '-' ? '@{-1}' : word === '@' ? 'HEAD' : word;
  const name = head === 'HEAD' ? now : now.replace(/^(HEAD|@)(?=$|[~^])/, () => head);
  if (name === '' || name.startsWith(':')) return undefined;
  // taken as it is: whoever asks git about it hears whether it is there
  if (/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(name)) return name;
  if (/^HEAD([~^]\d*)+$/.test(name) && repo.head() !== undefined) return name;
  if (name === 'HEAD') return repo.head() === undefined ? undefined : 'HEAD';
  if (!repo.foreignRefs && /^[\w./+#%,-]+$/.test(name.replace(/[\x80-\xff]/g, '_'))) {
    if (repo.named(name) !== undefined) return name;
    const abbreviated = /^[0-9a-f]{4,64}$/i.test(name) || /-g[0-9a-f]{4,}$/i.test(name);
    if (!abbreviated || name.includes('..')) return name.includes('...') ? mergeBase(repo, name) : undefined;
  }
  if (name.includes('...')) return mergeBase(repo, name);
  return repo.resolve(toText(name)) === undefined ? undefined : name;
}

/** `A...B` as `checkout` and `restore` take it: the merge base, `HEAD` where a side is left out. */
function mergeBase(repo: Repository, name: Bytes): Bytes | undefined {
  const [left = '', right = ''] = name.split('...');
  const answer = repo.ask(['merge-base', '--', toText(left) || 'HEAD', toText(right) || 'HEAD']);
  return answer.ok ? answer.out.toString('latin1').trim() : undefined;
}

/** The remote branch that `git checkout X` makes a local `X` from: of exactly one remote (git-checkout(1), `--guess`). */
export function guessedBranch(repo: Repository, word: Bytes): Bytes | undefined {
  const found = repo.refsBelow('refs/remotes/').filter((ref) => ref.split('/').slice(3).join('/') === word);
  if (found.length === 1) return found[0];
  const preferred = repo.config.text('checkout.defaultremote');
  return found.find((ref) => ref === `refs/remotes/${preferred ?? ''}/${word}`);
}

/** Both name the same commit, as far as refs on disk tell. */
export const isHead = (repo: Repository, revision: Bytes, now: Bytes = 'HEAD'): boolean => {
  if (revision === now) return true;
  const head = now === 'HEAD' ? repo.head() : repo.named(now);
  return head !== undefined && repo.named(revision) === head;
};

/** After a fetch of the same line it may name another commit than now. */
export const movesByFetch = (repo: Repository, revision: Bytes): boolean =>
  /FETCH_HEAD|@\{(u|upstream|push)\}/i.test(revision) ||
  (!/^(HEAD|@)/.test(revision) &&
    repo.ref(`refs/heads/${revision}`) === undefined &&
    repo.ref(`refs/tags/${revision}`) === undefined);
