import { type ParsedScript, parse as parseBash } from 'unbash';
import { toBash as zshToBash } from '#zsh';
import type { Bytes } from '../platform/bytes.ts';
import { toBash as fishToBash } from './fish/translate.ts';
import { TooDeep } from './nesting.ts';
import type { ShellName } from './types.ts';
import { isBash } from './zsh/same.ts';

/** Longer texts are scanned, not parsed. */
const MOST_BYTES = 65_536;

/** The same of one plain command (a pasted list of names): its time grows with its length alone. A shell could not run a longer one. */
const MOST_FLAT_BYTES = 2_097_152;

const SYNTAX = new Set('\n`$(){}<>|;&#*?[]');

/** A text that is one command with literal words, quoted or not. */
export function isFlat(text: Bytes): boolean {
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (quote === "'") {
      if (char === "'") quote = '';
    } else if (char === '\\') at++;
    else if (quote === '"') {
      if (char === '"') quote = '';
      else if (char === '$' || char === '`') return false;
    } else if (char === "'" || char === '"') quote = char;
    else if (SYNTAX.has(char) && !(char === '\n' && at === text.length - 1)) return false;
  }
  return quote === '';
}

/** Brackets and quotes inside each other: past it the parser's time grows out of bounds. */
export const MOST_NESTING = 100;

/** Here-documents, and their signs that begin none: the parser's time grows with their square. */
const MOST_DOCUMENTS = 2_000;

/** The syntax tree of a text, or why there is none. The tree of a wrong text comes with `errors`. */
export type Parsed =
  | {
      readonly kind: 'tree';
      readonly script: ParsedScript;
      /** What the positions in the tree count in: the text itself, but for shells whose language is translated first. */
      readonly source: Bytes;
    }
  | { readonly kind: 'too much'; readonly reason: string };

/** What the shell that runs a text is, and how it is set. */
export interface Speaker {
  readonly shell: ShellName;
  readonly options: ReadonlySet<string>;
}

export function parse(text: Bytes, speaker: Speaker): Parsed {
  const most = text.length <= MOST_BYTES ? MOST_BYTES : isFlat(text) ? MOST_FLAT_BYTES : 0;
  if (text.length > most) return { kind: 'too much', reason: 'the text is longer than 64 KB' };
  if (nesting(text) > MOST_NESTING) return { kind: 'too much', reason: 'brackets nested too deep' };
  if (text.split('<<').length > MOST_DOCUMENTS) return { kind: 'too much', reason: 'too many here-documents' };
  try {
    const source = inBash(text, speaker);
    return source.length > most * 2
      ? { kind: 'too much', reason: 'the text is too long' }
      : { kind: 'tree', script: parseBash(source), source };
  } catch (error) {
    // `f() f() f() …`: the stack is used up.
    if (error instanceof TooDeep || error instanceof RangeError)
      return { kind: 'too much', reason: 'blocks nested too deep' };
    throw error;
  }
}

/** Whether `#` begins a comment in zsh: always in scripts, at a prompt where it is set so. */
export const hasComments = (options: ReadonlySet<string>): boolean =>
  !options.has('interactive') || options.has('interactivecomments');

/** The text in the language that is parsed here. */
function inBash(text: Bytes, { shell, options }: Speaker): Bytes {
  if (shell === 'zsh') {
    const setting = {
      extended: options.has('extendedglob') || /extended_?glob/i.test(text),
      comments: hasComments(options),
    };
    return isBash(text, setting) ? text : zshToBash(text, setting);
  }
  return shell === 'fish' ? fishToBash(text) : text;
}

/** How deep brackets are open at most, quotes not looked at: an upper bound that costs one pass. */
function nesting(text: Bytes): number {
  if (!text.includes('(') && !text.includes('{') && !text.includes('[')) return 0;
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
