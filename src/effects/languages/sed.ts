import type { Bytes } from '../../platform/bytes.ts';
import type { Deed } from './deed.ts';

/**
 * What a sed script writes and runs: `w`, `W`, `s///w`, `e`, `s///e` (sed(1), info sed "Commands"). Text that belongs to
 * `a`, `i`, `c`, a label, a regular expression or a comment is none of it.
 */
export function sedDeeds(script: Bytes): Deed[] {
  const reader = new Reader(script);
  const deeds: Deed[] = [];
  while (reader.more()) command(reader, deeds);
  return deeds;
}

class Reader {
  at = 0;
  readonly text: Bytes;
  constructor(text: Bytes) {
    this.text = text;
  }
  more(): boolean {
    return this.at < this.text.length;
  }
  peek(): string {
    return this.text[this.at] ?? '';
  }
  skip(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const hit = pattern.exec(this.text);
    if (!hit) return '';
    this.at += hit[0].length;
    return hit[0];
  }
  /** The rest of the line; the newline is read too. */
  line(): Bytes {
    const end = this.text.indexOf('\n', this.at);
    const rest = this.text.slice(this.at, end < 0 ? undefined : end);
    this.at = end < 0 ? this.text.length : end + 1;
    return rest;
  }
  /** Up to the next `end` that no backslash escapes and, in a regular expression, no brackets enclose (`s/[/]/x/`). */
  until(end: string, regex = false): Bytes {
    const start = this.at;
    while (this.more() && this.peek() !== end) {
      if (regex && this.peek() === '[' && this.skip(/\[\^?\]?(\[[:.=][^\n]*?[:.=]\]|[^\]\n])*\]/y)) continue;
      this.at += this.peek() === '\\' ? 2 : 1;
    }
    const body = this.text.slice(start, Math.min(this.at, this.text.length));
    this.at = Math.min(this.at + 1, this.text.length);
    return body;
  }
}

/** Files that sed opens by themselves, not through the file system. */
const STREAMS = new Set(['/dev/stdout', '/dev/stderr', '']);

function writes(path: Bytes, deeds: Deed[]): void {
  if (!STREAMS.has(path)) deeds.push({ kind: 'file', path, way: 'write-in-place', follows: true });
}

function command(reader: Reader, deeds: Deed[]): void {
  reader.skip(/[\s;]*/y);
  addresses(reader);
  const verb = reader.peek();
  reader.at += 1;
  switch (verb) {
    case '#':
      reader.line();
      return;
    case 'w':
    case 'W':
      reader.skip(/[ \t]*/y);
      writes(reader.line(), deeds);
      return;
    case 'e': {
      const text = reader.line().trim();
      deeds.push(text ? { kind: 'shell', text } : { kind: 'unknown', note: 'sed runs its input as commands' });
      return;
    }
    case 's':
      substitute(reader, deeds);
      return;
    case 'y': {
      const end = reader.peek();
      reader.at += 1;
      reader.until(end);
      reader.until(end);
      return;
    }
    case 'a':
    case 'i':
    case 'c':
      insertedText(reader);
      return;
    case 'r':
    case 'R':
      reader.line();
      return;
    case ':':
    case 'b':
    case 't':
    case 'T':
    case 'v':
      reader.skip(/[ \t]*[^\n;}]*/y);
      return;
    case 'q':
    case 'Q':
    case 'l':
    case 'L':
      reader.skip(/[ \t]*\d*/y);
      return;
    default:
      return;
  }
}

function addresses(reader: Reader): void {
  for (;;) {
    const first = reader.peek();
    if (first === '/' || first === '\\') {
      reader.at += first === '\\' ? 1 : 0;
      const end = reader.peek();
      reader.at += 1;
      reader.until(end, true);
      reader.skip(/[IM]*/y);
    } else if (!reader.skip(/\$|[+~]?\d+(~\d+)?/y)) break;
    if (!reader.skip(/[ \t]*,[ \t]*/y)) break;
  }
  reader.skip(/[ \t]*(![ \t]*)*/y);
}

function substitute(reader: Reader, deeds: Deed[]): void {
  const end = reader.peek();
  if (end === '' || end === '\n' || end === '\\') return;
  reader.at += 1;
  reader.until(end, true);
  const replacement = reader.until(end);
  for (;;) {
    const flag = reader.peek();
    if (flag === 'w') {
      reader.at += 1;
      reader.skip(/[ \t]*/y);
      writes(reader.line(), deeds);
      return;
    }
    if (flag === 'e') {
      // The whole pattern space runs, so even a replacement without references is only a part of it.
      deeds.push({ kind: 'unknown', note: `sed runs its input as a command, with ${replacement}` });
      reader.at += 1;
    } else if (!reader.skip(/[gpiImM0-9]+/y)) return;
  }
}

/** `a text`, `a\` newline `text`: to the first line that does not end in a backslash. */
function insertedText(reader: Reader): void {
  reader.skip(/[ \t]*(\\\n?[ \t]*)?/y);
  for (;;) {
    const line = reader.line();
    const escapes = /\\*$/.exec(line)?.[0].length ?? 0;
    if (escapes % 2 === 0 || !reader.more()) return;
  }
}
