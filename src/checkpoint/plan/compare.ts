import type { Bytes } from '../../platform/bytes.ts';
import type { Content, Version } from '../record.ts';
import { oidOf } from '../version.ts';
import type { Present, World } from './world.ts';

/**
 * Whether a path is now what a version says: bytes, type and mode. `holdOid` names the bytes of a hold whose record does not.
 * A version that is not known is never the same as anything.
 */
export function isNow(
  version: Version,
  path: Bytes,
  world: World,
  holdOid: (content: Content) => string | undefined,
): boolean {
  const present = world.at(path);
  if (version.kind === 'absent') return present.is === 'nothing' || present.is === 'behind';
  if (present.is !== 'there') return false;
  return version.kind === 'unknown' ? false : matches(version, path, present, world, holdOid);
}

function matches(
  version: Version,
  path: Bytes,
  present: Present & { readonly is: 'there' },
  world: World,
  holdOid: (content: Content) => string | undefined,
): boolean {
  const { look } = present;
  switch (version.kind) {
    case 'file':
      return look.type === 'file' && look.mode === version.mode && sameBytes(version, path, present, world, holdOid);
    case 'link':
      return look.type === 'link' && world.link(path) === version.target;
    case 'folder':
      return look.type === 'folder' && look.mode === version.mode;
    case 'special':
      return look.type === version.what && look.mode === version.mode;
    default:
      return false;
  }
}

/** The bytes alone, whatever the mode. */
export function sameBytes(
  version: Version & { readonly kind: 'file' },
  path: Bytes,
  present: Present,
  world: World,
  holdOid: (content: Content) => string | undefined,
): boolean {
  if (present.is !== 'there' || present.look.type !== 'file' || present.look.size !== version.size) return false;
  const { content } = version;
  if (content.at === 'nowhere') {
    if (content.ctime === undefined && content.ino === undefined) return false;
    return (
      (content.ctime === undefined || content.ctime === present.look.ctime) &&
      (content.ino === undefined || content.ino === present.look.ino) &&
      (version.mtime === undefined || version.mtime === present.look.mtime)
    );
  }
  const oid = oidOf(content) ?? holdOid(content);
  return oid !== undefined && world.oid(path) === oid;
}
