import type { Bytes } from '../../platform/bytes.ts';
import type { Arg, Span } from '../types.ts';

/** Text of which only the beginning and the end are known before the line runs. */
export interface Unknown {
  readonly prefix: Bytes;
  readonly suffix: Bytes;
  /** Stands for any number of words, none included. */
  readonly many?: boolean;
}

/** What a variable holds, a word becomes, a command prints: bytes, or what is known of them. */
export type Text = Bytes | Unknown;

export const UNKNOWN: Unknown = { prefix: '', suffix: '' };
export const UNKNOWN_WORDS: Unknown = { prefix: '', suffix: '', many: true };

export const isKnown = (text: Text | undefined): text is Bytes => typeof text === 'string';

export function concat(left: Text, right: Text): Text {
  if (isKnown(left)) {
    return isKnown(right) ? bounded(left + right) : { ...right, prefix: left + right.prefix };
  }
  if (isKnown(right)) return { ...left, suffix: left.suffix + right };
  return { prefix: left.prefix, suffix: right.suffix, ...(left.many || right.many ? { many: true } : {}) };
}

/** The word that a text becomes when nothing is split or matched. */
export function toArg(text: Text, span?: Span): Arg {
  if (isKnown(text)) return span === undefined ? { kind: 'known', text } : { kind: 'known', text, span };
  const { prefix, suffix, many = false } = text;
  return { kind: 'unknown', prefix, suffix, many, ...(span === undefined ? {} : { span }) };
}

export const toText = (arg: Arg): Text =>
  arg.kind === 'known'
    ? arg.fresh && arg.text === arg.glob
      ? { prefix: /^(?:[^*?[(]*\/)?/.exec(arg.text)?.[0] ?? '', suffix: '' }
      : arg.text
    : { prefix: arg.prefix, suffix: arg.suffix, ...(arg.many ? { many: true } : {}) };

/** Longer texts are not followed: no file has such a name, and texts can double at every step. */
export const MOST_TEXT = 131_072;

/** The text, or what is kept of one that is too long. */
export const bounded = (text: Text): Text =>
  isKnown(text) && text.length > MOST_TEXT ? { prefix: text.slice(0, 256), suffix: '' } : text;

/** What two possible texts have in common. */
export function either(left: Text, right: Text): Text {
  if (isKnown(left) && isKnown(right) && left === right) return left;
  const many = (!isKnown(left) && left.many) || (!isKnown(right) && right.many);
  return {
    prefix: commonPrefix(isKnown(left) ? left : left.prefix, isKnown(right) ? right : right.prefix),
    suffix: '',
    ...(many ? { many: true } : {}),
  };
}

function commonPrefix(left: Bytes, right: Bytes): Bytes {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  return left.slice(0, at);
}
