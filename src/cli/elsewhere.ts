import { applySteps } from '../checkpoint/apply/apply.ts';
import { type Event, type Ledger, undoneTurns } from '../checkpoint/ledger.ts';
import { wholeState } from '../checkpoint/plan/chosen.ts';
import { eventsFrom, type Goal, goalsBefore } from '../checkpoint/plan/goals.ts';
import { planRestore } from '../checkpoint/plan/plan.ts';
import { sourcesOf } from '../checkpoint/plan/sources.ts';
import { captureBefore } from '../checkpoint/plan/whole.ts';
import { lookAround } from '../checkpoint/plan/world.ts';
import type { Store } from '../checkpoint/store.ts';
import type { Bytes } from '../platform/bytes.ts';
import { lookAt, makeFolder, namesIn, realPath } from '../platform/files.ts';
import { isInside, join, relativeTo, resolve } from '../platform/paths.ts';
import { type Answer, refused } from './command.ts';
import { type Context, capturesFor, type Known } from './context.ts';
import { pathKeys, shown } from './paths.ts';
import { count } from './style.ts';

/** `--to DIR`: the state before a checkpoint, as far as it is known, written into a folder of its own. The project is not touched. */
export function writeElsewhere(
  context: Context,
  store: Store,
  here: Known,
  ledger: Ledger,
  target: Event,
  to: Bytes,
): Answer {
  const folder = emptyFolder(resolve(context.cwd, to));
  const { key, workdir: root } = here.project;
  const capture = captureBefore(store, capturesFor(here, target.record), target.record.order, target.record.generation);
  const state = new Map<Bytes, Goal>();
  for (const goal of wholeState(store, key, root, ledger, target, capture).goals) state.set(goal.path, goal);
  for (const goal of goalsBefore(ledger, eventsFrom(ledger, target), undoneTurns(ledger), true))
    state.set(goal.path, goal);
  const outside: Bytes[] = [];
  const goals: Goal[] = [];
  for (const goal of state.values()) {
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
      `${count(done.restored.length, 'path')} written into ${shown(folder)}, as before checkpoint ${target.record.n}`,
      ...kept.map(({ path, reason }) => `  not: ${shown(relativeTo(folder, path))}: ${reason}`),
      ...(outside.length > 0 ? [`  left away, outside the project: ${outside.map(shown).join(', ')}`] : []),
      ...(capture === undefined ? ['  There is no capture from before it: only what lines named is there.'] : []),
      '',
    ].join('\n'),
  };
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
