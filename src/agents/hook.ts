import { createHash } from 'node:crypto';
import type { Bytes } from '../platform/bytes.ts';
import { realAsFar } from '../platform/files.ts';
import { describe, log } from '../platform/log.ts';
import { projectRoot } from '../platform/roots.ts';
import { beginPlanned, namedLeftOut } from '../saving/begin.ts';
import { openCall } from '../saving/calls.ts';
import type { World } from '../saving/world.ts';
import { isGrown } from '../sessions/grown.ts';
import { folderName } from '../turns/ids.ts';
import { takeSessionNotice } from '../turns/notice.ts';
import type { TurnIdentity } from '../turns/types.ts';
import { type Conversation, findConversation, type Introduction } from './conversation.ts';
import type { AgentEvent, JsonObject, Protocol, Tool } from './event.ts';
import { isObject } from './json.ts';
import { protocolOf } from './protocols/index.ts';
import { recordEvent, recordTool } from './record.ts';
import { planTool, type ToolPlan } from './tool-plan.ts';
import { beginTurn, closeCall, greet, type Homed, pauseTurn, stopTurn, turnOf } from './turns.ts';

/** What a hook prints, and whether a turn waits to be settled behind it. */
export interface Answered {
  readonly print: string;
  readonly settle: boolean;
  /** The session, where a turn of it has ended and its record may have become too long. */
  readonly grown?: string;
}

const SILENT: Answered = { print: '', settle: false };

/**
 * One event of an agent: its turn is begun, saved for, or ended. Never throws: what goes wrong is logged, and the tool runs. Only
 * `on_unsaved: refuse` keeps a tool from running.
 */
export async function answerHook(agent: string, text: string, world: World): Promise<Answered> {
  const protocol = protocolOf(agent);
  if (protocol === undefined) {
    log(world.home, `hook: no such agent: ${agent}`);
    return SILENT;
  }
  let input: JsonObject = {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (!isObject(parsed)) throw new Error('the event is no JSON object');
    input = parsed;
    const event = world.off || world.home === undefined ? undefined : protocol.read(input);
    if (event === undefined) return { print: protocol.silence(input), settle: false };
    const { print, settle } = await serve(protocol, input, event, world as Homed);
    record(protocol, event, world as Homed, input);
    return {
      print: print || tidings(protocol, input, event, world as Homed) || protocol.silence(input),
      settle,
      ...grownOf(protocol, event, world as Homed),
    };
  } catch (error) {
    log(world.home, `hook ${agent}: ${describe(error)}`);
    return { print: protocol.silence(input), settle: false };
  }
}

/** A record that cannot be kept changes nothing of what the hook answers. */
function record(protocol: Protocol, event: AgentEvent, world: Homed, input: JsonObject): void {
  try {
    recordEvent(world, introductionOf(protocol, event, world), event, input, callName(event, input));
  } catch (error) {
    log(world.home, `the record of a conversation: ${describe(error)}`);
  }
}

function grownOf(protocol: Protocol, event: AgentEvent, world: Homed): { readonly grown?: string } {
  if (event.happening.kind !== 'stop') return {};
  const { agent, id } = introductionOf(protocol, event, world);
  const session = findConversation(world.home, agent, id)?.session;
  return session !== undefined && isGrown(world, session) ? { grown: session } : {};
}

/** What waits to be told to this conversation, where the event has a field for it. */
function tidings(protocol: Protocol, input: JsonObject, event: AgentEvent, world: Homed): string | undefined {
  if (protocol.tell(input, 'x') === undefined) return undefined;
  const { agent, id } = introductionOf(protocol, event, world);
  const session = findConversation(world.home, agent, id)?.session;
  const text = session === undefined ? undefined : takeSessionNotice(world.home, session);
  return text === undefined ? undefined : protocol.tell(input, text);
}

async function serve(protocol: Protocol, input: JsonObject, event: AgentEvent, world: Homed): Promise<Answered> {
  const who = introductionOf(protocol, event, world);
  const { happening } = event;
  switch (happening.kind) {
    case 'session-start':
      greet(world, who);
      return SILENT;
    case 'prompt':
      return { print: '', settle: beginTurn(world, who, event, happening.prompt) };
    case 'before-tool':
      return { print: await save(protocol, input, event, world, who, happening.tool), settle: false };
    case 'stop':
      return { print: '', settle: stopTurn(world, who, happening.state, happening.message) };
    case 'session-end':
      return { print: '', settle: stopTurn(world, who, 'done') };
    case 'after-tool':
      await closeCall(world, who, callName(event, input));
      return SILENT;
    case 'waiting':
      return { print: '', settle: pauseTurn(world, who, happening.message) };
  }
}

function introductionOf(protocol: Protocol, event: AgentEvent, world: Homed): Introduction {
  const { conversation, subagent, cwd } = event;
  const { name: agent } = protocol;
  const above = subagent === undefined ? event.parent : conversation;
  const parent = above === undefined ? undefined : findConversation(world.home, agent, above)?.session;
  return {
    agent,
    id: subagent === undefined ? conversation : `${conversation}\0${subagent.id}`,
    source: above === undefined ? agent : `${agent}:${subagent?.type ?? 'task'}`,
    cwd,
    ...(parent === undefined ? {} : { parent }),
  };
}

/** Saves before the tool runs. Its answer denies where not everything could be saved and the user wants no such tool to run. */
async function save(
  protocol: Protocol,
  input: JsonObject,
  event: AgentEvent,
  world: Homed,
  who: Introduction,
  given: Tool,
): Promise<string> {
  const refuses = world.config.checkpoints.on_unsaved === 'refuse';
  try {
    const tool = planTool(given, realAsFar(event.cwd), world.env);
    const id = callName(event, input);
    if (!tool.writes) {
      recordTool(world, who, given, tool, input, id);
      return '';
    }
    const conversation = turnOf(world, who, event, tool.line);
    recordTool(world, who, given, tool, input, id);
    const start = world.config.agents.every_turn ? startOf(tool, world) : [];
    const outcome = await beginPlanned(identityOf(conversation, tool), tool.plan, world, { id, start });
    if (outcome.kind === 'saved') openCall(outcome.turnFolder, id, tool.background);
    if (outcome.kind !== 'saved' || outcome.leftOut.length === 0) return '';
    const reason = `not saved: ${namedLeftOut(outcome.leftOut)}`;
    log(world.home, `belay: ${reason}`, 'warn');
    return refuses ? protocol.deny(input, `belay: ${reason} (on_unsaved: refuse)`) : '';
  } catch (error) {
    log(world.home, `hook ${protocol.name}: ${describe(error)}`);
    return refuses ? protocol.deny(input, 'belay could not save what this would change (on_unsaved: refuse)') : '';
  }
}

/** The projects of what the tool names, and of the folder that it runs in. */
function startOf(tool: ToolPlan, world: World): Bytes[] {
  const folders = [tool.cwd, ...tool.plan.targets.map(({ path }) => path)];
  return [...new Set(folders.flatMap((folder) => projectRoot(folder, world.userHome) ?? []))].slice(0, MOST_PROJECTS);
}

/** A line over many projects names what it destroys there; whole captures are for the first few. */
const MOST_PROJECTS = 3;

function identityOf(conversation: Conversation, tool: ToolPlan): TurnIdentity {
  const { process } = conversation;
  return {
    session: conversation.session,
    turn: String(conversation.turn),
    source: conversation.source,
    shell: 'bash',
    cwd: tool.cwd,
    line: tool.line,
    hidden: false,
    ...(conversation.label === undefined ? {} : { label: conversation.label }),
    ...(process?.sure ? { pid: process.pid } : {}),
  };
}

/** The agent's own name for the call, else what it consists of: the event after the tool has the same. */
const callName = (event: AgentEvent, input: JsonObject): string =>
  createHash('sha1')
    .update(event.call ?? JSON.stringify(input['tool_input'] ?? folderName(event.conversation)))
    .digest('hex')
    .slice(0, 12);
