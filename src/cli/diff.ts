import type { Pair } from '../checkpoint/diff/pairs.ts';
import { joinRenames, pairsFromNow, pairsOfEvents } from '../checkpoint/diff/pairs.ts';
import { type Event, type Ledger, undoneTurns } from '../checkpoint/ledger.ts';
import { asItWas } from '../checkpoint/plan/as-it-was.ts';
import { wholeState } from '../checkpoint/plan/chosen.ts';
import { eventsFrom, type Goal, goalsAfter, goalsBefore } from '../checkpoint/plan/goals.ts';
import { sourcesOf } from '../checkpoint/plan/sources.ts';
import { captureBefore, wholeGoals } from '../checkpoint/plan/whole.ts';
import { lookAround } from '../checkpoint/plan/world.ts';
import { readCaptures, readHistory } from '../checkpoint/read.ts';
import type { Store } from '../checkpoint/store.ts';
import { type Bytes, toText } from '../platform/bytes.ts';
import { describe, log } from '../platform/log.ts';
import { chooseGoals } from './choose-paths.ts';
import { type Answer, type Call, type Command, notThere, wrongUsage } from './command.ts';
import {
  type Context,
  capturesFor,
  type Known,
  known,
  knownHere,
  ledgerAround,
  ledgerFor,
  openContext,
  pick,
} from './context.ts';
import { DIFF_OPTIONS, diffAnswer, oidOfSide } from './diff-answer.ts';
import { nearestCapture } from './nearest-capture.ts';
import { maySessions } from './permission.ts';
import { reasonTitle } from './title.ts';

export const diff: Command = {
  summary: 'what differs now from before a checkpoint',
  usage: [
    'belay diff [N] [PATHSPEC…] [--after] [--stat] [--path PATHSPEC] [--context K] [--patch] [--tool]',
    'belay diff [N] --session [ID]',
  ],
  help: `
What is otherwise now than it was before checkpoint N (without N: the newest). With --after: than it was after N.
With --session: everything that a session changed, from before its first turn to after its last; with N, what differs now of what its
turns from checkpoint N on did.

  --stat        one line a file
  --path SPEC   only these paths
  --context K   K lines around each change (default 3)
  --patch       with --json: the lines that differ, too
  --tool        shows both states with your own diff tool (git difftool, else $BELAY_DIFF)`,
  gone: true,
  options: { ...DIFF_OPTIONS, after: { type: 'boolean' }, session: { type: 'boolean' } },
  run: async (call) => {
    const context = await openContext(call);
    const isOfSession = call.values['session'] === true;
    const isNumber = CHECKPOINT.test(call.words[0] ?? '');
    if (isOfSession && !isNumber) return ofSession(context, call);
    const here = knownHere(context);
    const [word, ...others] = call.words;
    const [session, rest] = isOfSession ? [sessionOf(context, others[0]), others.slice(1)] : [undefined, others];
    const checkpoint = pick(here, word ?? 'last');
    if (here === undefined || context.store === undefined) throw new Error('a checkpoint without a project');
    const ledger = ledgerAround(here, checkpoint);
    const target = ledger.events.find((event) => event.checkpoint === checkpoint);
    if (target === undefined) throw new Error('a checkpoint without an event');
    maySessions(context, [target]);
    const specs = [...rest, ...pathOption(call)];
    const whose = session === undefined ? '' : `, of what session ${session} did`;
    const title = `from ${call.values['after'] === true ? 'after' : 'before'} checkpoint ${target.record.n} (${reasonTitle(target.record)}) to now${whose}`;
    const after = call.values['after'] === true;
    const pairs = await pairsSince(context, context.store, here, ledger, target, { specs, after, session });
    return diffAnswer(context, call, context.store, pairs, title);
  },
};

export function pathOption(call: Call): Bytes[] {
  const path = call.values['path'];
  return typeof path === 'string' ? [path] : [];
}

interface Wanted {
  readonly specs: readonly Bytes[];
  readonly after: boolean;
  /** Only what its turns did. */
  readonly session: string | undefined;
}

async function pairsSince(
  context: Context,
  store: Store,
  here: Known,
  ledger: Ledger,
  target: Event,
  wanted: Wanted,
): Promise<Pair[]> {
  const { specs, after, session } = wanted;
  const undone = undoneTurns(ledger);
  const isWanted = ({ record }: Event): boolean => session === undefined || record.session === session;
  const taken = [...eventsFrom(ledger, target)].filter((event) => isWanted(event) && !(after && event === target));
  const root = here.project.workdir;
  const found =
    after && session === undefined
      ? goalsAfter(ledger, target, undone, true)
      : goalsBefore(ledger, new Set(taken), undone, true);
  const capture = nearestCapture(store, here, target);
  const state = () => wholeState(store, here.project.key, root, ledger, target, capture);
  const named = session === undefined ? asItWas(found, { store, root, ledger, target, capture, state, after }) : found;
  const whole = after || session !== undefined ? [] : await wholeSince(context, store, here, ledger, target, named);
  const goals = chooseGoals({ store, root, cwd: context.cwd, specs, literal: false }, [...named, ...whole]);
  const world = lookAround({ unlock: false });
  const sources = sourcesOf(store, ledger, world);
  return joinRenames(pairsFromNow(goals, world, sources), (side) => oidOfSide(side, sources));
}

const BUDGET_MS = 5_000;

/** What no turn names: the project as it is now against the nearest capture before. Nothing where either is not to be had. */
async function wholeSince(
  context: Context,
  store: Store,
  here: Known,
  ledger: Ledger,
  target: Event,
  named: readonly Goal[],
): Promise<Goal[]> {
  const before = captureBefore(store, capturesFor(here, target.record), target.record.order, target.record.generation);
  const isOfHere = target.record.origin !== undefined || here.generation === target.record.generation;
  if (before === undefined || !isOfHere) return [];
  try {
    const { capture } = await import('../saving/capture/capture.ts');
    const root = here.project.workdir;
    const done = await capture({ store, root, config: context.world.config, budget: BUDGET_MS });
    if (done.kind !== 'captured' && done.kind !== 'unchanged') return [];
    const ref = readHistory(store, here.project.key).captures.find(({ m }) => m === done.m);
    const now = ref && readCaptures(store, [ref]).get(ref.m);
    if (now === undefined) return [];
    const covered = new Set(named.map(({ path }) => path));
    return wholeGoals({ store, key: here.project.key, root, ledger, target, before, now, covered, force: true });
  } catch (error) {
    log(context.home, `capture for a diff: ${describe(error)}`);
    return []; // the named paths are shown all the same
  }
}

/** What names a checkpoint and no session. */
const CHECKPOINT = /^(\d{1,9}|@\d+|last)$/;

function sessionOf(context: Context, word: Bytes | undefined): string {
  const session = word === undefined ? context.session : toText(word);
  if (session === undefined) throw wrongUsage('this shell has no session: belay diff --session ID');
  return session;
}

/** Everything a session changed, in every project. */
function ofSession(context: Context, call: Call): Answer {
  const { store } = context;
  const session = sessionOf(context, call.words[0]);
  const ledger = ledgerFor(store === undefined ? [] : known(store));
  const events = ledger.events.filter(({ record }) => record.session === session && record.kind === 'turn');
  if (store === undefined || events.length === 0)
    throw notThere('no_session', `no checkpoint belongs to session ${session}`);
  maySessions(context, events);
  const paths = new Map<Bytes, { path: Bytes; first: Event; last: Event }>();
  for (const event of events)
    for (const path of event.changes.keys()) {
      const known = paths.get(path);
      paths.set(path, known ? { ...known, last: event } : { path, first: event, last: event });
    }
  const world = lookAround({ unlock: false });
  const sources = sourcesOf(store, ledger, world);
  const pairs = joinRenames(pairsOfEvents([...paths.values()], world, sources), (side) => oidOfSide(side, sources));
  return diffAnswer(context, call, store, pairs, `what session ${session} changed`);
}
