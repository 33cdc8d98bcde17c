import type { Look } from '../platform/files.ts';
import type { Owner, Version } from './record.ts';

/** A program with one of these runs with the rights of whose it is. */
export const SET_ID = 0o6000;

/**
 * What a version says of its owner: nothing where that is this very process's own and nothing hangs on it. Root says it always: what it
 * puts back would else be given to whom the folder belongs.
 */
export function ownerOf({ uid, gid, mode, type }: Look, always = false): { readonly owner?: Owner } {
  const needed = always || !isUsual([uid, gid]) || (type === 'file' && (mode & SET_ID) !== 0);
  return needed && gid >= 0 ? { owner: [uid, gid] } : {};
}

/** What this process makes belongs to them by itself, or is given to them (apply/owner.ts: a setgid folder hands on its group). */
export const isUsual = ([uid, gid]: Owner): boolean =>
  uid !== 0 && uid === process.getuid?.() && gid === process.getgid?.();

/** Both are known, and not the same. */
export const isOtherOwner = (a: Look | undefined, b: Look | undefined): boolean =>
  a !== undefined && b !== undefined && a.gid >= 0 && b.gid >= 0 && (a.uid !== b.uid || a.gid !== b.gid);

/** The same of versions. */
export function hasOtherOwner(a: Version, b: Version): boolean {
  const [one, other] = [recordedOwner(a), recordedOwner(b)];
  return one !== undefined && other !== undefined && (one[0] !== other[0] || one[1] !== other[1]);
}

/** Whether an entry belongs to whom a version says; one that does not say is content with anybody. */
export const hasOwner = (version: Version, { uid, gid }: Look): boolean => {
  const owner = recordedOwner(version);
  return owner === undefined || (owner[0] === uid && owner[1] === gid);
};

export const recordedOwner = (version: Version): Owner | undefined =>
  version.kind === 'absent' || version.kind === 'unknown' ? undefined : version.owner;
