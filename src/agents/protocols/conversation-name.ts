import { agentProcess } from '../agent-process.ts';
import type { JsonObject } from '../event.ts';
import { textIn } from '../json.ts';

/** The agent's own name for the conversation; where it gives none, its process stands for it: what a tool would destroy is saved all the same. */
export function conversationIn(input: JsonObject, ...names: readonly string[]): string {
  const given = textIn(input, ...names);
  if (given !== undefined) return given;
  const found = agentProcess();
  return found === undefined ? 'nameless' : `nameless ${found.boot} ${found.pid} ${found.start}`;
}
