import type { Bytes } from '../platform/bytes.ts';
import { fromBuffer } from '../platform/bytes.ts';
import { isAbsentError, lookAt, namesInOrNone } from '../platform/files.ts';
import { git } from '../platform/git.ts';
import { join } from '../platform/paths.ts';
import type { Store } from './store.ts';

/** Bytes of all files below a folder; what vanishes meanwhile counts nothing. */
export function bytesBelow(folder: Bytes): number {
  let sum = 0;
  for (const name of namesInOrNone(folder)) {
    const path = join(folder, name);
    try {
      const look = lookAt(path);
      if (look?.type === 'folder') sum += bytesBelow(path);
      else sum += look?.size ?? 0;
    } catch (error) {
      if (!isAbsentError(error)) throw error;
    }
  }
  return sum;
}

/** Bytes on disk of all objects that a project's checkpoints and captures name. One git process. */
export function objectBytes(store: Store, key: string): number {
  const answer = git(['rev-list', '--objects', '--disk-usage', `--glob=refs/belay/${key}/*`], {
    gitDir: store.gitDir,
    timeout: 60_000,
  });
  return answer.ok ? Number(fromBuffer(answer.out).trim()) || 0 : 0;
}
