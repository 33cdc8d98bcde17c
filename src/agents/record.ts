import os from 'node:os';
import { type Bytes, fromText } from '../platform/bytes.ts';
import { lookAt } from '../platform/files.ts';
import { resolve } from '../platform/paths.ts';
import { maskSecrets } from '../platform/secrets.ts';
import { oidOf, tryLook } from '../saving/now.ts';
import { journalFile, noteEvents } from '../turns/journal.ts';
import type { JournalEvent } from '../turns/journal-events.ts';
import { type Conversation, findConversation, type Introduction } from './conversation.ts';
import type { AgentEvent, JsonObject, Tool } from './event.ts';
import { textIn } from './json.ts';
import type { ToolPlan } from './tool-plan.ts';
import { importTranscript } from './transcript.ts';
import type { Homed } from './turns.ts';

/** The record of an agent's conversation (sessions/<id>.jsonl), written by its hooks. */

/** A file that is larger has no hash in the record. */
const LARGEST_HASHED = 10 << 20;

/** What an event says beside its tools, whose call is `call`; after the turn was begun or ended. */
export function recordEvent(world: Homed, who: Introduction, event: AgentEvent, input: JsonObject, call: string): void {
  if (world.config.sessions.record === 'off') return;
  const now = findConversation(world.home, who.agent, who.id);
  if (now === undefined) return;
  const { kind } = event.happening;
  const transcript = textIn(input, 'agent_transcript_path', 'transcript_path');
  if (kind === 'stop' || kind === 'session-end') importTranscript(world, who, transcript);
  const spoken = transcript === undefined && world.config.sessions.record === 'all' ? answerIn(now, event) : [];
  note(world, now, input, [...spoken, ...eventsOf(now, event, call)]);
}

/** The last answer of an agent that has no transcript belay could read. */
function answerIn(now: Conversation, { happening }: AgentEvent): JournalEvent[] {
  if (happening.kind !== 'stop' || happening.message === undefined) return [];
  const text = maskSecrets(happening.message.slice(0, 20_000));
  return [{ e: 'message', t: Date.now(), turn: String(now.turn), role: 'assistant', text }];
}

function eventsOf(now: Conversation, { happening, cwd }: AgentEvent, call: string): JournalEvent[] {
  const at = { t: Date.now(), turn: String(now.turn) };
  switch (happening.kind) {
    case 'prompt':
      return [{ e: 'turn', ...at, label: fromText(now.label ?? '') }];
    case 'after-tool':
      return happening.tool.kind === 'shell' ? [{ e: 'done', ...at, call }] : writesOf(happening.tool, cwd, at);
    case 'waiting':
      return [{ e: 'state', ...at, state: 'needs_input' }];
    case 'stop':
      return [{ e: 'state', ...at, state: happening.state }];
    case 'session-end':
      return [{ e: 'end', t: at.t }];
    default:
      return [];
  }
}

/** A command that a tool is about to run. */
export function recordTool(
  world: Homed,
  who: Introduction,
  given: Tool,
  { line, writes, cwd }: ToolPlan,
  input: JsonObject,
  call: string,
): void {
  const { record } = world.config.sessions;
  if (record === 'off' || (record === 'destructive' && !writes) || (given.kind !== 'shell' && given.kind !== 'opaque'))
    return;
  const now = findConversation(world.home, who.agent, who.id);
  if (now === undefined) return;
  const turn = String(now.turn);
  note(world, now, input, [{ e: 'command', t: Date.now(), turn, line: maskSecrets(line), cwd, call }]);
}

/** The conversation's record begins with its first event. Only what adds to it is written where there is none. */
function note(world: Homed, now: Conversation, input: JsonObject, events: readonly JournalEvent[]): void {
  if (events.length === 0) return;
  const { session, source, cwd, parent } = now;
  const isNew = lookAt(journalFile(world.home, session)) === undefined;
  const isEnd = events.every(({ e }) => e === 'end' || e === 'state' || e === 'done');
  if (isNew && isEnd) return;
  const model = textIn(input, 'model');
  const beginning: JournalEvent = {
    e: 'session',
    v: 1,
    t: Date.now(),
    id: session,
    source,
    cwd,
    host: fromText(os.hostname()),
    uid: process.getuid?.() ?? 0,
    ...(parent === undefined ? {} : { parent }),
    ...(model === undefined ? {} : { model: fromText(model) }),
  };
  noteEvents(world.home, session, isNew ? [beginning, ...events] : events);
}

/** Files that a tool has written, as they are now. */
function writesOf(tool: Tool, cwd: Bytes, at: { readonly t: number; readonly turn: string }): JournalEvent[] {
  if (tool.kind !== 'files') return [];
  return tool.files.map((file) => {
    const path = resolve(cwd, file.path);
    const look = tryLook(path);
    const hashed = look?.type === 'file' && look.size <= LARGEST_HASHED ? oidOf(path, look) : undefined;
    return { e: 'write', ...at, path, ...(hashed === undefined ? {} : { oid: hashed }) };
  });
}
