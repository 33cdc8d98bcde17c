import type { Bytes } from '../platform/bytes.ts';
import { basename } from '../platform/paths.ts';
import type { Arg, Call, Place } from '../shell/types.ts';
import { type GrammarChoice, parseWords, type Words } from './options.ts';
import type { Out, Rule, RuleEffect, Way } from './types.ts';

/**
 * One line of the tables: a program, where its manual is, what it can destroy, in words and as clauses. The interpreter
 * below is the only reader; docs/effects.md is generated from the same rows.
 */
export interface Row {
  /** Blank-separated. */
  readonly names: string;
  /** Manual page the row follows, `rm(1)`. */
  readonly manual: string;
  /** What existing content it can destroy, for people: completes "`rm` …". */
  readonly loses: string;
  /** Options as `parseWords` reads them. */
  readonly options: string;
  readonly grammar?: GrammarChoice;
  /** Options (canonical names, blank-separated) that make it touch nothing: `help version dry-run`. */
  readonly idle?: string;
  readonly does: readonly Clause[];
}

/** A call being interpreted. */
export interface Use {
  readonly call: Call;
  readonly out: Out;
  readonly words: Words;
  readonly verb: Bytes;
}

export type Clause = (use: Use) => void;

export const textOfArg = (arg: Arg | undefined): Bytes | undefined => (arg?.kind === 'known' ? arg.text : undefined);

export const verbOf = (call: Call): Bytes => {
  const first = call.argv[0];
  return first?.kind === 'known' ? basename(first.text) : '?';
};

/** The rule that a row describes. */
export const ruleOf = (row: Row): Rule => {
  const idle = (row.idle ?? 'help version').split(' ');
  return (call, out) => {
    const words = parseWords(call.argv.slice(1), row.options, { ...row.grammar, env: call.env });
    if (words.has(...idle) && !words.mayHaveMore) return;
    const use: Use = { call, out, words, verb: verbOf(call) };
    for (const clause of row.does) clause(use);
  };
};

export interface OnPaths {
  /** Options (canonical) that make it recursive; `true`: always. */
  readonly recursive?: string | true;
  readonly follows?: boolean;
  readonly blind?: boolean;
  /** First operands that are no files. */
  readonly skip?: number;
  /** Last operands that are no files. */
  readonly drop?: number;
  readonly note?: string;
  readonly certainty?: 'maybe';
}

const isRecursive = (use: Use, on: OnPaths): boolean =>
  on.recursive === true || (on.recursive !== undefined && use.words.has(...on.recursive.split(' ')));

/** A path is what the way says happens to it. `-` is a stream, never a file. */
export function touch(use: Use, path: Arg | Bytes, way: Way, on: OnPaths = {}): void {
  const text = typeof path === 'string' ? path : textOfArg(path);
  if (text === '-' || text === '') return;
  const effect: RuleEffect = {
    verb: use.verb,
    path,
    way,
    ...(isRecursive(use, on) ? { recursive: true } : {}),
    ...(on.follows ? { follows: true } : {}),
    ...(on.blind ? { blind: true } : {}),
    ...(on.note ? { note: on.note } : {}),
    ...(on.certainty ? { certainty: on.certainty } : {}),
  };
  use.out.effect(effect);
}

/** Every operand. */
export const operands =
  (way: Way, on: OnPaths = {}): Clause =>
  (use) => {
    const all = use.words.operands;
    for (const arg of all.slice(on.skip ?? 0, all.length - (on.drop ?? 0))) touch(use, arg, way, on);
  };

/** The operand at a place, counted from 0; negative from the end. */
export const operand =
  (place: number, way: Way, on: OnPaths = {}): Clause =>
  (use) => {
    const arg = use.words.operands.at(place);
    if (arg) touch(use, arg, way, on);
  };

/** The files that options name as output: truncated and written, through a link. */
export const output =
  (names: string, way: Way = 'write-in-place', on: OnPaths = { follows: true }): Clause =>
  (use) => {
    for (const value of use.words.values(...names.split(' '))) touch(use, value, way, on);
  };

/** Clauses only when one of the options is there. */
export const when =
  (names: string, ...clauses: readonly Clause[]): Clause =>
  (use) => {
    if (use.words.has(...names.split(' '))) for (const clause of clauses) clause(use);
  };

export const unless =
  (names: string, ...clauses: readonly Clause[]): Clause =>
  (use) => {
    if (!use.words.has(...names.split(' '))) for (const clause of clauses) clause(use);
  };

/** Anything below a place may be meant, and nothing elsewhere: the folder's path where it is known. */
export const below = (place: Place): Place | Bytes => (place.kind === 'known' ? place.path : place);
