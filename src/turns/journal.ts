import fs from 'node:fs';
import { type Bytes, toBuffer } from '../platform/bytes.ts';
import { codeOf, makeFolder } from '../platform/files.ts';
import { notWritable } from '../platform/format.ts';
import { describe, log } from '../platform/log.ts';
import { join } from '../platform/paths.ts';
import { folderName } from './ids.ts';
import type { JournalEvent } from './journal-events.ts';

/** Where the record of sessions lies. */
export const sessionsFolder = (home: Bytes): Bytes => join(home, 'sessions');

/** `sessions/<id>.jsonl`. */
export const journalFile = (home: Bytes, session: string): Bytes =>
  join(sessionsFolder(home), `${folderName(session)}.jsonl`);

/** Journals that a program other than a prompt has added to: what an index of many sessions has to look at again. */
export const touchedFile = (home: Bytes): Bytes => join(sessionsFolder(home), 'touched');

/** Larger than this it is begun anew: whoever reads it then looks at every journal. */
const TOUCHED_LARGEST = 1 << 20;

interface Rules {
  /** Only where the session is recorded already: what belay finds out later about one that is not, is not kept either. */
  readonly known?: boolean;
}

/**
 * Adds events to a session's journal, all in one append, so that writers who come at once never mix. A line that somebody left
 * half written (a full disk, a power loss) is sealed with a newline first. Throws where it cannot be written; returns whether it was.
 */
export function appendEvents(
  home: Bytes,
  session: string,
  events: readonly JournalEvent[],
  { known = false }: Rules = {},
): boolean {
  const why = notWritable(home);
  if (why !== undefined) throw new Error(why);
  const fd = openJournal(home, journalFile(home, session), known);
  if (fd === undefined) return false;
  try {
    const text = events.map((event) => `${JSON.stringify(event)}\n`).join('');
    writeAll(fd, toBuffer(isSealed(fd) ? text : `\n${text}`));
  } finally {
    fs.closeSync(fd);
  }
  touch(home, session);
  return true;
}

/** The same, where a failure must not become anybody's: it is logged, and the answer says why. */
export function noteEvents(
  home: Bytes,
  session: string,
  events: readonly JournalEvent[],
  rules: Rules = {},
): string | undefined {
  try {
    appendEvents(home, session, events, rules);
    return undefined;
  } catch (error) {
    log(home, `the record of session ${session}: ${describe(error)}`);
    return codeOf(error) || describe(error);
  }
}

/** Says that a journal has changed. */
export function touch(home: Bytes, session: string): void {
  const file = toBuffer(touchedFile(home));
  const fd = fs.openSync(file, 'a', 0o600);
  try {
    fs.writeSync(fd, toBuffer(`${folderName(session)}\n`));
    if (fs.fstatSync(fd).size > TOUCHED_LARGEST) fs.rmSync(file, { force: true });
  } finally {
    fs.closeSync(fd);
  }
}

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = fs.constants;

function openJournal(home: Bytes, file: Bytes, known: boolean): number | undefined {
  const flags = O_RDWR | O_APPEND | O_NOFOLLOW;
  try {
    return fs.openSync(toBuffer(file), flags);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  if (known) return undefined;
  makeFolder(sessionsFolder(home));
  return fs.openSync(toBuffer(file), flags | O_CREAT, 0o600);
}

function isSealed(fd: number): boolean {
  const { size } = fs.fstatSync(fd);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  fs.readSync(fd, last, 0, 1, size - 1);
  return last[0] === 0x0a;
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += fs.writeSync(fd, bytes, at);
}
