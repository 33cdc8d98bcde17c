import { type Bytes, toText } from '../../platform/bytes.ts';
import type { Repository } from './repository.ts';

/** What a word means as a revision, or undefined. Plain branch and tag names are looked up without a process. */
export function revisionOf(repo: Repository, word: Bytes): Bytes | undefined {
  const name = word === '-' ? '@{-1}' : word === '@' ? 'HEAD' : word;
  if (name === '' || name.startsWith(':')) return undefined;
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
export const isHead = (repo: Repository, revision: Bytes): boolean => {
  if (revision === 'HEAD') return true;
  const head = repo.head();
  return head !== undefined && repo.named(revision) === head;
};
