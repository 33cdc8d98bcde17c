import { partOf } from '../checkpoint/part.ts';
import type { Bytes } from '../platform/bytes.ts';
import { toText } from '../platform/bytes.ts';
import { writeAtomic } from '../platform/files.ts';
import { join } from '../platform/paths.ts';
import { maskSecrets } from '../platform/secrets.ts';
import { captureAfter } from '../saving/before.ts';
import { closeCall as closeOpen, hasOpenCall, stateOfCall } from '../saving/calls.ts';
import { basesOf } from '../saving/place.ts';
import { endRules, endTurn } from '../saving/settle/end-turn.ts';
import { runtimeOf, type World } from '../saving/world.ts';
import { nextOf } from '../turns/markers.ts';
import { isEnded, type PendingTurn, pendingOf } from '../turns/pending.ts';
import { agentProcess } from './agent-process.ts';
import {
  type AgentState,
  BY_HAND,
  type Conversation,
  changeConversation,
  findConversation,
  type Introduction,
} from './conversation.ts';
import type { AgentEvent } from './event.ts';

/** A world with a home. */
export type Homed = World & { readonly home: Bytes };

const LABEL_LENGTH = 200;

/** A prompt as a label: one line, its secrets masked. */
export const labelOf = (prompt: Bytes): string =>
  toText(maskSecrets(prompt.slice(0, 4000)))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, LABEL_LENGTH);

/** A prompt begins a turn; one that was never stopped has ended with it. Returns whether something waits to be settled. */
export function beginTurn(world: Homed, who: Introduction, event: AgentEvent, prompt: Bytes): boolean {
  let ended = false;
  changeConversation(world.home, who, (now) => {
    if (now.active) ended = end(world, now);
    return { ...next(world, now, event), label: labelOf(prompt) };
  });
  return ended;
}

/** The turn that a tool call belongs to; begun here where nobody has said that one began. */
export function turnOf(world: Homed, who: Introduction, event: AgentEvent, line: Bytes): Conversation {
  const last = { lastLine: labelOf(line) };
  return changeConversation(world.home, who, (now) => {
    if (now.active && (event.turn === undefined || now.ownTurn === undefined || event.turn === now.ownTurn))
      return { ...withProcess(now), ...last, state: 'working' };
    if (now.active) end(world, now);
    return { ...next(world, now, event), ...last };
  });
}

/** A tool call is over: what it did that nobody could foresee is found at once, before others go on. */
export async function closeCall(world: Homed, who: Introduction, call: string): Promise<void> {
  const now = findConversation(world.home, who.agent, who.id);
  if (now?.active !== true) return;
  for (const { folder } of partsOf(world, now)) {
    // What it has started goes on: how things are now says nothing about what it does.
    if (stateOfCall(folder, call) !== 'background') await captureAfter(folder, call, world);
    closeOpen(folder, call, endRules(world, world.home));
  }
}

/** The pending parts of the conversation's turn that have not ended. */
const partsOf = (world: Homed, now: Conversation): { readonly folder: Bytes; readonly turn: PendingTurn }[] =>
  basesOf(world.home)
    .flatMap((base) => pendingOf(base, now.session))
    .filter(({ folder, turn }) => partOf(turn.turn) === String(now.turn) && !isEnded(folder));

/**
 * The agent waits for a person. Where no tool is under way, its work so far can be taken back like that of a turn that has
 * ended; what it does afterwards is a further part of the same turn.
 */
export function pauseTurn(world: Homed, who: Introduction, message: Bytes): boolean {
  let ended = false;
  changeConversation(world.home, who, (now) => {
    if (!now.active || partsOf(world, now).some(({ folder }) => hasOpenCall(folder))) return now;
    ended = end(world, now, message);
    return { ...withProcess(now), state: 'needs_input' };
  });
  return ended;
}

/** A turn that no prompt has named is called after its last line, else after what the agent said when it stopped. */
function end(world: Homed, now: Conversation, message: Bytes = ''): boolean {
  const label = now.label ?? (now.lastLine || labelOf(message));
  if (label !== '' && now.label === undefined)
    for (const { folder, turn } of partsOf(world, now))
      writeAtomic(join(folder, 'turn.json'), JSON.stringify({ ...turn, label }));
  return endTurn(world, now.session, String(now.turn), Date.now());
}

/** The turn is over. Returns whether something waits to be settled. */
export function stopTurn(world: Homed, who: Introduction, state: AgentState, message?: Bytes): boolean {
  let ended = false;
  changeConversation(world.home, who, (now) => {
    if (now.active) ended = end(world, now, message);
    return { ...withProcess(now), state, active: false };
  });
  return ended;
}

/** The conversation is known from here on. */
export const greet = (world: Homed, who: Introduction): Conversation =>
  changeConversation(world.home, who, (now) => withProcess(now));

function next(world: Homed, now: Conversation, event: AgentEvent): Conversation {
  const { label: _, ownTurn: __, lastLine: ___, ...rest } = withProcess(now);
  const session = goneOnAs(world, now);
  return {
    ...rest,
    ...(session === undefined ? { turn: now.turn + 1 } : { session, turn: 1 }),
    active: true,
    state: 'working',
    ...(event.turn === undefined ? {} : { ownTurn: event.turn }),
  };
}

/** A session that has become too long was compressed between two turns: the next one belongs to its successor. */
function goneOnAs(world: Homed, { agent, session }: Conversation): string | undefined {
  // A script that begins and ends its turns itself names the session with each.
  const runtime = agent === BY_HAND ? undefined : runtimeOf(world, false);
  return runtime === undefined ? undefined : nextOf(runtime, session);
}

/** Only a process that two events were sent by is the agent's own, and not one that it started for this one event. */
function withProcess(now: Conversation): Conversation {
  const found = now.agent === BY_HAND ? undefined : agentProcess();
  if (found === undefined) return now;
  const before = now.process;
  const same = before?.pid === found.pid && before.start === found.start && before.boot === found.boot;
  if (same && before.sure) return now;
  return { ...now, process: { ...found, sure: same } };
}
