import { callingConversation, isConversation } from '../agents/calling.ts';
import { hasJournals } from '../checkpoint/apply/journal.ts';
import { recoverKilled } from '../checkpoint/apply/recover.ts';
import { eventOf, type Ledger, ledgerFrom, ledgerOf } from '../checkpoint/ledger.ts';
import { identityOf, type Project, projectKey, projects, projectsAsFar, sameFolder } from '../checkpoint/projects.ts';
import { type CaptureRef, type Checkpoint, type History, NO_HISTORY, readHistories } from '../checkpoint/read.ts';
import type { CheckpointRecord } from '../checkpoint/record.ts';
import { findStore, type Store } from '../checkpoint/store.ts';
import { type Bytes, toText } from '../platform/bytes.ts';
import { lookAt, lookThrough } from '../platform/files.ts';
import { isClosed, workingFolder } from '../platform/home.ts';
import { acquire } from '../platform/lock.ts';
import { describe, log } from '../platform/log.ts';
import { dirname, isInside, join } from '../platform/paths.ts';
import { projectRoot } from '../platform/roots.ts';
import { isAnythingPending } from '../saving/pending-any.ts';
import type { Settling } from '../saving/settle/settle.ts';
import { openWorld, type World } from '../saving/world.ts';
import { chainOf } from '../sessions/chain.ts';
import { nextOrder } from '../turns/order.ts';
import { type Call, failed, notThere, refused } from './command.ts';
import { asWord } from './paths.ts';

/** What every reader of the store needs; what is pending has been settled before. */
export interface Context {
  readonly world: World;
  readonly home: Bytes;
  /** Undefined where nothing was ever saved. */
  readonly store: Store | undefined;
  /** The project of the folder it was called in: the folder itself where that lies in none. */
  readonly root: Bytes;
  readonly cwd: Bytes;
  /** What a line that is told has to end with, to mean this project where it was called: ` -C DIR`, or nothing. */
  readonly at: string;
  /** The calling shell's session, and the number of the line that called. */
  readonly session: string | undefined;
  /** That session and those that it goes on from, compressed: they count as one. */
  readonly own: ReadonlySet<string>;
  readonly turn: string | undefined;
  /** The agent that runs this as a tool, or that `BELAY_AGENT` names; undefined where a person does. */
  readonly agent: string | undefined;
  readonly nextOrder: () => number;
  /** What became of the turns that were pending: where one is missing, an older one must not be taken for the newest. */
  readonly settling: Settling;
}

/** How long a reader waits for a settle that is under way, ms. */
const PATIENCE = 10_000;

export async function openContext(call: Call): Promise<Context> {
  const world = await openWorld();
  const { home } = world;
  if (home === undefined) throw failed('no_home', 'neither BELAY_HOME nor HOME says where checkpoints are kept');
  if (isClosed(home)) throw refused('store_not_ours', `${toText(home)} is closed to this user`, 'Set BELAY_HOME.');
  const { session, turn, agent } = callerOf(world, home);
  const cwd = call.cwd ?? call.left;
  if (cwd === undefined) throw failed('no_folder', 'the current folder was deleted', 'Name another one with -C DIR.');
  const settling = await settled(world, { session, turn });
  const store = findStore(home);
  const order = (): number => nextOrder(home);
  const root = rootAt(store, cwd, world.userHome, call.left !== undefined);
  if (store && isOurs(store) && hasJournals(store)) recoverUnlessBusy(home, store, order);
  return {
    world,
    home,
    store,
    root,
    cwd,
    at: call.left === undefined && !isCalledIn(root, cwd, world.userHome) ? ` -C ${asWord(cwd)}` : '',
    session,
    own: session === undefined ? new Set() : chainOf(home, session),
    turn,
    agent,
    nextOrder: order,
    settling,
  };
}

/** Whatever waits is settled; a process that finds nothing waiting need not load what settles. */
async function settled(world: World, { session, turn }: Pick<Context, 'session' | 'turn'>): Promise<Settling> {
  if (!isAnythingPending(world)) return { is: 'settled', settled: [], failed: [] };
  const { settleAll } = await import('../saving/settle/settle.ts');
  return settleAll(world, {
    wait: PATIENCE,
    reader: true,
    ...(session === undefined ? {} : { session }),
    ...(turn === undefined ? {} : { turn }),
  });
}

/** Not by `-C` from another project. */
function isCalledIn(root: Bytes, cwd: Bytes, userHome: Bytes | undefined): boolean {
  const here = workingFolder();
  return here === cwd || (here !== undefined && (projectRoot(here, userHome) ?? here) === root);
}

/**
 * The project of a folder; of one that is gone, the one that belay has kept checkpoints of. The folder that a caller is in may be
 * gone for good (`left`): then the project around it.
 */
function rootAt(store: Store | undefined, cwd: Bytes, userHome: Bytes | undefined, left: boolean): Bytes {
  if (lookThrough(cwd)?.type === 'folder') return projectRoot(cwd, userHome) ?? cwd;
  const kept = (store === undefined ? [] : projects(store)).map(({ workdir }) => workdir);
  const found = kept.filter((root) => isInside(cwd, root)).sort((a, b) => b.length - a.length)[0];
  if (found === undefined && left && cwd !== '/') return rootAt(store, dirname(cwd), userHome, left);
  if (found === undefined)
    throw notThere('no_folder', `${toText(cwd)} is no folder, and belay knows of none that was there`);
  return found;
}

/** A restore that is under way is nobody's to put right: its journal is there while it has the lock. */
function recoverUnlessBusy(home: Bytes, store: Store, order: () => number): void {
  const lock = acquire(restoreLock(store), 0, { watched: true });
  if (lock === undefined) return;
  try {
    recoverKilled(store, order);
  } catch (error) {
    log(home, `an interrupted restore could not be put right: ${describe(error)}`);
  } finally {
    lock.release();
  }
}

/** Held from the first look at the books to the last rename: what was decided is what is done. */
export const restoreLock = (store: Store): Bytes => join(store.base, '.restore.lock');

/** An agent's tool inherits the environment of the shell that the agent was started from: the conversation counts, not that. */
function callerOf(world: World, home: Bytes): Pick<Context, 'session' | 'turn' | 'agent'> {
  const conversation = callingConversation(home);
  // `belay mcp` names its caller in this process; the other is what the process was started with.
  const named = toText(world.env.get('BELAY_AGENT') ?? '') || process.env['BELAY_AGENT'] || undefined;
  if (conversation !== undefined)
    return { session: conversation.session, turn: String(conversation.turn), agent: named ?? conversation.source };
  const session = toText(world.env.get('BELAY_SESSION') ?? '') || undefined;
  // An agent whose conversation is not known was started by somebody: the session it has inherited may be that person's shell.
  if (named !== undefined && session !== undefined && !isOfAgent(world, home, session))
    return { session: undefined, turn: undefined, agent: named };
  return { session, turn: toText(world.env.get('BELAY_TURN') ?? '') || undefined, agent: named };
}

/** `belay run` or `belay turn begin` has made it. */
const isOfAgent = (world: World, home: Bytes, session: string): boolean =>
  toText(world.env.get('BELAY_PARENT') ?? '').startsWith(`${session}:`) || isConversation(home, session);

export const isOurs = (store: Store): boolean => lookAt(store.gitDir)?.uid === process.getuid?.();

/** One project as the commands see it. */
export interface Known {
  readonly project: Project;
  /** Its checkpoints by the order of turns, newest first. */
  readonly history: History;
  /** The generation of the folder that is there now: older checkpoints are another folder's. */
  readonly generation: number;
}

/** Everything about these projects (all, where no key is given), in one git process. */
export function known(store: Store, keys?: readonly string[]): Known[] {
  const histories = readHistories(store, keys);
  return projectsAsFar(store, keys).flatMap((project) => {
    const history = histories.get(project.key) ?? NO_HISTORY;
    // Numbers are given out when a turn is settled; its place is where it was begun. What was imported has none among them.
    const own = history.checkpoints.filter(({ record }) => record.origin === undefined);
    const checkpoints = [
      ...own.sort((a, b) => b.record.order - a.record.order || b.record.n - a.record.n),
      ...history.checkpoints.filter(({ record }) => record.origin !== undefined),
    ];
    const generation = sameFolder(project, identityOf(project.workdir)) ? project.generation : project.generation + 1;
    return [{ project, history: { ...history, checkpoints }, generation }];
  });
}

/** The project of the folder; undefined where nothing was saved of it. */
export function knownHere(context: Context): Known | undefined {
  const { store, root } = context;
  return store === undefined ? undefined : known(store, [projectKey(store, root)])[0];
}

export const ledgerFor = (all: readonly Known[]): Ledger =>
  ledgerOf(
    all.map(({ project, history, generation }) => ({ key: project.key, generation, checkpoints: history.checkpoints })),
  );

/** The ledger that a checkpoint belongs to: that of its generation of the folder; an imported one stands alone. */
export function ledgerAround(here: Known, checkpoint: Checkpoint): Ledger {
  const { key } = here.project;
  if (checkpoint.record.origin !== undefined) return ledgerFrom([eventOf(key, checkpoint)]);
  return ledgerOf([{ key, generation: checkpoint.record.generation, checkpoints: here.history.checkpoints }]);
}

/** The captures that tell what no turn names: of an imported checkpoint the one that came with it. */
export const capturesFor = ({ history }: Known, { origin, n }: CheckpointRecord): readonly CaptureRef[] =>
  origin === undefined ? history.captures : history.imported.filter(({ m }) => m === n);

/** `7`, `last`, `@2`, or the beginning of a commit id. Throws the answer that names what there is. */
export function pick(here: Known | undefined, word: Bytes): Checkpoint {
  const all = here?.history.checkpoints ?? [];
  const found = choose(all, word);
  if (found !== undefined) return found;
  const numbers = all.map(({ record }) => record.n);
  if (numbers.length === 0)
    throw notThere(
      'no_checkpoint',
      'this project has no checkpoints yet',
      'A line that destroys something makes one; so does `belay checkpoint`.',
      { numbers },
    );
  const told = numbers.length > 20 ? `${numbers.slice(0, 20).join(', ')}, …` : numbers.join(', ');
  throw notThere(
    'no_checkpoint',
    `there is no checkpoint ${toText(word)} in this project`,
    `It has ${numbers.length === 1 ? 'checkpoint' : 'checkpoints'} ${told}.`,
    {
      numbers,
    },
  );
}

function choose(all: readonly Checkpoint[], word: Bytes): Checkpoint | undefined {
  const own = all.filter(({ record }) => record.origin === undefined);
  if (word === 'last') return own[0];
  const back = /^@(\d+)$/.exec(word)?.[1];
  if (back !== undefined) return own[Number(back) - 1];
  const byNumber = /^\d+$/.test(word) ? all.find(({ record }) => record.n === Number(word)) : undefined;
  if (byNumber !== undefined) return byNumber;
  const byId = /^[0-9a-f]{4,40}$/.test(word) ? all.filter(({ id }) => id.startsWith(word)) : [];
  return byId.length === 1 ? byId[0] : undefined;
}
