import type { Bytes } from '../platform/bytes.ts';
import { lookThrough, readBytesIfAny } from '../platform/files.ts';
import { dirname, join, resolve } from '../platform/paths.ts';

/** The repository of a work tree: `.git` may be a file that says where (gitrepository-layout(5)). */
export function gitFolderOf(root: Bytes): Bytes | undefined {
  const git = join(root, '.git');
  const look = lookThrough(git);
  if (look?.type !== 'file') return look === undefined ? undefined : git;
  const said = /^gitdir: (.*)$/m.exec(readBytesIfAny(git)?.toString('latin1') ?? '')?.[1];
  return said === undefined ? undefined : resolve(dirname(git), said);
}

/** Where refs and objects are: another folder than its own in a linked work tree. */
export function commonFolderOf(gitFolder: Bytes): Bytes {
  const said = readBytesIfAny(join(gitFolder, 'commondir'))?.toString('latin1').trim();
  return said === undefined || said === '' ? gitFolder : resolve(gitFolder, said);
}

/** The index of the repository whose work tree this is. */
export function repositoryIndex(root: Bytes): Bytes | undefined {
  const folder = gitFolderOf(root);
  if (folder === undefined) return undefined;
  return lookThrough(join(folder, 'index'))?.type === 'file' ? join(folder, 'index') : undefined;
}

/** The repository's own exclude list, that of all its work trees (gitignore(5): `$GIT_COMMON_DIR/info/exclude`). */
export function excludeListOf(root: Bytes): Bytes {
  const folder = gitFolderOf(root);
  return folder === undefined ? join(root, '.git/info/exclude') : join(commonFolderOf(folder), 'info/exclude');
}
