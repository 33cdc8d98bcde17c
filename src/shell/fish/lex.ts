import type { Bytes } from '../../platform/bytes.ts';

/** A token of a fish line. */
export interface Token {
  readonly kind: 'word' | 'separator' | 'pipe' | 'logical' | 'redirection' | 'end';
  readonly text: Bytes;
}

const REDIRECTION = /^(?:\d*(?:>>\??|>\?|>&|>|<\?|<&|<)|&>>?\??)/;

/** The tokens of a fish text (fish language: syntax overview). A parenthesis inside a word is a command substitution. */
export function lex(text: Bytes): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const push = (kind: Token['kind'], length: number): void => {
    tokens.push({ kind, text: text.slice(at, at + length) });
    at += length;
  };
  while (at < text.length) {
    if (/[ \t\r]/.test(text.charAt(at))) at++;
    else if (text.startsWith('\\\n', at)) at += 2;
    else if (text[at] === '#') at = text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at);
    else if (text[at] === '\n' || text[at] === ';') push('separator', 1);
    else if (text.startsWith('&&', at) || text.startsWith('||', at)) push('logical', 2);
    else if (text.startsWith('&|', at)) push('pipe', 2);
    else {
      const rest = text.slice(at, at + 24);
      const piped = /^\d*>\|/.exec(rest)?.[0];
      const redirection = REDIRECTION.exec(rest)?.[0];
      if (piped !== undefined) push('pipe', piped.length);
      else if (redirection !== undefined) push('redirection', redirection.length);
      else if (text[at] === '|') push('pipe', 1);
      else if (text[at] === '&') push('separator', 1);
      else push('word', Math.max(1, wordEnd(text, at) - at));
    }
  }
  tokens.push({ kind: 'end', text: '' });
  return tokens;
}

function wordEnd(text: Bytes, start: number): number {
  for (let at = start; at < text.length; ) {
    const past = skipFish(text, at);
    if (past > at) at = past;
    else if (/[ \t\r\n;&|<>)]/.test(text.charAt(at))) return at;
    else at++;
  }
  return text.length;
}

/** The offset after the quotation, escape or substitution that starts at `at`; `at` where none does. */
export function skipFish(text: Bytes, at: number): number {
  switch (text[at]) {
    case '\\':
      return Math.min(at + 2, text.length);
    case "'":
    case '"':
      return closing(text, at);
    case '(':
      return skipParentheses(text, at);
    default:
      return at;
  }
}

/** Both kinds of quotes know escapes; `$(…)` in double ones is a script of its own. */
function closing(text: Bytes, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === quote) return at + 1;
    else if (quote === '"' && text.startsWith('$(', at)) at = skipParentheses(text, at + 1) - 1;
  }
  return text.length;
}

function skipParentheses(text: Bytes, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const char = text[at];
    if (char === '(') depth++;
    else if (char === ')' && --depth === 0) return at + 1;
    const past = char === '(' || char === ')' ? at : skipFish(text, at);
    at = past > at ? past : at + 1;
  }
  return text.length;
}
