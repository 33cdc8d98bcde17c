import type { ParseArgsConfig } from 'node:util';
import type { Bytes } from '../platform/bytes.ts';

/** One subcommand: a file of its own under src/cli, a row in main.ts's table. */
export interface Command {
  /** One line for `belay --help`. */
  readonly summary: string;
  /** `belay rollback N [PATHSPEC…]`, one line a form. */
  readonly usage: readonly string[];
  /** What `-h` says beyond that. */
  readonly help?: string;
  /** Its own options; `--json`, `-C DIR`, `-h` and `--yes` are everybody's. */
  readonly options?: NonNullable<ParseArgsConfig['options']>;
  /** The hint when it meets an option that it does not have. */
  readonly strayOption?: string;
  /** `-C DIR` may name a folder that was deleted: what is kept of it is asked for. */
  readonly gone?: boolean;
  /** The most words it takes beside its options; without it any number. */
  readonly words?: number;
  /** `-1` is a word, not an option. */
  readonly negative?: boolean;
  /** It writes checkpoints: afterwards it is looked whether the store is over its size. */
  readonly writes?: boolean;
  /** Everything after the command's name belongs to the command itself (`run`, `explain`, `hook`). */
  readonly raw?: boolean;
  run(call: Call): Promise<Answer | number> | Answer | number;
}

/** One call of a command: the options are read, the folder is known. Words are bytes. */
export interface Call {
  readonly words: readonly Bytes[];
  readonly values: Readonly<Record<string, Bytes | boolean | (Bytes | boolean)[] | undefined>>;
  readonly json: boolean;
  readonly yes: boolean;
  /** Where it was called, or `-C DIR`: absolute, links followed; undefined where that folder was deleted. */
  readonly cwd: Bytes | undefined;
  /** Where the current folder was, which has been deleted: for commands that need none (`gone`). */
  readonly left?: Bytes;
  /** The folder that holds `dist`, `shims`, `bin`. */
  readonly install: Bytes;
}

/** What a command found or did: told as one JSON document or as text. A command that has said it all itself gives a number. */
export interface Answer {
  readonly json: unknown;
  readonly text: string;
  /** Written in its place, for programs: no byte is lost. */
  readonly bytes?: Bytes;
  readonly exit?: number;
  /** Long text that a person wants to page through. */
  readonly page?: boolean;
  /** Said on stderr beside it, for people. */
  readonly note?: string;
}

/** Why a command ended without doing what was asked. */
export class Failure extends Error {
  readonly exit: number;
  readonly code: string;
  readonly hint: string | undefined;
  /** More keys of the JSON document (`paths`, `numbers`). */
  readonly more: Readonly<Record<string, unknown>>;

  constructor(
    exit: number,
    code: string,
    message: string,
    hint?: string,
    more: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.exit = exit;
    this.code = code;
    this.hint = hint;
    this.more = more;
  }
}

export const failed = (code: string, message: string, hint?: string): Failure => new Failure(1, code, message, hint);
/** The usage of the command is told with it, or this one. */
export const wrongUsage = (message: string, usage?: string): Failure => new Failure(2, 'usage', message, usage);
export const refused = (code: string, message: string, hint?: string, more = {}): Failure =>
  new Failure(3, code, message, hint, more);
export const notThere = (code: string, message: string, hint?: string, more = {}): Failure =>
  new Failure(4, code, message, hint, more);
