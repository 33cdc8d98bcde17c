import type { Kept, RestorePlan, Step } from '../checkpoint/plan/steps.ts';
import type { Bytes } from '../platform/bytes.ts';
import { isInside } from '../platform/paths.ts';
import type { Answer } from './command.ts';
import type { Context } from './context.ts';
import { asWord, fromRoot, pathKeys, shown } from './paths.ts';
import type { Outcome, Wish } from './restoring.ts';
import { count, styleFor, widthOf } from './style.ts';
import { most } from './verbosity.ts';

/** The answer of `rollback`, `undo` and `redo`. */
export function answerOf(context: Context, wish: Wish, outcome: Outcome): Answer {
  const { plan, done, name } = outcome;
  const kept = [...(wish.skipped ?? []), ...plan.kept, ...(done?.kept ?? [])];
  const restored = done?.restored ?? plan.steps.filter((step) => step.do !== 'remove').map(({ path }) => path);
  const removed = done?.removed ?? removedBy(plan.steps);
  const mine = done?.safety.find(({ key }) => wish.roots.get(key) === context.root) ?? done?.safety[0];
  const short = done?.kept.some(({ why }) => why === 'failed' || why === 'changed-meanwhile') ?? false;
  const lost = plan.kept.some(({ why }) => why === 'no-content' || why === 'left-out');
  const rewritten = rewrittenBy(plan);
  const notes = [
    ...wish.notes,
    ...linkedNotes(context, done),
    ...rewrittenNotes(context, rewritten),
    ...ownFolderNote(context, wish, done),
  ];
  return {
    exit: short || lost || rewritten.length > 0 ? 1 : 0,
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
      notes: [...(wish.before ?? []), ...notes],
      dry_run: done === undefined && (plan.steps.length > 0 || isPlanned(wish, outcome)),
      ...(name === undefined ? {} : { plan: name }),
    },
    text: asText(context, { ...wish, notes }, outcome, { kept, restored, removed }),
  };
}

/** A dry run of what changes git's own state alone. */
const isPlanned = ({ git }: Wish, { name }: Outcome): boolean => git !== undefined && name !== undefined;

/** What is written into such a file changes the checkpoint, too. */
const linkedNotes = (context: Context, done: Outcome['done']): string[] =>
  (done?.linked ?? []).map((path) => {
    const name = shown(fromRoot(context.root, path));
    return `${name} shares its bytes with the checkpoint: the disk has no room for a copy. Written in place, it cannot be brought back again.`;
  });

/** A shell whose folder is gone can do little; belay can. */
const ownFolderNote = (context: Context, { did }: Wish, done: Outcome['done']): string[] =>
  done?.removed.some((path) => isInside(context.cwd, path))
    ? [
        `The folder you are in is gone with it. ${did.what === 'redo' ? '`belay undo`' : '`belay redo`'} brings it back.`,
      ]
    : [];

const rewrittenBy = ({ steps }: RestorePlan): Bytes[] =>
  steps
    .filter((step) => step.do === 'file' && step.source.at === 'hold' && step.source.rewritten)
    .map(({ path }) => path);

const rewrittenNotes = (context: Context, paths: readonly Bytes[]): string[] =>
  paths.map((path) => {
    const name = shown(fromRoot(context.root, path));
    return `${name} is as it was written last, not as it was before: something that had it open wrote on.`;
  });

const removedBy = (steps: readonly Step[]): Bytes[] =>
  steps.filter((step) => step.do === 'remove').map(({ path }) => path);

const tell = (context: Context, path: Bytes): string => pathKeys(fromRoot(context.root, path)).path;

function asText(
  context: Context,
  wish: Wish,
  outcome: Outcome,
  found: { readonly kept: readonly Kept[]; readonly restored: readonly Bytes[]; readonly removed: readonly Bytes[] },
): string {
  const { plan, done } = outcome;
  const style = styleFor(process.stdout);
  const lines: string[] = [...(wish.before ?? [])];
  const name = (path: Bytes): string => shown(fromRoot(context.root, path));
  const nothing = found.restored.length === 0 && found.removed.length === 0;
  if (done === undefined && (plan.steps.length > 0 || isPlanned(wish, outcome))) {
    lines.push(style.bold(`Would do (nothing was changed): ${wish.title.would}`));
    for (const step of plan.steps)
      lines.push(
        `  ${verbOf(step).padEnd(8)} ${name(step.path)}${step.do === 'move' ? ` (from ${name(step.from)})` : ''}`,
      );
    if (wish.git !== undefined) lines.push("  restore  git's HEAD, index, refs and stash");
  } else {
    const { done, already, nothing: none } = wish.title;
    lines.push(style.bold(!nothing || wish.git !== undefined ? done : found.kept.length > 0 ? none : already));
    if (!nothing) lines.push(`  ${happened(found, foldersOf(plan), name)}`);
  }
  for (const note of wish.notes) lines.push(note);
  lines.push(...keptLines(wish, found.kept, name));
  const safety = done?.safety ?? [];
  if (safety.length > MOST_PROJECTS)
    lines.push(
      `Saved before it in ${safety.length} projects, as a checkpoint in each. To take this back: ${style.cyan(wish.did.what === 'redo' ? 'belay undo' : 'belay redo')}`,
    );
  for (const { key, n } of safety.length > MOST_PROJECTS ? [] : safety) {
    const root = wish.roots.get(key);
    const where = root === undefined || root === context.root ? context.at : ` -C ${asWord(root)}`;
    lines.push(`Saved before it as checkpoint ${n}. To take this back: ${style.cyan(`belay rollback ${n}${where}`)}`);
  }
  return `${lines.join('\n')}\n`;
}

/** So many are told one by one. */
const MOST_PROJECTS = 3;

/** Paths of a plan that are folders, before or after it. */
function foldersOf({ steps }: RestorePlan): ReadonlySet<Bytes> {
  const out = new Set<Bytes>();
  for (const step of steps) {
    const isFolder = step.do === 'remove' ? step.seen?.type === 'folder' : step.becomes.kind === 'folder';
    if (isFolder) out.add(step.path);
  }
  return out;
}

/** `3 files and 1 folder written (a, b, src/c), 1 file removed (d)`. */
function happened(
  { restored, removed }: { readonly restored: readonly Bytes[]; readonly removed: readonly Bytes[] },
  folders: ReadonlySet<Bytes>,
  name: (path: Bytes) => string,
): string {
  const told = (paths: readonly Bytes[], done: string): string[] => {
    if (paths.length === 0) return [];
    const what = `${counted(paths, folders)} ${done}`;
    return [what + named(paths, folders, name, LINE - what.length)];
  };
  return [...told(restored, 'written'), ...told(removed, 'removed')].join(', ');
}

function counted(paths: readonly Bytes[], folders: ReadonlySet<Bytes>): string {
  const inner = paths.filter((path) => folders.has(path)).length;
  const files = paths.length - inner;
  return [...(files > 0 ? [count(files, 'file')] : []), ...(inner > 0 ? [count(inner, 'folder')] : [])].join(' and ');
}

/** What a line of 80 columns has room for behind its indentation. */
const LINE = 78;

/** Up to three names, as many as there is room for (all with --verbose), files before folders, so that a person sees at once that it is the right thing. */
function named(
  paths: readonly Bytes[],
  folders: ReadonlySet<Bytes>,
  name: (path: Bytes) => string,
  room: number,
): string {
  const isFolder = (path: Bytes): boolean => folders.has(path);
  const names = [
    ...paths.filter((path) => !isFolder(path)).map(name),
    ...paths.filter(isFolder).map((path) => `${name(path)}/`),
  ];
  const few = (n: number): string => {
    const more = names.length > n ? `, and ${names.length - n} more` : '';
    return ` (${names.slice(0, n).join(', ')}${more})`;
  };
  const some = most(3);
  if (some > 3) return few(some);
  return [3, 2].map(few).find((text) => widthOf(text) <= room) ?? few(1);
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
  const stays = kept.filter(({ why }) => why !== 'not-empty').map(({ path }) => path);
  // A folder that stays for what is named anyway needs no name of its own.
  const told = kept.filter(({ why, path }) => why !== 'not-empty' || !stays.some((one) => isInside(one, path)));
  const group = (title: string, whys: readonly Kept['why'][], reasons: boolean): void => {
    const some = told.filter(({ why }) => whys.includes(why));
    if (some.length === 0) return;
    if (!reasons)
      lines.push(
        `${title}: ${some
          .slice(0, most(10))
          .map(({ path }) => name(path))
          .join(', ')}${some.length > most(10) ? `, and ${some.length - 10} more` : ''}`,
      );
    else {
      lines.push(`${title}:`);
      for (const { path, reason } of some.slice(0, most(20))) lines.push(`  ${name(path)}: ${reason}`);
      if (some.length > most(20)) lines.push(`  and ${some.length - 20} more`);
    }
  };
  group('Kept your hand-edits', ['hand-edit', 'not-empty', 'in-the-way'], false);
  group('Kept, because a later turn changed them', ['later-turn'], true);
  group('Kept, because it is not certain that this turn changed them', ['uncertain'], false);
  if (
    wish.allHint !== undefined &&
    kept.some(({ why }) => ['hand-edit', 'later-turn', 'uncertain', 'not-empty', 'in-the-way'].includes(why))
  )
    lines.push(`To restore those too: ${wish.allHint}`);
  group('Left alone', ['mounted'], true);
  group('Could not be brought back', ['no-content', 'left-out'], true);
  group('Failed', ['failed', 'changed-meanwhile'], true);
  return lines;
}
