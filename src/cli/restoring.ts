import { CannotSave, type Restored, restore } from '../checkpoint/apply/restore.ts';
import type { Source } from '../checkpoint/fast-import.ts';
import type { Ledger } from '../checkpoint/ledger.ts';
import type { Goal } from '../checkpoint/plan/goals.ts';
import { goalsOfOtherNames } from '../checkpoint/plan/other-names.ts';
import { planRestore } from '../checkpoint/plan/plan.ts';
import { sourcesOf } from '../checkpoint/plan/sources.ts';
import type { Kept, RestorePlan } from '../checkpoint/plan/steps.ts';
import { lookAround } from '../checkpoint/plan/world.ts';
import type { GitState, SafetyRecord } from '../checkpoint/record.ts';
import { openStore, type Store } from '../checkpoint/store.ts';
import type { Bytes } from '../platform/bytes.ts';
import { bytesOf } from '../platform/config.ts';
import { realAsFar } from '../platform/files.ts';
import { beatHeld } from '../platform/lock.ts';
import { mountsBelow } from '../platform/mounts.ts';
import { isInside } from '../platform/paths.ts';
import { newSessionId } from '../turns/ids.ts';
import { mustBeAgreed, planName } from './agreed.ts';
import { type Call, failed, refused } from './command.ts';
import type { Context } from './context.ts';
import { pathKeys, shown } from './paths.ts';
import { recordRestore } from './record-restore.ts';
import { count } from './style.ts';
import { tellAgents } from './tell-agents.ts';

/** What a restore is called, as it turns out. */
export interface Title {
  /** `Restored checkpoint 3: before rm: rm -rf build`. */
  readonly done: string;
  /** `restore checkpoint 3: …`, of a dry run. */
  readonly would: string;
  /** All of it was kept. */
  readonly nothing: string;
  /** All of it is as it should be. */
  readonly already: string;
}

/** A restore that was asked for, worked out as far as goals. */
export interface Wish {
  readonly ledger: Ledger;
  readonly goals: readonly Goal[];
  /** Key → root of each project that is to have a safety checkpoint. */
  readonly roots: ReadonlyMap<string, Bytes>;
  readonly did: SafetyRecord['did'];
  /** Key → the restore that a redo takes back there. */
  readonly didTo?: ReadonlyMap<string, number>;
  readonly line: Bytes;
  /** Said before anything else. */
  readonly before?: readonly string[];
  readonly title: Title;
  /** Said with what was kept: the line that restores those too. */
  readonly allHint: string | undefined;
  readonly uncertain: 'keep' | 'restore';
  /** A safety checkpoint even where no path changes: so that the next undo goes further. */
  readonly record: boolean;
  readonly notes: readonly string[];
  readonly git?: {
    readonly states: readonly {
      readonly key: string;
      readonly before: readonly GitState[];
      readonly after: readonly GitState[];
    }[];
    /** Index files by their oid. */
    readonly contents: ReadonlyMap<string, Source>;
    readonly apply: () => readonly Kept[];
  };
  readonly skipped?: readonly Kept[];
}

export interface Outcome {
  readonly plan: RestorePlan;
  /** Of a dry run: what `--agreed` takes. */
  readonly name?: string;
  readonly done: Restored | undefined;
}

/** Plans, and unless it is a dry run, saves and applies: within `alone`, which the wish was worked out in. */
export function carryOut(context: Context, call: Call, wish: Wish, dryRun: boolean): Outcome {
  const store = writable(context);
  const world = lookAround({ unlock: true, mounted: mountedSince(wish) });
  try {
    const sources = sourcesOf(store, wish.ledger, world);
    const ownHome = realAsFar(store.home);
    const goals = [...wish.goals, ...goalsOfOtherNames(wish.goals, world, sources, ownHome)];
    const plan = planRestore(goals, world, sources, {
      uncertain: wish.uncertain,
      folderMode: (path) => recordedMode(wish.ledger, path),
      ownHome,
    });
    const gitToDo = wish.git !== undefined;
    const name = dryRun || call.values['agreed'] !== undefined ? planName(wish, plan) : '';
    mustBeAgreed(call, name);
    if (dryRun) return { plan, name, done: undefined };
    if (plan.steps.length === 0 && !wish.record && !gitToDo) return { plan, done: undefined };
    const bar = progress(plan.steps.length, call.json || call.values['quiet'] === true);
    const done = restore({
      store,
      roots: wish.roots,
      plan,
      did: (key) => {
        const to = wish.didTo?.get(key);
        return to === undefined ? wish.did : { ...wish.did, to };
      },
      session: context.session ?? newSessionId(new Date()),
      line: wish.line,
      cwd: context.cwd,
      source: 'cli',
      order: context.nextOrder(),
      nextOrder: context.nextOrder,
      minFreePercent: context.world.config.checkpoints.hold.min_free_percent,
      largestBlob: bytesOf(context.world.config.checkpoints.max_file_size_mb),
      world,
      sources,
      git: wish.git?.states ?? [],
      gitContents: wish.git?.contents ?? new Map(),
      tick: bar.tick,
      ...(wish.git ? { alsoDo: wish.git.apply } : {}),
    });
    bar.end();
    tellAgents(context, wish, done);
    if (done.isDone) recordRestore(context, wish.ledger, wish.roots.keys(), wish.did);
    return { plan, done };
  } catch (error) {
    if (error instanceof CannotSave)
      throw refused(
        'would_overwrite',
        `${count(error.paths.length, 'file')} would be overwritten that cannot be saved first: ${error.paths.map(({ path }) => shown(path)).join(', ')}`,
        'Nothing was changed. Move them away, or make them readable, and run it again.',
        { paths: error.paths.map(({ path, reason }) => ({ ...pathKeys(path), reason })) },
      );
    throw error;
  } finally {
    world.close();
  }
}

/**
 * Where something is mounted that was not when each of the turns began: what lies there is nothing of theirs. A capture does not say when
 * a mount came: for what it alone knows, only what every turn has seen is the project's.
 */
function mountedSince({ goals, ledger }: Wish): ReadonlySet<Bytes> {
  const told = goals.flatMap(({ event }) => event ?? []);
  const events = told.length === goals.length ? new Set(told) : ledger.events;
  const known = [...events].flatMap(({ record }) => record.mounts ?? []);
  const folders = new Set(known.map(({ folder }) => folder));
  const isOld = (point: Bytes): boolean =>
    known.every(({ folder, points }) => !isInside(point, folder) || points.includes(point));
  return new Set([...folders].flatMap(mountsBelow).filter((point) => !isOld(point)));
}

function writable(context: Context): Store {
  if (context.store === undefined) throw failed('no_store', 'nothing was ever saved here');
  return openStore(context.home);
}

/** The mode that a folder had when it was last recorded; 0755 where it never was. */
function recordedMode(ledger: Ledger, path: Bytes): number {
  for (const event of [...(ledger.touched.get(path) ?? [])].reverse()) {
    const change = event.changes.get(path);
    for (const version of [change?.after, change?.before]) if (version?.kind === 'folder') return version.mode;
  }
  return 0o755;
}

/** So often those who cannot see this process hear that it lives. */
const BEAT_MS = 10_000;

/** A line on stderr once a restore has taken a second. */
function progress(total: number, quiet: boolean): { tick: (done: number) => void; end: () => void } {
  const started = Date.now();
  let last = started;
  let beaten = started;
  let said = false;
  return {
    tick: (done) => {
      const now = Date.now();
      if (now - beaten > BEAT_MS) {
        beatHeld();
        beaten = now;
      }
      if (quiet || !process.stderr.isTTY || now - started < 1000 || now - last < 100) return;
      last = now;
      said = true;
      const full = Math.floor((20 * done) / Math.max(1, total));
      process.stderr.write(`\r\x1b[Krestoring [${'#'.repeat(full)}${'-'.repeat(20 - full)}] ${done} of ${total}`);
    },
    end: () => {
      if (said) process.stderr.write('\r\x1b[K');
    },
  };
}
