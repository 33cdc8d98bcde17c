import fs from 'node:fs';
import { type Bytes, fromText } from '../platform/bytes.ts';
import { lookAt, openRegular } from '../platform/files.ts';
import { noteEvents } from '../turns/journal.ts';
import type { JournalEvent } from '../turns/journal-events.ts';
import { changeConversation, type Introduction } from './conversation.ts';
import { sayingOf } from './transcript-lines.ts';
import type { Homed } from './turns.ts';

/** So much of a transcript is read at once, bytes; what is more is read the next time. */
const MOST = 8 << 20;

const NEW_LINE = 0x0a;

/**
 * Takes what was said since the last time from the agent's own transcript into the session's record: messages, the tools they called,
 * tokens where they are counted, and which model it was.
 */
export function importTranscript(world: Homed, who: Introduction, path: string | undefined): void {
  if (path === undefined || !path.startsWith('/') || world.config.sessions.record !== 'all') return;
  const file = fromText(path);
  if (lookAt(file)?.uid !== process.getuid?.()) return;
  changeConversation(world.home, who, (now) => {
    const from = now.transcript?.path === path ? now.transcript.read : 0;
    const { lines, read } = newLines(file, from);
    const { messages, about, model = now.model } = sayingOf(lines, String(now.turn));
    const events = [
      ...(from === 0 ? about.slice(0, 2) : []),
      ...(model === undefined || model === now.model ? [] : [modelEvent(model)]),
      ...messages,
    ];
    if (events.length > 0) noteEvents(world.home, now.session, events, { known: true });
    if (read === from) return now;
    return { ...now, transcript: { path, read }, ...(model === undefined ? {} : { model }) };
  });
}

const modelEvent = (model: string): JournalEvent => ({ e: 'about', t: Date.now(), model: fromText(model) });

/**
 * The whole lines behind an offset, and the offset behind them. A line that is longer than what is read at once is passed over, once it
 * is whole: the lines behind it are said all the same.
 */
function newLines(file: Bytes, from: number): { readonly lines: readonly string[]; readonly read: number } {
  const fd = openRegular(file);
  try {
    const { size } = fs.fstatSync(fd);
    const start = size < from ? 0 : from; // written anew
    const bytes = Buffer.alloc(Math.min(MOST, size - start));
    const got = fs.readSync(fd, bytes, 0, bytes.length, start);
    const end = bytes.subarray(0, got).lastIndexOf(NEW_LINE) + 1;
    if (end === 0 && got === MOST) return { lines: [], read: behindLine(fd, bytes, start + got) ?? start };
    return { lines: bytes.toString('utf8', 0, end).split('\n'), read: start + end };
  } finally {
    fs.closeSync(fd);
  }
}

/** The offset behind the first end of a line from `from` on; undefined where the line has not ended yet. */
function behindLine(fd: number, bytes: Buffer, from: number): number | undefined {
  for (let at = from; ; ) {
    const got = fs.readSync(fd, bytes, 0, bytes.length, at);
    if (got === 0) return undefined;
    const end = bytes.subarray(0, got).indexOf(NEW_LINE);
    if (end >= 0) return at + end + 1;
    at += got;
  }
}
