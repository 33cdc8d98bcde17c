import { type Event, isSafety, type Ledger, undoneTurns } from '../checkpoint/ledger.ts';
import { asItWas, isFoundByRestore, withVersion } from '../checkpoint/plan/as-it-was.ts';
import { newFolders, wholeState } from '../checkpoint/plan/chosen.ts';
import { isEditAgain } from '../checkpoint/plan/edited-again.ts';
import { type Goal, goalsAfter, goalsBefore } from '../checkpoint/plan/goals.ts';
import { wholeGoals } from '../checkpoint/plan/whole.ts';
import { type Capture, readCaptures, readHistory } from '../checkpoint/read.ts';
import type { Store } from '../checkpoint/store.ts';
import { type Bytes, toText } from '../platform/bytes.ts';
import { lookAt } from '../platform/files.ts';
import { describe, log } from '../platform/log.ts';
import { dirname, isInside, resolve } from '../platform/paths.ts';
import { selected } from './choose-paths.ts';
import { refused } from './command.ts';
import type { Context, Known } from './context.ts';
import { nearestCapture, ownCapture } from './nearest-capture.ts';
import { fromRoot, pathKeys, shown } from './paths.ts';

export interface RollbackRequest {
  readonly context: Context;
  readonly store: Store;
  readonly here: Known;
  readonly ledger: Ledger;
  readonly target: Event;
  /** The events that are taken back. */
  readonly taken: ReadonlySet<Event>;
  readonly specs: readonly Bytes[];
  readonly literal: boolean;
  readonly all: boolean;
  readonly after: boolean;
}

export interface RollbackGoals {
  readonly goals: readonly Goal[];
  readonly notes: readonly string[];
}

/** What a rollback is to reach. Refuses here, before anything is touched, where it would reach what nobody captured. */
export async function rollbackGoals(request: RollbackRequest): Promise<RollbackGoals> {
  const { ledger, target, taken, after, specs, all } = request;
  const undone = undoneTurns(ledger);
  const found = after ? goalsAfter(ledger, target, undone, all) : goalsBefore(ledger, taken, undone, all);
  const isKept = (goal: Goal): boolean => isFoundByRestore(goal, target) && isEditAgain(goal, taken, ledger);
  const nobody =
    found.every((goal) => isFoundByRestore(goal, target)) &&
    !after &&
    !isSafety(target) &&
    (target.record.kind !== 'turn' || ![...taken].some(isTold));
  const isWhole = all || nobody || target.record.kind === 'manual' || specs.length > 0;
  const standing = isWhole ? found : found.filter((goal) => !isKept(goal));
  const before = asBefore(request, standing);
  const named = after ? before : asCaptured(request, before);
  if (specs.length > 0) return chosen(request, named);
  if (!all && !nobody) return { goals: named, notes: [] };
  const notes =
    nobody && !all ? ['No turn is recorded from there on: the whole state of the nearest capture is restored.'] : [];
  const whole = await wholeFrom(request, named, nobody);
  const forced = nobody ? named.map((goal) => ({ ...goal, force: true })) : named;
  return { goals: [...forced, ...whole.goals], notes: [...notes, ...whole.notes] };
}

/** What a restore since found is not what was before: without `--all`, too, or it would bring back the edits that one took away. */
function asBefore(request: RollbackRequest, named: readonly Goal[]): readonly Goal[] {
  const { store, here, ledger, target, after } = request;
  if (!named.some((goal) => isFoundByRestore(goal, target))) return named;
  const { key, workdir: root } = here.project;
  const capture = nearestCapture(store, here, target);
  const state = () => wholeState(store, key, root, ledger, target, capture);
  return asItWas(named, { store, root, ledger, target, capture, state, after });
}

/** A turn of which is known what it changed, be it nothing. */
const isTold = ({ record }: Event): boolean => record.kind === 'turn' && record.leftOut.length === 0;

/**
 * A checkpoint by hand is what its own capture saw: where a later event found something else before it (a file had vanished by no
 * line, or was edited), the capture is right.
 */
function asCaptured(request: RollbackRequest, named: readonly Goal[]): readonly Goal[] {
  const { store, here, ledger, target } = request;
  const own = ownCapture(store, here, target);
  if (target.record.kind !== 'manual' || own === undefined || named.length === 0) return named;
  const { goals, folder } = wholeState(store, here.project.key, here.project.workdir, ledger, target, own);
  const captured = new Map(goals.map((goal) => [goal.path, goal]));
  const folders = new Set<Bytes>();
  for (const { path, version } of goals)
    if (version.kind !== 'absent')
      for (let at = dirname(path); at !== '/' && !folders.has(at); at = dirname(at)) folders.add(at);
  return named.map((goal) => {
    const version = captured.get(goal.path)?.version ?? (folders.has(goal.path) ? folder(goal.path) : undefined);
    return withVersion(goal, version);
  });
}

/** Pathspecs choose among what the checkpoint recorded: turns' paths, and those of the nearest capture. */
function chosen(request: RollbackRequest, named: readonly Goal[]): RollbackGoals {
  const { store, context, here, ledger, target, specs, literal, all } = request;
  const root = here.project.workdir;
  const whole = wholeState(store, here.project.key, root, ledger, target, nearestCapture(store, here, target));
  const candidates = new Map(whole.goals.map((goal) => [goal.path, goal]));
  for (const goal of named) candidates.set(goal.path, goal);
  const folders = new Set(
    [...candidates.values()]
      .filter(({ version, expected }) => version.kind === 'folder' || expected?.kind === 'folder')
      .map(({ path }) => path),
  );
  for (const path of whole.nested) folders.add(path);
  const paths = [...new Set([...candidates.keys(), ...whole.nested])];
  const found = selected({ store, root, cwd: context.cwd, paths, folders, specs, literal });
  const reached = whole.nested.filter(
    (repository) =>
      found.paths.has(repository) ||
      specs.some(
        (spec) =>
          isInside(resolve(context.cwd, spec), repository) &&
          !named.some(({ path }) => found.paths.has(path) && isInside(path, repository)),
      ),
  );
  refuseNested(context, reached);
  if (found.empty.length > 0)
    throw refused(
      'no_match',
      `nothing recorded matches ${found.empty.map((spec) => `'${toText(spec)}'`).join(', ')}`,
      `\`belay show ${target.record.n}\` lists what checkpoint ${target.record.n} changed.`,
    );
  const goals = [...found.paths].flatMap((path) => {
    const goal = candidates.get(path);
    return goal === undefined ? [] : [{ ...goal, force: all || found.literally.has(path) }];
  });
  return { goals: [...goals, ...foldersFor(goals, candidates, found.paths)], notes: [] };
}

/** Folders that are gone and that these paths come back into: nobody chose them, but their permissions are known. */
function foldersFor(goals: readonly Goal[], known: ReadonlyMap<Bytes, Goal>, chosen: ReadonlySet<Bytes>): Goal[] {
  const above = new Set<Bytes>();
  for (const { path, version } of goals)
    if (version.kind !== 'absent')
      for (let at = dirname(path); at !== '/' && !above.has(at); at = dirname(at)) above.add(at);
  return [...above].flatMap((path) => {
    const goal = known.get(path);
    const isMissing = goal?.version.kind === 'folder' && !chosen.has(path) && !isThere(path);
    return goal !== undefined && isMissing ? [{ ...goal, force: true }] : [];
  });
}

function isThere(path: Bytes): boolean {
  try {
    return lookAt(path) !== undefined;
  } catch {
    return true; // it cannot be looked at: not to be made anew
  }
}

/** The whole tree as before, told by the difference of two captures; where none can be taken now, by looking at every file. */
async function wholeFrom(request: RollbackRequest, named: readonly Goal[], force: boolean): Promise<RollbackGoals> {
  const { store, here, ledger, target, context, all } = request;
  const root = here.project.workdir;
  const before = nearestCapture(store, here, target);
  if (before === undefined)
    return {
      goals: [],
      notes: ['There is no capture of the project from before it: only what lines named comes back.'],
    };
  const whole = { store, key: here.project.key, root, ledger, target };
  const state = wholeState(store, here.project.key, root, ledger, target, before);
  refuseNested(context, state.nested);
  const covered = new Set(named.map(({ path }) => path));
  const now = await captureNow(request);
  const forced = (goal: Goal): Goal => ({ ...goal, force: all || force });
  if (now === undefined) {
    const goals = state.goals.filter(({ path }) => !covered.has(path)).map(forced);
    return { goals, notes: ['The project could not be captured as it is now: files that are new since stay.'] };
  }
  const files = wholeGoals({ ...whole, before, now, covered, force: all || force });
  for (const { path } of files) covered.add(path);
  const folders = [
    ...state.goals.filter(({ version }) => version.kind === 'folder').map(forced),
    ...newFolders(root, state, files),
  ];
  return { goals: [...files, ...folders.filter(({ path }) => !covered.has(path))], notes: [] };
}

const BUDGET_MS = 60_000;

async function captureNow({ context, store, here }: RollbackRequest): Promise<Capture | undefined> {
  try {
    const { capture } = await import('../saving/capture/capture.ts');
    const root = here.project.workdir;
    const done = await capture({ store, root, config: context.world.config, budget: BUDGET_MS });
    if (done.kind !== 'captured' && done.kind !== 'unchanged') return undefined;
    const ref = readHistory(store, here.project.key).captures.find(({ m }) => m === done.m);
    return ref && readCaptures(store, [ref]).get(ref.m);
  } catch (error) {
    log(context.home, `capture before a rollback: ${describe(error)}`);
    return undefined; // told in the notes: new files stay
  }
}

function refuseNested(context: Context, nested: readonly Bytes[]): void {
  const inside = nested.filter((path) => isInside(path, context.root));
  if (inside.length === 0) return;
  const names = inside.map((path) => shown(fromRoot(context.root, path)));
  throw refused(
    'nested_repository',
    `this would reach ${inside.length === 1 ? 'a nested git repository that was' : 'nested git repositories that were'} not captured: ${names.join(', ')}`,
    'Nothing was changed. Name other paths, or leave --all away: then only what turns did is taken back.',
    { paths: inside.map((path) => pathKeys(fromRoot(context.root, path))) },
  );
}
