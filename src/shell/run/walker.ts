import type { ParsedScript } from 'unbash';
import type { Bytes } from '../../platform/bytes.ts';
import type { State } from '../state/state.ts';
import type { Arg, Line, Visitor } from '../types.ts';
import type { Text } from '../words/text.ts';
import type { Budget } from './budget.ts';
import type { Context, Status } from './context.ts';

/** One walk over one line: what all its parts share. The functions are the ways back up, from a word to the commands in it. */
export interface Walker {
  readonly line: Line;
  readonly visitor: Visitor;
  readonly budget: Budget;
  /** Characters are UTF-8 (`LC_ALL`, `LC_CTYPE`, `LANG`). */
  readonly utf8: boolean;
  /** False from the first text on that could not be parsed or was too much. */
  parsed: boolean;
  /** Process substitutions seen: the number of the next one's name. */
  pipes: number;
  /** Runs commands in the shell whose state this is. */
  script(script: ParsedScript, state: State, context: Context): Status;
  /** Parses and runs text in the shell whose state this is (`eval`, `source`). */
  text(text: Bytes, state: State, context: Context): Status;
  /** Runs a script in a subshell and gives what it prints, and its status. */
  capture(script: ParsedScript, state: State, context: Context): { readonly output: Text; readonly status: Status };
  /** Runs a command by its words, functions and builtins included. */
  command(argv: readonly Arg[], state: State, context: Context): Status;
  /** Says that something could not be followed; `cap`: because it is too much, not because it cannot be known. */
  gap(reason: string, state: State, cap?: boolean): void;
}
