import type { AgentEvent, JsonObject, Protocol, Tool } from '../event.ts';
import { bytesIn, objectIn, textIn } from '../json.ts';
import { filesOfPatch } from '../patch.ts';
import { hooksLikeClaude } from './like-claude.ts';

const hooks = hooksLikeClaude('codex', toolOf);

/** Codex CLI: the hooks of `hooks.json`, and the older `notify` program, which only says that a turn is complete. */
export const codex: Protocol = { ...hooks, read: (input) => readNotify(input) ?? hooks.read(input) };

function readNotify(input: JsonObject): AgentEvent | undefined {
  const conversation = textIn(input, 'thread-id', 'thread_id');
  if (textIn(input, 'type') !== 'agent-turn-complete' || conversation === undefined) return undefined;
  const said = bytesIn(input, 'last-assistant-message');
  const happening = { kind: 'stop' as const, state: 'done' as const, ...(said === undefined ? {} : { message: said }) };
  return { conversation, cwd: bytesIn(input, 'cwd') ?? '/', happening };
}

const READS = new Set('update_plan view_image web_search tool_search request_user_input spawn_agent wait'.split(' '));

/** A command's own folder (`workdir`) is not in the event: `cwd` is the conversation's. */
function toolOf(input: JsonObject): Tool {
  const name = textIn(input, 'tool_name') ?? '';
  const given = objectIn(input, 'tool_input');
  const text = bytesIn(given, 'command', 'cmd', 'input', 'patch') ?? '';
  if (['Bash', 'shell', 'exec_command', 'local_shell', 'unified_exec'].includes(name)) {
    // Codex runs `apply_patch <<'EOF'` itself, wherever a shell would have found no such program.
    const patched = /^\s*(apply_patch|applypatch)\s/.test(text) ? filesOfPatch(text) : [];
    if (patched.length > 0) return { kind: 'files', name: 'apply_patch', files: patched };
    return { kind: 'shell', text, background: false, drifts: true };
  }
  if (['apply_patch', 'Edit', 'Write'].includes(name)) {
    const files = filesOfPatch(text);
    return files.length === 0 ? { kind: 'opaque', name } : { kind: 'files', name, files };
  }
  return READS.has(name) ? { kind: 'reads' } : { kind: 'opaque', name };
}
