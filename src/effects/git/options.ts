import type { Bytes } from '../../platform/bytes.ts';
import type { Arg } from '../../shell/types.ts';

/**
 * git's own option grammar (gitcli(7), parse-options): long names abbreviate while unique, `--no-x` negates, short ones cluster, options
 * may follow operands, a short option's value may be glued on. It differs from getopt's in `--no-`, in abbreviation across both forms and
 * in optional values, which only count when glued on.
 */
export interface Parsed {
  /** Last value: a text, true (given), false (negated). Undefined: not given. Keyed by the long name, the short one where there is none. */
  readonly get: (name: string) => Arg | boolean | undefined;
  readonly has: (name: string) => boolean;
  /** The value as text, where one was given and is known. */
  readonly text: (name: string) => Bytes | undefined;
  readonly all: (name: string) => readonly Arg[];
  /** How often it was given (`-f -f`). */
  readonly count: (name: string) => number;
  /** Operands in front of `--`, or all where there is none. */
  readonly before: readonly Arg[];
  /** Operands after `--`; undefined where there is no `--`. */
  readonly after: readonly Arg[] | undefined;
  /** An option that the table does not know: git would refuse the whole command. */
  readonly bad: boolean;
  /** Help was asked for: nothing runs. */
  readonly help: boolean;
}

type Value = 'none' | 'must' | 'may';
interface Option {
  readonly name: string;
  readonly value: Value;
}
interface Table {
  readonly short: ReadonlyMap<string, Option>;
  readonly long: ReadonlyMap<string, Option>;
}

const tables = new Map<string, Table>();

/**
 * Reads a row like `q,quiet f,force m,message= u,untracked-files=? hard`: names joined by commas, `=` for a value that must come, `=?`
 * for one that may. Names of one letter are short.
 */
function tableOf(row: string): Table {
  const known = tables.get(row);
  if (known) return known;
  const short = new Map<string, Option>();
  const long = new Map<string, Option>();
  for (const word of row.split(/\s+/)) {
    if (word === '') continue;
    const value: Value = word.endsWith('=?') ? 'may' : word.endsWith('=') ? 'must' : 'none';
    const names = word.replace(/=\??$/, '').split(',');
    const option: Option = { name: names.at(-1) ?? '', value };
    for (const name of names) (name.length === 1 ? short : long).set(name, option);
  }
  const table = { short, long };
  tables.set(row, table);
  return table;
}

export const known = (text: Bytes): Arg => ({ kind: 'known', text });

/** An unknown word that may be an option as well, or several words. */
export const mayBeOptions = (args: readonly Arg[]): boolean =>
  args.some((arg) => arg.kind === 'unknown' && (arg.many || arg.split === true || arg.prefix.startsWith('-')));

/** How a long name was meant: itself, an abbreviation of exactly one, or the negation of one. */
function longOption(table: Table, word: string): { readonly option: Option; readonly on: boolean } | undefined {
  const exact = table.long.get(word);
  if (exact) return { option: exact, on: true };
  if (word.startsWith('no-')) {
    const negated = table.long.get(word.slice(3));
    if (negated) return { option: negated, on: false };
  } else {
    const hidden = table.long.get(`no-${word}`);
    if (hidden) return { option: hidden, on: false };
  }
  const found = new Map<string, { readonly option: Option; readonly on: boolean }>();
  for (const [name, option] of table.long) {
    if (name.startsWith(word)) found.set(option.name, { option, on: true });
    else if (word.length > 3 && `no-${name}`.startsWith(word)) found.set(`no-${option.name}`, { option, on: false });
  }
  return found.size === 1 ? [...found.values()][0] : undefined;
}

/** `stop`: operands end the options (`git submodule foreach`, `git bisect run`). */
export function parseOptions(row: string, args: readonly Arg[], stop = false): Parsed {
  const table = tableOf(row);
  const values = new Map<string, (Arg | boolean)[]>();
  const before: Arg[] = [];
  let after: Arg[] | undefined;
  let bad = false;
  let help = false;
  const note = (option: Option, value: Arg | boolean): void => {
    const list = values.get(option.name);
    if (list) list.push(value);
    else values.set(option.name, [value]);
  };
  for (let at = 0; at < args.length; at++) {
    const arg = args[at];
    if (arg === undefined) break;
    const text = arg.kind === 'known' ? arg.text : arg.prefix;
    if (text === '--' && arg.kind === 'known') {
      after = args.slice(at + 1);
      break;
    }
    if (text === '--end-of-options' && arg.kind === 'known') {
      before.push(...args.slice(at + 1));
      break;
    }
    if (text.length < 2 || text[0] !== '-' || (arg.kind === 'unknown' && text === '--')) {
      before.push(arg);
      if (!stop) continue;
      before.push(...args.slice(at + 1));
      break;
    }
    if (text.startsWith('--')) {
      const equals = text.indexOf('=');
      if (equals < 0 && arg.kind === 'unknown') {
        before.push(arg);
        continue;
      }
      const word = equals < 0 ? text.slice(2) : text.slice(2, equals);
      if (word === 'help' || word === 'help-all') help = true;
      const found = longOption(table, word);
      if (!found) {
        bad = true;
        continue;
      }
      const { option, on } = found;
      if (equals >= 0) {
        const rest = text.slice(equals + 1);
        note(option, arg.kind === 'known' ? known(rest) : { ...arg, prefix: rest });
      } else if (on && option.value === 'must') {
        const value = args[++at];
        if (value === undefined) bad = true;
        else note(option, value);
      } else note(option, on);
      continue;
    }
    let letter = 1;
    for (; letter < text.length; letter++) {
      const option = table.short.get(text[letter] ?? '');
      if (!option) {
        if (text[letter] === 'h' && text.length === 2) help = true;
        // `-<number>` of log and its like; anything else is refused
        if (!/^\d+$/.test(text.slice(letter))) bad = true;
        break;
      }
      if (option.value === 'none') {
        note(option, true);
        continue;
      }
      const rest = text.slice(letter + 1);
      if (rest !== '' || (arg.kind === 'unknown' && letter === text.length - 1))
        note(option, arg.kind === 'known' ? known(rest) : { ...arg, prefix: rest });
      else if (option.value === 'may') note(option, true);
      else {
        const value = args[++at];
        if (value === undefined) bad = true;
        else note(option, value);
      }
      break;
    }
  }
  const get = (name: string): Arg | boolean | undefined => values.get(name)?.at(-1);
  return {
    get,
    has: (name) => {
      const value = get(name);
      return value !== undefined && value !== false;
    },
    text: (name) => {
      const value = get(name);
      return typeof value === 'object' && value.kind === 'known' ? value.text : undefined;
    },
    all: (name) => {
      const out: Arg[] = [];
      for (const value of values.get(name) ?? [])
        if (value === false) out.length = 0;
        else if (value !== true) out.push(value);
      return out;
    },
    count: (name) => {
      let times = 0;
      for (const value of values.get(name) ?? []) times = value === false ? 0 : times + 1;
      return times;
    },
    before,
    after,
    bad,
    help,
  };
}
