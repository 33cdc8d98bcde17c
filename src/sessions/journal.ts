import fs from 'node:fs';
import { type Bytes, fromBuffer, toBuffer } from '../platform/bytes.ts';
import { isAbsentError, namesInOrNone } from '../platform/files.ts';
import { sessionsFolder } from '../turns/journal.ts';
import type { JournalEvent } from '../turns/journal-events.ts';

/** An event, and where its line ends in the journal: whoever has read so far goes on there. */
export interface Read {
  readonly event: JournalEvent;
  readonly end: number;
}

/** A journal that is larger is read in parts, bytes. */
const PART = 16 << 20;

/**
 * The events of a journal behind a byte offset, as far as its lines are whole. A line that was left half written, and what the next
 * writer put behind it, are told apart: no event that was written whole is lost. Nothing where there is no such file.
 */
export function* readJournal(file: Bytes, from = 0): Generator<Read> {
  const fd = openIfAny(file);
  if (fd === undefined) return;
  try {
    const { size } = fs.fstatSync(fd);
    let at = from;
    for (let rest = ''; at + rest.length < size; ) {
      const bytes = Buffer.allocUnsafe(Math.min(PART, size - at - rest.length));
      const got = fs.readSync(fd, bytes, 0, bytes.length, at + rest.length);
      if (got === 0) return;
      const text = rest + fromBuffer(bytes.subarray(0, got));
      const end = text.lastIndexOf('\n') + 1;
      for (const { line, to } of linesOf(text.slice(0, end)))
        for (const event of eventsIn(line)) yield { event, end: at + to };
      at += end;
      rest = text.slice(end);
    }
  } finally {
    fs.closeSync(fd);
  }
}

function openIfAny(file: Bytes): number | undefined {
  try {
    return fs.openSync(toBuffer(file), fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
  } catch (error) {
    if (isAbsentError(error)) return undefined;
    throw error;
  }
}

function* linesOf(text: Bytes): Generator<{ readonly line: Bytes; readonly to: number }> {
  for (let from = 0; from < text.length; ) {
    const to = text.indexOf('\n', from) + 1;
    yield { line: text.slice(from, to - 1), to };
    from = to;
  }
}

/** Within a JSON string these characters are escaped: so spelt, an event begins here. */
const BEGINNING = '{"e":"';

/** The events of one line: one, as a rule. Of a torn line the part that nobody finished is left out. */
export function eventsIn(line: Bytes): JournalEvent[] {
  const whole = parsed(line);
  if (whole !== undefined) return [whole];
  const out: JournalEvent[] = [];
  for (let at = line.indexOf(BEGINNING); at >= 0; ) {
    const next = line.indexOf(BEGINNING, at + 1);
    const event = parsed(line.slice(at, next < 0 ? line.length : next));
    if (event !== undefined) out.push(event);
    at = next;
  }
  return out;
}

function parsed(text: Bytes): JournalEvent | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const event = JSON.parse(text) as JournalEvent;
    return typeof event.e === 'string' && typeof event.t === 'number' ? event : undefined;
  } catch {
    return undefined; // cut short
  }
}
/** The file names of all journals, without `.jsonl`. */
export const journalNames = (home: Bytes): Bytes[] =>
  namesInOrNone(sessionsFolder(home))
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => name.slice(0, -'.jsonl'.length));
