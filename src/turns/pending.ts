import fs from 'node:fs';
import { type Bytes, toBuffer } from '../platform/bytes.ts';
import { codeOf, lookAt, makeFolder, namesInOrNone, readBytesIfAny, realAsFar, writeFirst } from '../platform/files.ts';
import { type MountsBelow, mountsBelow } from '../platform/mounts.ts';
import { dirname, join } from '../platform/paths.ts';
import { nameOf, type ProcessName, stateOf } from '../platform/processes.ts';
import { projectRoot } from '../platform/roots.ts';
import { maskSecrets } from '../platform/secrets.ts';
import { folderName } from './ids.ts';
import { nextOrder } from './order.ts';
import type { TurnIdentity } from './types.ts';

/** `turn.json` of a pending turn: who it is, and its place among turns. */
export interface PendingTurn extends TurnIdentity {
  readonly v: 1;
  /** Milliseconds since 1970, at the first hold. */
  readonly started: number;
  readonly order: number;
  /** The home it belongs to: a pending turn may lie elsewhere when its line destroys the home. */
  readonly home: Bytes;
  /** What was mounted in the project, or folder, in which it began. */
  readonly mounts?: MountsBelow;
  /** The shell: a turn whose shell is gone has ended. */
  readonly owner?: ProcessName;
}

export interface Pending {
  readonly folder: Bytes;
  readonly turn: PendingTurn;
}

/** `checkpoints/pending` below a home, or in the place that stands in for it. */
export const pendingFolder = (base: Bytes): Bytes => join(base, 'checkpoints/pending');

/**
 * The folder of a turn, made with its identity when it is not there. A hold that comes after the turn was ended (a job in
 * the background) starts a part of its own, named `<turn>~1`, `~2`, …: what was settled is never touched again.
 */
export function openTurn(base: Bytes, home: Bytes, identity: TurnIdentity, now: number): Bytes {
  const session = join(pendingFolder(base), folderName(identity.session));
  makeFolder(session);
  for (let part = 0; ; part++) {
    const turn = part === 0 ? identity.turn : `${identity.turn}~${part}`;
    const folder = join(session, folderName(turn));
    if (lookAt(join(folder, 'end.json')) !== undefined || isDone(home, identity.session, turn)) continue;
    makeFolder(folder);
    if (lookAt(join(folder, 'turn.json')) === undefined) introduce(folder, { ...identity, turn }, home, now);
    return folder;
  }
}

/** Two at once: whose link comes first has written it. */
function introduce(folder: Bytes, identity: TurnIdentity, home: Bytes, now: number): void {
  const around = realAsFar(projectRoot(identity.cwd, undefined) ?? identity.cwd);
  const turn: PendingTurn = {
    v: 1,
    ...identity,
    // Nothing of it reaches the disk that a record may not keep.
    line: identity.hidden ? '' : maskSecrets(identity.line),
    started: now,
    order: nextOrder(home),
    home,
    mounts: { folder: around, points: mountsBelow(around) },
    ...(identity.pid === undefined ? {} : { owner: nameOf(identity.pid) }),
  };
  writeFirst(join(folder, 'turn.json'), JSON.stringify(turn));
}

/** A turn's folder as it is: whose it is, nobody's (a hold that never began), or somebody's whose `turn.json` a power loss has cut. */
export type FoundTurn =
  | { readonly is: 'turn'; readonly turn: PendingTurn }
  | { readonly is: 'none' }
  | { readonly is: 'damaged'; readonly why: string };

export function readTurn(folder: Bytes): FoundTurn {
  const text = readBytesIfAny(join(folder, 'turn.json'));
  if (text === undefined) return { is: 'none' };
  try {
    const turn = JSON.parse(text.toString('utf8')) as PendingTurn | null;
    const whole = turn?.v === 1 && typeof turn.session === 'string' && typeof turn.turn === 'string';
    if (whole && typeof turn.order === 'number' && typeof turn.home === 'string') return { is: 'turn', turn };
    return { is: 'damaged', why: 'turn.json is not one' };
  } catch (error) {
    if (error instanceof SyntaxError) return { is: 'damaged', why: `turn.json: ${error.message}` };
    throw error;
  }
}

/** A folder for one hold call, nobody else's: its number is its place in the turn. */
export function newHoldFolder(turnFolder: Bytes): Bytes {
  for (let seq = holdFolders(turnFolder).length + 1; ; seq++) {
    const folder = join(turnFolder, String(seq));
    try {
      fs.mkdirSync(toBuffer(folder), { mode: 0o700 });
      return folder;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}

/** The hold folders of a turn in their order. */
export const holdFolders = (turnFolder: Bytes): Bytes[] =>
  namesInOrNone(turnFolder)
    .filter((name) => /^\d+$/.test(name))
    .sort((a, b) => Number(a) - Number(b))
    .map((name) => join(turnFolder, name));

/** How many holds of a turn are whole: one that is still at work has no manifest. */
export const finishedHolds = (turnFolder: Bytes): number =>
  holdFolders(turnFolder).filter((folder) => lookAt(join(folder, 'manifest.jsonl')) !== undefined).length;

/** Every pending turn below a base: folders with a turn.json. */
export function pendingTurns(base: Bytes): Pending[] {
  const out = namesInOrNone(pendingFolder(base)).flatMap((session) => turnsIn(join(pendingFolder(base), session)));
  return out.sort((a, b) => a.turn.order - b.turn.order);
}

/** The pending turns of one session. */
export const pendingOf = (base: Bytes, session: string): Pending[] =>
  turnsIn(join(pendingFolder(base), folderName(session)));

function turnsIn(session: Bytes): Pending[] {
  return namesInOrNone(session)
    .filter((name) => !name.endsWith('.gone') && !name.endsWith('.done'))
    .flatMap((name) => {
      const folder = join(session, name);
      const found = readTurn(folder);
      return found.is === 'turn' ? [{ folder, turn: found.turn }] : [];
    });
}

/** Folders of turns that cannot be told any more; they stop no other. */
export const damagedTurns = (base: Bytes): Bytes[] =>
  namesInOrNone(pendingFolder(base))
    .map((session) => join(pendingFolder(base), session))
    .flatMap((session) => namesInOrNone(session).map((name) => join(session, name)))
    .filter((folder) => !/\.(?:gone|done)$/.test(folder) && readTurn(folder).is === 'damaged');

export const isEnded = (turnFolder: Bytes): boolean => lookAt(join(turnFolder, 'end.json')) !== undefined;

/** Its shell is proved dead, so that nobody will end it. */
export const isOrphan = (turn: PendingTurn): boolean => turn.owner !== undefined && stateOf(turn.owner) === 'dead';

/** The mark in the home that a turn was settled. */
const doneMark = (home: Bytes, session: string, turn: string): Bytes =>
  join(join(pendingFolder(home), folderName(session)), `${folderName(turn)}.done`);

/** Says that a turn was settled, for as long as its session may still speak of it. */
export function noteDone(home: Bytes, turn: PendingTurn): void {
  const mark = doneMark(home, turn.session, turn.turn);
  makeFolder(dirname(mark));
  fs.writeFileSync(toBuffer(mark), '', { mode: 0o600 });
}

export const isDone = (home: Bytes, session: string, turn: string): boolean =>
  lookAt(doneMark(home, session, turn)) !== undefined;
