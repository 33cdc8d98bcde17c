import { applySteps } from '../checkpoint/apply/apply.ts';
import { type Event, type Ledger, undoneTurns } from '../checkpoint/ledger.ts';
import { asItWas } from '../checkpoint/plan/as-it-was.ts';
import { wholeState } from '../checkpoint/plan/chosen.ts';
import { eventsFrom, type Goal, goalsAfter, goalsBefore } from '../checkpoint/plan/goals.ts';
import { planRestore } from '../checkpoint/plan/plan.ts';
import { sourcesOf } from '../checkpoint/plan/sources.ts';
import { lookAround } from '../checkpoint/plan/world.ts';
import type { Capture } from '../checkpoint/read.ts';
import type { Store } from '../checkpoint/store.ts';
import type { Bytes } from '../platform/bytes.ts';
import { lookAt, makeFolder, namesIn, realPath } from '../platform/files.ts';
import { isInside, join, relativeTo, resolve } from '../platform/paths.ts';
import { chooseGoals } from './choose-paths.ts';
import { type Answer, refused } from './command.ts';
import type { Context, Known } from './context.ts';
import { nearestCapture } from './nearest-capture.ts';
import { pathKeys, shown } from './paths.ts';
import { count } from './style.ts';

export interface Elsewhere {
  readonly store: Store;
  readonly here: Known;
  readonly ledger: Ledger;
  readonly target: Event;
  readonly to: Bytes;
  /** As the turn left it, not as it was before it. */
  readonly after: boolean;
  /** Only these; everything where there are none. */
  readonly specs: readonly Bytes[];
  readonly literal: boolean;
}

/** `--to DIR`: the state of a checkpoint, as far as it is known, written into a folder of its own. The project is not touched. */
export function writeElsewhere(context: Context, request: Elsewhere): Answer {
  const { store, ledger, target, after, here } = request;
  const root = here.project.workdir;
  const capture = nearestCapture(store, here, target);
  const state = stateOf(context, request, capture);
  const folder = emptyFolder(resolve(context.cwd, request.to));
  const outside: Bytes[] = [];
  const goals: Goal[] = [];
  for (const goal of state) {
    if (goal.version.kind === 'absent') continue;
    if (!isInside(goal.path, root)) outside.push(goal.path);
    else if (goal.path !== root) goals.push({ ...goal, path: join(folder, relativeTo(root, goal.path)), force: true });
  }
  const world = lookAround({ unlock: false });
  const plan = planRestore(goals, world, sourcesOf(store, ledger, world), {
    uncertain: 'restore',
    folderMode: () => 0o755,
  });
  const done = applySteps(store, plan.steps, context.nextOrder(), {
    minFreePercent: context.world.config.checkpoints.hold.min_free_percent,
    roots: new Map([[here.project.key, folder]]),
    tick: () => {},
  });
  const kept = [...plan.kept, ...done.kept];
  return {
    exit: done.kept.length > 0 ? 1 : 0,
    json: {
      to: pathKeys(folder).path,
      restored: done.restored.map((path) => pathKeys(relativeTo(folder, path)).path),
      removed: [],
      kept: kept.map(({ path, reason }) => ({ ...pathKeys(relativeTo(folder, path)), reason })),
      outside: outside.map((path) => pathKeys(path).path),
      safety: null,
      projects: [],
    },
    text: [
      `${count(done.restored.length, 'path')} written into ${shown(folder)}, as ${whenOf(target, after)} checkpoint ${target.record.n}`,
      ...kept.map(({ path, reason }) => `  not: ${shown(relativeTo(folder, path))}: ${reason}`),
      ...(outside.length > 0 ? [`  left away, outside the project: ${outside.map(shown).join(', ')}`] : []),
      ...(capture === undefined ? ['  There is no capture from before it: only what lines named is there.'] : []),
      '',
    ].join('\n'),
  };
}

const whenOf = ({ record }: Event, after: boolean): string =>
  after ? 'after' : record.kind === 'manual' ? 'at' : 'before';

function stateOf(context: Context, request: Elsewhere, capture: Capture | undefined): Goal[] {
  const { store, ledger, target, after, specs, literal, here } = request;
  const { key, workdir: root } = here.project;
  const state = new Map<Bytes, Goal>();
  const undone = undoneTurns(ledger);
  const whole = wholeState(store, key, root, ledger, target, capture);
  for (const goal of whole.goals) state.set(goal.path, goal);
  const named = after
    ? goalsAfter(ledger, target, undone, true)
    : goalsBefore(ledger, eventsFrom(ledger, target), undone, true);
  for (const goal of asItWas(named, { store, root, ledger, target, capture, state: () => whole, after }))
    state.set(goal.path, goal);
  return [...chooseGoals({ store, root, cwd: context.cwd, specs, literal }, [...state.values()])];
}

function emptyFolder(path: Bytes): Bytes {
  const look = lookAt(path);
  if (look === undefined) makeFolder(path);
  else if (look.type !== 'folder' || namesIn(path).length > 0)
    throw refused(
      'would_overwrite',
      `${shown(path)} is there already and is no empty folder`,
      'Name another one with --to.',
    );
  return realPath(path);
}
