import type { Bytes } from '../../platform/bytes.ts';

export interface AwkToken {
  /** `string` and `regex` without their delimiters, escapes resolved. */
  readonly kind: 'name' | 'number' | 'string' | 'regex' | 'sign';
  readonly text: Bytes;
}

const SIGNS = ['|&', '>>', '<=', '>=', '==', '!=', '&&', '||', '++', '--', '+=', '-=', '*=', '/=', '%=', '^=', '!~'];

/** The tokens of an awk program; a newline is one where it ends a statement. Comments and continued lines are gone. */
export function awkTokens(program: Bytes): AwkToken[] {
  const tokens: AwkToken[] = [];
  let at = 0;
  while (at < program.length) {
    const rest = program.slice(at);
    const blank = /^([ \t\r]|\\\r?\n|#[^\n]*)+/.exec(rest);
    if (blank) {
      at += blank[0].length;
      continue;
    }
    const token = string(rest) ?? regex(rest, tokens.at(-1)) ?? word(rest) ?? sign(rest);
    at += token.length;
    if (token.token.text === '\n' && goesOn(tokens.at(-1))) continue;
    tokens.push(token.token);
  }
  return tokens;
}

/** After these a newline ends nothing. */
const goesOn = (before: AwkToken | undefined): boolean =>
  before !== undefined && before.kind !== 'string' && /^(,|\{|&&|\|\||do|else)$/.test(before.text);

interface Read {
  readonly token: AwkToken;
  readonly length: number;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' };

function string(rest: Bytes): Read | undefined {
  if (rest[0] !== '"') return undefined;
  const body = /^"((?:[^"\\]|\\[\s\S])*)("|$)/.exec(rest);
  if (!body) return { token: { kind: 'string', text: rest.slice(1) }, length: rest.length };
  const text = (body[1] ?? '').replace(/\\(?:([0-7]{1,3})|\n|([\s\S]))/g, (whole, octal, letter) => {
    if (octal) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
    return letter === undefined ? '' : (ESCAPES[letter] ?? (/["\\/]/.test(letter) ? letter : whole));
  });
  return { token: { kind: 'string', text }, length: body[0].length };
}

/** A slash divides after an operand and opens a regular expression everywhere else. */
function regex(rest: Bytes, before: AwkToken | undefined): Read | undefined {
  if (rest[0] !== '/') return undefined;
  const operand = before && (before.kind === 'sign' ? /^[)\]$]$|^(\+\+|--)$/.test(before.text) : !isKeyword(before));
  if (operand) return undefined;
  const body = /^\/((?:[^/\\\n[]|\\[\s\S]|\[\^?\]?[^\]\n]*\]|\[)*)\//.exec(rest);
  return body ? { token: { kind: 'regex', text: body[1] ?? '' }, length: body[0].length } : undefined;
}

const isKeyword = (token: AwkToken): boolean =>
  token.kind === 'name' && /^(print|printf|return|in|case|else|do|and|or|not)$/.test(token.text);

function word(rest: Bytes): Read | undefined {
  const name = /^[A-Za-z_][A-Za-z0-9_:]*/.exec(rest);
  if (name) return { token: { kind: 'name', text: name[0] }, length: name[0].length };
  const number = /^(0[xX][0-9a-fA-F]+|(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?)/.exec(rest);
  return number ? { token: { kind: 'number', text: number[0] }, length: number[0].length } : undefined;
}

function sign(rest: Bytes): Read {
  const text = SIGNS.find((candidate) => rest.startsWith(candidate)) ?? (rest[0] as string);
  return { token: { kind: 'sign', text }, length: text.length };
}
