import { createHash } from 'node:crypto';
import { projectKey } from '../checkpoint/projects.ts';
import { openStore } from '../checkpoint/store.ts';
import type { Plan } from '../effects/types.ts';
import { type Bytes, toBuffer, toText } from '../platform/bytes.ts';
import { lookAt, namesInOrNone, readBytesIfAny, writeAtomic } from '../platform/files.ts';
import { describe, log } from '../platform/log.ts';
import { join } from '../platform/paths.ts';
import { projectRoot } from '../platform/roots.ts';
import { holdFolders } from '../turns/pending.ts';
import { countInIndex } from './capture/index-file.ts';
import { type Kept, readKept } from './capture/kept.ts';
import { repositoryIndex } from './repository.ts';
import type { World } from './world.ts';

/** The state of one project before a line that does something unknown there; kept in the turn as `capture-*.json`. */
export type BeforeLine = (
  | { readonly kind: 'captured'; readonly root: Bytes; readonly m: number }
  /** Nothing was captured for this line; `last` is the capture that comes nearest. */
  | {
      readonly kind: 'left out';
      readonly root: Bytes;
      readonly why: string;
      readonly last?: number;
      readonly said: boolean;
    }
) & {
  /** How the turn began; nothing unknown has run for its sake: what is otherwise later is not the turn's work. */
  readonly start?: true;
  /** The capture right after the call; absent while nobody has taken it. */
  readonly after?: number;
  /** Why there is no such capture though the call is over. */
  readonly failed?: string;
  /** It is of one tool call of an agent: what happened after that is not its work. */
  readonly call?: true;
  /** How many holds the turn had then, its own among them: what a later one found is no longer how the turn began. */
  readonly holds?: number;
};

/** One tool call of an agent: what is unknown in it lies between two captures of its own. */
export interface ToolCall {
  /** The agent's name for it, as lower-case letters and digits. */
  readonly id: string;
  /** Projects of which the turn's first call keeps the whole state. */
  readonly start: readonly Bytes[];
}

/**
 * Captures the projects in which something unknown or opaque is about to run: once each in a turn, once each in a tool
 * call of an agent, whose turn is long, so that what others do between its calls is not taken for its work.
 */
export async function captureBefore(
  plan: Pick<Plan, 'captures'>,
  turnFolder: Bytes,
  world: World,
  call?: ToolCall,
): Promise<readonly BeforeLine[]> {
  const whys = new Map<Bytes, 'unknown' | 'opaque'>();
  for (const { folder, why } of plan.captures) {
    const root = projectRoot(folder, world.userHome);
    if (root !== undefined && whys.get(root) !== 'unknown') whys.set(root, why);
  }
  const out: BeforeLine[] = [];
  for (const [root, why] of whys) {
    const file =
      call === undefined ? await lineNote(turnFolder, root, why, world.home) : freeNote(turnFolder, root, call.id);
    if (file === undefined) continue;
    const holds = holdFolders(turnFolder).length;
    const done = await captureOne(root, why, world);
    if (done === undefined) continue;
    const note: BeforeLine = { ...done, holds, ...(call === undefined ? {} : { call: true }) };
    writeAtomic(file, JSON.stringify(note));
    out.push(note);
  }
  for (const root of call?.start ?? []) {
    const file = noteFile(turnFolder, root, 'start');
    if (lookAt(file) !== undefined) continue;
    const done = out.find((one) => one.root === root) ?? (await captureOne(root, 'turn', world));
    if (done !== undefined) writeAtomic(file, JSON.stringify({ ...done, start: true }));
  }
  return out;
}

/** The call is over: what it left is captured at once, where it is quick enough; else when the turn is settled. */
export async function captureAfter(turnFolder: Bytes, call: string, world: World): Promise<void> {
  const { home, config } = world;
  if (home === undefined) return;
  for (const name of noteNames(turnFolder)) {
    const file = join(turnFolder, name);
    const before = readNote(file);
    if (before.start || isOver(before) || callIn(name) !== call) continue;
    const done = await captureNow(home, before.root, config);
    writeAtomic(file, JSON.stringify({ ...before, ...done }));
  }
}

/** A failure is noted: the call is over all the same, and the next one of its name gets a capture of its own. */
async function captureNow(
  home: Bytes,
  root: Bytes,
  config: World['config'],
): Promise<{ readonly after: number } | { readonly failed: string }> {
  const budget = config.checkpoints.budget_ms;
  try {
    const { capture } = await import('./capture/capture.ts');
    const done = await capture({ store: openStore(home), root, config, budget });
    if (done.kind === 'captured' || done.kind === 'unchanged') return { after: done.m };
    log(home, `capture of ${toText(root)}: ${done.why}`);
    return { failed: done.why };
  } catch (error) {
    log(home, `capture of ${toText(root)}: ${describe(error)}`);
    return { failed: 'it could not be captured' };
  }
}

const isOver = (note: BeforeLine): boolean => note.after !== undefined || note.failed !== undefined;

/** `capture-<root>.json` of a line, `…-again.json` of a later one that needs more, `capture-<root>-<call>.json` of a call, `…-<call>_2.json` when it comes again. */
const noteFile = (turnFolder: Bytes, root: Bytes, call?: string): Bytes => {
  const name = createHash('sha1').update(toBuffer(root)).digest('hex').slice(0, 16);
  return join(turnFolder, `capture-${name}${call === undefined ? '' : `-${call}`}.json`);
};

const NOTE = /^capture-[0-9a-f]{16}(?:-([0-9a-z]+)(?:_\d+)?)?\.json$/;

const noteNames = (turnFolder: Bytes): Bytes[] => namesInOrNone(turnFolder).filter((name) => NOTE.test(name));

const callIn = (name: Bytes): string | undefined => NOTE.exec(name)?.[1];

const readNote = (file: Bytes): BeforeLine => JSON.parse(readBytesIfAny(file)?.toString('utf8') ?? '') as BeforeLine;

/**
 * Undefined where the turn has a capture, and the store still has it (a repair may have dropped it). One that was only left to the
 * background is no reason to go without where a line may destroy what nobody knows.
 */
async function lineNote(
  turnFolder: Bytes,
  root: Bytes,
  why: 'unknown' | 'opaque',
  home: Bytes | undefined,
): Promise<Bytes | undefined> {
  const file = noteFile(turnFolder, root);
  if (lookAt(file) === undefined) return file;
  const note = readNote(file);
  const lost = await isLost(note, home);
  if (!lost && (why !== 'unknown' || note.kind === 'captured' || note.said)) return undefined;
  const again = noteFile(turnFolder, root, 'again');
  return lookAt(again) === undefined || (await isLost(readNote(again), home)) ? again : undefined;
}

async function isLost(note: BeforeLine, home: Bytes | undefined): Promise<boolean> {
  if (note.kind !== 'captured' || home === undefined) return false;
  const { hasCapture } = await import('./capture/write.ts');
  const store = openStore(home);
  return !hasCapture(store, projectKey(store, note.root), note.m);
}

/** The same command may come again in a turn, and not every agent tells its calls apart; undefined while one is under way. */
function freeNote(turnFolder: Bytes, root: Bytes, call: string): Bytes | undefined {
  for (let again = 1; ; again++) {
    const file = noteFile(turnFolder, root, again === 1 ? call : `${call}_${again}`);
    if (lookAt(file) === undefined) return file;
    if (!isOver(readNote(file))) return undefined;
  }
}

/** What `captureBefore` has noted in a turn, oldest first. */
export const capturesOf = (turnFolder: Bytes): BeforeLine[] =>
  noteNames(turnFolder)
    .map((name) => readNote(join(turnFolder, name)))
    .sort((a, b) => numberOf(a) - numberOf(b));

const numberOf = (note: BeforeLine): number => (note.kind === 'captured' ? note.m : (note.last ?? 0));

async function captureOne(
  root: Bytes,
  why: 'unknown' | 'opaque' | 'turn',
  world: World,
): Promise<BeforeLine | undefined> {
  const { config, home } = world;
  const rules = config.checkpoints;
  if (home === undefined || (why !== 'unknown' && rules.opaque === 'never')) return undefined;
  let nearest = {};
  try {
    const store = openStore(home);
    const kept = readKept(store, projectKey(store, root));
    nearest = kept === undefined ? {} : { last: kept.m };
    if (why === 'opaque' && rules.opaque === 'auto' && !isQuick(root, kept, rules.opaque_budget_ms))
      return {
        kind: 'left out',
        root,
        why: 'captured in the background: over opaque_budget_ms',
        ...nearest,
        said: false,
      };
    const { capture } = await import('./capture/capture.ts');
    const done = await capture({ store, root, config, budget: rules.budget_ms });
    if (done.kind === 'captured' || done.kind === 'unchanged') return { kind: 'captured', root, m: done.m };
    log(home, `capture of ${toText(root)}: ${done.why}`);
    return { kind: 'left out', root, why: done.why, ...nearest, said: why === 'unknown' };
  } catch (error) {
    log(home, `capture of ${toText(root)}: ${describe(error)}`);
    return { kind: 'left out', root, why: 'it could not be captured', ...nearest, said: true };
  }
}

/** Of this many files a first capture is taken for a quick one. */
const FEW = 3000;

/** The last capture was quick; where there is none yet, the repository's own index says how much there is. */
function isQuick(root: Bytes, kept: Kept | undefined, budget: number): boolean {
  if (kept !== undefined) return kept.files <= FEW || kept.ms < budget;
  const index = repositoryIndex(root);
  return (index === undefined ? 0 : (countInIndex(index) ?? 0)) <= FEW;
}
