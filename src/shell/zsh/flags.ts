import type { Bytes } from '../../platform/bytes.ts';

/** What the flags in `${(flags)…}` ask for (zshexpn(1), *Parameter Expansion Flags*), as far as it is followed. */
export interface Flags {
  /** Letters without an argument. */
  readonly letters: ReadonlySet<string>;
  /** `q`, `qq`, … */
  readonly quoting: number;
  readonly split?: Bytes;
  readonly join?: Bytes;
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };

/** Undefined where one is not followed: then nothing is known of the words. */
export function readFlags(text: Bytes): Flags | undefined {
  const letters = new Set<string>();
  let quoting = 0;
  let split: Bytes | undefined;
  let join: Bytes | undefined;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if (letter === 's' || letter === 'j') {
      const open = text.charAt(at + 1);
      const end = text.indexOf(CLOSING[open] ?? open, at + 2);
      if (open === '' || end < 0) return undefined;
      const given = text.slice(at + 2, end);
      const argument = letters.has('p') ? given.replace(/\\([nt0])/g, (_whole, c: string) => ESCAPES[c] ?? c) : given;
      if (/[\\$]/.test(argument)) return undefined;
      if (letter === 's') split = argument;
      else join = argument;
      at = end;
    } else if (letter === 'f') split = '\n';
    else if (letter === 'F') join = '\n';
    else if (letter === '0') split = '\0';
    else if (letter === 'q') quoting++;
    else if (/[LUCPQoOuikvnapAMz@]/.test(letter)) letters.add(letter);
    else return undefined;
  }
  return {
    letters,
    quoting,
    ...(split === undefined ? {} : { split }),
    ...(join === undefined ? {} : { join }),
  };
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', '0': '\0' };

/** The words after the flags, in the order of zshexpn(1), *Rules*: joined, split, changed in case, quoted, made unique, sorted. */
export function applyFlags(flags: Flags, words: readonly Bytes[], list: boolean): readonly Bytes[] {
  let out = words;
  if (list && (flags.join !== undefined || flags.split !== undefined)) out = [out.join(flags.join ?? ' ')];
  if (flags.split !== undefined) {
    const { split } = flags;
    out = out.flatMap((word) => word.split(split));
  }
  if (flags.letters.has('z')) out = out.flatMap((word) => word.split(/\s+/).filter((one) => one !== ''));
  out = out.map((word) => quoted(cased(word, flags), flags));
  if (flags.letters.has('u')) out = [...new Set(out)];
  return sorted(out, flags.letters);
}

function cased(word: Bytes, { letters }: Flags): Bytes {
  const upper = (text: Bytes): Bytes => text.replace(/[a-z]/g, (char) => char.toUpperCase());
  const lower = (text: Bytes): Bytes => text.replace(/[A-Z]/g, (char) => char.toLowerCase());
  if (letters.has('C')) return word.replace(/[A-Za-z0-9]+/g, (run) => upper(run.charAt(0)) + lower(run.slice(1)));
  return letters.has('L') ? lower(word) : letters.has('U') ? upper(word) : word;
}

function quoted(word: Bytes, { letters, quoting }: Flags): Bytes {
  if (letters.has('Q')) return word.replace(/\\([\s\S])|'([^']*)'|"((?:\\.|[^"\\])*)"/g, unquoted);
  if (quoting === 0) return word;
  if (quoting === 1 && word !== '' && !word.includes('\n'))
    return word.replace(/[\s!"#$&'()*;<=>?[\\\]^`{|}~]/g, '\\$&');
  return `'${word.replaceAll("'", "'\\''")}'`;
}

const unquoted = (_whole: string, escaped?: string, single?: string, double?: string): string =>
  escaped ?? single ?? (double ?? '').replace(/\\([\\"$`])/g, '$1');

function sorted(words: readonly Bytes[], letters: ReadonlySet<string>): readonly Bytes[] {
  if (letters.has('a')) return letters.has('O') ? [...words].reverse() : words;
  if (!letters.has('o') && !letters.has('O') && !letters.has('n') && !letters.has('i')) return words;
  const key = (word: Bytes): Bytes => (letters.has('i') ? word.toLowerCase() : word);
  const up = [...words].sort((left, right) => (key(left) < key(right) ? -1 : key(left) > key(right) ? 1 : 0));
  return letters.has('O') ? up.reverse() : up;
}
