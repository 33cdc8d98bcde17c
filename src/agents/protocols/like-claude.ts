import type { Bytes } from '../../platform/bytes.ts';
import type { AgentEvent, Happening, JsonObject, Protocol, Tool } from '../event.ts';
import { bytesIn, textIn } from '../json.ts';
import { conversationIn } from './conversation-name.ts';

/**
 * Hooks of the shape that Claude Code began: every event has `session_id`, `cwd` and `hook_event_name`, answers stand in
 * `hookSpecificOutput`. Codex takes the same, and rejects an answer with any key that it does not know.
 */
export const hooksLikeClaude = (name: string, toolOf: (input: JsonObject) => Tool): Protocol => ({
  name,
  read: (input) => read(input, toolOf),
  silence: () => '',
  deny: (_, reason) =>
    JSON.stringify({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: reason,
      },
    }),
  tell: (input, text) => {
    const event = textIn(input, 'hook_event_name') ?? '';
    if (event !== 'SessionStart' && event !== 'UserPromptSubmit') return undefined;
    return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } });
  },
});

function read(input: JsonObject, toolOf: (input: JsonObject) => Tool): AgentEvent | undefined {
  const happening = happeningOf(input, toolOf);
  if (happening === undefined) return undefined;
  const conversation = conversationIn(input, 'session_id');
  const [agent, call, turn] = ['agent_id', 'tool_use_id', 'turn_id'].map((field) => textIn(input, field));
  return {
    conversation,
    ...(agent === undefined ? {} : { subagent: { id: agent, type: textIn(input, 'agent_type') ?? 'agent' } }),
    cwd: bytesIn(input, 'cwd') ?? '/',
    ...(turn === undefined ? {} : { turn }),
    ...(call === undefined ? {} : { call }),
    happening,
  };
}

/** That a helper has finished begins a turn, too: Claude Code's own words for it are a document, of which one line is for people. */
const askedIn = (prompt: Bytes): Bytes =>
  /^<task-notification>[\s\S]*<summary>([^<]+)<\/summary>/.exec(prompt)?.[1] ?? prompt;

function happeningOf(input: JsonObject, toolOf: (input: JsonObject) => Tool): Happening | undefined {
  const said = bytesIn(input, 'last_assistant_message', 'message');
  const message = said === undefined ? {} : { message: said };
  switch (textIn(input, 'hook_event_name')) {
    case 'SessionStart':
    case 'SubagentStart':
      return { kind: 'session-start' };
    case 'UserPromptSubmit':
      return { kind: 'prompt', prompt: askedIn(bytesIn(input, 'prompt') ?? '') };
    case 'PreToolUse':
      return { kind: 'before-tool', tool: toolOf(input) };
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return { kind: 'after-tool', tool: toolOf(input) };
    case 'Notification':
      return { kind: 'waiting', message: said ?? '' };
    case 'Stop':
    case 'SubagentStop':
      return { kind: 'stop', state: 'done', ...message };
    case 'StopFailure':
    case 'Interrupt':
      return { kind: 'stop', state: 'unknown', ...message };
    case 'SessionEnd':
      return { kind: 'session-end' };
    default:
      return undefined;
  }
}
