import { type Bytes, toText } from '../../platform/bytes.ts';
import { isInside } from '../../platform/paths.ts';
import { absolutePath } from '../ledger.ts';
import { hasOwner } from '../owner.ts';
import { isNow, sameBytes } from './compare.ts';
import { parentsOf, settleConflicts } from './conflicts.ts';
import type { Goal } from './goals.ts';
import type { Sources } from './sources.ts';
import { missingParents, stepFor } from './step-for.ts';
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
