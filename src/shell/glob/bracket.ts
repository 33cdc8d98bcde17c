import { type Bytes, toText } from '../../platform/bytes.ts';

/** Classes of one byte, and of characters that take more. */
const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  ascii: /[\x00-\x7f]/,
  blank: /[ \t]/,
  cntrl: /[\x00-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[\x21-\x7e]/,
  lower: /[a-z]/,
  print: /[\x20-\x7e]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\v\f\r]/,
  upper: /[A-Z]/,
  word: /[A-Za-z0-9_]/,
  xdigit: /[0-9A-Fa-f]/,
};

/** As text: to read such a class takes as long as many lines do, and hardly a line has one. */
const WIDE: Readonly<Record<string, string>> = {
  alnum: '[\\p{Alphabetic}\\p{Nd}]',
  alpha: '\\p{Alphabetic}',
  graph: '[^\\p{C}\\p{Z}]',
  lower: '\\p{Lowercase}',
  print: '[^\\p{C}]',
  punct: '[\\p{P}\\p{S}]',
  space: '\\p{Z}',
  upper: '\\p{Uppercase}',
  word: '[\\p{Alphabetic}\\p{Nd}]',
};

const made = new Map<string, RegExp>();

function wideOf(name: string): RegExp | undefined {
  const text = WIDE[name];
  if (text !== undefined && !made.has(name)) made.set(name, new RegExp(text, 'u'));
  return made.get(name);
}

type Member =
  | { readonly from: Bytes; readonly to: Bytes }
  | { readonly set: RegExp; readonly wide: RegExp | undefined };

/**
 * A bracket expression at `open` (POSIX XBD 9.3.5): `[!a]`, `[^a]`, ranges by code, `[[:alpha:]]`, `[]a]`. Undefined where the
 * bracket is never closed and so is an ordinary character.
 */
export function readBracket(
  text: Bytes,
  open: number,
  ignoreCase: boolean,
): { readonly matches: (char: Bytes) => boolean; readonly end: number } | undefined {
  let at = open + 1;
  const negated = text[at] === '!' || text[at] === '^';
  if (negated) at++;
  const members: Member[] = [];
  for (let first = true; ; first = false) {
    if (at >= text.length) return undefined;
    if (text[at] === ']' && !first) break;
    const named = /^\[([:.=])([^\]]*?)\1\]/.exec(text.slice(at, at + 24));
    if (named?.[1] === ':') {
      const set = CLASSES[named[2] ?? ''];
      if (set) members.push({ set, wide: wideOf(named[2] ?? '') });
      at += named[0].length;
      continue;
    }
    const from = readMember(text, at);
    at = from.end;
    if (text[at] === '-' && at + 1 < text.length && text[at + 1] !== ']') {
      const to = readMember(text, at + 1);
      members.push({ from: from.char, to: to.char });
      at = to.end;
    } else members.push({ from: from.char, to: from.char });
  }
  const hit = (char: Bytes): boolean =>
    members.some((member) => ('set' in member ? isIn(char, member) : inRange(char, member.from, member.to)));
  // A class is one of the character as it is, whatever case is ignored.
  const folded = (char: Bytes): boolean =>
    members.some((member) => !('set' in member) && inRange(char, member.from, member.to));
  const either = (char: Bytes): boolean => hit(char) || (ignoreCase && (folded(lower(char)) || folded(upper(char))));
  return { matches: (char) => either(char) !== negated, end: at + 1 };
}

function readMember(text: Bytes, at: number): { char: Bytes; end: number } {
  const named = /^\[([.=])([^\]]*?)\1\]/.exec(text.slice(at, at + 24));
  if (named) return { char: named[2] ?? '', end: at + named[0].length };
  if (text[at] === '\\' && at + 1 < text.length) return readCharacter(text, at + 1);
  return readCharacter(text, at);
}

function readCharacter(text: Bytes, at: number): { char: Bytes; end: number } {
  const sequence = /^(?:[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})/.exec(
    text.slice(at, at + 4),
  );
  const char = sequence?.[0] ?? text.charAt(at);
  return { char, end: at + char.length };
}

function isIn(char: Bytes, member: { readonly set: RegExp; readonly wide: RegExp | undefined }): boolean {
  return char.length < 2 ? member.set.test(char) : (member.wide?.test(toText(char)) ?? false);
}

const inRange = (char: Bytes, from: Bytes, to: Bytes): boolean => code(from) <= code(char) && code(char) <= code(to);

function code(char: Bytes): number {
  return char.length < 2 ? char.charCodeAt(0) : (toText(char).codePointAt(0) ?? 0);
}

/** Bytes above 0x7f are left alone: what letter they are is the locale's business. */
export const lower = (char: Bytes): Bytes => char.replace(/[A-Z]/g, (one) => one.toLowerCase());
export const upper = (char: Bytes): Bytes => char.replace(/[a-z]/g, (one) => one.toUpperCase());
