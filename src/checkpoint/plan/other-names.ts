import type { Bytes } from '../../platform/bytes.ts';
import type { Look } from '../../platform/files.ts';
import { dirname } from '../../platform/paths.ts';
import { filesFrom } from '../../platform/search.ts';
import type { Change } from '../record.ts';
import { sameVersion } from '../version.ts';
import { isNow } from './compare.ts';
import type { FileVersion, Goal } from './goals.ts';
import type { Sources } from './sources.ts';
import type { World } from './world.ts';

/** So many entries are looked at for other names in one restore. */
const MOST_ENTRIES = 20_000;

/**
 * A turn wrote into a file of several names through one, a later one took that name away: the other names are in no record. Those that
 * still lead to the file and have what the turns left in it, beside it and in its project, go back with it.
 */
export function goalsOfOtherNames(
  goals: readonly Goal[],
  world: World,
  sources: Sources,
  ownHome: Bytes | undefined,
): Goal[] {
  const byInode = new Map<string, Goal>();
  for (const goal of goals) {
    const { version, inOthers, path } = goal;
    if (version.kind !== 'file' || version.ino === undefined || inOthers === undefined) continue;
    const now = world.at(path);
    const stands = now.is === 'there' && now.look.ino === version.ino;
    if (!stands && !sameVersion(version, inOthers)) byInode.set(version.ino, goal);
  }
  if (byInode.size === 0) return [];
  const known = new Set(goals.map(({ path }) => path));
  const beside = [...byInode.values()].map(({ path }) => dirname(path));
  const tops = [...beside, ...[...byInode.values()].flatMap(({ event }) => event?.record.root ?? [])];
  const out: Goal[] = [];
  let entries = 0;
  for (const path of filesFrom(tops, ownHome === undefined ? [] : [ownHome], () => ++entries <= MOST_ENTRIES)) {
    const now = world.at(path);
    const goal = now.is === 'there' && !known.has(path) ? byInode.get(now.look.ino) : undefined;
    const expected = goal?.inOthers;
    if (goal === undefined || expected === undefined || now.is !== 'there') continue;
    if (!isThatFile(now.look, goal, expected, world) || !isNow(expected, path, world, sources.holdOid)) continue;
    const { change, inOthers: _, ...rest } = goal;
    out.push({ ...rest, path, expected, ...(change === undefined ? {} : { change: stays(change) }) });
  }
  return out;
}

/** A number is given to another file once the last name has gone, and another disk has the same numbers. */
const isThatFile = (look: Look, { path }: Goal, { mtime }: FileVersion, world: World): boolean =>
  (mtime === undefined || look.mtime === mtime) && look.dev === deviceAbove(path, world);

/** Of the nearest folder that is there. */
function deviceAbove(path: Bytes, world: World): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const now = world.at(folder);
    if (now.is === 'there') return now.look.dev;
    if (folder === '/') return undefined;
  }
}

const stays = ({ movedTo: _, ...change }: Change): Change => change;
