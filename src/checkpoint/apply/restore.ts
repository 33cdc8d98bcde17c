import type { Bytes } from '../../platform/bytes.ts';
import { lookAt, removeTree } from '../../platform/files.ts';
import { dirname } from '../../platform/paths.ts';
import type { Source } from '../fast-import.ts';
import { fileOid } from '../oid.ts';
import type { Sources } from '../plan/sources.ts';
import type { Kept, RestorePlan } from '../plan/steps.ts';
import { lookAround, type World } from '../plan/world.ts';
import { adoptFolder, projects } from '../projects.ts';
import { readHistory } from '../read.ts';
import type { GitState, SafetyRecord } from '../record.ts';
import { type Store, StoreError } from '../store.ts';
import { type Draft, type Written, writeRecord } from '../write.ts';
import { type Applied, applySteps } from './apply.ts';
import { dropJournal, writeJournal } from './journal.ts';
import { movesOf } from './move.ts';
import { correct } from './recover.ts';
import { checkRoom } from './room.ts';
import { type Saved, savePresent } from './safety.ts';

/** Who restores, and what for: the safety checkpoint says it. */
export interface Restoring {
  readonly store: Store;
  /** Key → root of every project that gets a safety checkpoint, steps or not. */
  readonly roots: ReadonlyMap<string, Bytes>;
  readonly plan: RestorePlan;
  readonly did: (key: string) => SafetyRecord['did'];
  readonly session: string;
  /** `belay rollback 3`, for lists. */
  readonly line: Bytes;
  readonly cwd: Bytes;
  readonly source: string;
  readonly order: number;
  readonly nextOrder: () => number;
  readonly largestBlob: number;
  /** A large file is brought back as a copy while so much of the disk stays free (`hold.min_free_percent`). */
  readonly minFreePercent: number;
  readonly world: World;
  readonly sources: Sources;
  readonly git: readonly {
    readonly key: string;
    readonly before: readonly GitState[];
    readonly after: readonly GitState[];
  }[];
  /** Index files of `git`, by their oid. */
  readonly gitContents: ReadonlyMap<string, Source>;
  /** Called after each step, for progress. */
  readonly tick: (done: number) => void;
  /** What is done beside the files (`--git`), after the safety checkpoints and before the journal goes. */
  readonly alsoDo?: () => readonly Kept[];
}

export interface Restored extends Applied {
  /** One safety checkpoint a project. */
  readonly safety: readonly Written[];
  /** Whether the turns that it was for stand undone now, or done again. */
  readonly isDone: boolean;
}

/** A restore that was not begun: nothing has changed. */
export class CannotSave extends Error {
  readonly paths: readonly { readonly path: Bytes; readonly reason: string }[];
  constructor(paths: CannotSave['paths']) {
    super('files would be overwritten that cannot be saved first');
    this.paths = paths;
  }
}

/**
 * Safety checkpoints first, then the steps. Killed in between, the journal and the safety checkpoint let either end be reached;
 * what could not be done is taken out of the books again, so that the next restore tries it anew.
 */
export function restore(job: Restoring): Restored {
  const { store, plan, order, roots } = job;
  const turn = `restore-${order}`;
  const perProject: { readonly key: string; readonly root: Bytes; readonly saved: Saved }[] = [];
  try {
    for (const [key, root] of job.roots) {
      const own = plan.steps.filter((step) => step.key === key);
      perProject.push({ key, root, saved: savePresent(own, { ...job, key, root }) });
    }
    const unsaved = perProject.flatMap(({ saved }) => saved.unsaved);
    if (unsaved.length > 0) throw new CannotSave(unsaved);
    checkRoom(plan.steps, job.minFreePercent);
  } catch (error) {
    for (const { saved } of perProject) dropHolds(saved);
    throw error;
  }
  const moves = movesOf(plan.steps, order);
  writeJournal(store, {
    order,
    session: job.session,
    turn,
    keys: [...job.roots.keys()],
    moves,
    folders: [...new Set([...plan.steps.map(({ path }) => dirname(path)), ...job.roots.values()])],
  });
  const safety: Written[] = [];
  try {
    for (const { key, root, saved } of perProject) {
      const contents = new Map([...saved.contents, ...job.gitContents]);
      safety.push(writeRecord(store, root, draftOf(job, turn, key, saved), contents));
    }
  } catch (error) {
    settle(job, safety, turn, 'all');
    for (const { saved } of perProject.slice(safety.length)) dropHolds(saved);
    dropJournal(store, order);
    const rewritten = perProject.flatMap(({ saved }) => rewrittenOf(saved));
    throw error instanceof StoreError && error.code === 'no_content' && rewritten.length > 0
      ? new CannotSave(rewritten)
      : error;
  }
  // What was opened for looking is closed again: applying opens what it needs itself, and leaves the modes that are wanted.
  job.world.close();
  let applied: Applied;
  try {
    applied = applySteps(store, plan.steps, order, job);
  } catch (error) {
    settle(job, safety, turn, 'all');
    dropJournal(store, order);
    throw error;
  }
  const also = alsoDone(job);
  const undone = new Set(applied.kept.map(({ path }) => path));
  // Where it could do nothing, nothing has happened; and an undo that could not do all is to be tried again, not passed over.
  const isNothing = undone.size > 0 && applied.restored.length + applied.removed.length === 0;
  if (undone.size > 0) settle(job, safety, turn, isNothing ? 'all' : undone);
  adoptRoots(job, new Set(applied.restored));
  // What could not be put anywhere lies under its name aside: the next recovery finds it.
  if (moves.every(({ aside }) => lookAt(aside) === undefined)) dropJournal(store, order);
  const isDone = undone.size === 0 || !(isNothing || [...roots.keys()].some((key) => job.did(key).what === 'undo'));
  return { ...applied, kept: [...applied.kept, ...also], safety, isDone };
}

/** Folders of projects that came back: those of this restore, and others that it has made again on its way (a project in a project). */
function adoptRoots({ store, roots, plan }: Restoring, restored: ReadonlySet<Bytes>): void {
  const made = new Set(roots.values());
  const folders = plan.steps.filter(({ path, do: what }) => what === 'folder' && restored.has(path));
  if (folders.length > 0) {
    const paths = new Set(folders.map(({ path }) => path));
    for (const { workdir } of projects(store)) if (paths.has(workdir)) made.add(workdir);
  }
  for (const root of made) adoptFolder(store, root);
}

/** The files are as they should be by now: what fails here is told, and the books stay true. */
function alsoDone(job: Restoring): readonly Kept[] {
  try {
    return job.alsoDo?.() ?? [];
  } catch (error) {
    const path = [...job.roots.values()][0] ?? job.cwd;
    return [{ path, why: 'failed', reason: `git: ${error instanceof Error ? error.message : String(error)}` }];
  }
}

/** Tells the books what was not done. */
function settle(job: Restoring, safety: readonly Written[], turn: string, which: 'all' | ReadonlySet<Bytes>): void {
  const world = lookAround({ unlock: false });
  for (const { key, n } of safety) {
    const found = readHistory(job.store, key).checkpoints.find(({ record }) => record.n === n && record.turn === turn);
    if (found) correct(job.store, key, found, job.nextOrder(), world, which);
  }
}

function draftOf(job: Restoring, turn: string, key: string, saved: Saved): Draft {
  const git = job.git.find((states) => states.key === key);
  const now = Date.now();
  return {
    kind: 'safety',
    scope: 'targets',
    session: job.session,
    turn,
    order: job.order,
    started: now,
    ended: now,
    line: job.line,
    verbs: [],
    cwd: job.cwd,
    shell: '',
    source: job.source,
    changes: saved.changes,
    leftOut: [],
    nested: [],
    gitBefore: git?.before ?? [],
    gitAfter: git?.after ?? [],
    did: job.did(key),
  };
}

/** What was decided for other bytes than it has by now. */
const rewrittenOf = ({ contents }: Saved): CannotSave['paths'] =>
  [...contents].flatMap(([oid, source]) =>
    'path' in source && oidNow(source.path) !== oid
      ? [{ path: source.path, reason: 'something else writes it right now' }]
      : [],
  );

function oidNow(path: Bytes): string | undefined {
  try {
    return fileOid(path);
  } catch {
    return undefined; // gone or closed by now: whatever the reason, not what it was
  }
}

function dropHolds(saved: Saved): void {
  if (saved.holds !== undefined) removeTree(saved.holds);
}
