import type { Bytes } from '../../platform/bytes.ts';
import { isKnown, MOST_TEXT, type Text, type Unknown } from './text.ts';

/** A run of characters of one word: quoted ones are never split and never match anything but themselves. */
export type Piece =
  | { readonly text: Bytes; readonly quoted: boolean }
  /** Not to be known; `splits`: unquoted, so it may fall into several words. */
  | { readonly hole: Unknown; readonly splits: boolean };

export type Field = readonly Piece[];

/** Collects the fields that one word becomes: expansions add pieces, separators break. */
export class Fields {
  readonly done: Field[] = [];
  #current: Piece[] | undefined;
  readonly #ifs: Bytes | undefined;

  /** `ifs` undefined: nothing is split (assignments, here-strings, patterns). */
  constructor(ifs: Bytes | undefined) {
    this.#ifs = ifs;
  }

  get splits(): boolean {
    return this.#ifs !== undefined;
  }

  /** Text as it stands: a quoted empty string still makes a word, an unquoted one does not. */
  add(text: Bytes, quoted: boolean): void {
    if (text === '' && !quoted) return;
    this.#current ??= [];
    this.#current.push({ text, quoted });
  }

  hole(hole: Unknown, quoted: boolean): void {
    this.#current ??= [];
    this.#current.push({ hole, splits: !quoted && this.splits });
  }

  /** The result of an expansion: split at IFS when unquoted (POSIX XCU 2.6.5). */
  expansion(value: Text, quoted: boolean): void {
    if (!isKnown(value)) this.hole(value, quoted);
    else if (quoted || this.#ifs === undefined) this.add(value, quoted);
    else this.#split(value, this.#ifs);
  }

  /** The result of an expansion that is neither split nor matched, but is no word when it is empty (zsh, fish). */
  whole(value: Text): void {
    if (isKnown(value)) {
      if (value !== '') this.add(value, true);
    } else this.hole(value, true);
  }

  end(): void {
    if (this.#current) this.done.push(this.#current);
    this.#current = undefined;
  }

  #split(value: Bytes, ifs: Bytes): void {
    if (ifs === '') {
      this.add(value, false);
      return;
    }
    const blank = (char: Bytes): boolean => (char === ' ' || char === '\t' || char === '\n') && ifs.includes(char);
    const hard = (char: Bytes): boolean => ifs.includes(char) && !blank(char);
    let at = 0;
    let start = 0;
    while (at < value.length) {
      const char = value.charAt(at);
      if (!ifs.includes(char)) {
        at++;
        continue;
      }
      this.add(value.slice(start, at), false);
      let ended = false;
      while (at < value.length && blank(value.charAt(at))) at++;
      if (at < value.length && hard(value.charAt(at))) {
        // A separator that is no blank ends a field even where that is empty: `a::b` has three.
        this.#current ??= [];
        ended = true;
        at++;
        while (at < value.length && blank(value.charAt(at))) at++;
      }
      if (ended || this.#current) this.end();
      start = at;
    }
    this.add(value.slice(start), false);
  }
}

/** The text of a field with its quotes gone; of holes what is known. */
export function textOf(field: Field): Text {
  const length = field.reduce((sum, piece) => sum + ('text' in piece ? piece.text.length : 0), 0);
  if (length > MOST_TEXT) return { prefix: '', suffix: '' };
  let prefix = '';
  let suffix: Bytes | undefined;
  let many = false;
  for (const piece of field) {
    if ('hole' in piece) {
      if (suffix === undefined) prefix += piece.hole.prefix;
      suffix = piece.hole.suffix;
      many ||= piece.hole.many ?? false;
    } else if (suffix === undefined) prefix += piece.text;
    else suffix += piece.text;
  }
  if (suffix === undefined) return prefix;
  return { prefix, suffix, ...(many ? { many: true } : {}) };
}

/** The field as a pattern: what was quoted is escaped. Undefined where it has a hole. */
export function patternOf(field: Field): Bytes | undefined {
  let pattern = '';
  if (typeof textOf(field) !== 'string') return undefined;
  for (const piece of field) {
    if ('hole' in piece) return undefined;
    pattern += piece.quoted ? escapePattern(piece.text) : piece.text;
  }
  return pattern;
}

export const escapePattern = (text: Bytes): Bytes => text.replace(/[\\*?[\]!^()|@+{}~#-]/g, '\\$&');
