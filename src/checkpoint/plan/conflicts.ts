import { type Bytes, toText } from '../../platform/bytes.ts';
import { dirname, join } from '../../platform/paths.ts';
import type { Goal } from './goals.ts';
import type { Step, Why } from './steps.ts';
import type { World } from './world.ts';

/** Every folder above these paths. */
export function parentsOf(goals: readonly Goal[]): Set<Bytes> {
  const out = new Set<Bytes>();
  for (const { path } of goals) for (let at = dirname(path); at !== '/' && !out.has(at); at = dirname(at)) out.add(at);
  return out;
}

/**
 * `leaving`: folders that are renamed whole. Parents that are no folders, and folders that must go although something lies in them. Forced goals clear the way (the safety
 * checkpoint has what goes); the others stay as they are.
 */
export function settleConflicts(
  wanted: Map<Bytes, Goal>,
  world: World,
  leaving: ReadonlySet<Bytes>,
  keep: (path: Bytes, why: Why, reason: string) => void,
  isKept: (path: Bytes) => boolean,
): Step[] {
  const cleared = new Map<Bytes, Step>();
  const clear = (path: Bytes, key: string): void => {
    const present = world.at(path);
    if (present.is === 'there')
      cleared.set(path, { do: 'remove', path, key, seen: present.look, becomes: { kind: 'absent' } });
  };
  const drop = (path: Bytes, why: Why, reason: string): void => {
    wanted.delete(path);
    keep(path, why, reason);
  };
  /** Nobody asked for it: it is what keeps its folder. */
  const keepNew = (path: Bytes): void => {
    const present = world.at(path);
    const isFolder = present.is === 'there' && present.look.type === 'folder';
    if (!isFolder && !wanted.has(path) && !isKept(path)) keep(path, 'hand-edit', 'it came since');
  };

  // Each round may drop goals that others rest on; it ends because goals only ever leave.
  for (let before = -1; before !== wanted.size; ) {
    before = wanted.size;
    cleared.clear();
    const order = [...wanted.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
    for (const goal of order) {
      if (goal.version.kind === 'absent') continue;
      const obstacle = obstacleAbove(goal.path, wanted, world);
      if (obstacle === undefined) continue;
      if (goal.force && !wanted.has(obstacle)) clear(obstacle, goal.key);
      else drop(goal.path, 'in-the-way', `${toText(obstacle)} is in the way`);
    }
    const needed = parentsOf([...wanted.values()].filter(({ version }) => version.kind !== 'absent'));
    for (const goal of order.reverse()) {
      if (!wanted.has(goal.path) || goal.version.kind === 'folder' || leaving.has(goal.path)) continue;
      const present = world.at(goal.path);
      if (present.is !== 'there' || present.look.type !== 'folder') continue;
      const left = leftBelow(goal.path, wanted, cleared, leaving, world);
      if (left.length === 0 && !needed.has(goal.path)) continue;
      if (goal.force && !needed.has(goal.path)) for (const path of left) clear(path, goal.key);
      else {
        drop(goal.path, goal.version.kind === 'absent' ? 'not-empty' : 'in-the-way', 'it holds other files');
        for (const path of left) keepNew(path);
      }
    }
  }
  return [...cleared.values()];
}

/** The nearest parent that is not a folder and will not be one. */
function obstacleAbove(path: Bytes, wanted: ReadonlyMap<Bytes, Goal>, world: World): Bytes | undefined {
  for (let at = dirname(path); at !== '/'; at = dirname(at)) {
    const goal = wanted.get(at);
    if (goal && goal.version.kind === 'folder') return undefined;
    if (goal && goal.version.kind !== 'absent') return at;
    const present = world.at(at);
    if (present.is === 'hidden') return at;
    if (present.is === 'there' && present.look.type === 'folder') return undefined;
    // A parent that is to go, or is gone, is made again for what belongs in it.
    if (present.is === 'there' && !goal) return at;
  }
  return undefined;
}

/** What would still lie in a folder when all wanted and cleared paths are gone. */
function leftBelow(
  folder: Bytes,
  wanted: ReadonlyMap<Bytes, Goal>,
  cleared: ReadonlyMap<Bytes, Step>,
  leaving: ReadonlySet<Bytes>,
  world: World,
): Bytes[] {
  const out: Bytes[] = [];
  for (const name of world.names(folder)) {
    const path = join(folder, name);
    if (leaving.has(path)) continue; // it moves away, with all that is in it
    const goal = wanted.get(path);
    const present = world.at(path);
    const isFolder = present.is === 'there' && present.look.type === 'folder';
    const goes = cleared.has(path) || goal?.version.kind === 'absent';
    if (!goes) out.push(path);
    if (isFolder) out.push(...leftBelow(path, wanted, cleared, leaving, world));
  }
  return out;
}
