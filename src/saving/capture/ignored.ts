import type { Store } from '../../checkpoint/store.ts';
import type { Bytes } from '../../platform/bytes.ts';
import type { Config } from '../../platform/config.ts';
import { excludesOf, writeExcludes } from './excludes.ts';
import { dropIndex, indexPath } from './kept.ts';
import { CaptureError, gitOn } from './work-tree.ts';

export interface IgnoredIn {
  readonly store: Store;
  readonly key: string;
  readonly root: Bytes;
  readonly config: Config;
  readonly deadline: number;
}

/**
 * What git ignores in a project and its captures therefore do not have, relative to the root; a folder that is ignored whole is one
 * entry. Undefined where it could not be told in time.
 */
export async function ignoredIn({ store, key, root, config, deadline }: IgnoredIn): Promise<Bytes[] | undefined> {
  const excludes = writeExcludes(store, key, await excludesOf(root, config));
  try {
    const tree = { store, root, index: indexPath(store, key, ''), excludes, deadline };
    const answer = gitOn(tree, ['ls-files', '-z', '-o', '-i', '--exclude-standard', '--directory']);
    if (!answer.ok) return undefined;
    return answer.out
      .toString('latin1')
      .split('\0')
      .filter((path) => path !== '')
      .map((path) => path.replace(/\/$/, ''));
  } catch (error) {
    if (error instanceof CaptureError) return undefined;
    throw error;
  } finally {
    if (excludes !== undefined) dropIndex(excludes);
  }
}
