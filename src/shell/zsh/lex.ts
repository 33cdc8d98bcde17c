import type { Bytes } from '../../platform/bytes.ts';
import { skipQuoted } from '../words/quotes.ts';

/** A token of a zsh line. `glued`: no blank stands in front of it. */
export interface Token {
  readonly kind: 'word' | 'operator' | 'redirection' | 'newline' | 'end';
  readonly text: Bytes;
  readonly glued: boolean;
}

const OPERATORS = /^(?:;;|;&|;\||;|&&|&\||&!|&(?![>])|\|\||\|&|\||\(|\))/;
const REDIRECTIONS =
  /^(?:\d+|\{[A-Za-z_]\w*\})?(?:&>>?[|!]?|>>?&[|!]|>&|>>[|!]?|>[|!]?|<<<|<<-?|<&|<>|<(?![(\d-]*-\d*>)(?!\())/;

/** What operators, redirections and process substitutions begin with. */
const SIGNS = new Set(';&|()<>={0123456789');

/** Every other character stands for itself in a word. */
const SPECIAL = new Set('\\\'"`$() \t\n;&|<>');

/**
 * The tokens of a zsh line (zshmisc(1), *Simple Commands*); parentheses inside a word belong to it (glob groups and qualifiers).
 * Bodies of here-documents are newline tokens that carry their text.
 */
export function lex(text: Bytes, comments: boolean): readonly Token[] {
  const tokens: Token[] = [];
  const documents: { readonly end: Bytes; readonly tabs: boolean }[] = [];
  let at = 0;
  let waiting: boolean | undefined;
  const push = (kind: Token['kind'], length: number, glued: boolean): void => {
    tokens.push({ kind, text: text.slice(at, at + length), glued });
    at += length;
  };
  while (at < text.length) {
    const start = at;
    while (at < text.length) {
      if (text[at] === ' ' || text[at] === '\t') at++;
      else if (text.startsWith('\\\n', at)) at += 2;
      else break;
    }
    if (at >= text.length) break;
    const glued = at === start && at > 0;
    const rest = SIGNS.has(text.charAt(at)) ? text.slice(at, at + 64) : '';
    if (text[at] === '\n') push('newline', lineEnd(text, at, documents.splice(0)) - at, glued);
    else if (comments && text[at] === '#' && !glued) at = endOfLine(text, at);
    else if (/^(?:[<>=]\(|<\d*-\d*>)/.test(rest)) push('word', wordEnd(text, at) - at, glued);
    else {
      const redirection = REDIRECTIONS.exec(rest)?.[0];
      const operator = OPERATORS.exec(rest)?.[0];
      if (redirection !== undefined && !(glued && /^\d/.test(redirection) && tokens.at(-1)?.kind === 'word')) {
        push('redirection', redirection.length, glued);
        waiting = /<<-?$/.test(redirection) && !redirection.endsWith('<<<') ? redirection.endsWith('-') : undefined;
        continue;
      }
      if (operator !== undefined && !(operator === '(' && opensPattern(tokens, glued)))
        push('operator', operator.length, glued);
      else {
        const end = definitionEnd(text, at, wordEnd(text, at));
        if (waiting !== undefined) documents.push({ end: text.slice(at, end).replace(/['"\\]/g, ''), tabs: waiting });
        push('word', Math.max(1, end - at), glued);
      }
    }
    waiting = undefined;
  }
  tokens.push({ kind: 'end', text: '', glued: false });
  return tokens;
}

/** `f(){ …; }`: the name ends where the body begins. */
const definitionEnd = (text: Bytes, at: number, end: number): number => {
  if (text[end - 1] !== '{') return end;
  const head = /^[^\s$'"`(=]+\(\)(?=\{$)/.exec(text.slice(at, end))?.[0];
  return head === undefined ? end : at + head.length;
};

const endOfLine = (text: Bytes, at: number): number => {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
};

/** The end of a newline and of the here-documents that begin after it. */
function lineEnd(
  text: Bytes,
  at: number,
  documents: readonly { readonly end: Bytes; readonly tabs: boolean }[],
): number {
  let next = at + 1;
  for (const { end, tabs } of documents) {
    for (;;) {
      const stop = endOfLine(text, next);
      const row = text.slice(next, stop);
      next = Math.min(stop + 1, text.length);
      if ((tabs ? row.replace(/^\t+/, '') : row) === end || stop >= text.length) break;
    }
  }
  return next;
}

/** A `(` after a word and a blank begins a pattern (`rm (a|b)*`), at the start of a command a subshell. */
function opensPattern(tokens: readonly Token[], glued: boolean): boolean {
  const [before, last] = [tokens.at(-2), tokens.at(-1)];
  if (last?.kind !== 'word') return last?.kind === 'redirection';
  if (glued) return true;
  if (/^(?:if|then|elif|else|while|until|do|in|time|!|coproc|function|\{|\})$/.test(last.text)) return false;
  return !(before?.kind === 'word' && /^(?:for|foreach|select)$/.test(before.text));
}

/** The offset after the word that starts at `at`. */
function wordEnd(text: Bytes, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    if (!SPECIAL.has(text.charAt(at))) {
      at++;
      continue;
    }
    const past = skipQuoted(text, at);
    if (past > at) {
      at = past;
      continue;
    }
    const char = text.charAt(at);
    if (char === '(') depth++;
    else if (char === ')') {
      if (depth === 0) break;
      depth--;
    } else if (depth === 0) {
      const range = char === '<' ? /^<\d*-\d*>/.exec(text.slice(at, at + 24)) : undefined;
      if (range) {
        at += range[0].length;
        continue;
      }
      if (/[ \t\n;&|<>]/.test(char) && !(at === start && /[<>]/.test(char))) break;
    } else if (char === '\n') break;
    at++;
  }
  return at;
}
