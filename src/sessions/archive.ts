import fs from 'node:fs';
import { type Bytes, fromBuffer, fromText, isText, toBuffer, toText } from '../platform/bytes.ts';
import { makeFolder, readBytes, readBytesIfAny, writeAtomic } from '../platform/files.ts';
import { folderName } from '../turns/ids.ts';
import { journalFile, sessionsFolder, touch } from '../turns/journal.ts';

/** One line of an export: a session with its full history, byte for byte. */
interface Line {
  readonly belay: 'session';
  readonly v: 1;
  readonly id: string;
  /** The journal as text; where that would lose bytes, in base64. */
  readonly journal?: string;
  readonly journal_bytes?: string;
}

/** One session as one line of JSON. */
export function exportLine(home: Bytes, session: string): string {
  const bytes = fromBuffer(readBytes(journalFile(home, session)));
  const line: Line = {
    belay: 'session',
    v: 1,
    id: session,
    ...(isText(bytes) ? { journal: toText(bytes) } : { journal_bytes: toBuffer(bytes).toString('base64') }),
  };
  return `${JSON.stringify(line)}\n`;
}

export interface Imported {
  readonly id: string;
  /** `longer`: what is here goes on from it, and stays; `other`: another history of that name is here, and stays. */
  readonly was: 'new' | 'extended' | 'same' | 'longer' | 'other';
}

export class NotAnExport extends Error {}

/** Takes the sessions of an export in. What is here and goes another way is left alone. All lines are read before one is taken. */
export function importLines(home: Bytes, text: string): Imported[] {
  const lines = text.split('\n').filter((line) => line !== '');
  const all = lines.map((line, i) => readLine(line, i + 1));
  makeFolder(sessionsFolder(home));
  return all.map(({ id, bytes }) => {
    const file = journalFile(home, id);
    const here = readBytesIfAny(file);
    const was =
      here === undefined
        ? 'new'
        : here.equals(bytes)
          ? 'same'
          : bytes.subarray(0, here.length).equals(here)
            ? 'extended'
            : here.subarray(0, bytes.length).equals(bytes)
              ? 'longer'
              : 'other';
    if (was === 'new') writeAtomic(file, bytes);
    if (was === 'extended') fs.appendFileSync(toBuffer(file), bytes.subarray(here?.length));
    if (was === 'new' || was === 'extended') touch(home, id);
    return { id, was };
  });
}

function readLine(text: string, number: number): { readonly id: string; readonly bytes: Buffer } {
  const line = parsed(text);
  if (line?.belay !== 'session' || line.v !== 1 || typeof line.id !== 'string' || folderName(line.id) === '')
    throw new NotAnExport(`line ${number} is not a session of belay's`);
  const { journal, journal_bytes } = line;
  if (typeof journal === 'string') return { id: line.id, bytes: toBuffer(fromText(journal)) };
  if (typeof journal_bytes === 'string') return { id: line.id, bytes: Buffer.from(journal_bytes, 'base64') };
  throw new NotAnExport(`line ${number} has no history`);
}

function parsed(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined; // said with its number
  }
}
