import fs from 'node:fs';
import { type Bytes, fromText } from '../platform/bytes.ts';
import { lookAt, openRegular } from '../platform/files.ts';
import { maskSecrets } from '../platform/secrets.ts';
import { noteEvents } from '../turns/journal.ts';
import type { JournalEvent, MessageEvent } from '../turns/journal-events.ts';
import { changeConversation, type Introduction } from './conversation.ts';
import type { JsonObject } from './event.ts';
import { isObject, objectIn, textIn } from './json.ts';
import type { Homed } from './turns.ts';

/** So much of a transcript is read at once, bytes; what is more is read the next time. */
const MOST = 8 << 20;

const NEW_LINE = 0x0a;

/** A message is kept so far, characters; a tool's answer less. */
const LONGEST = 20_000;
const LONGEST_ANSWER = 2000;

/**
 * Takes what was said since the last time from the agent's own transcript into the session's record: messages, the tools they called,
 * tokens where they are counted. A line that is none of a known form is passed over.
 */
export function importTranscript(world: Homed, who: Introduction, path: string | undefined): void {
  if (path === undefined || !path.startsWith('/') || world.config.sessions.record !== 'all') return;
  const file = fromText(path);
  if (lookAt(file)?.uid !== process.getuid?.()) return;
  changeConversation(world.home, who, (now) => {
    const from = now.transcript?.path === path ? now.transcript.read : 0;
    const { lines, read } = newLines(file, from);
    const messages = lines.flatMap((line) => messagesIn(line, String(now.turn)));
    const events = [...(from === 0 ? lines.flatMap(aboutIn).slice(0, 2) : []), ...messages];
    if (events.length > 0) noteEvents(world.home, now.session, events, { known: true });
    return read === from ? now : { ...now, transcript: { path, read } };
  });
}

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

/** What Codex says in its transcript of how it was set up: instructions at its beginning, settings with a turn. */
function aboutIn(line: string): JournalEvent[] {
  if (!/^\{[^{]*"type":\s*"(?:session_meta|turn_context)"/.test(line)) return [];
  try {
    const payload = objectIn(JSON.parse(line) as JsonObject, 'payload');
    const system = textIn(payload, 'instructions') ?? textIn(objectIn(payload, 'base_instructions'), 'text');
    const named = SETTINGS.filter((name) => payload[name] !== undefined && payload[name] !== null);
    if (system === undefined && named.length === 0) return [];
    const config = JSON.stringify(Object.fromEntries(named.map((name) => [name, payload[name]])));
    return [
      {
        e: 'about',
        t: Date.now(),
        ...(system === undefined ? {} : { system: maskSecrets(fromText(system.slice(0, LONGEST))) }),
        ...(named.length === 0 ? {} : { config: maskSecrets(fromText(config.slice(0, LONGEST))) }),
      },
    ];
  } catch {
    return []; // a line that is no JSON says nothing that could be kept
  }
}

const SETTINGS = ['cli_version', 'model', 'model_provider', 'effort', 'summary', 'approval_policy', 'sandbox_policy'];

function messagesIn(line: string, turn: string): MessageEvent[] {
  if (!line.startsWith('{')) return [];
  try {
    const entry: unknown = JSON.parse(line);
    if (!isObject(entry) || entry['isSidechain'] === true || entry['isMeta'] === true) return [];
    const t = Date.parse(textIn(entry, 'timestamp') ?? '') || Date.now();
    const said = objectIn(entry, 'message', 'payload');
    const message = messageOf(said, textIn(entry, 'type'));
    return message === undefined ? [] : [{ e: 'message', t, turn, ...message }];
  } catch {
    return []; // a line that is no JSON says nothing that could be kept
  }
}

type Said = Pick<MessageEvent, 'role' | 'text' | 'tools' | 'tokens'>;

function messageOf(said: JsonObject, type: string | undefined): Said | undefined {
  if (textIn(said, 'type') === 'function_call')
    return { role: 'assistant', text: '', tools: [fromText(textIn(said, 'name') ?? '?')] };
  const role = textIn(said, 'role') ?? (type === 'user' || type === 'assistant' ? type : undefined);
  if (role !== 'user' && role !== 'assistant') return undefined;
  const content = said['content'];
  const parts: unknown[] = typeof content === 'string' ? [{ text: content }] : Array.isArray(content) ? content : [];
  const texts = parts.flatMap((part) => (isObject(part) ? (textIn(part, 'text') ?? []) : []));
  const tools = parts.flatMap((part) =>
    isObject(part) && part['type'] === 'tool_use' ? fromText(textIn(part, 'name') ?? '?') : [],
  );
  const answers = parts.flatMap((part) =>
    isObject(part) && part['type'] === 'tool_result' ? textOfAnswer(part['content']) : [],
  );
  const isAnswer = texts.length === 0 && answers.length > 0;
  const text = isAnswer ? answers.join('\n').slice(0, LONGEST_ANSWER) : texts.join('\n').slice(0, LONGEST);
  if (text === '' && tools.length === 0) return undefined;
  const usage = objectIn(said, 'usage');
  const [input, output] = [usage['input_tokens'], usage['output_tokens']];
  return {
    role: isAnswer ? 'tool' : role,
    text: maskSecrets(fromText(text)),
    ...(tools.length === 0 ? {} : { tools }),
    ...(typeof input === 'number' && typeof output === 'number' ? { tokens: { in: input, out: output } } : {}),
  };
}

function textOfAnswer(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => (isObject(part) ? (textIn(part, 'text') ?? []) : []));
}
