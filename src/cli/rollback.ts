import {
  changedSomething,
  type Event,
  eventOf,
  find,
  isSafety,
  type Ledger,
  undoneTurns,
} from '../checkpoint/ledger.ts';
import { eventsFrom, type Goal, goalsAfter, goalsBefore } from '../checkpoint/plan/goals.ts';
import { reasonOf } from '../checkpoint/write.ts';
import { type Bytes, toText } from '../platform/bytes.ts';
import { type Answer, type Call, type Command, refused, wrongUsage } from './command.ts';
import { type Context, type Known, knownHere, ledgerFor, openContext, pick } from './context.ts';
import { diff } from './diff.ts';
import { gitWish } from './gitstate.ts';
import { list } from './list.ts';
import { shown } from './paths.ts';
import { mayRestore, maySessions, mayWrite } from './permission.ts';
import { answerOf, carryOut, type Wish } from './restoring.ts';

export const rollback: Command = {
  summary: 'back to before a checkpoint; without a number: the list',
  usage: [
    'belay rollback N [PATHSPEC…] [--all] [--after] [--git] [--session ID] [--to DIR] [--dry-run] [--force] [--yes]',
    'belay rollback            the list',
    'belay rollback diff [N]',
  ],
  help: `
Puts back what each path was before turn N, wherever it still is as the newest turn left it. What was edited by hand since is kept and
listed. N is a number, the beginning of a checkpoint's id, last, or @K (the K-th newest).

  PATHSPEC      only these paths (git's pathspecs, from the current folder); a path named literally comes back although it was edited
  --literal     no magic and no wildcards in PATHSPEC
  --all         also what was edited by hand since
  --after       as turn N left things, instead of as they were before it
  --git         also HEAD, index, refs and stash
  --session ID  only what turns of that session did
  --to DIR      writes the state into DIR instead
  --dry-run     says what it would do, changes nothing
  --force       also while the turn of an agent is still active`,
  options: {
    all: { type: 'boolean' },
    after: { type: 'boolean' },
    git: { type: 'boolean' },
    session: { type: 'string' },
    to: { type: 'string' },
    literal: { type: 'boolean' },
    interactive: { type: 'boolean', short: 'i' },
    'dry-run': { type: 'boolean' },
    force: { type: 'boolean' },
    stat: { type: 'boolean' },
    path: { type: 'string' },
    context: { type: 'string' },
  },
  run: async (call) => {
    const [first, ...rest] = call.words;
    if (first === undefined || first === 'list') return list.run({ ...call, words: rest });
    if (first === 'diff') return diff.run({ ...call, words: rest });
    const context = await openContext(call);
    const here = knownHere(context);
    const checkpoint = pick(here, first);
    if (here === undefined) throw new Error('a checkpoint without a project');
    if (checkpoint.record.generation !== here.generation && call.values['to'] === undefined)
      throw refused(
        'other_folder',
        `checkpoint ${checkpoint.record.n} is of an earlier folder of this name, which was deleted and made again`,
        `To look at it: belay rollback ${checkpoint.record.n} --to DIR`,
      );
    const ledger = ledgerFor([here]);
    const target = find(ledger, here.project.key, checkpoint.record.n) ?? eventOf(here.project.key, checkpoint);
    return await roll(context, call, here, ledger, target, rest);
  },
};

async function roll(
  context: Context,
  call: Call,
  here: Known,
  ledger: Ledger,
  target: Event,
  specs: readonly Bytes[],
): Promise<Answer> {
  const { n } = target.record;
  const all = call.values['all'] === true;
  const after = call.values['after'] === true;
  const session = call.values['session'];
  if (specs.length > 0 && call.values['git'] === true)
    throw wrongUsage('--git takes back a whole state: not together with PATHSPEC');
  const undone = undoneTurns(ledger);
  const from = [...eventsFrom(ledger, target)];
  const taken = new Set(
    typeof session === 'string' ? from.filter(({ record }) => record.session === toText(session)) : from,
  );
  if (after) taken.delete(target);
  maySessions(context, [target]);
  mayWrite(context, [...taken]);
  mayRestore(context, call, [context.root]);
  const goals: readonly Goal[] = after
    ? goalsAfter(ledger, target, undone, all)
    : goalsBefore(ledger, taken, undone, all);
  const turns = [...taken].filter((event) => event.record.kind === 'turn' && changedSomething(event.record));
  const git = call.values['git'] === true ? gitWish([...taken], 'before', call.values['force'] === true) : undefined;
  const wish: Wish = {
    ledger,
    goals,
    roots: new Map([[here.project.key, here.project.workdir]]),
    did: {
      what: 'rollback',
      turns: turns.map(({ record }) => ({ session: record.session, turn: record.turn.replace(/~\d+$/, '') })),
      partial: specs.length > 0 || after || typeof session === 'string',
      ...(isSafety(target) || !after ? { to: n } : {}),
    },
    line: `belay rollback ${n}`,
    title: `Restored checkpoint ${n}: ${shown(reasonOf(target.record))}`,
    allHint: `belay rollback ${n}${after ? ' --after' : ''} --all`,
    uncertain: call.yes || all ? 'restore' : 'keep',
    record: false,
    notes: [],
    skipped: target.record.leftOut.map(({ path, reason }) => ({ path, why: 'left-out', reason })),
    ...(git ? { git } : {}),
  };
  return answerOf(context, wish, carryOut(context, call, wish, call.values['dry-run'] === true));
}
