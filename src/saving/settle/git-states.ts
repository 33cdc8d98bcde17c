import { blobOid } from '../../checkpoint/oid.ts';
import type { GitState } from '../../checkpoint/record.ts';
import { onlyLogs, withLostLogs } from '../../checkpoint/reflogs.ts';
import type { Bytes } from '../../platform/bytes.ts';
import { readBytesIfAny } from '../../platform/files.ts';
import { isInside, join, relativeTo } from '../../platform/paths.ts';
import type { EndManifest } from '../end.ts';
import type { HeldGit, Manifest } from '../hold/manifest.ts';
import type { Gathering } from './contents.ts';

interface GitBuilding extends Gathering {
  readonly gitBefore: GitState[];
  readonly gitAfter: GitState[];
}

/** How a record names a path: relative to its project's root where it lies in it. */
export const shorten = (path: Bytes, root: Bytes): Bytes => (isInside(path, root) ? relativeTo(root, path) : path);

/** The repositories that a git line of the turn touched: as they were, and as they are. */
export function addGit(
  manifests: readonly Manifest[],
  end: EndManifest,
  of: (root: Bytes) => GitBuilding,
  rootOf: (path: Bytes) => Bytes,
): void {
  const seen = new Set<Bytes>();
  for (const { header, folder } of manifests)
    for (const before of header.git) {
      if (seen.has(before.gitDir)) continue;
      seen.add(before.gitDir);
      const root = rootOf(before.workTree ?? before.gitDir);
      const to = of(root);
      const after = end.git.find((state) => state.gitDir === before.gitDir);
      const [was, is] = after === undefined ? [onlyLogs(before, [])] : withLostLogs(before, after);
      to.gitBefore.push(gitState(was, folder, root, to));
      if (is !== undefined) to.gitAfter.push(gitState(is, end.gitFolder, root, to));
    }
}

function gitState(state: HeldGit, folder: Bytes, root: Bytes, to: Gathering): GitState {
  const { indexFile, ...rest } = state;
  const workTree = state.workTree === undefined ? undefined : shorten(state.workTree, root);
  const index = indexFile === undefined ? undefined : readBytesIfAny(join(folder, indexFile));
  if (index === undefined) return { ...rest, workTree };
  const oid = blobOid(index);
  to.blobs.set(oid, index);
  return { ...rest, workTree, index: oid };
}
