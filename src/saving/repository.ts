import type { Bytes } from '../platform/bytes.ts';
import { lookThrough, readBytesIfAny } from '../platform/files.ts';
import { dirname, join, resolve } from '../platform/paths.ts';

/** The index of the repository whose work tree this is; `.git` may be a file that says where (gitrepository-layout(5)). */
export function repositoryIndex(root: Bytes): Bytes | undefined {
  const git = join(root, '.git');
  const look = lookThrough(git);
  if (look === undefined) return undefined;
  let folder = git;
  if (look.type === 'file') {
    const said = /^gitdir: (.*)$/m.exec(readBytesIfAny(git)?.toString('latin1') ?? '')?.[1];
    if (said === undefined) return undefined;
    folder = resolve(dirname(git), said);
  }
  return lookThrough(join(folder, 'index'))?.type === 'file' ? join(folder, 'index') : undefined;
}
