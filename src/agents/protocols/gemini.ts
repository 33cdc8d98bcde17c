import type { AgentEvent, Happening, JsonObject, Protocol, Tool } from '../event.ts';
import { bytesIn, objectIn, textIn } from '../json.ts';
import { conversationIn } from './conversation-name.ts';

/**
 * Gemini CLI. Tool calls have no name of their own; standard output is JSON or nothing; the environment is sanitised, so that
 * only `HOME` can be relied upon.
 */
export const gemini: Protocol = {
  name: 'gemini',
  read,
  silence: () => '',
  deny: (_, reason) => JSON.stringify({ decision: 'deny', reason }),
  tell: (input, text) => {
    const event = textIn(input, 'hook_event_name') ?? '';
    if (event !== 'SessionStart' && event !== 'BeforeAgent') return undefined;
    return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } });
  },
};

function read(input: JsonObject): AgentEvent | undefined {
  const happening = happeningOf(input);
  if (happening === undefined) return undefined;
  const conversation = conversationIn(input, 'session_id');
  return { conversation, cwd: bytesIn(input, 'cwd') ?? '/', happening };
}

function happeningOf(input: JsonObject): Happening | undefined {
  switch (textIn(input, 'hook_event_name')) {
    case 'SessionStart':
      return { kind: 'session-start' };
    case 'BeforeAgent':
      return { kind: 'prompt', prompt: bytesIn(input, 'prompt') ?? '' };
    case 'BeforeTool':
      return { kind: 'before-tool', tool: toolOf(input) };
    case 'AfterTool':
      return { kind: 'after-tool', tool: toolOf(input) };
    case 'Notification':
      return { kind: 'waiting', message: bytesIn(input, 'message') ?? '' };
    case 'AfterAgent':
      return { kind: 'stop', state: 'done', message: bytesIn(input, 'prompt_response') ?? '' };
    case 'SessionEnd':
      return { kind: 'session-end' };
    default:
      return undefined;
  }
}

const READS = new Set(
  `read_file read_many_files list_directory glob search_file_content grep_search google_web_search web_fetch save_memory
  write_todos activate_skill ask_user get_internal_docs enter_plan_mode exit_plan_mode delegate_to_agent complete_task`.split(
    /\s+/,
  ),
);

function toolOf(input: JsonObject): Tool {
  const name = textIn(input, 'tool_name') ?? '';
  const given = objectIn(input, 'tool_input');
  if (name === 'run_shell_command') {
    const cwd = bytesIn(given, 'dir_path', 'directory');
    const background = given['is_background'] === true;
    return { kind: 'shell', text: bytesIn(given, 'command') ?? '', background, ...(cwd === undefined ? {} : { cwd }) };
  }
  const path = bytesIn(given, 'file_path', 'absolute_path', 'path');
  if ((name === 'write_file' || name === 'replace') && path !== undefined)
    return { kind: 'files', name, files: [{ does: 'write', path }] };
  return READS.has(name) ? { kind: 'reads' } : { kind: 'opaque', name };
}
