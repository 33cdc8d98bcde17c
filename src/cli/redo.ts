import { type Event, isSafety, undoneTurns } from '../checkpoint/ledger.ts';
import { goalsBefore } from '../checkpoint/plan/goals.ts';
import { standingRestores } from '../checkpoint/turns.ts';
import { toText } from '../platform/bytes.ts';
import { isInside } from '../platform/paths.ts';
import { chainOf } from '../sessions/chain.ts';
import { alone } from './alone.ts';
import { type Answer, type Call, type Command, notThere, refused } from './command.ts';
import { type Context, known, ledgerFor, openContext } from './context.ts';
import { gitWish } from './gitstate.ts';
import { fromRoot, pathKeys, shown } from './paths.ts';
import { mayRestore, maySessions, mayWrite } from './permission.ts';
import { answerOf } from './restored.ts';
import { carryOut, type Wish } from './restoring.ts';
import { lineTitle } from './title.ts';
import { rootsOf } from './undo.ts';

export const redo: Command = {
  summary: 'takes the newest undo or rollback back',
  writes: true,
  usage: ['belay redo [--all] [--session ID] [--session-only] [--dry-run] [--agreed PLAN] [--force] [--yes]'],
  help: `
Puts everything as it was before this session's newest undo or rollback. Again: the one before that. Refuses (exit 3) where a turn has
changed one of its paths since, or a branch of git was moved (--force overrides that, and the
active turn of an agent). --agreed is that of undo.

  --session-only  takes the newest mark of \`undo --session-only\` away, and leaves every file as it is`,
  words: 0,
  gone: true,
  options: {
    all: { type: 'boolean' },
    session: { type: 'string' },
    'session-only': { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    agreed: { type: 'string' },
    force: { type: 'boolean' },
  },
  run: async (call) => {
    if (call.values['session-only'] === true) return (await import('./session-only.ts')).redoInSession(call);
    const context = await openContext(call);
    return alone(context, call, () => redoNewest(context, call));
  },
};

function redoNewest(context: Context, call: Call): Answer {
  const all = context.store === undefined ? [] : known(context.store);
  const ledger = ledgerFor(all);
  const named = call.values['session'];
  const session = typeof named === 'string' ? toText(named) : context.session;
  const own = typeof named === 'string' ? chainOf(context.home, toText(named)) : context.own;
  const mine = (event: Event): boolean =>
    session === undefined
      ? event.record.root === context.root || isInside(event.record.cwd, context.root)
      : own.has(event.record.session);
  const found = standingRestores(ledger, mine)[0];
  if (found === undefined) throw notThere('no_checkpoint', 'there is no undo or rollback to take back');
  const taken = new Set(found.events);
  const undone = undoneTurns(ledger);
  const goals = goalsBefore(ledger, taken, undone, call.values['all'] === true);
  const later = goals.filter((goal) => goal.later !== undefined);
  if (later.length > 0 && call.values['all'] !== true)
    throw refused(
      'later_turn',
      `checkpoint ${later[0]?.later?.record.n} has changed ${shown(fromRoot(context.root, later[0]?.path ?? ''))} since`,
      'To put everything back all the same: belay redo --all',
      { paths: later.map(({ path }) => pathKeys(fromRoot(context.root, path))) },
    );
  maySessions(context, found.events);
  mayWrite(context, found.events);
  const roots = rootsOf(found.events, all);
  mayRestore(context, call, [...roots.values()]);
  const git = gitWish(context, found.events, call.values['force'] === true);
  const first = found.events[0];
  const line = lineTitle(first?.record.line ?? '');
  const did = first && isSafety(first) ? first.record.did : undefined;
  const wish: Wish = {
    ledger,
    goals,
    roots,
    did: { what: 'redo', turns: did?.turns ?? [], partial: false },
    didTo: new Map(found.events.map(({ key, record }) => [key, record.n])),
    line: 'belay redo',
    title: {
      done: `Took back: ${line}`,
      would: `take back: ${line}`,
      nothing: `Nothing was taken back of: ${line}`,
      already: `Everything is as before it already: ${line}`,
    },
    allHint: 'belay redo --all',
    uncertain: 'restore',
    record: true,
    notes: [],
    ...(git ? { git } : {}),
  };
  return answerOf(context, wish, carryOut(context, call, wish, call.values['dry-run'] === true));
}
