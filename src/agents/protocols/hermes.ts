import type { AgentEvent, Happening, JsonObject, Protocol, Tool } from '../event.ts';
import { bytesIn, objectIn, textIn } from '../json.ts';
import { filesOfPatch } from '../patch.ts';
import { conversationIn } from './conversation-name.ts';

/**
 * Hermes Agent: shell hooks of `config.yaml`. What is not one of six fields stands in `extra`; `cwd` is the folder of Hermes itself,
 * while its terminal keeps one of its own. Status 2 would block a tool, any other but 0 only warns: `belay hook` always ends with 0. After
 * agent/shell_hooks.py of NousResearch/hermes-agent (0006718, September 2026; it adds a field `profile`). `on_session_end` is the end of a
 * turn, `on_session_finalize` that of the conversation.
 */
export const hermes: Protocol = {
  name: 'hermes',
  read,
  silence: () => '',
  deny: (_, reason) => JSON.stringify({ action: 'block', message: reason }),
  tell: (input, text) =>
    textIn(input, 'hook_event_name') === 'pre_llm_call' ? JSON.stringify({ context: text }) : undefined,
};

function read(input: JsonObject): AgentEvent | undefined {
  const extra = objectIn(input, 'extra');
  const happening = happeningOf(input, extra);
  if (happening === undefined) return undefined;
  const conversation = conversationIn(input, 'session_id');
  const [call, parent] = [textIn(extra, 'tool_call_id'), textIn(extra, 'parent_session_id')];
  return {
    conversation,
    ...(parent === undefined || parent === conversation ? {} : { parent }),
    cwd: bytesIn(input, 'cwd') ?? '/',
    ...(call === undefined ? {} : { call }),
    happening,
  };
}

function happeningOf(input: JsonObject, extra: JsonObject): Happening | undefined {
  switch (textIn(input, 'hook_event_name')) {
    case 'on_session_start':
      return { kind: 'session-start' };
    case 'pre_llm_call':
      return { kind: 'prompt', prompt: bytesIn(extra, 'user_message') ?? '' };
    case 'pre_tool_call':
      return { kind: 'before-tool', tool: toolOf(input) };
    case 'post_tool_call':
      return { kind: 'after-tool', tool: toolOf(input) };
    case 'on_session_end':
      return {
        kind: 'stop',
        state: extra['completed'] === false || extra['interrupted'] === true ? 'unknown' : 'done',
      };
    case 'on_session_finalize':
      return { kind: 'session-end' };
    default:
      return undefined;
  }
}

const READS =
  /^(read_file|search_files|web_search|web_extract|browser_.*|vision_analyze|todo|clarify|session_search|delegate_task|skills_list|skill_view)$/;

function toolOf(input: JsonObject): Tool {
  const name = textIn(input, 'tool_name') ?? '';
  const given = objectIn(input, 'tool_input');
  if (name === 'terminal') {
    const cwd = bytesIn(given, 'workdir');
    const shell = {
      kind: 'shell' as const,
      text: bytesIn(given, 'command') ?? '',
      background: given['background'] === true,
    };
    return cwd === undefined ? { ...shell, drifts: true } : { ...shell, cwd };
  }
  const files = filesOfPatch(bytesIn(given, 'patch') ?? '');
  if (name === 'patch' && files.length > 0) return { kind: 'files', name, files };
  const path = bytesIn(given, 'path', 'file_path');
  if ((name === 'write_file' || name === 'patch') && path !== undefined)
    return { kind: 'files', name, files: [{ does: 'write', path }] };
  return READS.test(name) ? { kind: 'reads' } : { kind: 'opaque', name };
}
