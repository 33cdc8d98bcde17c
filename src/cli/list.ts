import { changedSomething, isUndone, type Undone, undoneTurns } from '../checkpoint/ledger.ts';
import type { Checkpoint } from '../checkpoint/read.ts';
import type { CheckpointRecord, Origin } from '../checkpoint/record.ts';
import { type Span, type Stats, statsOf } from '../checkpoint/stats.ts';
import { StoreError } from '../checkpoint/store.ts';
import { reasonOf } from '../checkpoint/write.ts';
import { type Bytes, toText } from '../platform/bytes.ts';
import { originText } from './checkpoints/origin.ts';
import { newestTurn, titleOf } from './choose-turn.ts';
import type { Answer, Command } from './command.ts';
import { type Context, type Known, known, knownHere, ledgerFor, openContext } from './context.ts';
import { onlyGit } from './gitstate.ts';
import { goneNote, goneNow } from './gone.ts';
import { linked } from './links.ts';
import { initLine, parentName, shellOf } from './own-shell.ts';
import { asWord, fromRoot, pathKeys, shown } from './paths.ts';
import { count, cut, localTime, padLeft, padRight, styleFor, widthOf } from './style.ts';
import { reasonTitle } from './title.ts';
import type { CheckpointRow } from './ui/documents.ts';

export const list: Command = {
  summary: 'checkpoints of this project, newest first',
  usage: ['belay list [--session ID] [--all]'],
  help: `
One line a checkpoint: its number, the beginning of its id (on a terminal that is wide enough), when, why, what it changed, warnings.
Numbers never move. Checkpoints of an earlier folder of the same name (deleted and made again) are marked. Of a checkpoint by hand it
is told what differs from the one by hand before it.

  --session ID  only what turns of that session did
  --all         also the lines that changed nothing`,
  words: 0,
  gone: true,
  options: { session: { type: 'string' }, all: { type: 'boolean' } },
  run: async (call) => {
    const context = await openContext(call);
    const here = knownHere(context);
    const session = call.values['session'];
    const all = here?.history.checkpoints ?? [];
    const some = typeof session === 'string' ? all.filter(({ record }) => record.session === toText(session)) : all;
    const stats = statsIfWhole(context, here, some);
    const ledger = here && ledgerFor([here]);
    const undone = ledger ? undoneTurns(ledger) : new Map<string, number>();
    const gone = here && ledger ? goneNow(context, here, ledger) : [];
    const told = answer(context, here, some, stats, undone, gone, call.values['all'] === true);
    return some.length === 0 ? { ...told, text: nothing(context, here, call.install, session === undefined) } : told;
  },
};

/** Objects that are lost or damaged keep nobody from the list of what there is; `verify` says what. */
function statsIfWhole(context: Context, here: Known | undefined, some: readonly Checkpoint[]): Map<Checkpoint, Stats> {
  try {
    return statsFor(context, here, some);
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'store_broken') throw error;
    process.stderr.write(
      'belay list: the store is damaged, what changed cannot be counted: belay checkpoints verify\n',
    );
    return new Map();
  }
}

/** What each of them changed. */
export function statsFor(
  context: Context,
  here: Known | undefined,
  some: readonly Checkpoint[],
): Map<Checkpoint, Stats> {
  if (context.store === undefined || here === undefined) return new Map();
  const spans = spansOf(here);
  return statsOf(context.store, some, new Map([...spans].filter(([one]) => some.includes(one))));
}

/** Between which captures each checkpoint by hand is counted: from the one by hand before it. */
export function spansOf(here: Known): Map<Checkpoint, Span> {
  const { checkpoints, captures } = here.history;
  const byHand = checkpoints.filter(({ record }) => record.kind === 'manual');
  const captureOf = (one: Checkpoint | undefined): string | undefined =>
    captures.find(({ m }) => m === one?.record.captureBefore)?.id;
  const spans = new Map<Checkpoint, Span>();
  byHand.forEach((one, i) => {
    const [before, now] = [captureOf(byHand[i + 1]), captureOf(one)];
    if (before !== undefined && now !== undefined) spans.set(one, { before, now });
  });
  return spans;
}

function answer(
  context: Context,
  here: Known | undefined,
  checkpoints: readonly Checkpoint[],
  stats: ReadonlyMap<Checkpoint, Stats>,
  undone: Undone,
  gone: readonly Bytes[],
  whole: boolean,
): Answer {
  const rows = checkpoints.map((checkpoint) => row(checkpoint, stats.get(checkpoint), here, undone));
  return {
    json: {
      project: { root: pathKeys(context.root).path, key: here?.project.key ?? null },
      checkpoints: rows.map(({ document }) => document),
      broken: here?.history.broken ?? [],
      also_gone: gone.map((path) => pathKeys(fromRoot(context.root, path)).path),
    },
    text: rows.length === 0 ? '' : asText(context, whole ? rows : rows.filter(tells), here, gone, rows.length),
    page: true,
  };
}

interface Row {
  /** It changed nothing, and has nothing else to say: a person need not see it. */
  readonly idle: boolean;
  readonly document: CheckpointRow & { readonly did?: unknown; readonly origin?: unknown };
  readonly cells: readonly [n: string, id: string, time: string, reason: string, stats: string, notes: string];
}

const tells = ({ idle }: Row): boolean => !idle;

/** One checkpoint, as the list tells it to programs and to people. */
export function row(checkpoint: Checkpoint, stats: Stats | undefined, here: Known | undefined, undone: Undone): Row {
  const { record, id } = checkpoint;
  const { files, insertions, deletions } = stats ?? { files: 0, insertions: 0, deletions: 0 };
  const state =
    record.origin !== undefined
      ? 'imported'
      : record.generation !== here?.generation
        ? 'earlier-folder'
        : isUndone(undone, record)
          ? 'undone'
          : 'whole';
  const notes = [
    ...(state === 'undone' ? ['undone'] : []),
    ...(state === 'earlier-folder' ? ['of an earlier folder'] : []),
    ...(record.origin === undefined ? [] : [originText(record.origin)]),
    ...(record.asOf === undefined ? [] : [`before: as of the prompt at ${localTime(record.asOf).slice(11)}`]),
    ...(record.leftOut.length > 0 ? [`${record.leftOut.length} left out`] : []),
    ...(record.nested.length > 0
      ? [`nested git repos not captured: ${record.nested.slice(0, 3).map(shown).join(', ')}`]
      : []),
  ];
  return {
    idle: record.kind === 'turn' && notes.length === 0 && !changedSomething(record),
    document: {
      n: record.n,
      id,
      time: new Date(record.started).toISOString(),
      reason: toText(reasonOf(record)),
      kind: record.kind,
      scope: record.scope,
      session: record.session,
      turn: record.turn,
      label: record.label ?? null,
      state,
      stats: { files, insertions, deletions },
      left_out: record.leftOut.map(({ path, reason }) => ({ ...pathKeys(path), reason })),
      nested_not_captured: record.nested.map((path) => pathKeys(path).path),
      ...(record.asOf === undefined ? {} : { as_of: new Date(record.asOf).toISOString() }),
      ...(record.kind === 'safety' ? { did: record.did } : {}),
      ...(record.origin === undefined ? {} : { origin: originKeys(record.origin) }),
    },
    cells: [
      String(record.n),
      id.slice(0, 8),
      localTime(record.started),
      reasonTitle(record),
      statText(record, stats),
      notes.join('; '),
    ],
  };
}

const originKeys = ({ key, n, root, host, from, imported }: Origin) => ({
  from,
  host: toText(host),
  root: pathKeys(root).path,
  key,
  n,
  imported: new Date(imported).toISOString(),
});

function statText(record: CheckpointRecord, stats: Stats | undefined): string {
  if (stats !== undefined && stats.files > 0)
    return `${count(stats.files, 'file')} +${stats.insertions} -${stats.deletions}`;
  if (record.kind === 'manual') return stats === undefined ? 'the whole project' : 'nothing new';
  if (onlyGit(record)) return "git's own state";
  return changedSomething(record) ? 'folders only' : 'nothing changed';
}

/** A terminal of fewer columns gets the shorter rows. */
const WIDE = 96;
/** Notes are told whole; only so much is kept free for them. */
const LONGEST_NOTE = 24;

const HINTS: readonly (readonly [left: string, right: string])[] = [
  [hint('belay diff N', 'what differs now from before N'), hint('belay show N', 'what N changed')],
  [hint('belay rollback N', 'back to before N (numbers stay)'), hint('belay undo', 'the newest turn')],
];

function hint(command: string, meaning: string): string {
  return `${command.padEnd(16)} ${meaning}`;
}

function asText(
  context: Context,
  rows: readonly Row[],
  here: Known | undefined,
  gone: readonly Bytes[],
  total: number,
): string {
  const style = styleFor(process.stdout);
  const terminal = process.stdout.isTTY === true;
  const hidden = total - rows.length;
  const widths = [0, 1, 2, 3, 4, 5].map((i) => Math.max(0, ...rows.map(({ cells }) => widthOf(cells[i] ?? ''))));
  const [number = 0, id = 0, time = 0, reasons = 0, statistics = 0, notes = 0] = widths;
  const columns = terminal ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY;
  const isNarrow = columns < WIDE;
  const fixed = number + (isNarrow ? 0 : id + 2) + time + statistics + 8 + Math.min(notes, LONGEST_NOTE);
  const reasonWidth = Math.min(reasons, terminal ? Math.max(20, columns - fixed) : 100);
  const lines = rows.map(({ cells }) => {
    const [n, name, when, reason, stats, said] = cells;
    return [
      style.bold(padLeft(n, number)),
      ...(isNarrow ? [] : [style.yellow(name)]),
      style.dim(when),
      padRight(cut(reason, reasonWidth), reasonWidth),
      style.cyan(padRight(stats, statistics)),
      said === '' ? '' : style.red(said),
    ]
      .join('  ')
      .trimEnd();
  });
  const broken = brokenNote(here);
  return [
    `${linked(context.root, style.bold(shown(context.root)), process.stdout)}  ${count(total, 'checkpoint')}`,
    '',
    ...lines,
    ...(hidden > 0
      ? [
          style.dim(
            `${hidden === 1 ? '1 that changed nothing is' : `${hidden} that changed nothing are`} not shown: belay list --all`,
          ),
        ]
      : []),
    ...(broken === '' ? [] : ['', style.red(broken)]),
    ...goneNote(context, gone, 'To bring one back: belay rollback last PATH').map((note) => `\n${note}`),
    '',
    ...(isNarrow ? HINTS.flat() : HINTS.map(([left, right]) => `${left.padEnd(53)}${right}`)),
    '',
  ].join('\n');
}

function brokenNote(here: Known | undefined): string {
  const broken = here?.history.broken ?? [];
  return broken.length === 0
    ? ''
    : `cannot be read: ${broken.join(', ')}; \`belay checkpoints verify\` says more, with --repair it mends what can be mended`;
}

/** An empty list says why. */
function nothing(context: Context, here: Known | undefined, install: Bytes, whole: boolean): string {
  if ((here?.history.broken ?? []).length > 0) return `${shown(context.root)}  ${brokenNote(here)}\n`;
  const { world, session } = context;
  const elsewhere = whole ? undoable(context) : [];
  const why = world.off
    ? 'belay is switched off (BELAY_DISABLE, or checkpoints.enabled in the configuration): nothing is saved.'
    : session === undefined
      ? `belay is not loaded in this shell: ${initLine(shellOf(world.env, parentName()), world.env, install)} (\`belay doctor\` says more).`
      : elsewhere.length > 0
        ? undefined
        : 'No line has destroyed anything here yet: the next rm, mv, sed -i, > or git reset makes the first checkpoint.';
  const answer = [...(why === undefined ? [] : [why]), ...elsewhere];
  return `${shown(context.root)}  no checkpoints\n\n${answer.join('\n')}\n`;
}

/** In a folder that has none of its own: what `undo` would bring back from here, and where (`cd .. && rm -rf project`). */
function undoable(context: Context): string[] {
  const { store, session, root } = context;
  if (store === undefined) return [];
  const turn = newestTurn(context, ledgerFor(known(store)), session);
  if (turn === undefined) return [];
  const roots = [...new Set(turn.events.map(({ record }) => shown(record.root)))];
  const first = turn.events[0]?.record;
  const list =
    first === undefined || first.root === root ? '' : `The checkpoints there: belay list -C ${asWord(first.root)}`;
  return [`belay undo takes back: ${titleOf(turn)}`, `  in ${roots.join(', ')}`, ...(list === '' ? [] : [list])];
}
