import type { Bytes } from '../platform/bytes.ts';
import { realAsFar } from '../platform/files.ts';
import { nameOf, outermostAbove } from '../platform/processes.ts';
import { projectRoot } from '../platform/roots.ts';
import { beginPlanned } from '../saving/begin.ts';
import { openCall } from '../saving/calls.ts';
import { newSessionId } from '../turns/ids.ts';
import { BY_HAND, type Conversation, changeConversation, findConversation, type Introduction } from './conversation.ts';
import { opaquePlan } from './tool-plan.ts';
import { beginTurn, closeCall, type Homed, labelOf, stopTurn } from './turns.ts';

/** Turns that a script or an agent without hooks begins and ends by itself: what happens in between is found by two captures. */

const CALL = 'byhand';

export interface ByHand {
  readonly session: string | undefined;
  /** The session in which the script was started. */
  readonly parent?: string;
  readonly label: Bytes;
  readonly source: string;
  readonly cwd: Bytes;
}

/** The whole project is kept as it is now. */
export async function beginByHand(
  world: Homed,
  asked: ByHand,
): Promise<{ readonly session: string; readonly turn: string; readonly leftOut: readonly Bytes[] }> {
  const session = asked.session ?? newSessionId(new Date());
  const who: Introduction = { agent: BY_HAND, id: session, session, source: asked.source, cwd: asked.cwd };
  const owner = outermostAbove();
  beginTurn(world, who, { conversation: session, cwd: asked.cwd, happening: { kind: 'session-start' } }, asked.label);
  const now = changeConversation(world.home, who, ({ begunBy: _, ...rest }) =>
    owner === undefined ? rest : { ...rest, begunBy: nameOf(owner) },
  );
  const turn = String(now.turn);
  const cwd = realAsFar(asked.cwd);
  const root = projectRoot(cwd, world.userHome);
  const line = asked.label === '' ? `turn ${turn}` : asked.label;
  const about = { source: asked.source, shell: 'sh', cwd, line, hidden: false, label: labelOf(line) };
  const from = asked.parent === undefined ? {} : { parent: asked.parent };
  const identity = { session, turn, ...about, ...from, ...(owner === undefined ? {} : { pid: owner }) };
  const outcome = await beginPlanned(identity, opaquePlan('turn', cwd), world, {
    id: CALL,
    start: root === undefined ? [] : [root],
  });
  if (outcome.kind !== 'saved') return { session, turn, leftOut: [] };
  openCall(outcome.turnFolder, CALL, false);
  return { session, turn, leftOut: outcome.leftOut.map(({ path }) => path) };
}

/** Whether the session is one of these, and not a shell's. */
export const isByHand = (world: Homed, session: string): boolean =>
  findConversation(world.home, BY_HAND, session) !== undefined;

/** Undefined where no such turn is under way. */
export async function endByHand(world: Homed, session: string): Promise<Conversation | undefined> {
  const now = findConversation(world.home, BY_HAND, session);
  if (now?.active !== true) return undefined;
  await closeCall(world, now, CALL);
  stopTurn(world, now, 'done');
  return now;
}
