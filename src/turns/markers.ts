import fs from 'node:fs';
import { type Bytes, fromText, toBuffer, toText } from '../platform/bytes.ts';
import {
  isAbsentError,
  lookAt,
  makeFolder,
  namesInOrNone,
  readBytesIfAny,
  removeFile,
  removeTree,
  writeAtomic,
} from '../platform/files.ts';
import { join } from '../platform/paths.ts';
import { folderName } from './ids.ts';

/** `<runtime>/<session>`: markers of one session, safe to lose. */
export const sessionFolder = (runtime: Bytes, session: string): Bytes => join(runtime, folderName(session));

const markerOf = (runtime: Bytes, session: string, turn: string): Bytes =>
  join(sessionFolder(runtime, session), `turns/${folderName(turn)}`);

/** Says "there is something to end" to the shell. Only after the save succeeded: a mark set before a failure would leave the turn’s later lines unprotected. */
export function setMarker(runtime: Bytes, session: string, turn: string): void {
  const marker = markerOf(runtime, session, turn);
  makeFolder(marker.slice(0, marker.lastIndexOf('/')));
  fs.closeSync(fs.openSync(toBuffer(marker), 'w', 0o600));
}

/** The turn is over: so is what its wrappers go by. */
export function clearMarker(runtime: Bytes, session: string, turn: string): void {
  removeTree(capturedFolder(runtime, session, turn));
  try {
    removeFile(markerOf(runtime, session, turn));
  } catch (error) {
    if (!isAbsentError(error)) throw error;
  }
}

/**
 * Says that everything the turn's text can destroy is known and saved: what it starts needs no look of its own. One file a
 * session, with the turn in it; only for the text that begins a turn, as a text within it says nothing about the others.
 */
export function setWhole(runtime: Bytes, session: string, turn: string): void {
  const folder = sessionFolder(runtime, session);
  makeFolder(folder);
  fs.writeFileSync(toBuffer(join(folder, 'whole')), `${folderName(turn)}\n`, { mode: 0o600 });
}

/** What a shell says of a line by a file of that name with the number of the line in it: it ran unsaved; belay was off from it on. */
export type Mark = 'unprotected' | 'off';

export interface MarkedTurn {
  readonly turn: string;
  /** When it was said, ms since 1970. */
  readonly at: number;
}

const markIn = (runtime: Bytes, session: string, mark: Mark): Bytes => join(sessionFolder(runtime, session), mark);

/** Says that a line of this turn ran without being saved; the shells write the same where belay-snap itself failed. */
export function setUnprotected(runtime: Bytes, session: string, turn: string): void {
  makeFolder(sessionFolder(runtime, session));
  fs.writeFileSync(toBuffer(markIn(runtime, session, 'unprotected')), `${turn}\n`, { mode: 0o600 });
}

/** The newest turn of a session that was marked so. */
export function markedTurn(runtime: Bytes, session: string, mark: Mark): MarkedTurn | undefined {
  const file = markIn(runtime, session, mark);
  const look = lookAt(file);
  const turn = readBytesIfAny(file)?.toString('utf8').trim();
  if (look?.type !== 'file' || turn === undefined || turn === '') return undefined;
  return { turn, at: Number(BigInt(look.mtime) / 1_000_000n) };
}

const nextMark = (runtime: Bytes, session: string): Bytes => join(sessionFolder(runtime, session), 'next');

/** Says that the session goes on as another one: the shell that has it goes over to that at its next prompt, an agent at its next turn. */
export function setNext(runtime: Bytes, session: string, next: string): void {
  makeFolder(sessionFolder(runtime, session));
  writeAtomic(nextMark(runtime, session), `${fromText(next)}\n`);
}

/** The session that this one goes on as. */
export function nextOf(runtime: Bytes, session: string): string | undefined {
  const next = toText(readBytesIfAny(nextMark(runtime, session))?.toString('latin1').trim() ?? '');
  return next === '' || next === session ? undefined : next;
}

/** No wrapper trusts a capture any more: each asks belay. For when captures go that turns may rest on. */
export function dropCaptured(runtime: Bytes): void {
  for (const session of namesInOrNone(runtime)) removeTree(join(join(runtime, session), 'captured'));
}

/** Where the marks of what a turn's capture has lie (saving/captured.ts). */
export const capturedFolder = (runtime: Bytes, session: string, turn: string): Bytes =>
  join(sessionFolder(runtime, session), `captured/${folderName(turn)}`);
