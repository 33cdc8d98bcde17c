import type { Bytes } from '../platform/bytes.ts';
import type { Arg } from '../shell/types.ts';

/**
 * The option grammar of getopt_long(3), as GNU programs use it: clusters, abbreviated long options, `--name=value`, values in
 * the next word, permutation (options after operands, unless POSIXLY_CORRECT), `--`.
 */

type Takes = 'nothing' | 'value' | 'optional';

interface Spec {
  readonly short: ReadonlyMap<string, readonly [canonical: string, takes: Takes]>;
  readonly long: ReadonlyMap<string, readonly [canonical: string, takes: Takes]>;
}

export interface GrammarChoice {
  /** Options end at the first operand: `env`, `nice`, `xargs`, and everything under POSIXLY_CORRECT. */
  readonly stopsAtOperand?: boolean;
  /** Long options with one dash (`find`, `java`, ImageMagick); no clusters then. */
  readonly singleDash?: boolean;
}

export interface Option {
  /** The first of the names it has in the spec, without dashes; the name as typed where the spec has none. */
  readonly name: string;
  readonly value: Arg | undefined;
  readonly known: boolean;
}

/** A command's words after argv[0], told apart. */
export interface Words {
  readonly options: readonly Option[];
  readonly operands: readonly Arg[];
  /** What is left where options stop at the first operand; the same words as `operands`. */
  readonly has: (...names: readonly string[]) => boolean;
  /** The value of the last one of that name. */
  readonly value: (...names: readonly string[]) => Arg | undefined;
  readonly values: (...names: readonly string[]) => readonly Arg[];
  /** An argument that cannot be known stands where an option could stand, before `--`. */
  readonly mayHaveMore: boolean;
}

const specs = new Map<string, Spec>();

/**
 * A spec is blank-separated entries, each the names of one option, separated by commas: one letter is short, more are
 * long. `=` at the end: takes a value; `?`: takes one only when attached. `'f,force t,target-directory= color?'`.
 */
function specOf(text: string): Spec {
  const made = specs.get(text);
  if (made) return made;
  const short = new Map<string, readonly [string, Takes]>();
  const long = new Map<string, readonly [string, Takes]>();
  for (const entry of text.split(/\s+/)) {
    if (entry === '') continue;
    const last = entry.length > 1 ? entry.at(-1) : '';
    const takes: Takes = last === '=' ? 'value' : last === '?' ? 'optional' : 'nothing';
    const names = (takes === 'nothing' ? entry : entry.slice(0, -1)).split(',');
    const canonical = names[0] ?? '';
    for (const name of names) (name.length === 1 ? short : long).set(name, [canonical, takes]);
  }
  const spec = { short, long };
  specs.set(text, spec);
  return spec;
}

/** The long option that a possibly abbreviated name means: an exact name, else the only one it begins (or the first of several). */
function longOption(spec: Spec, typed: string): readonly [string, Takes] | undefined {
  const exact = spec.long.get(typed);
  if (exact) return exact;
  if (typed === '') return undefined;
  for (const [name, option] of spec.long) if (name.startsWith(typed)) return option;
  return undefined;
}

const known = (text: Bytes, like: Arg): Arg =>
  like.span ? { kind: 'known', text, span: like.span } : { kind: 'known', text };

/** The rest of an argument after its first `length` characters, as an argument. */
function rest(arg: Arg, length: number): Arg {
  if (arg.kind === 'known') return known(arg.text.slice(length), arg);
  return { ...arg, prefix: arg.prefix.slice(length) };
}

/** Tells the words of a command apart. Never fails: an option that the spec does not have is kept as a flag. */
export function parseWords(
  args: readonly Arg[],
  specText: string,
  choice: GrammarChoice & { readonly env?: (name: Bytes) => Bytes | undefined } = {},
): Words {
  const spec = specOf(specText);
  const options: Option[] = [];
  const operands: Arg[] = [];
  const stops = choice.stopsAtOperand === true || choice.env?.('POSIXLY_CORRECT') !== undefined;
  let mayHaveMore = false;
  let at = 0;
  const take = (): Arg | undefined => args[at++];

  while (at < args.length) {
    const arg = args[at++];
    if (arg === undefined) break;
    const text = arg.kind === 'known' ? arg.text : arg.prefix;
    if (arg.kind === 'unknown' && (text === '' || text === '-')) mayHaveMore = true;
    if (arg.kind === 'known' && text === '--') {
      operands.push(...args.slice(at));
      break;
    }
    if (!text.startsWith('-') || text === '-') {
      operands.push(arg);
      if (stops) {
        operands.push(...args.slice(at));
        break;
      }
      continue;
    }
    if (text.startsWith('--') || choice.singleDash) longForm(arg, text, text.startsWith('--') ? 2 : 1);
    else cluster(arg, text);
  }

  function longForm(arg: Arg, text: Bytes, dashes: number): void {
    const equals = text.indexOf('=');
    const typed = text.slice(dashes, equals < 0 ? undefined : equals);
    // A single letter is that option, never the beginning of a longer one (`-s` of gcc is no `-std=`).
    const found = (choice.singleDash ? spec.short.get(typed) : undefined) ?? longOption(spec, typed);
    const attached = equals < 0 ? undefined : rest(arg, equals + 1);
    const value = attached ?? (found?.[1] === 'value' ? take() : undefined);
    options.push({ name: found?.[0] ?? typed, value, known: found !== undefined });
  }

  function cluster(arg: Arg, text: Bytes): void {
    for (let index = 1; index < text.length; index++) {
      const letter = text[index] ?? '';
      const found = spec.short.get(letter);
      const takes = found?.[1] ?? 'nothing';
      if (takes === 'nothing') {
        options.push({ name: found?.[0] ?? letter, value: undefined, known: found !== undefined });
        continue;
      }
      const more = index + 1 < text.length || arg.kind === 'unknown';
      const value = more ? rest(arg, index + 1) : takes === 'value' ? take() : undefined;
      options.push({ name: found?.[0] ?? letter, value, known: true });
      return;
    }
    if (arg.kind === 'unknown') mayHaveMore = true;
  }

  const values = (...names: readonly string[]): readonly Arg[] =>
    options.flatMap((option) => (option.value && names.includes(option.name) ? [option.value] : []));
  return {
    options,
    operands,
    mayHaveMore,
    has: (...names) => options.some((option) => names.includes(option.name)),
    values,
    value: (...names) => values(...names).at(-1),
  };
}
