import type { Bytes } from '../../../platform/bytes.ts';
import { join } from '../../../platform/paths.ts';
import type { IndexEntry } from '../index-file.ts';
import { findRepository, type Repository } from '../repository.ts';
import { isGitlink, Status, statOf } from '../status.ts';
import { untracked } from '../trees.ts';

/** How git says that a work tree file is not what the index has: `M`, `D`, `T`, `A` (intent to add), `U` (a conflict). */
export type Letter = 'M' | 'D' | 'T' | 'A' | 'U';

/**
 * Every path of the index whose file differs, in the index's order, without a clean filter: for git a file may be the same for which
 * this says `M` (`core.autocrlf`), never the other way round.
 */
export function changedFiles(
  repo: Repository,
  matches: (path: Bytes) => boolean,
): readonly { readonly path: Bytes; readonly letter: Letter }[] | undefined {
  const entries = repo.index();
  if (entries === undefined) return undefined;
  const status = new Status(repo);
  const out: { readonly path: Bytes; readonly letter: Letter }[] = [];
  for (const entry of entries) {
    if (entry.skipWorktree || entry.assumeValid || !matches(entry.path)) continue;
    if (entry.stage > 0) {
      if (out.at(-1)?.path !== entry.path) out.push({ path: entry.path, letter: 'U' });
      continue;
    }
    const letter = isGitlink(entry) ? moduleLetter(repo, entry) : letterOf(repo, entry, status);
    if (letter !== undefined) out.push({ path: entry.path, letter });
  }
  return out;
}

function letterOf(repo: Repository, entry: IndexEntry, status: Status): Letter | undefined {
  const { kind } = status.of(entry);
  if (kind === 'absent' || kind === 'folder') return 'D';
  if (entry.intentToAdd) return 'A';
  if (kind === 'mode') return 'M';
  if (kind === 'same') return undefined;
  const link = (entry.mode & 0o170000) === 0o120000;
  return statOf(join(repo.workTree ?? '/', entry.path))?.isSymbolicLink() === link ? 'M' : 'T';
}

/** A submodule that is checked out: another commit, or anything changed in it. */
function moduleLetter(repo: Repository, entry: IndexEntry): Letter | undefined {
  const path = join(repo.workTree ?? '/', entry.path);
  if (!statOf(path)) return 'D';
  if (!statOf(join(path, '.git'))) return undefined;
  const { gitDir, workTree, ...where } = repo.where;
  const inner = findRepository({ ...where, env: withoutPlaces(repo.where.env), cwd: path });
  if (!inner) return undefined;
  const dirty =
    inner.head() !== entry.oid ||
    (changedFiles(inner, () => true)?.length ?? 1) > 0 ||
    (untracked(inner, 'untracked')?.length ?? 1) > 0;
  return dirty ? 'M' : undefined;
}

const withoutPlaces =
  (env: Repository['where']['env']): Repository['where']['env'] =>
  (name) =>
    /^GIT_(?:DIR|WORK_TREE|INDEX_FILE)$/.test(name) ? undefined : env(name);
