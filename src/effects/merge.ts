import type { Bytes } from '../platform/bytes.ts';
import { isInside, relativeTo, resolve } from '../platform/paths.ts';
import { entriesBelow, seen } from './world.ts';

/** A larger tree is held whole. */
const ENTRIES = 5_000;

/**
 * Copying the tree `from` onto `onto`: the paths at the destination that are overwritten or appear. Only the topmost of
 * what appears. Undefined where that cannot be listed.
 */
export function merged(from: Bytes, onto: Bytes): Bytes[] | undefined {
  if (isInside(onto, from) || seen(from) === undefined) return undefined;
  if (seen(onto) === undefined) return [onto];
  const entries = entriesBelow(from, ENTRIES);
  if (entries === undefined) return undefined;
  const fresh: Bytes[] = [];
  const out: Bytes[] = [];
  for (const entry of entries) {
    const path = resolve(onto, relativeTo(from, entry.path));
    if (fresh.some((top) => isInside(path, top))) continue;
    const there = seen(path);
    if (there === undefined) fresh.push(path);
    else if (entry.type !== 'folder' || there !== 'folder') out.push(path);
  }
  return [...out, ...fresh];
}
