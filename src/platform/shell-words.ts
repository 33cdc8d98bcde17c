import type { Bytes } from './bytes.ts';

/** A word as it is written, quotes and all, and where it stands. */
export interface ShellWord {
  readonly text: Bytes;
  readonly from: number;
  readonly to: number;
  /** It begins a command: first in the line, or after `;`, `|`, `&`, `(`, a newline. */
  readonly first: boolean;
}

/**
 * The words of a line by quotes and blanks alone: enough to know where a value ends, for lines that no parser may ever have read. A
 * quote that is never closed takes the rest. One pass.
 */
export function shellWords(line: Bytes): ShellWord[] {
  const out: ShellWord[] = [];
  let first = true;
  for (let at = 0; at < line.length; ) {
    const char = line[at] ?? '';
    if (BREAKS.has(char)) {
      if (STARTS.has(char) && !(char === '&' && isOfRedirection(line, at))) first = true;
      at++;
      continue;
    }
    const to = endOfWord(line, at);
    out.push({ text: line.slice(at, to), from: at, to, first });
    first = false;
    at = to;
  }
  return out;
}

const BREAKS = new Set(' \t\r\n;|&()<>');
const STARTS = new Set('\n;|&(');

/** The `&` of `2>&1` and of `&>file` ends no command. */
const isOfRedirection = (line: Bytes, at: number): boolean =>
  line[at + 1] === '>' || (at > 0 && (line[at - 1] === '>' || line[at - 1] === '<'));

function endOfWord(line: Bytes, from: number): number {
  let at = from;
  while (at < line.length) {
    const char = line[at] ?? '';
    if (BREAKS.has(char)) break;
    if (char === '\\') at += 2;
    else if (char === "'" || char === '"') at = endOfQuote(line, at, char, char === '"' || line[at - 1] === '$');
    else at++;
  }
  return Math.min(at, line.length);
}

/** Behind the closing quote. */
function endOfQuote(line: Bytes, from: number, quote: string, escapes: boolean): number {
  for (let at = from + 1; at < line.length; at++) {
    if (escapes && line[at] === '\\') at++;
    else if (line[at] === quote) return at + 1;
  }
  return line.length;
}
