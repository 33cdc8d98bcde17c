import {
  changedSomething,
  type Event,
  isSafety,
  isUndone,
  type Ledger,
  turnId,
  undoneTurns,
} from '../checkpoint/ledger.ts';
import { partOf } from '../checkpoint/part.ts';
import type { SafetyRecord } from '../checkpoint/record.ts';
import { groupTurns, sessionsOf, standingTurns, type Turn } from '../checkpoint/turns.ts';
import { type Bytes, toText } from '../platform/bytes.ts';
import { isInside } from '../platform/paths.ts';
import { runtimeOf } from '../saving/world.ts';
import { chainOf } from '../sessions/chain.ts';
import { type Mark, type MarkedTurn, markedTurn } from '../turns/markers.ts';
import { type Call, notThere, refused, wrongUsage } from './command.ts';
import { type Context, knownHere, pick } from './context.ts';
import { gitChanges } from './gitstate.ts';
import { shown } from './paths.ts';
import { mayRestore } from './permission.ts';
import { lineTitle, reasonTitle } from './title.ts';

/** The turn that `undo` means. */
export function chooseTurn(context: Context, call: Call, ledger: Ledger): Turn {
  const named = call.values['session'];
  const session = typeof named === 'string' ? toText(named) : context.session;
  const wantedTurn = call.values['turn'];
  if (
    typeof named === 'string' &&
    !ledger.events.some(({ record }) => rowOf(context, session ?? '').has(record.session))
  )
    throw notThere('no_session', `no checkpoint belongs to a session ${session}`);
  const sessions = session === undefined ? undefined : sessionsOf(ledger, rowOf(context, session));
  const mine = isMine(context, ledger, session);
  const number = call.words[0];
  if (number !== undefined) return turnOf(context, ledger, number);
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
  const found = newestTurn(context, ledger, session);
  if (call.values['force'] !== true) {
    refuseUnfiled(context, sessions, found);
    if (found !== undefined) refuseUnsaved(ledger, mine, found);
    refuseUnprotected(context, ledger, mine, found);
  }
  const half = call.values['git'] === true ? undoneBesideGit(ledger, mine) : undefined;
  if (half && (found === undefined || half.order > found.order)) return half;
  if (found) return found;
  // What an agent takes away is no checkpoint yet while its first turn goes on: it is not nothing.
  mayRestore(context, call, [context.root]);
  const other = session === undefined ? undefined : standingTurns(ledger, (event) => isHere(context, event))[0];
  const hint = other
    ? `The newest turn here is another session's (${titleOf(other)}): belay undo --session ${other.events[0]?.record.session}`
    : [...unsavedAfter(ledger, mine, 0).map((lost) => `Not saved: ${lost}`), '`belay list` shows what there is.'].join(
        '\n',
      );
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

/**
 * Nor is one that could not be saved: whoever types `undo` after it means that one. A restore since then was asked for in full knowledge
 * of it, and further ones go on from there.
 */
function refuseUnsaved(ledger: Ledger, mine: (event: Event) => boolean, found: Turn): void {
  const restored = ledger.events.filter((event) => isSafety(event) && mine(event)).map(({ record }) => record.order);
  const [newest] = unsavedAfter(ledger, mine, Math.max(found.order, ...restored));
  if (newest === undefined) return;
  throw refused(
    'not_saved',
    `the newest line was not saved, so it cannot be taken back: ${newest}`,
    `Nothing was changed. The turn before it, ${titleOf(found)}: belay undo --force`,
  );
}

/** Nor one of which nothing was saved at all: belay-snap failed, or was killed. */
function refuseUnprotected(
  context: Context,
  ledger: Ledger,
  mine: (event: Event) => boolean,
  found: Turn | undefined,
): void {
  const newest = newestMark(context, ledger, mine, found, 'unprotected');
  if (newest === undefined) return;
  throw refused(
    'not_saved',
    `line ${newest.turn} of this session ran unprotected, so it cannot be taken back`,
    `Nothing was changed; \`belay doctor\` says more. ${found === undefined ? '' : `The turn before it, ${titleOf(found)}: `}belay undo --force`,
  );
}

/**
 * The newest line of the caller's sessions that was marked so, where it came after the turn. A restore since then was asked for in full
 * knowledge of it, and further ones go on from there.
 */
export function newestMark(
  { world, own }: Context,
  ledger: Ledger,
  mine: (event: Event) => boolean,
  found: Turn | undefined,
  mark: Mark,
): (MarkedTurn & { readonly session: string }) | undefined {
  const runtime = runtimeOf(world, false);
  const newest = runtime === undefined ? undefined : newestMarked(runtime, own, mark);
  if (newest === undefined) return undefined;
  const before = found?.events.find(({ record }) => record.session === newest.session)?.record;
  // A session within this one counts its own turns, and an agent's have names of another kind.
  const [line, turn] = [Number(newest.turn), before === undefined ? Number.NaN : Number(partOf(before.turn))];
  const isOlder =
    Number.isNaN(line) || Number.isNaN(turn)
      ? (found?.events.some(({ record }) => record.started > newest.at) ?? false)
      : // Switched off at the end of a line, or not by a line of its own: what came then came after that line.
        mark === 'off'
        ? line < turn
        : line <= turn;
  const isPast = (did: SafetyRecord['did']): boolean =>
    mark === 'unprotected' || did.turns.length === 0 || did.turns.some((one) => !(Number(one.turn) > line));
  const restored = ledger.events.some(
    (event) => isSafety(event) && mine(event) && event.record.started >= newest.at && isPast(event.record.did),
  );
  return isOlder || restored ? undefined : newest;
}

const newestMarked = (runtime: Bytes, sessions: ReadonlySet<string>, mark: Mark) =>
  [...sessions]
    .flatMap((session) => {
      const turn = markedTurn(runtime, session, mark);
      return turn === undefined ? [] : [{ ...turn, session }];
    })
    .sort((a, b) => b.at - a.at)[0];

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
const isHere = (context: Context, event: Event): boolean =>
  ranHere(context, event) || [...event.changes.keys()].some((path) => isInside(path, context.root));

/** Of this project itself, or run within it. */
export const ranHere = ({ root }: Context, { record }: Event): boolean =>
  record.root === root || isInside(record.cwd, root);

/** A session, and those that it goes on from. */
const rowOf = (context: Context, session: string): ReadonlySet<string> =>
  session === context.session ? context.own : chainOf(context.home, session);

/** The turns that an `undo` without words goes through. */
export function isMine(context: Context, ledger: Ledger, session: string | undefined): (event: Event) => boolean {
  const sessions = session === undefined ? undefined : sessionsOf(ledger, rowOf(context, session));
  return (event) => (sessions === undefined ? isHere(context, event) : sessions.has(event.record.session));
}

/** What `undo` would take back; undefined where nothing is left. */
export const newestTurn = (context: Context, ledger: Ledger, session: string | undefined): Turn | undefined =>
  standingTurns(ledger, isMine(context, ledger, session))[0];

/** The turn that checkpoint N of this project was made for. */
function turnOf(context: Context, ledger: Ledger, number: Bytes): Turn {
  const { record } = pick(knownHere(context), number);
  const found = groupTurns(ledger, (event) => turnId(event.record) === turnId(record))[0];
  if (record.kind === 'turn' && found) return found;
  throw wrongUsage(`checkpoint ${record.n} belongs to no turn: belay rollback ${record.n}`);
}

/** The session's newest turn may have been anywhere: where it is not of this project, that is said first. */
export function elsewhereNote(context: Context, ledger: Ledger, turn: Turn, call: Call): string[] {
  if (call.words.length > 0 || call.values['turn'] !== undefined || call.values['session'] !== undefined) return [];
  if (turn.events.some((event) => ranHere(context, event))) return [];
  const reached = turn.events.some((event) => isHere(context, event)) ? 'not' : 'nothing of it';
  const where = [...new Set(turn.events.map(({ record }) => shown(record.root)))].join(', ');
  const here = standingTurns(ledger, (event) => event.record.root === context.root)[0];
  const newest = here === undefined ? '' : ` The newest turn here: belay undo ${wordsFor(context, here)}`;
  return [`This session's newest turn was in ${where}, ${reached} in ${shown(context.root)}.${newest}`];
}

/** Lines after the turn that were not saved: they are passed over, which nobody may learn from the result alone. */
export function unsavedSince(context: Context, ledger: Ledger, turn: Turn, call: Call): string[] {
  if (call.words.length > 0 || call.values['turn'] !== undefined) return [];
  const named = call.values['session'];
  const mine = isMine(context, ledger, typeof named === 'string' ? toText(named) : context.session);
  return unsavedAfter(ledger, mine, turn.order).map(
    (lost) => `A newer line was not saved and is not taken back: ${lost}`,
  );
}

/** The lines that were not saved, newest first, and why. */
function unsavedAfter(ledger: Ledger, mine: (event: Event) => boolean, after: number): string[] {
  const undone = undoneTurns(ledger);
  return groupTurns(ledger, mine)
    .filter(({ id, order, events }) => order > after && !undone.has(id) && events.every(isLost))
    .map((lost) => {
      const left = lost.events.flatMap(({ record }) => record.leftOut);
      const names = left.slice(0, 3).map(({ path, reason }) => `${shown(path)}: ${reason}`);
      const more = left.length > 3 ? `, and ${left.length - 3} more` : '';
      return `${titleOf(lost)} (${names.join(', ')}${more})`;
    });
}

const isLost = ({ record }: Event): boolean => record.leftOut.length > 0 && !changedSomething(record);

export const titleOf = (turn: Turn): string => {
  const record = turn.events[0]?.record;
  return record ? lineTitle(record.line) || lineTitle(record.verbs.join(', ')) || reasonTitle(record) : '';
};

/** The checkpoint in this project that was made for it, by which the list knows it. */
const hereOf = (context: Context, turn: Turn): Event | undefined =>
  turn.events.find(({ record }) => record.root === context.root);

/** `checkpoint 3`, `checkpoint 3 of session … (run)`, `turn 7 in ../other`. */
export function nameOf(context: Context, turn: Turn): string {
  const here = hereOf(context, turn);
  const record = here?.record ?? turn.events[0]?.record;
  if (!record) return 'nothing';
  const name = here ? `checkpoint ${here.record.n}` : `turn ${partOf(record.turn)} in ${shown(record.root)}`;
  const isOwn =
    context.own.has(record.session) ||
    (record.kind === 'turn' && record.parent !== undefined && context.own.has(record.parent));
  return isOwn ? name : `${name} of session ${record.session} (${record.source})`;
}

/** What names the turn to `undo`. */
export function wordsFor(context: Context, turn: Turn): string {
  const here = hereOf(context, turn);
  if (here) return `${here.record.n}${context.at}`;
  const record = turn.events[0]?.record;
  if (!record) return '';
  const session = record.session === context.session ? '' : ` --session ${record.session}`;
  return `--turn ${partOf(record.turn)}${session}`;
}
