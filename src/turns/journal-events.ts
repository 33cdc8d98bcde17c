import type { Bytes } from '../platform/bytes.ts';

/**
 * The events of a session's journal (docs/format.md), one JSON object a line. Times are milliseconds since 1970. A turn is named as
 * its session names it. What a person typed or an agent said is masked (platform/secrets.ts) by whoever makes the event.
 */
export type JournalEvent =
  | SessionEvent
  | CommandEvent
  | DoneEvent
  /** An agent's turn, or a script's, has begun. */
  | { readonly e: 'turn'; readonly t: number; readonly turn: string; readonly label: Bytes }
  | { readonly e: 'state'; readonly t: number; readonly turn: string; readonly state: TurnState }
  /** A file that an agent's tool wrote: git's name of its bytes, where there were any. */
  | { readonly e: 'write'; readonly t: number; readonly turn: string; readonly path: Bytes; readonly oid?: string }
  | MessageEvent
  | AboutEvent
  | CheckpointEvent
  /** `undone`: a restore took these turns back, `redone`: it put them there again. `by` is the session it was typed in. */
  | {
      readonly e: 'undone' | 'redone';
      readonly t: number;
      readonly turns: readonly string[];
      readonly by: string;
      readonly what: 'undo' | 'rollback' | 'redo' | 'session-only';
    }
  | { readonly e: 'title'; readonly t: number; readonly title: Bytes; readonly by: 'belay' | 'person' | 'titler' }
  | { readonly e: 'handoff'; readonly t: number; readonly to: string; readonly from: string }
  | {
      readonly e: 'resumed';
      readonly t: number;
      readonly source: string;
      readonly host?: string;
      readonly pid?: number;
      readonly start?: string;
    }
  | { readonly e: 'compacted'; readonly t: number; readonly into: string; readonly summary: Bytes }
  | { readonly e: 'end'; readonly t: number };

/** What an agent's transcript says of how it was set up: its system prompt, its settings as JSON, its model from then on. */
export interface AboutEvent {
  readonly e: 'about';
  readonly t: number;
  readonly system?: Bytes;
  readonly config?: Bytes;
  readonly model?: Bytes;
}

/** What is found out about a session behind its end: what its last turn became, its title, a restore. It goes on with nothing of that. */
export const isAfterword = ({ e }: JournalEvent): boolean =>
  e === 'checkpoint' ||
  e === 'title' ||
  e === 'about' ||
  e === 'undone' ||
  e === 'redone' ||
  e === 'state' ||
  e === 'done';

export type TurnState = 'working' | 'done' | 'idle' | 'needs_input' | 'unknown';

export interface SessionEvent {
  readonly e: 'session';
  readonly v: 1;
  readonly t: number;
  readonly id: string;
  readonly source: string;
  readonly shell?: string;
  readonly cwd: Bytes;
  readonly host?: string;
  readonly uid?: number;
  readonly pid?: number;
  /** When that process began, in ticks: a later one of its number is another. */
  readonly start?: string;
  readonly parent?: string;
  readonly model?: string;
  /** The session that this one goes on from, compressed, and what it was compressed to. */
  readonly after?: string;
  readonly summary?: Bytes;
}

export interface CommandEvent {
  readonly e: 'command';
  readonly t: number;
  readonly turn: string;
  readonly line: Bytes;
  readonly cwd: Bytes;
  /** The agent's tool call that it is; an agent has several in a turn. */
  readonly call?: string;
}

/** The newest command of the turn (of that call) is over. `ms`: how long it took, where the shell knows it. */
export interface DoneEvent {
  readonly e: 'done';
  readonly t: number;
  readonly turn: string;
  readonly exit?: number;
  readonly ms?: number;
  readonly call?: string;
}

export interface MessageEvent {
  readonly e: 'message';
  readonly t: number;
  readonly turn: string;
  readonly role: string;
  readonly text: Bytes;
  readonly tools?: readonly string[];
  readonly tokens?: { readonly in: number; readonly out: number };
}

export interface CheckpointEvent {
  readonly e: 'checkpoint';
  readonly t: number;
  readonly turn: string;
  readonly n: number;
  readonly key: string;
  readonly root: Bytes;
  readonly verbs: readonly Bytes[];
  /** Files that are otherwise than before; folders are not counted. */
  readonly files: number;
  /** The first paths of all, folders among them. */
  readonly paths: readonly Bytes[];
  /** Bytes of what was there before. */
  readonly bytes: number;
}
