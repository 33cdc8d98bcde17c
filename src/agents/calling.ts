import type { Bytes } from '../platform/bytes.ts';
import { lookAt, namesInOrNone } from '../platform/files.ts';
import { join } from '../platform/paths.ts';
import { processesAbove, stateOf } from '../platform/processes.ts';
import { type Conversation, conversationsFolder, readConversation } from './conversation.ts';

/** A conversation that said nothing for so long is not believed to be at work, unless its process is known to live. ms */
const STALE_MS = 12 * 3_600_000;

/** Every conversation that belay was told of, with the moment of its last event, ms since 1970. */
function conversations(home: Bytes): { readonly conversation: Conversation; readonly heard: number }[] {
  const folder = conversationsFolder(home);
  return namesInOrNone(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      const path = join(folder, name);
      const conversation = readConversation(path);
      const look = lookAt(path);
      if (conversation === undefined || look === undefined) return [];
      return [{ conversation, heard: Number(BigInt(look.mtime) / 1_000_000n) }];
    });
}

/** Conversations in the middle of a turn: working, or waiting for an answer. One whose process is gone is in none. */
export function activeConversations(home: Bytes, now: number): Conversation[] {
  return conversations(home).flatMap(({ conversation, heard }) => {
    if (!conversation.active) return [];
    const owner = conversation.process?.sure ? conversation.process : conversation.begunBy;
    const state = owner === undefined ? 'unknown' : stateOf(owner);
    const isAtWork = state === 'alive' || now - heard < STALE_MS;
    return isAtWork && state !== 'dead' ? [conversation] : [];
  });
}

/** Whether the session is one of a conversation, or of a script that begins and ends its turns itself. */
export const isConversation = (home: Bytes, session: string): boolean =>
  conversations(home).some(({ conversation }) => conversation.session === session);

/**
 * The conversation of the agent that runs this process as a tool; undefined where a person does. An agent's tools have no terminal:
 * a terminal below an agent's process (an editor's own) is a person's.
 */
export function callingConversation(home: Bytes): Conversation | undefined {
  if (process.stdin.isTTY === true) return undefined;
  const above = new Set(processesAbove());
  return conversations(home)
    .filter(({ conversation: { process: agent } }) => agent?.sure && above.has(agent.pid) && stateOf(agent) === 'alive')
    .sort((a, b) => Number(b.conversation.active) - Number(a.conversation.active) || b.heard - a.heard)[0]
    ?.conversation;
}
