import { createHash } from 'node:crypto';
import type { Bytes } from '../platform/bytes.ts';
import { makeFolder, readBytesIfAny, writeAtomic } from '../platform/files.ts';
import { acquire } from '../platform/lock.ts';
import { join } from '../platform/paths.ts';
import type { ProcessName } from '../platform/processes.ts';
import { newSessionId } from '../turns/ids.ts';

/** What an agent is doing, as far as its hooks tell. `unknown`: it stopped without saying why. */
export type AgentState = 'working' | 'done' | 'idle' | 'needs_input' | 'unknown';

/** One conversation of an agent: a session of belay. A small file each, which outlives a restart of the machine. */
export interface Conversation {
  readonly v: 1;
  readonly agent: string;
  /** The agent's own name for it. */
  readonly id: string;
  /** belay's. */
  readonly session: string;
  /** `claude`; `claude:reviewer` for a helper of that kind. */
  readonly source: string;
  /** The session of the conversation that has started this one. */
  readonly parent?: string;
  readonly cwd: Bytes;
  readonly state: AgentState;
  /** How many turns there were; the last one is still going on while `active`. */
  readonly turn: number;
  readonly active: boolean;
  /** The agent's own name for the turn. */
  readonly ownTurn?: string;
  /** The prompt, masked and cut. */
  readonly label?: string;
  /** What the turn did last, masked and cut: its name where no prompt gave it one. */
  readonly lastLine?: string;
  /** The agent's own record of it, and how much of that is in belay's. */
  readonly transcript?: { readonly path: string; readonly read: number };
  /** The model that answered last, as the transcript names it. */
  readonly model?: string;
  /** The agent's process, as the last event found it; `sure` once two events have found the same. */
  readonly process?: ProcessName & { readonly sure: boolean };
  /** Where a script has begun the turn: with its end the turn is over. */
  readonly begunBy?: ProcessName;
}

/** Who a conversation is, before anything is known of it. */
export interface Introduction {
  readonly agent: string;
  readonly id: string;
  readonly source: string;
  readonly cwd: Bytes;
  readonly parent?: string;
  /** belay's name for it, where it has one already. */
  readonly session?: string;
}

/** Stands for the agent's name where a script begins and ends its turns itself (`belay turn`): no process is known to be it. */
export const BY_HAND = 'turn';

export const conversationsFolder = (home: Bytes): Bytes => join(home, 'sessions/agents');

const fileOf = (home: Bytes, agent: string, id: string): Bytes =>
  join(conversationsFolder(home), `${agent}-${createHash('sha256').update(id).digest('hex').slice(0, 20)}.json`);

/** How long one hook waits for another one of the same conversation, ms. */
const PATIENCE = 10_000;

/**
 * Reads a conversation, lets it change, keeps it: hooks of parallel tool calls come at the same time. Throws where another one does not
 * let go of it: two that write at once would forget a turn.
 */
export function changeConversation(
  home: Bytes,
  who: Introduction,
  change: (now: Conversation) => Conversation,
): Conversation {
  makeFolder(conversationsFolder(home));
  const file = fileOf(home, who.agent, who.id);
  const lock = acquire(`${file}.lock`, PATIENCE);
  if (lock === undefined) throw new Error(`another hook of the conversation has not ended in ${PATIENCE / 1000} s`);
  try {
    const before = readConversation(file);
    const after = change(before ?? introduced(who));
    if (after !== before) writeAtomic(file, JSON.stringify(after));
    return after;
  } finally {
    lock.release();
  }
}

export const findConversation = (home: Bytes, agent: string, id: string): Conversation | undefined =>
  readConversation(fileOf(home, agent, id));

export function readConversation(file: Bytes): Conversation | undefined {
  const text = readBytesIfAny(file)?.toString('utf8');
  if (text === undefined) return undefined;
  try {
    const data = JSON.parse(text) as Conversation;
    return typeof data.session === 'string' && Number.isSafeInteger(data.turn) ? data : undefined;
  } catch {
    return undefined; // damaged: the conversation goes on as a new session, and loses nothing that was saved
  }
}

const introduced = (who: Introduction): Conversation => ({
  v: 1,
  session: newSessionId(new Date()),
  ...who,
  state: 'idle',
  turn: 0,
  active: false,
});
