import type { Bytes } from '../platform/bytes.ts';
import { namesInOrNone, removeFile } from '../platform/files.ts';
import { join } from '../platform/paths.ts';
import { isOtherWriting } from './gate.ts';
import { isGitAtWork } from './git-locks.ts';
import type { Store } from './store.ts';

/**
 * What a git that failed or was killed has left half written, and its crash report: it goes at once where no git works in the store, nor
 * a belay that writes objects itself, for a disk that is full may be full of it. Named before it is asked who works: one that comes later
 * has made none of these.
 */
export function clearAbandoned(store: Store): void {
  const left = leftIn(store);
  if (left.length > 0 && !isGitAtWork(store) && !isOtherWriting(store)) for (const path of left) removeFile(path);
}

function leftIn({ gitDir }: Store): Bytes[] {
  const objects = join(gitDir, 'objects');
  const some = (folder: Bytes, isLeft: RegExp): Bytes[] =>
    namesInOrNone(folder)
      .filter((name) => isLeft.test(name))
      .map((name) => join(folder, name));
  return [
    ...some(gitDir, /^fast_import_crash_\d+$/),
    ...some(join(objects, 'pack'), /^(?:tmp_|\.tmp-)/),
    ...some(objects, /^tmp_obj/),
    ...some(objects, /^[0-9a-f]{2}$/).flatMap((folder) => some(folder, /^tmp_obj_/)),
  ];
}
