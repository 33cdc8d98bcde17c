import { CannotSave, type Restored, restore } from '../checkpoint/apply/restore.ts';
import type { Source } from '../checkpoint/fast-import.ts';
import type { Ledger } from '../checkpoint/ledger.ts';
import type { Goal } from '../checkpoint/plan/goals.ts';
import { planRestore } from '../checkpoint/plan/plan.ts';
import { sourcesOf } from '../checkpoint/plan/sources.ts';
import type { Kept, RestorePlan, Step } from '../checkpoint/plan/steps.ts';
import { lookAround } from '../checkpoint/plan/world.ts';
import type { GitState, SafetyRecord } from '../checkpoint/record.ts';
import { openStore, type Store } from '../checkpoint/store.ts';
import type { Bytes } from '../platform/bytes.ts';
import { isAbsentError, lookAt } from '../platform/files.ts';
import { acquire } from '../platform/lock.ts';
import { join } from '../platform/paths.ts';
import { newSessionId } from '../turns/ids.ts';
import { type Answer, type Call, failed, refused } from './command.ts';
import type { Context } from './context.ts';
import { fromRoot, pathKeys, shown } from './paths.ts';
import { count, styleFor } from './style.ts';
import { tellAgents } from './tell-agents.ts';

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
  /** `Restored checkpoint 3: before rm: rm -rf build`. */
  readonly title: string;
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
  readonly done: Restored | undefined;
}

/** Plans, and unless it is a dry run, saves and applies. One restore at a time in a store. */
export function carryOut(context: Context, call: Call, wish: Wish, dryRun: boolean): Outcome {
  const store = writable(context);
  const lock = dryRun ? undefined : acquire(join(store.base, '.restore.lock'), 30_000);
  if (!dryRun && lock === undefined)
    throw refused('busy', 'another restore is running', 'Wait for it, then run this again.');
  const world = lookAround({ unlock: true });
  try {
    const sources = sourcesOf(store, wish.ledger, world);
    const plan = planRestore(wish.goals, world, sources, {
      uncertain: wish.uncertain,
      folderMode: (path) => recordedMode(wish.ledger, path),
    });
    const gitToDo = wish.git !== undefined;
    if (dryRun || (plan.steps.length === 0 && !wish.record && !gitToDo)) return { plan, done: undefined };
    const bar = progress(plan.steps.length, call.json);
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
      largestBlob: context.world.config.checkpoints.max_file_size_mb * 1024 * 1024,
      world,
      sources,
      git: wish.git?.states ?? [],
      gitContents: wish.git?.contents ?? new Map(),
      tick: bar.tick,
      ...(wish.git ? { alsoDo: wish.git.apply } : {}),
    });
    bar.end();
    tellAgents(context, wish, done);
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
    lock?.release();
  }
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

/** A line on stderr once a restore has taken a second. */
function progress(total: number, quiet: boolean): { tick: (done: number) => void; end: () => void } {
  const started = Date.now();
  let last = started;
  let said = false;
  return {
    tick: (done) => {
      const now = Date.now();
      if (quiet || !process.stderr.isTTY || now - started < 1000 || now - last < 100) return;
      last = now;
      said = true;
      process.stderr.write(`\r\x1b[Krestoring ${done} of ${total}`);
    },
    end: () => {
      if (said) process.stderr.write('\r\x1b[K');
    },
  };
}

/** The answer of `rollback`, `undo` and `redo`. */
export function answerOf(context: Context, wish: Wish, outcome: Outcome): Answer {
  const { plan, done } = outcome;
  const kept = [...(wish.skipped ?? []), ...plan.kept, ...(done?.kept ?? [])];
  const restored = done?.restored ?? plan.steps.filter((step) => step.do !== 'remove').map(({ path }) => path);
  const removed = done?.removed ?? removedBy(plan.steps);
  const mine = done?.safety.find(({ key }) => wish.roots.get(key) === context.root) ?? done?.safety[0];
  const failedAny = done?.kept.some(({ why }) => why === 'failed' || why === 'changed-meanwhile') ?? false;
  return {
    exit: failedAny ? 1 : 0,
    json: {
      restored: restored.map((path) => tell(context, path)),
      removed: removed.map((path) => tell(context, path)),
      kept: kept.map(({ path, reason, why }) => ({ ...pathKeys(fromRoot(context.root, path)), reason, why })),
      safety: mine?.n ?? null,
      projects: [...wish.roots].map(([key, root]) => ({
        root: pathKeys(root).path,
        key,
        safety: done?.safety.find((safety) => safety.key === key)?.n ?? null,
      })),
      notes: wish.notes,
      dry_run: done === undefined && plan.steps.length > 0,
    },
    text: asText(context, wish, outcome, { kept, restored, removed }),
  };
}

const removedBy = (steps: readonly Step[]): Bytes[] =>
  steps.filter((step) => step.do === 'remove').map(({ path }) => path);

const tell = (context: Context, path: Bytes): string => pathKeys(fromRoot(context.root, path)).path;

function asText(
  context: Context,
  wish: Wish,
  { plan, done }: Outcome,
  found: { readonly kept: readonly Kept[]; readonly restored: readonly Bytes[]; readonly removed: readonly Bytes[] },
): string {
  const style = styleFor(process.stdout);
  const lines: string[] = [];
  const name = (path: Bytes): string => shown(fromRoot(context.root, path));
  const nothing = found.restored.length === 0 && found.removed.length === 0;
  if (done === undefined && plan.steps.length > 0) {
    lines.push(style.bold(`Would do (nothing was changed): ${wish.title}`));
    for (const step of plan.steps)
      lines.push(
        `  ${verbOf(step).padEnd(8)} ${name(step.path)}${step.do === 'move' ? ` (from ${name(step.from)})` : ''}`,
      );
  } else {
    lines.push(style.bold(nothing && wish.git === undefined ? `${wish.title}: nothing to change` : wish.title));
    const files = filesOf(found.restored, context);
    if (!nothing)
      lines.push(
        `  ${count(found.restored.length, 'path')} written${files}, ${count(found.removed.length, 'path')} removed`,
      );
  }
  for (const note of wish.notes) lines.push(note);
  lines.push(...keptLines(wish, found.kept, name));
  for (const { key, n } of done?.safety ?? []) {
    const root = wish.roots.get(key);
    const where = root === undefined || root === context.root ? '' : ` -C ${shown(root)}`;
    lines.push(
      `Saved before it as checkpoint ${n}. To take this back: ${style.cyan(`belay${where ? '' : ''} rollback ${n}${where}`)}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

/** Up to three names, so that a person sees at once that it is the right thing. */
function filesOf(restored: readonly Bytes[], context: Context): string {
  const files = restored
    .filter((path) => lookType(path) !== 'folder')
    .map((path) => shown(fromRoot(context.root, path)));
  if (files.length === 0) return '';
  return ` (${files.slice(0, 3).join(', ')}${files.length > 3 ? `, and ${files.length - 3} more` : ''})`;
}

function lookType(path: Bytes): string | undefined {
  try {
    return lookAt(path)?.type;
  } catch (error) {
    if (isAbsentError(error)) return undefined;
    return undefined; // only for the wording
  }
}

const verbOf = (step: Step): string =>
  step.do === 'remove'
    ? 'remove'
    : step.do === 'move'
      ? 'move'
      : step.do === 'mode'
        ? 'mode'
        : step.seen
          ? 'replace'
          : 'restore';

function keptLines(wish: Wish, kept: readonly Kept[], name: (path: Bytes) => string): string[] {
  const lines: string[] = [];
  const group = (title: string, whys: readonly Kept['why'][], reasons: boolean): void => {
    const some = kept.filter(({ why }) => whys.includes(why));
    if (some.length === 0) return;
    if (!reasons)
      lines.push(
        `${title}: ${some
          .slice(0, 10)
          .map(({ path }) => name(path))
          .join(', ')}${some.length > 10 ? `, and ${some.length - 10} more` : ''}`,
      );
    else {
      lines.push(`${title}:`);
      for (const { path, reason } of some.slice(0, 20)) lines.push(`  ${name(path)}: ${reason}`);
      if (some.length > 20) lines.push(`  and ${some.length - 20} more`);
    }
  };
  group('Kept your hand-edits', ['hand-edit', 'not-empty', 'in-the-way'], false);
  group('Kept, because a later turn changed them', ['later-turn'], true);
  group('Kept, because it is not certain that this turn changed them', ['uncertain'], false);
  group('Could not be brought back', ['no-content', 'left-out'], true);
  group('Failed', ['failed', 'changed-meanwhile'], true);
  if (
    wish.allHint !== undefined &&
    kept.some(({ why }) => ['hand-edit', 'later-turn', 'uncertain', 'not-empty', 'in-the-way'].includes(why))
  )
    lines.push(`To restore those too: ${wish.allHint}`);
  return lines;
}
