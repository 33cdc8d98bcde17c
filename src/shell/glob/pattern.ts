import type { Bytes } from '../../platform/bytes.ts';
import { readBracket } from './bracket.ts';

/** How characters compare. */
export interface Matching {
  readonly ignoreCase: boolean;
  /** The locale's characters are UTF-8: `?` is one character, not one byte. */
  readonly utf8: boolean;
  /** A leading dot is matched by wildcards (`dotglob`, or text that is no file name). */
  readonly dots: boolean;
}

/** A compiled pattern: a sequence of items. */
export type Item =
  | { readonly kind: 'char'; readonly char: Bytes }
  | { readonly kind: 'any' }
  | { readonly kind: 'star' }
  | { readonly kind: 'class'; readonly matches: (char: Bytes) => boolean }
  | { readonly kind: 'group'; readonly operator: '?' | '*' | '+' | '@' | '!'; readonly choices: readonly Pattern[] };

export type Pattern = readonly Item[];

export const GLOB_CHARACTERS = /[*?[]|[@+!]\(/;

/** Compiles a pattern of bash(1), *Pattern Matching*; extended globs are always understood. A backslash quotes. */
export function compile(text: Bytes, matching: Matching): Pattern {
  const items: Item[] = [];
  for (let at = 0; at < text.length; ) {
    const char = text.charAt(at);
    if (/[?*+@!]/.test(char) && text[at + 1] === '(') {
      const group = readGroup(text, at, matching);
      if (group) {
        items.push(group.item);
        at = group.end;
        continue;
      }
    }
    if (char === '*') {
      if (items.at(-1)?.kind !== 'star') items.push({ kind: 'star' });
      at++;
    } else if (char === '?') {
      items.push({ kind: 'any' });
      at++;
    } else if (char === '[') {
      const bracket = readBracket(text, at, matching.ignoreCase);
      items.push(bracket ? { kind: 'class', matches: bracket.matches } : { kind: 'char', char });
      at = bracket?.end ?? at + 1;
    } else if (char === '\\' && at + 1 < text.length) {
      for (const one of characters(text.charAt(at + 1), matching)) items.push({ kind: 'char', char: one });
      at += 2;
    } else {
      items.push({ kind: 'char', char });
      at++;
    }
  }
  return items;
}

function readGroup(text: Bytes, at: number, matching: Matching): { item: Item; end: number } | undefined {
  const choices: Bytes[] = [];
  let depth = 0;
  let start = at + 2;
  for (let i = at + 1; i < text.length; i++) {
    const char = text[i];
    if (char === '\\') i++;
    else if (char === '[') i = (readBracket(text, i, false)?.end ?? i + 1) - 1;
    else if (char === '(') depth++;
    else if (char === '|' && depth === 1) {
      choices.push(text.slice(start, i));
      start = i + 1;
    } else if (char === ')' && --depth === 0) {
      choices.push(text.slice(start, i));
      const operator = text.charAt(at) as '?' | '*' | '+' | '@' | '!';
      return {
        item: { kind: 'group', operator, choices: choices.map((choice) => compile(choice, matching)) },
        end: i + 1,
      };
    }
  }
  return undefined;
}

/** The characters of a text as the locale sees them: bytes, or UTF-8 sequences where they are whole. */
export function characters(text: Bytes, matching: Matching): readonly Bytes[] {
  if (!matching.utf8 || !/[\x80-\xff]/.test(text)) return text.split('');
  return text.match(/[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[\s\S]/g) ?? [];
}
