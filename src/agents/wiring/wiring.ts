import type { Bytes } from '../../platform/bytes.ts';

/** Where an agent is to be connected: for the user, or for one project alone. */
export interface Place {
  readonly home: Bytes;
  readonly env: ReadonlyMap<Bytes, Bytes>;
  readonly project?: Bytes;
  /** How belay is called from a shell's line. */
  readonly belay: string;
}

/** One file of an agent, and what belay has in it. */
export type Piece =
  /** Lists under the names of events, in a JSON or YAML file that is the user's. `also`: what else the file must say, if it is new. */
  | {
      readonly kind: 'json' | 'yaml';
      readonly file: Bytes;
      readonly events: Readonly<Record<string, object>>;
      readonly also?: Readonly<Record<string, unknown>>;
    }
  /** A file that is belay's own. */
  | { readonly kind: 'own'; readonly file: Bytes; readonly text: string };

/** Lists of hooks in one kind of file; everything else in it stays as it is. Throws on what is no such file. */
export interface HookFormat {
  /** With every event's hook in it; the very text where all are there already. */
  withHooks(text: string | undefined, piece: Extract<Piece, { kind: 'json' | 'yaml' }>, agent: string): string;
  /** Without belay's hooks, and without the lists that are empty then. */
  withoutHooks(text: string, agent: string): string;
  /** The events that have belay's hook. */
  eventsWithHook(text: string, agent: string): string[];
}

/** How belay gets into one agent. */
export interface Wiring {
  readonly name: string;
  /** Its own name. */
  readonly title: string;
  /** The folder that shows that the agent is used here. */
  readonly folder: (place: Place) => Bytes;
  /** Undefined: the agent knows no such scope. */
  readonly pieces: (place: Place) => readonly Piece[] | undefined;
  /** What a person still has to do. */
  readonly nextStep?: string;
  /** Undefined where nobody can see whether the agent trusts the hook. */
  readonly trusts?: (place: Place) => boolean | undefined;
}

/** The part of a file that says whose it is. */
export const OWN_MARK = 'belay agent remove';

/** A hook of belay's, whatever path it was installed from. */
export const isOurs = (value: unknown, agent: string): boolean =>
  new RegExp(`\\bbelay['"\\\\]*\\s+hook\\s+${agent}\\b`).test(JSON.stringify(value) ?? '');
