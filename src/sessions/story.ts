import type { Bytes } from '../platform/bytes.ts';
import {
  type CheckpointEvent,
  type CommandEvent,
  type DoneEvent,
  isAfterword,
  type JournalEvent,
  type MessageEvent,
  type SessionEvent,
  type TurnState,
} from '../turns/journal-events.ts';

/** A session as its journal tells it. */
export interface Story {
  readonly beginning: SessionEvent | undefined;
  readonly title: Bytes | undefined;
  readonly titleBy: 'belay' | 'person' | 'titler' | undefined;
  /** The source that has it now. */
  readonly source: string | undefined;
  readonly handedTo: string | undefined;
  readonly turns: readonly TurnStory[];
  readonly started: number;
  readonly last: number;
  readonly ended: boolean;
  readonly compactedInto: string | undefined;
  /** Of what was before it, in the sessions that it goes on from. */
  readonly summary: Bytes | undefined;
  /** How the agent was set up, as far as it says so. */
  readonly system: Bytes | undefined;
  readonly config: Bytes | undefined;
  /** The model that answered last. */
  readonly model: Bytes | undefined;
  /** Who has it now, where that is known. */
  readonly process: { readonly pid?: number; readonly start?: string; readonly host?: string };
  readonly events: number;
}

export interface TurnStory {
  readonly turn: string;
  label: Bytes | undefined;
  started: number;
  last: number;
  state: TurnState | undefined;
  readonly commands: CommandStory[];
  readonly writes: { readonly path: Bytes; readonly oid?: string }[];
  readonly messages: MessageEvent[];
  readonly checkpoints: CheckpointEvent[];
  undone: boolean;
}

export interface CommandStory {
  line: Bytes;
  readonly cwd: Bytes;
  readonly t: number;
  readonly call?: string;
  exit?: number;
  ms?: number;
}

/** Tells a journal's events as turns, in the order in which they began. */
export function storyOf(events: Iterable<JournalEvent>): Story {
  const turns = new Map<string, TurnStory>();
  // What belay-snap records may come after the shell has said that the line is over.
  const early = new Map<string, DoneEvent>();
  const story: { -readonly [K in keyof Story]: Story[K] } = {
    beginning: undefined,
    title: undefined,
    titleBy: undefined,
    source: undefined,
    handedTo: undefined,
    turns: [],
    started: 0,
    last: 0,
    ended: false,
    compactedInto: undefined,
    summary: undefined,
    system: undefined,
    config: undefined,
    model: undefined,
    process: {},
    events: 0,
  };
  const turnOf = (event: { readonly turn: string; readonly t: number }): TurnStory => {
    const known = turns.get(event.turn) ?? begun(event);
    turns.set(event.turn, known);
    known.last = Math.max(known.last, event.t);
    return known;
  };
  for (const event of events) {
    story.events++;
    story.started = story.started === 0 ? event.t : Math.min(story.started, event.t);
    story.last = Math.max(story.last, event.t);
    if (!isAfterword(event)) story.ended = event.e === 'end';
    switch (event.e) {
      case 'session':
        story.beginning ??= event;
        story.source ??= event.source;
        story.summary ??= event.summary;
        story.model ??= event.model;
        story.process = processOf(event) ?? story.process;
        break;
      case 'turn': {
        const turn = turnOf(event);
        turn.label = event.label;
        turn.state = 'working';
        break;
      }
      case 'command':
        addCommand(turnOf(event), event);
        finish(turnOf(event), early.get(event.turn));
        break;
      case 'done':
        if (turns.has(event.turn)) finish(turnOf(event), event);
        else if (event.call === undefined) early.set(event.turn, event);
        break;
      case 'state':
        if (turns.has(event.turn)) turnOf(event).state = event.state;
        break;
      case 'write':
        turnOf(event).writes.push({ path: event.path, ...(event.oid === undefined ? {} : { oid: event.oid }) });
        break;
      case 'message':
        turnOf(event).messages.push(event);
        break;
      case 'checkpoint':
        turnOf(event).checkpoints.push(event);
        break;
      case 'undone':
      case 'redone':
        for (const name of event.turns) {
          const turn = turns.get(name);
          if (turn !== undefined) turn.undone = event.e === 'undone';
        }
        break;
      case 'title':
        if (event.by === 'person' || story.titleBy !== 'person') {
          story.title = event.title;
          story.titleBy = event.by;
        }
        break;
      case 'about':
        story.system = event.system ?? story.system;
        story.config = event.config ?? story.config;
        story.model = event.model ?? story.model;
        break;
      case 'handoff':
        story.handedTo = event.to;
        break;
      case 'resumed':
        // It is the same session, whoever goes on in it; it is another's only where it was handed to him.
        if (event.source === story.handedTo) {
          story.source = event.source;
          story.handedTo = undefined;
        }
        story.process = processOf(event) ?? story.process;
        break;
      case 'compacted':
        story.compactedInto = event.into;
        break;
      case 'end':
        story.ended = true;
        break;
    }
  }
  return { ...story, turns: inOrder([...turns.values()]) };
}

const NUMBER = /^\d{1,9}$/;

/**
 * A shell counts its turns. The record of a line in which there may be a secret is written behind its back, and may come after those of the
 * lines behind it: the numbers tell the order. Turns that have other names stay where they are.
 */
function inOrder(turns: readonly TurnStory[]): TurnStory[] {
  const counted = turns.filter(({ turn }) => NUMBER.test(turn)).sort((a, b) => Number(a.turn) - Number(b.turn));
  let next = 0;
  return turns.map((turn) => (NUMBER.test(turn.turn) ? (counted[next++] ?? turn) : turn));
}

const processOf = ({ pid, start, host }: Story['process']): Story['process'] | undefined =>
  pid === undefined || start === undefined ? undefined : { pid, start, ...(host === undefined ? {} : { host }) };

const begun = ({ turn, t }: { readonly turn: string; readonly t: number }): TurnStory => ({
  turn,
  label: undefined,
  started: t,
  last: t,
  state: undefined,
  commands: [],
  writes: [],
  messages: [],
  checkpoints: [],
  undone: false,
});

/** A text pasted whole comes command by command, in bash each with all those before it: it is one line that grows. */
function addCommand({ commands }: TurnStory, { line, cwd, t, call }: CommandEvent): void {
  const before = commands.at(-1);
  if (before !== undefined && call === undefined && line.startsWith(`${before.line}\n`)) before.line = line;
  else commands.push({ line, cwd, t, ...(call === undefined ? {} : { call }) });
}

function finish({ commands }: TurnStory, done: DoneEvent | undefined): void {
  const command = commands.findLast((one) => one.call === done?.call);
  if (command === undefined || done === undefined) return;
  if (done.exit !== undefined) command.exit = done.exit;
  command.ms = done.ms ?? Math.max(0, done.t - command.t);
}
