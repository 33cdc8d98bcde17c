import type { Bytes } from '../../platform/bytes.ts';
import type { Deed } from './deed.ts';
import type { Language } from './tokens.ts';
import type { Value } from './values.ts';

/** One argument of a call: `mode='w'` has a name. */
export interface Argument {
  readonly name?: Bytes;
  readonly value: Value;
}

export interface Invocation {
  /** `os.remove`; a method of something unknown is `.unlink`. */
  readonly name: Bytes;
  readonly receiver: Value;
  readonly args: readonly Argument[];
}

/** What one call does (`undefined`: this language's table does not know it) and is. */
export interface Answer {
  readonly deeds?: readonly Deed[];
  readonly value?: Value;
}

/** The table of one language. */
export interface Dialect {
  readonly language: Language;
  /** Signs that join two texts; `/` joins paths. */
  readonly concat: readonly string[];
  /** Functions that may be called without parentheses: `unlink "a"` (Perl, Ruby). */
  readonly bare: ReadonlySet<Bytes> | undefined;
  /** Words of the language that are no values. */
  readonly keywords: ReadonlySet<Bytes>;
  readonly pure: ReadonlySet<Bytes>;
  call(call: Invocation): Answer | undefined;
  /** Destructive functions: named without a call (`map(os.remove, x)`), they get arguments that nobody knows. */
  destroys(name: Bytes): boolean;
}
