import type { Bytes } from '../../platform/bytes.ts';
import { join } from '../../platform/paths.ts';
import { findRepository, type Repository } from './repository.ts';
import type { Scene } from './scene.ts';
import { isFolderEntry, isGitlink, Status, statOf } from './status.ts';
import { treeToIndex, untracked } from './trees.ts';

/** A repository by its own folder, whatever the command's environment says about another one. */
export function repositoryAt(scene: Scene, path: Bytes): Repository | undefined {
  if (!statOf(join(path, '.git'))) return undefined;
  const { where } = scene.globals;
  return findRepository({
    cwd: path,
    env: (name) =>
      name.startsWith('GIT_') && name !== 'GIT_CONFIG_GLOBAL' && name !== 'GIT_CONFIG_NOSYSTEM'
        ? undefined
        : where.env(name),
    command: [],
    pathspecs: {},
  });
}

/**
 * Whether a work tree that is deleted whole holds something that no ref holds. Without force git refuses where files are changed or
 * untracked, but ignored files go without a word.
 */
export function losesInside(scene: Scene, path: Bytes, force: boolean): boolean {
  const repo = repositoryAt(scene, path);
  if (!repo) return true;
  const loose = untracked(repo, force ? 'both' : 'untracked');
  if (loose === undefined) return true;
  if (force) return loose.length > 0 || isDirty(repo);
  if (loose.length > 0 || isDirty(repo)) return false;
  return untracked(repo, 'ignored')?.length !== 0;
}

/** Something tracked differs from HEAD, in the work tree or in the index. */
function isDirty(repo: Repository): boolean {
  const entries = repo.index();
  if (!entries) return true;
  const status = new Status(repo);
  const changed = entries.some((entry) => {
    if (isGitlink(entry) || isFolderEntry(entry)) return false;
    const now = status.of(entry).kind;
    return now === 'changed' || now === 'mode' || entry.stage > 0;
  });
  if (changed) return true;
  const staged = treeToIndex(repo, 'HEAD');
  return staged.kind !== 'found' || staged.differences.length > 0;
}
