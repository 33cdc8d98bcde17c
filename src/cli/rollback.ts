import { quote } from 'shell-quote';
import { changedSomething, type Event, eventOf, find, isSafety, type Ledger } from '../checkpoint/ledger.ts';
import { partOf } from '../checkpoint/part.ts';
import { eventsFrom } from '../checkpoint/plan/goals.ts';
import type { Kept } from '../checkpoint/plan/steps.ts';
import { type Bytes, toText } from '../platform/bytes.ts';
import { alone } from './alone.ts';
import { confirm } from './ask.ts';
import { type Answer, type Call, type Command, refused, wrongUsage } from './command.ts';
import { type Context, type Known, knownHere, ledgerAround, openContext, pick } from './context.ts';
import { diff } from './diff.ts';
import { writeElsewhere } from './elsewhere.ts';
import { gitChanges, gitWish } from './gitstate.ts';
import { list } from './list.ts';
import { mayRestore, maySessions, mayWrite } from './permission.ts';
import { pickCheckpoint } from './pick-checkpoint.ts';
import { canPick } from './picker/picker.ts';
import { answerOf } from './restored.ts';
import { carryOut, type Wish } from './restoring.ts';
import { rollbackGoals } from './rollback-goals.ts';
import { reasonTitle } from './title.ts';
import { askUncertain } from './uncertain.ts';

export const rollback: Command = {
  summary: 'back to before a checkpoint; without a number: the list',
  writes: true,
  usage: [
    'belay rollback N [PATHSPEC…] [--all] [--after] [--git] [--session ID] [--to DIR] [--dry-run] [--agreed PLAN] [--force] [--yes]',
    'belay rollback            the list',
    'belay rollback -i         choose from it',
    'belay rollback diff [N]',
  ],
  help: `
Puts back what each path was before checkpoint N, wherever it still is as the newest turn left it. What was edited by hand since is kept and
listed. N is a number, the beginning of a checkpoint's id, last, or @K (the K-th newest).

  PATHSPEC      only these paths (git's pathspecs, from the current folder); a path named literally comes back although it was edited
  --literal     no magic and no wildcards in PATHSPEC
  --all         also what was edited by hand since
  --after       as the turn of checkpoint N left things, instead of as they were before it
  --git         also HEAD, index, refs and stash
  --session ID  only what turns of that session did
  --to DIR      writes the state into DIR instead
  --dry-run     says what it would do, changes nothing; with --json also \`plan\`, the name of that
  --agreed PLAN only while it would do what has that name, with everything as it was then
  --force       also while the turn of an agent is still active, and where a branch was moved since (--git)`,
  gone: true,
  options: {
    all: { type: 'boolean' },
    after: { type: 'boolean' },
    git: { type: 'boolean' },
    session: { type: 'string' },
    to: { type: 'string' },
    literal: { type: 'boolean' },
    interactive: { type: 'boolean', short: 'i' },
    'dry-run': { type: 'boolean' },
    agreed: { type: 'string' },
    force: { type: 'boolean' },
    stat: { type: 'boolean' },
    path: { type: 'string' },
    context: { type: 'string' },
  },
  run: async (call) => {
    const [first, ...rest] = call.words;
    if (call.values['interactive'] === true && canPick(call)) return pickOne(call);
    if (first === 'list' && rest.length > 0) throw wrongUsage(`'${toText(rest[0] ?? '')}' is one word too many`);
    if (first === undefined || first === 'list') return list.run({ ...call, words: rest });
    if (first === 'diff') return diff.run({ ...call, words: rest });
    const context = await openContext(call);
    return alone(context, call, () => rollTo(context, call, first, rest));
  },
};

/** `-i`: a person chooses, sees what would be done, and is asked. */
async function pickOne(call: Call): Promise<Answer | number> {
  const n = await pickCheckpoint(call);
  const { interactive: _, ...values } = call.values;
  return n === undefined ? 0 : rollbackAsked({ ...call, values }, n);
}

/** Back to before a checkpoint that somebody has picked: what would be done is told, then it is asked. */
export async function rollbackAsked(call: Call, n: number): Promise<Answer | number> {
  const { values } = call;
  const restored = { ...call, words: [String(n)] };
  const plan = await rollback.run({ ...restored, values: { ...values, 'dry-run': true } });
  if (typeof plan === 'number') return plan;
  // Nothing is there to be asked about: it says so, and with which words there would be.
  if ((plan.json as { dry_run?: boolean }).dry_run !== true) return plan;
  process.stdout.write(plan.text);
  await confirm(call, 'Restore this?');
  return rollback.run(restored);
}

async function rollTo(context: Context, call: Call, first: Bytes, rest: readonly Bytes[]): Promise<Answer> {
  const here = knownHere(context);
  const checkpoint = pick(here, first);
  if (here === undefined) throw new Error('a checkpoint without a project');
  const { generation, origin } = checkpoint.record;
  if (generation !== here.generation && origin === undefined && call.values['to'] === undefined)
    throw refused(
      'other_folder',
      `checkpoint ${checkpoint.record.n} is of an earlier folder of this name, which was deleted and made again`,
      `To look at it: belay rollback ${checkpoint.record.n} --to DIR`,
    );
  const ledger = ledgerAround(here, checkpoint);
  const target = find(ledger, here.project.key, checkpoint.record.n) ?? eventOf(here.project.key, checkpoint);
  return roll(context, call, here, ledger, target, rest);
}

async function roll(
  context: Context,
  call: Call,
  here: Known,
  ledger: Ledger,
  target: Event,
  specs: readonly Bytes[],
): Promise<Answer> {
  const { store } = context;
  if (store === undefined) throw new Error('a checkpoint without a store');
  const { n } = target.record;
  const all = call.values['all'] === true;
  const after = call.values['after'] === true;
  const session = call.values['session'];
  const withGit = call.values['git'] === true;
  const to = call.values['to'];
  if (to !== undefined && call.values['agreed'] !== undefined) throw wrongUsage('--agreed is not for --to DIR');
  if (specs.length > 0 && withGit) throw wrongUsage('--git takes back a whole state: not together with PATHSPEC');
  maySessions(context, [target]);
  mayWrite(context, []);
  const literal = call.values['literal'] === true;
  if (typeof to === 'string')
    return writeElsewhere(context, { store, here, ledger, target, to, after, specs, literal });
  const from = [...eventsFrom(ledger, target)].filter((event) => !after || event !== target);
  const taken = new Set(
    typeof session === 'string' ? from.filter(({ record }) => record.session === toText(session)) : from,
  );
  maySessions(context, taken);
  mayWrite(context, taken);
  mayRestore(context, call, [context.root]);
  const { goals, notes } = await rollbackGoals({
    context,
    store,
    here,
    ledger,
    target,
    taken,
    specs,
    literal,
    all,
    after,
  });
  const turns = [...taken].filter((event) => event.record.kind === 'turn' && changedSomething(event.record));
  // What a restore did to git's state is taken back with the restore.
  const back = specs.length === 0 && isSafety(target) && target.record.gitBefore.length > 0;
  const git = withGit || back ? gitWish(context, [...taken], call.values['force'] === true) : undefined;
  const staysGit = git === undefined && specs.length === 0 && !after && gitChanges(target.record).length > 0;
  const gitNote = staysGit
    ? [`git's HEAD, index, refs and stash stay as they are; with them: belay rollback ${n} --git${context.at}`]
    : [];
  const partial = specs.length > 0 || after || typeof session === 'string';
  const name = `checkpoint ${n}: ${reasonTitle(target.record)}`;
  const wish: Wish = {
    ledger,
    goals,
    roots: new Map([[here.project.key, here.project.workdir]]),
    did: {
      what: 'rollback',
      turns:
        specs.length > 0 ? [] : turns.map(({ record }) => ({ session: record.session, turn: partOf(record.turn) })),
      partial,
      ...(after ? {} : { to: n }),
    },
    line: `belay rollback ${n}${after ? ' --after' : ''}${specs.length > 0 ? ` ${specs.join(' ')}` : ''}`,
    title: {
      done: `Restored ${name}`,
      would: `restore ${name}`,
      nothing: `Nothing was restored of ${name}`,
      already: `Everything is as ${after ? 'after' : 'before'} it already: ${name}`,
    },
    allHint: `belay rollback ${n}${after ? ' --after' : ''}${specs.length > 0 ? ` ${quote(specs.map(toText))}` : ''} --all${context.at}`,
    uncertain: call.yes || all ? 'restore' : 'keep',
    record: false,
    notes: [...notes, ...gitNote],
    skipped: specs.length > 0 ? [] : leftOutOf(target),
    ...(git ? { git } : {}),
  };
  const asked = await askUncertain(context, call, wish);
  return answerOf(context, asked, carryOut(context, call, asked, call.values['dry-run'] === true));
}

const leftOutOf = ({ record }: Event): Kept[] =>
  record.leftOut.map(({ path, reason }) => ({ path, why: 'left-out', reason }));
