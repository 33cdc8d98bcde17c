import { hasOtherOwner } from './owner.ts';
import type { Content, Version } from './record.ts';

/** Names the bytes of a content, where its record does. */
export function oidOf(content: Content): string | undefined {
  return content.at === 'nowhere' ? undefined : content.oid;
}

/** Whether something was done to a path: other content, kind or permissions, or another owner. */
export const differ = (a: Version, b: Version): boolean => !sameVersion(a, b) || hasOtherOwner(a, b);

/** Of changes those that are said as a number of files, everywhere: folders are not. */
export const fileChanges = <T extends { readonly before: Version; readonly after: Version }>(
  changes: readonly T[],
): T[] =>
  changes.filter(({ before, after }) => before.kind !== 'folder' && after.kind !== 'folder' && differ(before, after));

/** Whether two recorded versions are the same state of a path; whose it is does not count. Modification times do not count. */
export function sameVersion(a: Version, b: Version): boolean {
  if (a.kind !== b.kind) return false;
  if (a.kind === 'file' && b.kind === 'file') {
    if (a.mode !== b.mode || a.size !== b.size) return false;
    const [one, other] = [oidOf(a.content), oidOf(b.content)];
    if (one !== undefined && other !== undefined) return one === other;
    if (a.content.at === 'nowhere' && b.content.at === 'nowhere')
      return a.content.ctime !== undefined && a.content.ctime === b.content.ctime && a.content.ino === b.content.ino;
    return a.content.at === 'hold' && b.content.at === 'hold' && a.content.path === b.content.path;
  }
  if (a.kind === 'link' && b.kind === 'link') return a.target === b.target;
  if (a.kind === 'folder' && b.kind === 'folder') return a.mode === b.mode;
  if (a.kind === 'special' && b.kind === 'special') return a.what === b.what && a.mode === b.mode;
  return a.kind === 'absent';
}
