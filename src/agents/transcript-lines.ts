import { type Bytes, fromText } from '../platform/bytes.ts';
import { maskSecrets } from '../platform/secrets.ts';
import type { JournalEvent, MessageEvent } from '../turns/journal-events.ts';
import type { JsonObject } from './event.ts';
import { isObject, objectIn, textIn } from './json.ts';

/** A message is kept so far, characters; a tool's answer less. */
const LONGEST = 20_000;
const LONGEST_ANSWER = 2000;

/** What the lines of a transcript say, for the record of a session. */
export interface Saying {
  readonly messages: readonly MessageEvent[];
  /** How the agent was set up. */
  readonly about: readonly JournalEvent[];
  /** The model that answered last. */
  readonly model?: string;
}

/**
 * Reads lines of a transcript as Claude Code, Codex and Gemini CLI write them, one JSON object a line. A line that is none of a known
 * form says nothing that could be kept.
 */
export function sayingOf(lines: readonly string[], turn: string): Saying {
  const entries = lines.flatMap(entryIn);
  const model = entries.flatMap(modelIn).at(-1);
  return {
    messages: lastOfEach(entries).flatMap((entry) => messageIn(entry, turn)),
    about: entries.flatMap(aboutIn),
    ...(model === undefined ? {} : { model }),
  };
}

function entryIn(line: string): JsonObject[] {
  if (!line.startsWith('{')) return [];
  try {
    const entry: unknown = JSON.parse(line);
    if (!isObject(entry) || entry['isSidechain'] === true || entry['isMeta'] === true) return [];
    return [entry];
  } catch {
    return []; // a line that is no JSON
  }
}

/** Gemini CLI writes a message anew, under its name, with each thing that it finds out about it. */
function lastOfEach(entries: readonly JsonObject[]): JsonObject[] {
  const last = new Map(entries.map((entry) => [geminiName(entry), entry]));
  return entries.filter((entry) => geminiName(entry) === undefined || last.get(geminiName(entry)) === entry);
}

const geminiName = (entry: JsonObject): string | undefined =>
  entry['message'] === undefined && entry['payload'] === undefined ? textIn(entry, 'id') : undefined;

/** A stand-in for a model (`<synthetic>`) is none. */
function modelIn(entry: JsonObject): string[] {
  const model = textIn(objectIn(entry, 'message', 'payload'), 'model') ?? textIn(entry, 'model');
  return model === undefined || model.startsWith('<') ? [] : [model];
}

/** What Codex says in its transcript of how it was set up: instructions at its beginning, settings with a turn. */
function aboutIn(entry: JsonObject): JournalEvent[] {
  if (!['session_meta', 'turn_context'].includes(textIn(entry, 'type') ?? '')) return [];
  const payload = objectIn(entry, 'payload');
  const system = textIn(payload, 'instructions') ?? textIn(objectIn(payload, 'base_instructions'), 'text');
  const named = SETTINGS.filter((name) => payload[name] !== undefined && payload[name] !== null);
  if (system === undefined && named.length === 0) return [];
  const config = JSON.stringify(Object.fromEntries(named.map((name) => [name, payload[name]])));
  return [
    {
      e: 'about',
      t: Date.now(),
      ...(system === undefined ? {} : { system: masked(system, LONGEST) }),
      ...(named.length === 0 ? {} : { config: masked(config, LONGEST) }),
    },
  ];
}

const SETTINGS = ['cli_version', 'model', 'model_provider', 'effort', 'summary', 'approval_policy', 'sandbox_policy'];

const masked = (text: string, longest: number): Bytes => maskSecrets(fromText(text.slice(0, longest)));

type Said = Pick<MessageEvent, 'role' | 'text' | 'tools' | 'tokens'>;

function messageIn(entry: JsonObject, turn: string): MessageEvent[] {
  const said = saidIn(entry);
  if (said === undefined || (said.text === '' && said.tools === undefined)) return [];
  return [{ e: 'message', t: Date.parse(textIn(entry, 'timestamp') ?? '') || Date.now(), turn, ...said }];
}

function saidIn(entry: JsonObject): Said | undefined {
  const type = textIn(entry, 'type');
  if (entry['payload'] !== undefined) return type === 'response_item' ? byCodex(objectIn(entry, 'payload')) : undefined;
  const role = roleOf(type);
  if (role === undefined) return undefined;
  const message = objectIn(entry, 'message');
  const usage = objectIn(message, 'usage');
  const [called, tokens] = [entry['toolCalls'], objectIn(entry, 'tokens')];
  return saidWith(role, message['content'] ?? entry['content'], Array.isArray(called) ? called.filter(isObject) : [], [
    usage['input_tokens'] ?? tokens['input'],
    usage['output_tokens'] ?? tokens['output'],
  ]);
}

/** Codex' own names; what it tells the model under the user's name (`<environment_context>…`) nobody has said. */
function byCodex(item: JsonObject): Said | undefined {
  const type = textIn(item, 'type') ?? '';
  if (type === 'function_call' || type === 'custom_tool_call') return saidWith('assistant', '', [item], []);
  if (/call_output$/.test(type)) return saidWith('user', [{ type: 'tool_result', content: item['output'] }], [], []);
  const role = roleOf(textIn(item, 'role'));
  const said = role === undefined ? undefined : saidWith(role, item['content'], [], []);
  return said?.role === 'user' && /^<([a-z]+_[a-z_]+)>[\s\S]*<\/\1>\s*$/.test(said.text) ? undefined : said;
}

const roleOf = (name: string | undefined): 'user' | 'assistant' | undefined =>
  name === 'user' || name === 'assistant' ? name : name === 'gemini' ? 'assistant' : undefined;

function saidWith(
  role: 'user' | 'assistant',
  content: unknown,
  calls: readonly JsonObject[],
  [input, output]: readonly unknown[],
): Said {
  const parts = typeof content === 'string' ? [{ text: content }] : Array.isArray(content) ? content : [];
  const known = parts.filter(isObject);
  const texts = known.flatMap((part) => textIn(part, 'text') ?? []);
  const used = [...known.filter((part) => part['type'] === 'tool_use'), ...calls];
  const answers = known.flatMap(answersIn);
  const isAnswer = texts.length === 0 && answers.length > 0;
  return {
    role: isAnswer ? 'tool' : role,
    text: isAnswer ? masked(answers.join('\n'), LONGEST_ANSWER) : masked(texts.join('\n'), LONGEST),
    ...(used.length === 0 ? {} : { tools: used.map((call) => fromText(textIn(call, 'name') ?? '?')) }),
    ...(typeof input === 'number' && typeof output === 'number' ? { tokens: { in: input, out: output } } : {}),
  };
}

/** What a tool answered: one text or several. */
function answersIn(part: JsonObject): string[] {
  if (part['type'] !== 'tool_result') {
    const text = textIn(objectIn(objectIn(part, 'functionResponse'), 'response'), 'output', 'error');
    return text === undefined ? [] : [text];
  }
  const { content } = part;
  if (typeof content === 'string') return [content];
  return Array.isArray(content) ? content.filter(isObject).flatMap((one) => textIn(one, 'text') ?? []) : [];
}
