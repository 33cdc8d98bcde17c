import type { Bytes } from '../../platform/bytes.ts';
import { fromText } from '../../platform/bytes.ts';
import type { AgentEvent, Happening, JsonObject, Protocol, Tool } from '../event.ts';
import { bytesIn, objectIn, textIn } from '../json.ts';
import { conversationIn } from './conversation-name.ts';

/**
 * Cursor. Shell commands have events of their own; `preToolUse` is asked about files alone. An event that may be refused wants to be
 * answered. Status 2 would refuse, any other but 0 is a hook that failed, and the tool runs. After cursor.com/docs/hooks (version 1 of
 * hooks.json).
 */
export const cursor: Protocol = {
  name: 'cursor',
  read,
  silence: (input) => {
    const event = eventOf(input);
    if (ASKS.has(event)) return JSON.stringify({ permission: 'allow' });
    return event === 'beforeSubmitPrompt' ? JSON.stringify({ continue: true }) : '';
  },
  deny: (_, reason) => JSON.stringify({ permission: 'deny', user_message: reason, agent_message: reason }),
  tell: (input, text) =>
    ['sessionStart', 'postToolUse'].includes(eventOf(input)) ? JSON.stringify({ additional_context: text }) : undefined,
};

const ASKS = new Set(['beforeShellExecution', 'preToolUse', 'beforeMCPExecution', 'subagentStart']);

const eventOf = (input: JsonObject): string => textIn(input, 'hook_event_name') ?? '';

function read(input: JsonObject): AgentEvent | undefined {
  const happening = happeningOf(input);
  if (happening === undefined) return undefined;
  const conversation = conversationIn(input, 'conversation_id', 'session_id');
  const turn = textIn(input, 'generation_id');
  const call = eventOf(input).endsWith('ShellExecution') ? textIn(input, 'command') : textIn(input, 'tool_use_id');
  return {
    conversation,
    cwd: bytesIn(input, 'cwd') ?? firstRoot(input) ?? '/',
    ...(turn === undefined ? {} : { turn }),
    ...(call === undefined ? {} : { call }),
    happening,
  };
}

function firstRoot(input: JsonObject): Bytes | undefined {
  const roots = input['workspace_roots'];
  const first: unknown = Array.isArray(roots) ? roots[0] : undefined;
  return typeof first === 'string' ? fromText(first) : undefined;
}

function happeningOf(input: JsonObject): Happening | undefined {
  switch (eventOf(input)) {
    case 'sessionStart':
      return { kind: 'session-start' };
    case 'beforeSubmitPrompt':
      return { kind: 'prompt', prompt: bytesIn(input, 'prompt') ?? '' };
    case 'beforeShellExecution':
      return { kind: 'before-tool', tool: shellOf(input) };
    case 'afterShellExecution':
      return { kind: 'after-tool', tool: shellOf(input) };
    case 'preToolUse':
      return { kind: 'before-tool', tool: fileToolOf(input) };
    case 'postToolUse':
    case 'postToolUseFailure':
      return { kind: 'after-tool', tool: fileToolOf(input) };
    case 'stop':
      return { kind: 'stop', state: textIn(input, 'status') === 'completed' ? 'done' : 'unknown' };
    case 'sessionEnd':
      return { kind: 'session-end' };
    default:
      return undefined;
  }
}

const shellOf = (input: JsonObject): Tool => ({
  kind: 'shell',
  text: bytesIn(input, 'command') ?? '',
  background: false,
});

function fileToolOf(input: JsonObject): Tool {
  const name = textIn(input, 'tool_name') ?? '';
  const given = objectIn(input, 'tool_input');
  const path = bytesIn(given, 'file_path', 'path', 'target_file', 'target_notebook', 'notebook_path');
  if (/^(Write|StrReplace|Edit|MultiEdit|EditNotebook|TabWrite)$/.test(name) && path !== undefined)
    return { kind: 'files', name, files: [{ does: 'write', path }] };
  if (name === 'Delete' && path !== undefined) return { kind: 'files', name, files: [{ does: 'delete', path }] };
  return READS.test(name) ? { kind: 'reads' } : { kind: 'opaque', name };
}

/** What changes no file. Shell commands have events of their own, and so has what a helper does. */
const READS =
  /^(Shell|Read|ReadFile|Grep|Glob|LS|List|Search|SemanticSearch|CodebaseSearch|WebSearch|WebFetch|ReadLints|TodoWrite|Task|AskQuestion|SwitchMode)$/;
