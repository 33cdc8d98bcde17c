import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { readBytesIfAny } from '../../platform/files.ts';
import type { Event } from '../ledger.ts';
import { isNow, sameBytes } from '../plan/compare.ts';
import type { Goal } from '../plan/goals.ts';
import type { Sources } from '../plan/sources.ts';
import type { World } from '../plan/world.ts';
import type { Content, Version } from '../record.ts';
import { differ } from '../version.ts';

/** One side of a difference. */
export interface Side {
  readonly version: Version;
  /** Where the bytes are; undefined where they are not to be had, or too many to show. */
  readonly bytes?: { readonly blob: string } | { readonly file: Bytes } | { readonly text: Buffer };
}

export interface Pair {
  readonly path: Bytes;
  readonly before: Side;
  readonly after: Side;
  /** It came from there by renaming. */
  readonly from?: Bytes;
}

/** Larger contents are named and counted, not shown line by line. */
export const LARGEST_SHOWN = 4 << 20;

/** What events changed: the version before the first of them and after the last, path by path. */
export function pairsOfEvents(
  changes: readonly { readonly path: Bytes; readonly first: Event; readonly last: Event }[],
  world: World,
  sources: Sources,
): Pair[] {
  return changes.flatMap(({ path, first, last }): Pair[] => {
    const [before, after] = [first.changes.get(path), last.changes.get(path)];
    if (before === undefined || after === undefined || !differ(before.before, after.after)) return [];
    const goal = { path, key: first.key, force: false };
    return [
      {
        path,
        before: was({ ...goal, version: before.before, event: first, change: before }, sources),
        after: left({ ...goal, version: after.after, event: last }, world, sources),
      },
    ];
  });
}

/** How an event left a path: where only a hash was kept, it may still lie there as it was left. */
function left(goal: Goal, world: World, sources: Sources): Side {
  const side = was(goal, sources);
  const { version, path } = goal;
  if (version.kind !== 'file' || side.bytes !== undefined || version.size > LARGEST_SHOWN) return side;
  return sameBytes(version, path, world.at(path), world, sources.holdOid) ? { version, bytes: { file: path } } : side;
}

/** What is now, against what these goals say was: only paths that differ. */
export function pairsFromNow(goals: readonly Goal[], world: World, sources: Sources): Pair[] {
  const pairs: Pair[] = [];
  for (const goal of goals) {
    if (isNow(goal.version, goal.path, world, sources.holdOid)) continue;
    pairs.push({ path: goal.path, before: was(goal, sources), after: present(goal.path, world) });
  }
  return pairs;
}

function was(goal: Goal, sources: Sources): Side {
  const { version } = goal;
  if (version.kind === 'link') return { version, bytes: { text: toBuffer(version.target) } };
  if (version.kind !== 'file' || version.size > LARGEST_SHOWN) return { version };
  const source = sources.of(goal);
  if (source.at === 'blob') return { version, bytes: { blob: source.oid } };
  return source.at === 'none' ? { version } : { version, bytes: { file: source.path } };
}

function present(path: Bytes, world: World): Side {
  const now = world.at(path);
  if (now.is === 'hidden') return { version: { kind: 'unknown', why: now.why } };
  if (now.is !== 'there') return { version: { kind: 'absent' } };
  const { look } = now;
  const nowhere: Content = { at: 'nowhere', why: 'as it is now' };
  if (look.type === 'file') {
    const version: Version = { kind: 'file', mode: look.mode, size: look.size, content: nowhere };
    return look.size > LARGEST_SHOWN ? { version } : { version, bytes: { file: path } };
  }
  if (look.type === 'link') {
    const target = world.link(path) ?? '';
    return { version: { kind: 'link', target }, bytes: { text: toBuffer(target) } };
  }
  if (look.type === 'folder') return { version: { kind: 'folder', mode: look.mode } };
  return { version: { kind: 'special', mode: look.mode, what: look.type } };
}

/** Files that only moved are one pair, from the old name to the new: same bytes, one gone and one come. */
export function joinRenames(pairs: readonly Pair[], oid: (side: Side) => string | undefined): Pair[] {
  const gone = new Map<string, Pair>();
  for (const pair of pairs) {
    if (pair.before.version.kind !== 'file' || pair.after.version.kind !== 'absent' || pair.before.version.size === 0)
      continue;
    const name = oid(pair.before);
    if (name !== undefined && !gone.has(name)) gone.set(name, pair);
  }
  const used = new Set<Pair>();
  const out: Pair[] = [];
  for (const pair of pairs) {
    const name =
      pair.before.version.kind === 'absent' && pair.after.version.kind === 'file' ? oid(pair.after) : undefined;
    const old = name === undefined ? undefined : gone.get(name);
    if (old === undefined || used.has(old)) {
      out.push(pair);
      continue;
    }
    used.add(old);
    out.push({ path: pair.path, from: old.path, before: old.before, after: pair.after });
  }
  return out.filter((pair) => !used.has(pair));
}

export const readSide = (side: Side): Buffer | undefined =>
  side.bytes === undefined || 'blob' in side.bytes
    ? undefined
    : 'text' in side.bytes
      ? side.bytes.text
      : readBytesIfAny(side.bytes.file);
