import type { Bytes } from '../../platform/bytes.ts';
import type { Look } from '../../platform/files.ts';
import { holdFolders } from '../../turns/pending.ts';
import { type HeldEntry, readManifest } from './manifest.ts';
import type { Wanted } from './wanted.ts';

/** What of a turn is held already: the newest version of each path. */
export type HeldAlready = ReadonlyMap<Bytes, HeldEntry>;

export function heldAlready(turnFolder: Bytes): HeldAlready {
  const out = new Map<Bytes, HeldEntry>();
  for (const folder of holdFolders(turnFolder)) for (const entry of entriesIn(folder)) out.set(entry.path, entry);
  return out;
}

function entriesIn(folder: Bytes): readonly HeldEntry[] {
  try {
    return readManifest(folder)?.entries ?? [];
  } catch {
    return []; // damaged: whatever it held is held once more
  }
}

/**
 * Whether a path needs no further version: inode, size, mtime and ctime are those that were held, and the hold
 * stands whatever the line does. A link does not stand a write in place: that path gets bytes of its own.
 */
export function isHeld(wanted: Wanted, already: HeldAlready): boolean {
  const held = already.get(wanted.path);
  if (held === undefined) return false;
  if (held.look === undefined || wanted.look === undefined) return held.look === wanted.look;
  if (!isSame(held.look, wanted.look)) return false;
  return !(wanted.own && held.hold?.how === 'link');
}

/** Nothing about the entry changed that anybody could tell. */
export const isSame = (a: Look, b: Look): boolean =>
  a.type === b.type &&
  a.mode === b.mode &&
  a.size === b.size &&
  a.mtime === b.mtime &&
  a.ctime === b.ctime &&
  a.ino === b.ino &&
  a.dev === b.dev;
