import { type Event, undoneTurns } from '../checkpoint/ledger.ts';
import { partOf } from '../checkpoint/part.ts';
import { goalsBefore } from '../checkpoint/plan/goals.ts';
import type { Turn } from '../checkpoint/turns.ts';
import type { Bytes } from '../platform/bytes.ts';
import { alone } from './alone.ts';
import { chooseTurn, elsewhereNote, nameOf, titleOf, unsavedSince, wordsFor } from './choose-turn.ts';
import type { Call, Command } from './command.ts';
import { type Context, type Known, known, ledgerFor, openContext } from './context.ts';
import { gitChanges, gitWish, onlyGit } from './gitstate.ts';
import { goneNote, goneSince } from './gone.ts';
import { askOlder, offSince } from './older.ts';
import { refuseWithinLine } from './own-line.ts';
import { mayRestore, maySessions, mayWrite } from './permission.ts';
import { answerOf } from './restored.ts';
import { carryOut, type Title, type Wish } from './restoring.ts';
import { asOfNote } from './style.ts';
import { askUncertain } from './uncertain.ts';

export const undo: Command = {
  summary: "takes back this session's newest turn that changed something",
  writes: true,
  usage: [
    'belay undo [N] [--all] [--git] [--turn T] [--session ID] [--session-only] [--dry-run] [--agreed PLAN] [--force] [--yes]',
  ],
  help: `
Every file the turn changed goes back to what it was, in every project the turn touched, wherever it still is as the turn left it; what
was edited by hand since stays, and is listed. Again: the turn before. From a shell without a session of its own: the newest turn that
ran in this project or touched it. What \`belay run\` was started for from this shell is the shell's own.

  N               the turn that checkpoint N was made for, instead of the newest; \`belay list\` has the numbers
  --all           also what was edited by hand since
  --git           also HEAD, index, refs, stash, and a merge, rebase or bisect that was under way; a turn that changed nothing else is
                  passed over without it
  --turn T        the turn that the session itself calls T
  --session ID    turns of that session
  --session-only  marks the session's newest turn undone in its record, and leaves every file as it is
  --dry-run       says what it would do, changes nothing; with --json also \`plan\`, the name of that
  --agreed PLAN   only while it would do what has that name, with everything as it was then
  --force         also while the turn of an agent is still active, and where a branch was moved since (--git);
                  past a newer line that could not be filed or saved, or past what the line that calls has done itself

A safety checkpoint is saved first; \`belay redo\` takes the undo back.`,
  words: 1,
  gone: true,
  options: {
    all: { type: 'boolean' },
    git: { type: 'boolean' },
    turn: { type: 'string' },
    session: { type: 'string' },
    'dry-run': { type: 'boolean' },
    agreed: { type: 'string' },
    force: { type: 'boolean' },
    'session-only': { type: 'boolean' },
  },
  run: async (call) => {
    if (call.values['session-only'] === true) return (await import('./session-only.ts')).undoInSession(call);
    const context = await openContext(call);
    return alone(context, call, async () => {
      const { wish: found, turn } = wishUndo(context, call);
      const meant = await askOlder(context, call, found.ledger, turn, found);
      const wish = await askUncertain(context, call, meant);
      return answerOf(context, wish, carryOut(context, call, wish, call.values['dry-run'] === true));
    });
  },
};

/** Which turn, and what is to become of its paths. */
export function wishUndo(context: Context, call: Call): { readonly wish: Wish; readonly turn: Turn } {
  const { store } = context;
  mayWrite(context, []);
  refuseWithinLine(context, call);
  const all = store === undefined ? [] : known(store);
  const ledger = ledgerFor(all);
  const turn = chooseTurn(context, call, ledger);
  const withGit = call.values['git'] === true;
  maySessions(context, turn.events);
  mayWrite(context, turn.events);

  const force = call.values['all'] === true;
  const taken = new Set(turn.events);
  const undone = undoneTurns(ledger);
  const roots = rootsOf(turn.events, all);
  mayRestore(context, call, [...roots.values()]);
  const gone = goneSince(context, all, ledger, turn.events);
  const named = goalsBefore(ledger, taken, undone, force);
  const git = withGit ? gitWish(context, turn.events, call.values['force'] === true) : undefined;
  const passedOver = !withGit && turn.events.every(({ record }) => onlyGit(record));
  const wish: Wish = {
    ledger,
    goals: force ? [...named, ...gone] : named,
    roots,
    did: {
      what: 'undo',
      turns: turn.events.slice(0, 1).map(({ record }) => ({ session: record.session, turn: partOf(record.turn) })),
      partial: false,
    },
    line: 'belay undo',
    before: [
      ...elsewhereNote(context, ledger, turn, call),
      ...offSince(context, ledger, turn, call),
      ...unsavedSince(context, ledger, turn, call),
    ],
    title: titleFor(passedOver, nameOf(context, turn), titleOf(turn)),
    allHint: `belay undo --all ${wordsFor(context, turn)}`,
    uncertain: call.yes || force ? 'restore' : 'keep',
    record: true,
    notes: [
      ...gitNote(context, turn, withGit, passedOver),
      ...turn.events.flatMap(({ record }) => (record.asOf === undefined ? [] : [`As before it${asOfNote(record)}.`])),
      ...(force
        ? []
        : goneNote(
            context,
            gone.filter(({ version }) => version.kind !== 'folder').map(({ path }) => path),
            `To bring them back: belay undo --all ${wordsFor(context, turn)}`,
          )),
    ],
    skipped: turn.events.flatMap(({ record }) =>
      record.leftOut.map(({ path, reason }) => ({ path, why: 'left-out' as const, reason })),
    ),
    ...(git ? { git } : {}),
  };
  return { wish, turn };
}

function titleFor(passedOver: boolean, name: string, line: string): Title {
  if (passedOver) {
    const done = `Passed over ${name}: ${line}`;
    return { done, would: `pass over ${name}: ${line}`, nothing: done, already: done };
  }
  return {
    done: `Undid ${name}: ${line}`,
    would: `undo ${name}: ${line}`,
    nothing: `Nothing of ${name} was undone: ${line}`,
    already: `Everything is as before ${name} already: ${line}`,
  };
}

export function rootsOf(events: readonly Event[], all: readonly Known[]): Map<string, Bytes> {
  const out = new Map<string, Bytes>();
  for (const { key } of events) {
    const project = all.find((one) => one.project.key === key)?.project;
    if (project) out.set(key, project.workdir);
  }
  return out;
}

/** What of git's own state stays as it is, and the line that takes it back. */
function gitNote(context: Context, turn: Turn, withGit: boolean, passedOver: boolean): string[] {
  if (withGit) return [];
  const back = turn.events.flatMap(({ record }) =>
    gitChanges({ ...record, gitBefore: record.gitAfter, gitAfter: record.gitBefore }),
  );
  if (back.length === 0) return [];
  const line = `belay undo --git ${wordsFor(context, turn)}`;
  if (!passedOver) return [`git's HEAD, index, refs and stash stay as they are; with them: ${line}`];
  const more = back.length > 5 ? [`  and ${back.length - 5} more`] : [];
  return [
    "It changed nothing but git's own state, which stays as it is. The next undo goes further back.",
    `To take it back: ${line}`,
    ...back.slice(0, 5).map((change) => `  ${change}`),
    ...more,
  ];
}
