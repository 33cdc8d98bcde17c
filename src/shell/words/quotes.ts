import type { Bytes } from '../../platform/bytes.ts';

/**
 * The offset after the quotation, escape, `$…` expansion or backquote that starts at `at`; `at` itself where none starts
 * there. Unclosed ones reach to the end.
 */
export function skipQuoted(text: Bytes, at: number): number {
  switch (text[at]) {
    case '\\':
      return Math.min(at + 2, text.length);
    case "'":
      return closing(text, at + 1, "'");
    case '"':
      return skipDouble(text, at + 1);
    case '`':
      return skipBackquote(text, at + 1);
    case '$':
      if (text[at + 1] === "'") return skipAnsi(text, at + 2);
      if (text[at + 1] === '(') return skipBalanced(text, at + 1, '(', ')');
      if (text[at + 1] === '{') return skipBalanced(text, at + 1, '{', '}');
      if (text[at + 1] === '[') return skipBalanced(text, at + 1, '[', ']');
      return at;
    default:
      return at;
  }
}

function closing(text: Bytes, at: number, quote: string): number {
  const end = text.indexOf(quote, at);
  return end < 0 ? text.length : end + 1;
}

function skipDouble(text: Bytes, start: number): number {
  for (let at = start; at < text.length; ) {
    if (text[at] === '"') return at + 1;
    if (text[at] === "'") at++;
    else if (text[at] === '$' && text[at + 1] === "'") at++;
    else {
      const past = skipQuoted(text, at);
      at = past > at ? past : at + 1;
    }
  }
  return text.length;
}

function skipBackquote(text: Bytes, start: number): number {
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '`') return at + 1;
  }
  return text.length;
}

function skipAnsi(text: Bytes, start: number): number {
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === "'") return at + 1;
  }
  return text.length;
}

function skipBalanced(text: Bytes, start: number, open: string, close: string): number {
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const char = text[at];
    if (char === open) depth++;
    else if (char === close && --depth === 0) return at + 1;
    const past = char === open || char === close ? at : skipQuoted(text, at);
    at = past > at ? past : at + 1;
  }
  return text.length;
}
