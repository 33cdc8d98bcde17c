import { joinRenames, type Pair, pairsOfEvents } from '../checkpoint/diff/pairs.ts';
import { type Event, movedTo } from '../checkpoint/ledger.ts';
import { sourcesOf } from '../checkpoint/plan/sources.ts';
import { lookAround } from '../checkpoint/plan/world.ts';
import { type Bytes, toText } from '../platform/bytes.ts';
import { selected } from './choose-paths.ts';
import { type Command, notThere } from './command.ts';
import { type Known, knownHere, ledgerAround, openContext, pick } from './context.ts';
import { pathOption } from './diff.ts';
import { DIFF_OPTIONS, diffAnswer, oidOfSide } from './diff-answer.ts';
import { gitChanges } from './gitstate.ts';
import { maySessions } from './permission.ts';
import { asOfNote, localTime } from './style.ts';
import { reasonTitle } from './title.ts';

export const show: Command = {
  summary: 'what the turn of a checkpoint changed',
  usage: ['belay show [N] [PATHSPEC…] [--session ID] [--stat] [--path PATHSPEC] [--context K] [--patch] [--tool]'],
  help: `
What the turn of checkpoint N itself changed (without N: the newest): first one line a file, then the differences.

  --session ID  the newest turn of that session; with N, that turn if it is of that session
  --stat        one line a file, nothing more
  --path SPEC   only these paths
  --context K   K lines around each change (default 3)
  --patch       with --json: the lines that differ, too
  --tool        shows both states with your own diff tool (git difftool, else $BELAY_DIFF)`,
  gone: true,
  options: { ...DIFF_OPTIONS, session: { type: 'string' } },
  run: async (call) => {
    const context = await openContext(call);
    const session = call.values['session'];
    const project = knownHere(context);
    const here = typeof session === 'string' ? ofSession(project, toText(session)) : project;
    const [word, ...rest] = call.words;
    const checkpoint = pick(here, word ?? 'last');
    const { store } = context;
    if (here === undefined || store === undefined) throw new Error('a checkpoint without a project');
    const ledger = ledgerAround(project ?? here, checkpoint);
    const event = ledger.events.find((one) => one.checkpoint === checkpoint);
    if (event === undefined) throw new Error('a checkpoint without an event');
    maySessions(context, [event]);
    const world = lookAround({ unlock: false });
    const sources = sourcesOf(store, ledger, world);
    const changes = [...event.changes.keys()].map((path) => ({ path, first: event, last: event }));
    const all = pairsOfEvents(changes, world, sources);
    const pairs = withMoves(
      event,
      joinRenames(all, (side) => oidOfSide(side, sources)),
    );
    const specs = [...rest, ...pathOption(call)];
    const folders = new Set(pairs.filter(isFolder).map(({ path }) => path));
    const paths = pairs.map(({ path }) => path);
    const root = here.project.workdir;
    const some =
      specs.length === 0
        ? undefined
        : selected({ store, root, cwd: context.cwd, paths, folders, specs, literal: false }).paths;
    const { record } = event;
    const when = localTime(record.started);
    const title = `checkpoint ${record.n} ${checkpoint.id.slice(0, 8)}, ${when}: ${reasonTitle(record)}${asOfNote(record)}`;
    return diffAnswer(
      context,
      call,
      store,
      pairs.filter(({ path }) => some?.has(path) ?? true),
      title,
      gitChanges(record),
    );
  },
};

/** The project, as if it had only that session's checkpoints. */
function ofSession(here: Known | undefined, session: string): Known | undefined {
  const checkpoints = here?.history.checkpoints.filter(({ record }) => record.session === session) ?? [];
  if (here === undefined || checkpoints.length === 0)
    throw notThere('no_session', `no checkpoint of this project belongs to session ${session}`);
  return { ...here, history: { ...here.history, checkpoints } };
}

const isFolder = ({ before, after }: Pair): boolean =>
  before.version.kind === 'folder' || after.version.kind === 'folder';

/** Renames that the record knows, where the bytes alone do not tell (empty files, folders, large files). */
function withMoves(event: Event, pairs: readonly Pair[]): Pair[] {
  const from = new Map<Bytes, Pair>();
  for (const pair of pairs) {
    const change = event.changes.get(pair.path);
    const to = change && pair.after.version.kind === 'absent' ? movedTo(event, change) : undefined;
    if (to !== undefined) from.set(to, pair);
  }
  const used = new Set<Pair>();
  const joined = pairs.map((pair) => {
    const old = pair.from === undefined && pair.before.version.kind === 'absent' ? from.get(pair.path) : undefined;
    if (old === undefined || old.before.version.kind !== pair.after.version.kind) return pair;
    used.add(old);
    return { ...pair, from: old.path, before: old.before };
  });
  return joined.filter((pair) => !used.has(pair));
}
