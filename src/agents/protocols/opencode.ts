import type { Bytes } from '../../platform/bytes.ts';
import type { AgentEvent, Happening, JsonObject, Protocol, Tool } from '../event.ts';
import { bytesIn, objectIn, textIn } from '../json.ts';
import { filesOfPatch } from '../patch.ts';
import { conversationIn } from './conversation-name.ts';

/** opencode: its plugin (wiring/opencode-plugin.ts) sends each hook's input under the hook's name, and reads `deny` and `tell`. */
export const opencode: Protocol = {
  name: 'opencode',
  read,
  silence: () => '',
  deny: (_, reason) => JSON.stringify({ deny: reason }),
  tell: (input, text) => (textIn(input, 'event') === 'chat.message' ? JSON.stringify({ tell: text }) : undefined),
};

function read(input: JsonObject): AgentEvent | undefined {
  const happening = happeningOf(input);
  if (happening === undefined) return undefined;
  const conversation = conversationIn(input, 'sessionID');
  const [call, parent] = [textIn(input, 'callID'), textIn(input, 'parentID')];
  return {
    conversation,
    ...(parent === undefined ? {} : { parent }),
    cwd: bytesIn(input, 'directory') ?? '/',
    ...(call === undefined ? {} : { call }),
    happening,
  };
}

function happeningOf(input: JsonObject): Happening | undefined {
  switch (textIn(input, 'event')) {
    case 'session.created':
      return { kind: 'session-start' };
    case 'chat.message':
      return { kind: 'prompt', prompt: unquoted(bytesIn(input, 'prompt') ?? '') };
    case 'tool.execute.before':
      return { kind: 'before-tool', tool: toolOf(input) };
    case 'tool.execute.after':
      return { kind: 'after-tool', tool: toolOf(input) };
    case 'permission.asked':
      return { kind: 'waiting', message: bytesIn(input, 'message') ?? '' };
    case 'session.idle':
      return { kind: 'stop', state: 'idle', ...said(input) };
    case 'session.error':
      return { kind: 'stop', state: 'unknown', ...said(input) };
    case 'session.deleted':
      return { kind: 'session-end' };
    default:
      return undefined;
  }
}

/** `opencode run WORD…` puts an argument with a blank in it into quotes. */
const unquoted = (prompt: Bytes): Bytes => /^"([^"]*\s[^"]*)"\s*$/.exec(prompt)?.[1] ?? prompt;

function said(input: JsonObject): { readonly message?: Bytes } {
  const message = bytesIn(input, 'message');
  return message === undefined ? {} : { message };
}

const READS = new Set(
  'read grep glob list webfetch websearch codesearch todowrite todoread task skill question lsp'.split(' '),
);

function toolOf(input: JsonObject): Tool {
  const name = textIn(input, 'tool') ?? '';
  const given = objectIn(input, 'args');
  if (name === 'bash') {
    const cwd = bytesIn(given, 'workdir');
    return { kind: 'shell', text: bytesIn(given, 'command') ?? '', background: false, ...(cwd ? { cwd } : {}) };
  }
  if (name === 'patch' || name === 'apply_patch') {
    const files = filesOfPatch(bytesIn(given, 'patchText', 'patch', 'input') ?? '');
    return files.length === 0 ? { kind: 'opaque', name } : { kind: 'files', name, files };
  }
  const path = bytesIn(given, 'filePath', 'file_path', 'path');
  if (['write', 'edit', 'multiedit'].includes(name) && path !== undefined)
    return { kind: 'files', name, files: [{ does: 'write', path }] };
  return READS.has(name) ? { kind: 'reads' } : { kind: 'opaque', name };
}
