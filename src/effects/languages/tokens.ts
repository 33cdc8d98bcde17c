import type { Bytes } from '../../platform/bytes.ts';

/**
 * Tokens of Python, JavaScript, Perl, Ruby and PHP, as much of them as one-liners use: comments gone, string literals
 * read by each language's own rules, everything else names, numbers and signs. Never throws.
 */
export interface Token {
  readonly kind: 'name' | 'number' | 'string' | 'sign' | 'line' | 'shell' | 'glob' | 'words';
  readonly text: Bytes;
  /** The string has parts that only the running program knows; `text` is what stands in front of the first of them. */
  readonly open?: boolean;
  /** An interpolated string in its parts: literal text and the expressions between. */
  readonly parts?: readonly (Bytes | { readonly source: Bytes })[];
}

export type Language = 'python' | 'javascript' | 'perl' | 'ruby' | 'php';

export interface Read {
  readonly token: Token;
  readonly length: number;
}

/** What a language adds: its comments and its literals. */
export interface Lexicon {
  readonly comment: RegExp;
  readonly name: RegExp;
  literal(rest: Bytes, before: Token | undefined): Read | undefined;
}

const NUMBER = /^(0[xXoObB][0-9a-fA-F_]+|(\d[\d_]*(\.\d+)?|\.\d+)([eE][-+]?\d+)?)/;
const SIGNS = [
  '**=',
  '===',
  '!==',
  '...',
  '=>',
  '->',
  '::',
  '==',
  '!=',
  '<=',
  '>=',
  '&&',
  '||',
  '??',
  '?.',
  '=~',
  '!~',
  '+=',
  '-=',
  '.=',
  '*=',
  '/=',
  '||=',
  '//=',
  '<<',
  '>>',
  '++',
  '--',
  '..',
  ':=',
];

export function tokens(source: Bytes, lexicon: Lexicon): Token[] {
  const out: Token[] = [];
  inVain = 0;
  let at = 0;
  while (at < source.length) {
    const rest = source.slice(at);
    const blank = /^([ \t\r\f]|\\\r?\n)+/.exec(rest) ?? lexicon.comment.exec(rest);
    if (blank) {
      at += blank[0].length;
      continue;
    }
    const read = lexicon.literal(rest, out.at(-1)) ?? plain(rest, lexicon);
    out.push(read.token);
    at += Math.max(1, read.length);
  }
  return out;
}

function plain(rest: Bytes, lexicon: Lexicon): Read {
  if (rest[0] === '\n') return { token: { kind: 'line', text: '\n' }, length: 1 };
  const name = lexicon.name.exec(rest);
  if (name) return { token: { kind: 'name', text: name[0] }, length: name[0].length };
  const number = NUMBER.exec(rest);
  if (number) return { token: { kind: 'number', text: number[0] }, length: number[0].length };
  const text = SIGNS.find((sign) => rest.startsWith(sign)) ?? (rest[0] as string);
  return { token: { kind: 'sign', text }, length: text.length };
}

const CLOSES: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };

/** Characters read in search of closing signs that were not there; hostile text would be read again and again. */
let inVain = 0;
const MAX_IN_VAIN = 1 << 20;

/** A delimited body that starts at `open`: brackets nest, a backslash escapes. Undefined: it never closes. */
export function delimited(text: Bytes, open: number): { readonly body: Bytes; readonly end: number } | undefined {
  if (inVain > MAX_IN_VAIN) return undefined;
  const start = text[open] ?? '';
  const close = CLOSES[start] ?? start;
  let depth = 1;
  for (let at = open + 1; at < text.length; at++) {
    const here = text[at];
    if (here === '\\') at += 1;
    else if (here === close && --depth === 0) return { body: text.slice(open + 1, at), end: at + 1 };
    else if (here === start && close !== start) depth += 1;
  }
  inVain += text.length - open;
  return undefined;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '0': '\0',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  e: '\x1b',
  s: ' ',
};

/** The escapes that all five languages share in double quotes. */
export const resolveEscapes = (body: Bytes): Bytes =>
  body.replace(
    /\\(?:x\{?([0-9a-fA-F]{1,2})\}?|u\{?([0-9a-fA-F]{4})\}?|(\r?\n)|([\s\S]))/g,
    (_, hex, code, newline, letter) => {
      if (hex) return String.fromCharCode(Number.parseInt(hex, 16));
      if (code) return Buffer.from(String.fromCharCode(Number.parseInt(code, 16)), 'utf8').toString('latin1');
      return newline ? '' : (ESCAPES[letter] ?? letter);
    },
  );

/** Single quotes of Perl, Ruby and PHP: only the quote and the backslash are escaped. */
export const rawEscapes = (body: Bytes): Bytes => body.replace(/\\(['\\])/g, '$1');

/**
 * An interpolated body: `hole` finds the next expression in it, `source` being its text where the language's own
 * expressions can tell it.
 */
export function interpolated(body: Bytes, hole: RegExp, kind: Token['kind'] = 'string'): Token {
  const parts: (Bytes | { source: Bytes })[] = [];
  let text = '';
  let at = 0;
  while (at < body.length) {
    if (body[at] === '\\') {
      text += body.slice(at, at + 2);
      at += 2;
      continue;
    }
    const hit = hole.exec(body.slice(at));
    if (hit?.index === 0 && hit[0] !== '') {
      parts.push(resolveEscapes(text), { source: hit.slice(1).find((group) => group !== undefined) ?? hit[0] });
      text = '';
      at += hit[0].length;
    } else {
      text += body[at];
      at += 1;
    }
  }
  if (parts.length === 0) return { kind, text: resolveEscapes(text) };
  return {
    kind,
    text: typeof parts[0] === 'string' ? parts[0] : '',
    open: true,
    parts: [...parts, resolveEscapes(text)],
  };
}
