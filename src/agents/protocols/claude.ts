import type { Bytes } from '../../platform/bytes.ts';
import type { AgentEvent, Happening, JsonObject, Protocol, Tool } from '../event.ts';
import { bytesIn, objectIn, textIn } from '../json.ts';

/** Claude Code. Every event has `session_id`, `cwd` and `hook_event_name`; exit 0 with nothing printed means: go on. */
export const claude: Protocol = {
  name: 'claude',
  read,
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
    if (!['SessionStart', 'UserPromptSubmit'].includes(event)) return undefined;
    return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } });
  },
};

function read(input: JsonObject): AgentEvent | undefined {
  const happening = happeningOf(input);
  const conversation = textIn(input, 'session_id');
  if (happening === undefined || conversation === undefined) return undefined;
  const [agent, call] = [textIn(input, 'agent_id'), textIn(input, 'tool_use_id')];
  return {
    conversation,
    ...(agent === undefined ? {} : { subagent: { id: agent, type: textIn(input, 'agent_type') ?? 'agent' } }),
    cwd: bytesIn(input, 'cwd') ?? '/',
    ...(call === undefined ? {} : { call }),
    happening,
  };
}

function happeningOf(input: JsonObject): Happening | undefined {
  switch (textIn(input, 'hook_event_name')) {
    case 'SessionStart':
      return { kind: 'session-start' };
    case 'UserPromptSubmit':
      return { kind: 'prompt', prompt: bytesIn(input, 'prompt') ?? '' };
    case 'PreToolUse':
      return { kind: 'before-tool', tool: toolOf(input) };
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return { kind: 'after-tool', tool: toolOf(input) };
    case 'Notification':
      return { kind: 'waiting', message: bytesIn(input, 'message') ?? '' };
    case 'Stop':
    case 'SubagentStop':
      return { kind: 'stop', state: 'done' };
    case 'StopFailure':
      return { kind: 'stop', state: 'unknown' };
    case 'SessionEnd':
      return { kind: 'session-end' };
    default:
      return undefined;
  }
}

const READS = new Set(
  'Read Grep Glob LS WebFetch WebSearch TodoWrite Task Agent AskUserQuestion BashOutput NotebookRead KillShell'.split(
    ' ',
  ),
);

function toolOf(input: JsonObject): Tool {
  const name = textIn(input, 'tool_name') ?? '';
  const given = objectIn(input, 'tool_input');
  if (name === 'Bash') {
    const background = given['run_in_background'] === true;
    return { kind: 'shell', text: bytesIn(given, 'command') ?? '', background };
  }
  const path: Bytes | undefined = bytesIn(given, 'file_path', 'notebook_path');
  if (['Write', 'Edit', 'MultiEdit', 'NotebookEdit'].includes(name) && path !== undefined)
    return { kind: 'files', name, files: [{ does: 'write', path }] };
  return READS.has(name) ? { kind: 'reads' } : { kind: 'opaque', name };
}
