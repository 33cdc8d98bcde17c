import type { Word } from 'unbash';
import type { Bytes } from '../../platform/bytes.ts';
import type { Arg, ShellName, Span } from '../types.ts';
import { isKnown, type Text } from '../words/text.ts';

/** How a text is known. */
export interface Told {
  /** From how things are now, by the rules. */
  readonly foretold: boolean;
  /** Its lines come in no certain order. */
  readonly unordered: boolean;
}

/** Collects what commands print, as far as it can be known. */
export class Sink {
  #text: Bytes = '';
  #known = true;
  /** First words and arguments of the commands whose output is not known, or only foretold. */
  readonly from: Arg[] = [];
  /** How often something was written. */
  writes = 0;

  /** The lines come in no certain order. */
  unordered = false;

  write(text: Text | undefined, from: readonly Arg[] = [], told?: Told): void {
    this.writes++;
    this.unordered ||= told?.unordered === true;
    if (isKnown(text) && this.#known && this.#text.length < MOST_OUTPUT) this.#text += text;
    else this.#known = false;
    if (!isKnown(text) || told?.foretold) this.from.push(...from);
  }

  spoil(): void {
    this.writes++;
    this.#known = false;
  }

  get text(): Text {
    return this.#known ? this.#text : { prefix: '', suffix: '' };
  }
}

const MOST_OUTPUT = 1 << 20;

/** Standard input; text is used up by `read`. */
export type Input =
  | { readonly kind: 'text'; text: Bytes; readonly from?: readonly Arg[]; readonly unordered?: boolean }
  | { readonly kind: 'file'; readonly path: Bytes }
  | { readonly kind: 'pipe'; readonly from: readonly Arg[] }
  | { readonly kind: 'terminal' };

/** What surrounds a command: everything that a subshell of it would also have around it. */
export interface Context {
  readonly certainty: 'known' | 'maybe';
  readonly deferred: boolean;
  readonly repeated: boolean;
  readonly stdin: Input;
  /** Where standard output goes when the line itself reads it again. */
  readonly out: Sink | undefined;
  readonly depth: number;
  readonly shell: ShellName;
  /** The text that is being run. */
  readonly source: Bytes;
  /** Positions of words are positions in the line that the person typed. */
  readonly inLine: boolean;
  /** The word of that line which the text came from, where it is another text (`bash -c 'rm a'`). */
  readonly within?: Span | undefined;
  /** Aliases that are being expanded. */
  readonly barred: ReadonlySet<Bytes>;
}

export type Status = 'ok' | 'fail' | 'unknown';

/** Where in the typed line a word stands, or the word it came out of; undefined where no word of the line holds it. */
export function spanOf(word: Pick<Word, 'pos' | 'end' | 'text'>, context: Context, line: Bytes): Span | undefined {
  if (!context.inLine) return context.within;
  if (line.slice(word.pos, word.end) !== word.text) return undefined;
  return [word.pos, word.end];
}

/** The words that a text is made of, from the first of them to the last. */
export function hull(words: readonly Arg[]): Span | undefined {
  const spans = words.flatMap((word) => (word.span ? [word.span] : []));
  const [first, last] = [spans[0], spans.at(-1)];
  return first && last && [first[0], Math.max(first[1], last[1])];
}
