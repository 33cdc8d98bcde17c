import type { Bytes } from '../platform/bytes.ts';

/** What an agent is about to do, or has done, to files. */
export type Tool =
  | {
      readonly kind: 'shell';
      readonly text: Bytes;
      /** Where it runs, when that is not the conversation's folder. */
      readonly cwd?: Bytes;
      /** It goes on after the tool has answered. */
      readonly background: boolean;
      /** The agent does not tell in which folder it runs: the conversation's is only the likely one. */
      readonly drifts?: boolean;
    }
  | { readonly kind: 'files'; readonly name: string; readonly files: readonly FileChange[] }
  /** Nobody knows what it does: a tool of another server, or one that is new. */
  | { readonly kind: 'opaque'; readonly name: string }
  | { readonly kind: 'reads' };

/** One file that a file tool names; relative to the conversation's folder, or absolute. */
export interface FileChange {
  readonly does: 'write' | 'delete';
  readonly path: Bytes;
}

/** What an agent says through its hooks, whatever its protocol calls it. */
export type Happening =
  | { readonly kind: 'session-start' }
  | { readonly kind: 'prompt'; readonly prompt: Bytes }
  | { readonly kind: 'before-tool'; readonly tool: Tool }
  | { readonly kind: 'after-tool'; readonly tool: Tool }
  /** It waits for a person in the middle of a turn. */
  | { readonly kind: 'waiting'; readonly message: Bytes }
  | { readonly kind: 'stop'; readonly state: 'done' | 'idle' | 'needs_input' | 'unknown'; readonly message?: Bytes }
  | { readonly kind: 'session-end' };

/** One call of a hook. */
export interface AgentEvent {
  /** The agent's own name for the conversation. */
  readonly conversation: string;
  /** A helper that the agent has started: a conversation of its own. */
  readonly subagent?: { readonly id: string; readonly type: string };
  /** The conversation was started by another one. */
  readonly parent?: string;
  readonly cwd: Bytes;
  /** The agent's own name for the turn, where it has one. */
  readonly turn?: string;
  /** The agent's own name for the tool call, where it has one. */
  readonly call?: string;
  readonly happening: Happening;
}

/** How one agent's hooks speak: read on stdin, answered on stdout. */
export interface Protocol {
  readonly name: string;
  /** Undefined: an event that belay has no use for. Throws on what is no event at all. */
  read(input: JsonObject): AgentEvent | undefined;
  /** What the hook prints when it has nothing to say: most often nothing. */
  silence(input: JsonObject): string;
  /** The tool must not run, and why. */
  deny(input: JsonObject, reason: string): string;
  /** A sentence for the agent, where this event has a field for it; else undefined. */
  tell(input: JsonObject, text: string): string | undefined;
}

export type JsonObject = { readonly [key: string]: unknown };
