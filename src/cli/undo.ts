import { type Event, isSafety, isUndone, type Ledger, turnId, undoneTurns } from '../checkpoint/ledger.ts';
import { partOf } from '../checkpoint/part.ts';
import { goalsBefore } from '../checkpoint/plan/goals.ts';
import { groupTurns, sessionsOf, standingTurns, type Turn } from '../checkpoint/turns.ts';
import { type Bytes, toText } from '../platform/bytes.ts';
import { isInside } from '../platform/paths.ts';
import { alone } from './alone.ts';
import { type Call, type Command, notThere, refused } from './command.ts';
import { type Context, type Known, known, ledgerFor, openContext } from './context.ts';
import { gitChanges, gitWish, onlyGit } from './gitstate.ts';
import { goneNote, goneSince } from './gone.ts';
import { mayRestore, maySessions, mayWrite } from './permission.ts';
import { answerOf } from './restored.ts';
import { carryOut, type Wish } from './restoring.ts';
import { asOfNote } from './style.ts';
import { lineTitle, reasonTitle } from './title.ts';
import { askUncertain } from './uncertain.ts';

export const undo: Command = {
  summary: "takes back this session's newest turn that changed something",
  usage: ['belay undo [--all] [--git] [--turn T] [--session ID] [--dry-run] [--force] [--yes]'],
  help: `
Every file the turn changed goes back to what it was, in every project the turn touched, wherever it still is as the turn left it; what
was edited by hand since stays, and is listed. Again: the turn before. From a shell without a session of its own: the newest turn that
ran in this project or touched it. What \`belay run\` was started for from this shell is the shell's own.

  --all         also what was edited by hand since
  --git         also HEAD, index, refs, stash, and a merge, rebase or bisect that was under way; a turn that changed nothing else is
                passed over without it
  --turn T      this turn instead of the newest
  --session ID  turns of that session
  --dry-run     says what it would do, changes nothing
  --force       also while the turn of an agent is still active, and where a branch was moved since (--git)

A safety checkpoint is saved first; \`belay redo\` takes the undo back.`,
  words: 0,
  options: {
    all: { type: 'boolean' },
    git: { type: 'boolean' },
    turn: { type: 'string' },
    session: { type: 'string' },
    'dry-run': { type: 'boolean' },
    force: { type: 'boolean' },
  },
  run: async (call) => {
    const context = await openContext(call);
    return alone(context, call, async () => {
      const wish = await askUncertain(context, call, wishUndo(context, call).wish);
      return answerOf(context, wish, carryOut(context, call, wish, call.values['dry-run'] === true));
    });
  },
};

/** Which turn, and what is to become of its paths. */
export function wishUndo(context: Context, call: Call): { readonly wish: Wish; readonly turn: Turn } {
  const { store } = context;
  mayWrite(context, []);
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
    title: passedOver
      ? `Passed over ${whose(context, turn)}: ${title(turn)}`
      : `Undid ${whose(context, turn)}: ${title(turn)}`,
    allHint: 'belay undo --all --turn '.concat(numberOf(turn), sessionHint(context, turn)),
    uncertain: call.yes || force ? 'restore' : 'keep',
    record: true,
    notes: [
      ...gitNote(turn, withGit, passedOver),
      ...turn.events.flatMap(({ record }) => (record.asOf === undefined ? [] : [`As before it${asOfNote(record)}.`])),
      ...(force
        ? []
        : goneNote(
            context,
            gone.map(({ path }) => path),
            'To bring them back: belay undo --all'.concat(turnHint(turn)),
          )),
    ],
    skipped: turn.events.flatMap(({ record }) =>
      record.leftOut.map(({ path, reason }) => ({ path, why: 'left-out' as const, reason })),
    ),
    ...(git ? { git } : {}),
  };
  return { wish, turn };
}

function chooseTurn(context: Context, call: Call, ledger: Ledger): Turn {
  const named = call.values['session'];
  const session = typeof named === 'string' ? toText(named) : context.session;
  const wantedTurn = call.values['turn'];
  if (typeof named === 'string' && !ledger.events.some(({ record }) => record.session === session))
    throw notThere('no_session', `no checkpoint belongs to a session ${session}`);
  const sessions = session === undefined ? undefined : sessionsOf(ledger, session);
  const mine = (event: Event): boolean =>
    sessions === undefined ? isHere(context, event) : sessions.has(event.record.session);
  if (typeof wantedTurn === 'string') {
    const id = toText(wantedTurn);
    // Each run begins to count anew: the session's own turn of that number first.
    const named = groupTurns(ledger, (event) => mine(event) && turnId(event.record).endsWith(`\0${partOf(id)}`));
    const found = named.find(({ events }) => events[0]?.record.session === session) ?? named[0];
    if (found) return found;
    throw notThere(
      'no_checkpoint',
      `there is no turn ${id} ${session === undefined ? 'here' : `in session ${session}`}`,
    );
  }
  const found = standingTurns(ledger, mine)[0];
  if (call.values['force'] !== true) refuseUnfiled(context, sessions, found);
  const half = call.values['git'] === true ? undoneBesideGit(ledger, mine) : undefined;
  if (half && (found === undefined || half.order > found.order)) return half;
  if (found) return found;
  const other = session === undefined ? undefined : standingTurns(ledger, (event) => isHere(context, event))[0];
  const hint = other
    ? `The newest turn here is another session's (${title(other)}): belay undo --session ${other.events[0]?.record.session}`
    : '`belay list` shows what there is.';
  throw notThere(
    'no_checkpoint',
    `nothing is left to undo ${session === undefined ? 'here' : 'in this session'}`,
    hint,
  );
}

/** A line that is over and could not be filed is not passed over in silence: what is older would be taken for the newest. */
function refuseUnfiled(context: Context, sessions: ReadonlySet<string> | undefined, found: Turn | undefined): void {
  if (context.settling.is === 'busy') return;
  const newer = context.settling.failed.find(
    ({ session, cwd, order }) =>
      order > (found?.order ?? 0) && (sessions === undefined ? isInside(cwd, context.root) : sessions.has(session)),
  );
  if (newer !== undefined)
    throw refused(
      'not_filed',
      `the newest line could not be filed, so it cannot be taken back yet: ${lineTitle(newer.line)}`,
      'What it destroyed is held; `belay doctor` says more. The turn before it: belay undo --force',
    );
}

/** The newest turn whose files were taken back, and git's own state not: `undo --git` after `undo` completes it. */
function undoneBesideGit(ledger: Ledger, mine: (event: Event) => boolean): Turn | undefined {
  const undone = undoneTurns(ledger);
  const withGit = new Set(
    ledger.events.flatMap((event) =>
      isSafety(event) && event.record.gitBefore.length > 0 ? event.record.did.turns.map(turnId) : [],
    ),
  );
  return groupTurns(
    ledger,
    (event) => mine(event) && isUndone(undone, event.record) && !withGit.has(turnId(event.record)),
  ).find(({ events }) => events.some(({ record }) => gitChanges(record).length > 0));
}

/** Run in this project, or touching a path in it. */
function isHere(context: Context, event: Event): boolean {
  const { root } = context;
  return (
    event.record.root === root ||
    isInside(event.record.cwd, root) ||
    [...event.changes.keys()].some((path) => isInside(path, root))
  );
}

export function rootsOf(events: readonly Event[], all: readonly Known[]): Map<string, Bytes> {
  const out = new Map<string, Bytes>();
  for (const { key } of events) {
    const project = all.find((one) => one.project.key === key)?.project;
    if (project) out.set(key, project.workdir);
  }
  return out;
}

const title = (turn: Turn): string => {
  const record = turn.events[0]?.record;
  return record ? lineTitle(record.line) || lineTitle(record.verbs.join(', ')) || reasonTitle(record) : '';
};

const turnHint = (turn: Turn): string => ` --turn ${numberOf(turn)}`;

/** The turn's name as `--turn` takes it. */
const numberOf = (turn: Turn): string => partOf(turn.events[0]?.record.turn ?? '');

function whose(context: Context, turn: Turn): string {
  const record = turn.events[0]?.record;
  if (!record) return 'nothing';
  if (record.session === context.session) return `turn ${partOf(record.turn)}`;
  return `turn ${partOf(record.turn)} of session ${record.session} (${record.source})`;
}

const sessionHint = (context: Context, turn: Turn): string => {
  const session = turn.events[0]?.record.session;
  return session === undefined || session === context.session ? '' : ` --session ${session}`;
};

/** What of git's own state stays as it is, and the line that takes it back. */
function gitNote(turn: Turn, withGit: boolean, passedOver: boolean): string[] {
  if (withGit) return [];
  const back = turn.events.flatMap(({ record }) =>
    gitChanges({ ...record, gitBefore: record.gitAfter, gitAfter: record.gitBefore }),
  );
  if (back.length === 0) return [];
  const line = `belay undo --git${turnHint(turn)}`;
  if (!passedOver) return [`git's HEAD, index, refs and stash stay as they are; with them: ${line}`];
  const more = back.length > 5 ? [`  and ${back.length - 5} more`] : [];
  return [
    "It changed nothing but git's own state, which stays as it is. The next undo goes further back.",
    `To take it back: ${line}`,
    ...back.slice(0, 5).map((change) => `  ${change}`),
    ...more,
  ];
}
