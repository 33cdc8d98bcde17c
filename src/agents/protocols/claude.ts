import type { JsonObject, Tool } from '../event.ts';
import { bytesIn, objectIn, textIn } from '../json.ts';
import { hooksLikeClaude } from './like-claude.ts';

/** Claude Code. Exit 0 with nothing printed means: go on. */
export const claude = hooksLikeClaude('claude', toolOf);

const READS = new Set(
  `Read Grep Glob LS LSP WebFetch WebSearch TodoWrite TodoRead Task Agent AskUserQuestion BashOutput TaskOutput NotebookRead
  KillShell TaskStop ExitPlanMode EnterPlanMode Skill SlashCommand ToolSearch ListMcpResourcesTool ReadMcpResourceTool`.split(
    /\s+/,
  ),
);

function toolOf(input: JsonObject): Tool {
  const name = textIn(input, 'tool_name') ?? '';
  const given = objectIn(input, 'tool_input');
  if (name === 'Bash') {
    const background = given['run_in_background'] === true;
    return { kind: 'shell', text: bytesIn(given, 'command') ?? '', background };
  }
  const path = bytesIn(given, 'file_path', 'notebook_path');
  if (['Write', 'Edit', 'MultiEdit', 'NotebookEdit'].includes(name) && path !== undefined)
    return { kind: 'files', name, files: [{ does: 'write', path }] };
  return READS.has(name) ? { kind: 'reads' } : { kind: 'opaque', name };
}
