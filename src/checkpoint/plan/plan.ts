import { type Bytes, toText } from '../../platform/bytes.ts';
import { dirname, isInside, join } from '../../platform/paths.ts';
import { absolutePath } from '../ledger.ts';
import { hasOwner } from '../owner.ts';
import type { Version } from '../record.ts';
import { isNow, sameBytes } from './compare.ts';
import type { Goal } from './goals.ts';
import type { Sources } from './sources.ts';
import type { Kept, RestorePlan, Step, Why } from './steps.ts';
import type { World } from './world.ts';

export interface PlanOptions {
  /** What to do where a change is possibly not the turn's own work. */
  readonly uncertain: 'keep' | 'restore';
  /** Mode of a folder that has to be made for what belongs in it. */
  readonly folderMode: (path: Bytes) => number;
  /** belay's own home: what lies above it, belay has made again where a line had destroyed it. */
  readonly ownHome?: Bytes;
}

/** Decides what a restore does to each path; nothing is touched: deciding is pure, doing is thin. */
export function planRestore(goals: readonly Goal[], world: World, sources: Sources, options: PlanOptions): RestorePlan {
  const kept = new Map<Bytes, Kept>();
  const keep = (path: Bytes, why: Why, reason: string): void => {
    kept.set(path, { path, why, reason });
  };
  const wanted = new Map<Bytes, Goal>();
  let already = 0;

  for (const goal of goals) {
    const verdict = judge(goal, world, sources, options);
    if (verdict.is === 'already') already++;
    else if (verdict.is === 'keep') keep(goal.path, verdict.why, verdict.reason);
    else wanted.set(goal.path, goal);
  }

  const moves = planMoves(wanted, goals, world, sources);
  dropUnreadable(wanted, moves, sources, world, keep);
  const leaving = new Set(
    [...moves].filter(([path]) => wanted.get(path)?.version.kind === 'folder').map(([, from]) => from),
  );
  const extra = settleConflicts(wanted, world, leaving, keep, (path) => kept.has(path));

  const steps: Step[] = [...extra];
  for (const goal of wanted.values()) steps.push(stepFor(goal, world, sources, moves));
  const parents = missingParents(steps, world, options.folderMode);
  const made = new Set(parents.map(({ path }) => path));
  for (let i = steps.length - 1; i >= 0; i--) if (made.has(steps[i]?.path ?? '')) steps.splice(i, 1);
  steps.push(...parents);
  steps.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return { steps, kept: [...kept.values()].sort((a, b) => (a.path < b.path ? -1 : 1)), already };
}

type Verdict =
  | { readonly is: 'already' }
  | { readonly is: 'do' }
  | { readonly is: 'keep'; readonly why: Why; readonly reason: string };

function judge(goal: Goal, world: World, sources: Sources, options: PlanOptions): Verdict {
  const { path, version } = goal;
  const now = world.at(path);
  if (now.is === 'hidden' && now.mounted !== undefined)
    return { is: 'keep', why: 'mounted', reason: `something has been mounted on ${toText(now.mounted)} since` };
  const isOwners = now.is !== 'there' || hasOwner(version, now.look);
  if (isOwners && isNow(version, path, world, sources.holdOid)) return { is: 'already' };
  if (version.kind === 'unknown') return { is: 'keep', why: 'left-out', reason: version.why };
  if (goal.force) return { is: 'do' };
  if (goal.later)
    return { is: 'keep', why: 'later-turn', reason: `checkpoint ${goal.later.record.n} changed it later` };
  if (goal.change?.uncertain && options.uncertain === 'keep')
    return { is: 'keep', why: 'uncertain', reason: 'it changed while a long turn ran, perhaps not by it' };
  if (goal.expected === undefined) {
    const present = world.at(path);
    return present.is === 'nothing' ? { is: 'do' } : { is: 'keep', why: 'hand-edit', reason: 'no turn touched it' };
  }
  if (isNow(goal.expected, path, world, sources.holdOid)) return { is: 'do' };
  const present = world.at(path);
  // A folder's own mode is no reason to leave what belongs in it or to keep it where it has become empty.
  if (
    goal.expected.kind === 'folder' &&
    version.kind === 'absent' &&
    present.is === 'there' &&
    present.look.type === 'folder'
  )
    return { is: 'do' };
  const isOwn = options.ownHome !== undefined && isInside(options.ownHome, path);
  if (isOwn && version.kind === 'folder' && present.is === 'there' && present.look.type === 'folder')
    return { is: 'do' };
  if (present.is === 'hidden')
    return { is: 'keep', why: 'hand-edit', reason: `it cannot be looked at (${present.why})` };
  return {
    is: 'keep',
    why: 'hand-edit',
    reason: present.is === 'nothing' ? 'removed by hand since' : 'changed by hand since',
  };
}

/** Paths that come back by renaming: where they lie now, and that place is to become something else. */
function planMoves(
  wanted: ReadonlyMap<Bytes, Goal>,
  goals: readonly Goal[],
  world: World,
  sources: Sources,
): Map<Bytes, Bytes> {
  const moves = new Map<Bytes, Bytes>();
  const taken = new Set<Bytes>();
  const below = parentsOf(goals);
  for (const goal of wanted.values()) {
    const { kind } = goal.version;
    if (kind === 'absent' || goal.change?.movedTo === undefined) continue;
    const from = sources.movedNow(goal);
    if (from === undefined || taken.has(from) || !wanted.has(from)) continue;
    // A folder goes back whole only where its entries have no goals of their own; else they go back one by one, and what
    // somebody put into it since stays where it is.
    if (kind === 'folder' && (below.has(from) || below.has(goal.path) || wanted.get(from)?.version.kind !== 'absent'))
      continue;
    if (kind === 'folder' && world.names(from).length > 0 && !hasUnknownEntries(goal)) continue;
    if (isInside(goal.path, from) || isInside(from, goal.path)) {
      if (kind === 'folder') continue;
    }
    const present = world.at(from);
    const there = wanted.get(from)?.version;
    if (present.is !== 'there') continue;
    if (there?.kind === 'file' && sameBytes(there, from, present, world, sources.holdOid)) continue;
    taken.add(from);
    moves.set(goal.path, from);
  }
  return moves;
}

/** Whether entries of a moved folder may have no changes of their own: the record says that it could not look at all of them. */
const hasUnknownEntries = ({ event, path }: Goal): boolean =>
  event?.record.leftOut.some((left) => {
    const at = absolutePath(event.record.root, left.path);
    return at !== undefined && isInside(at, path);
  }) ?? false;

/** Every folder above these paths. */
function parentsOf(goals: readonly Goal[]): Set<Bytes> {
  const out = new Set<Bytes>();
  for (const { path } of goals) for (let at = dirname(path); at !== '/' && !out.has(at); at = dirname(at)) out.add(at);
  return out;
}

/** Files whose bytes are nowhere to be had stay as they are, and are named. */
function dropUnreadable(
  wanted: Map<Bytes, Goal>,
  moves: ReadonlyMap<Bytes, Bytes>,
  sources: Sources,
  world: World,
  keep: (path: Bytes, why: Why, reason: string) => void,
): void {
  for (const goal of [...wanted.values()]) {
    const { path, version } = goal;
    if (moves.has(path)) continue;
    if (version.kind === 'special' && version.what !== 'fifo') {
      keep(path, 'no-content', `a ${version.what} cannot be made again`);
      wanted.delete(path);
    }
    if (version.kind !== 'file' || sameBytes(version, path, world.at(path), world, sources.holdOid)) continue;
    const source = sources.of(goal);
    if (source.at !== 'none') continue;
    keep(path, 'no-content', source.why);
    wanted.delete(path);
  }
}

/**
 * `leaving`: folders that are renamed whole. Parents that are no folders, and folders that must go although something lies in them. Forced goals clear the way (the safety
 * checkpoint has what goes); the others stay as they are.
 */
function settleConflicts(
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

function stepFor(goal: Goal, world: World, sources: Sources, moves: ReadonlyMap<Bytes, Bytes>): Step {
  const { path, version } = goal;
  const present = world.at(path);
  const seen = present.is === 'there' ? present.look : undefined;
  const common = { path, key: goal.key, seen, becomes: version };
  const from = moves.get(path);
  const fromPresent = from === undefined ? undefined : world.at(from);
  if (from !== undefined && fromPresent?.is === 'there') {
    const folder = version.kind === 'folder';
    return { ...common, do: 'move', from, fromSeen: fromPresent.look, mode: modeOf(version), folder };
  }
  switch (version.kind) {
    case 'file': {
      if (sameBytes(version, path, present, world, sources.holdOid))
        return { ...common, do: 'mode', mode: version.mode };
      const source = sources.of(goal);
      const itself = seen === undefined && !(source.at === 'hold' && source.rewritten);
      return {
        ...common,
        do: 'file',
        mode: version.mode,
        size: version.size,
        // A file that comes back is the one that was there; one that changes is news to `make`.
        ...(version.mtime !== undefined && itself ? { mtime: version.mtime } : {}),
        source,
        inPlace: seen !== undefined && isInPlace(goal, seen.nlink, seen.ino),
      };
    }
    case 'link':
      return { ...common, do: 'link', target: version.target };
    case 'folder':
      return seen?.type === 'folder'
        ? { ...common, do: 'mode', mode: version.mode }
        : { ...common, do: 'folder', mode: version.mode };
    case 'special':
      return { ...common, do: 'fifo', mode: version.mode };
    default:
      return { ...common, do: 'remove' };
  }
}

/** Folders that nobody names, and that must be there for what comes back into them. */
function missingParents(steps: readonly Step[], world: World, modeOf: (path: Bytes) => number): Step[] {
  const known = new Set(steps.filter((step) => step.do !== 'remove').map(({ path }) => path));
  const gone = new Map(steps.filter((step) => step.do === 'remove').map((step) => [step.path, step]));
  const out: Step[] = [];
  for (const step of steps) {
    if (step.do === 'remove') continue;
    for (let at = dirname(step.path); at !== '/' && !known.has(at); at = dirname(at)) {
      const present = world.at(at);
      if (present.is === 'there' && present.look.type === 'folder') break;
      known.add(at);
      const mode = modeOf(at);
      const seen = gone.get(at)?.seen;
      out.push({ do: 'folder', path: at, key: step.key, seen, mode, becomes: { kind: 'folder', mode } });
    }
  }
  return out;
}

const modeOf = (version: Version): number =>
  version.kind === 'file' || version.kind === 'folder' || version.kind === 'special' ? version.mode : 0o777;

/** Several names, and the turn wrote into the very file: the same inode before, after and now. */
function isInPlace(goal: Goal, names: number, ino: string): boolean {
  const { version, expected } = goal;
  return (
    names > 1 &&
    version.kind === 'file' &&
    (version.names ?? 1) > 1 &&
    version.ino === ino &&
    (expected?.kind !== 'file' || (expected.ino ?? ino) === ino)
  );
}
