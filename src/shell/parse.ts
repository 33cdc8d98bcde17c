import { type ParsedScript, parse as parseBash } from 'unbash';
import type { Bytes } from '../platform/bytes.ts';

/** Longer texts are scanned, not parsed. */
export const MOST_BYTES = 65_536;

/** Brackets and quotes inside each other: past it the parser's time grows out of bounds. */
export const MOST_NESTING = 100;

/** The syntax tree of a text, or why there is none. The tree of a wrong text comes with `errors`. */
export type Parsed =
  | { readonly kind: 'tree'; readonly script: ParsedScript }
  | { readonly kind: 'too much'; readonly reason: string };

export function parse(text: Bytes): Parsed {
  if (text.length > MOST_BYTES) return { kind: 'too much', reason: 'the text is longer than 64 KB' };
  if (nesting(text) > MOST_NESTING) return { kind: 'too much', reason: 'brackets nested too deep' };
  return { kind: 'tree', script: parseBash(text) };
}

/** How deep brackets are open at most, quotes not looked at: an upper bound that costs one pass. */
function nesting(text: Bytes): number {
  let depth = 0;
  let most = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x28 || code === 0x7b || code === 0x5b) {
      depth++;
      if (depth > most) most = depth;
    } else if ((code === 0x29 || code === 0x7d || code === 0x5d) && depth > 0) depth--;
  }
  return most;
}
