import type { Bytes } from '../../platform/bytes.ts';

const SIMPLE: Readonly<Record<string, Bytes>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
  "'": "'",
};

/** Backslash escapes of `echo -e`, `printf` and `%b`; `stop`: `\c` ended the text. */
export function readEscapes(text: Bytes, zeroOctal = true): { readonly text: Bytes; readonly stop: boolean } {
  const cut = /(?<!\\)(?:\\\\)*\\c/.exec(text);
  const source = cut ? text.slice(0, cut.index + cut[0].length - 2) : text;
  const octal = zeroOctal ? '0[0-7]{0,3}|[1-7][0-7]{0,2}' : '[0-7]{1,3}';
  const pattern = new RegExp(`\\\\(x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}|${octal}|[\\s\\S])`, 'g');
  const read = source.replace(pattern, (whole: Bytes, what: Bytes) => readEscape(what, whole));
  return { text: read, stop: cut !== null };
}

/** What stands after the backslash; `whole` where that means nothing. */
export function readEscape(what: Bytes, whole: Bytes): Bytes {
  const kind = what.charAt(0);
  if (kind === 'x' && what.length > 1) return String.fromCharCode(Number.parseInt(what.slice(1), 16) & 255);
  if (/[uU]/.test(kind) && what.length > 1) return codePoint(Number.parseInt(what.slice(1), 16));
  if (/[0-7]/.test(kind)) return String.fromCharCode(Number.parseInt(what, 8) & 255);
  return SIMPLE[kind] ?? whole;
}

const codePoint = (code: number): Bytes =>
  code > 0x10ffff ? '' : Buffer.from(String.fromCodePoint(code), 'utf8').toString('latin1');

/** Directives printed at most, whatever the number of values. */
const MOST_PRINTED = 65_536;

/** `printf FORMAT VALUE…` (POSIX XCU printf): the format is used again until all values are. Undefined: a directive not known here. */
export function format(pattern: Bytes, values: readonly Bytes[]): Bytes | undefined {
  let out = '';
  let next = 0;
  for (;;) {
    const before = next;
    const one = formatOnce(pattern, () => values[next++]);
    if (one === undefined || out.length + one.text.length > MOST_PRINTED) return undefined;
    out += one.text;
    if (one.stop || next >= values.length || next === before) return out;
  }
}

function formatOnce(pattern: Bytes, value: () => Bytes | undefined): { text: Bytes; stop: boolean } | undefined {
  let text = '';
  for (const piece of pattern.matchAll(
    /%(%|[-+ 0#']*(?:\*|\d+)?(?:\.(?:\*|\d+)?)?[a-zA-Z])|((?:\\[\s\S]|[^%\\])+)|[\s\S]/g,
  )) {
    const [whole, directive, plain] = piece;
    if (directive === '%') text += '%';
    else if (directive !== undefined) {
      const one = directiveText(directive, value);
      if (one === undefined) return undefined;
      text += one.text;
      if (one.stop) return { text, stop: true };
    } else if (plain !== undefined) {
      const read = readEscapes(plain, false);
      text += read.text;
      if (read.stop) return { text, stop: true };
    } else text += whole;
  }
  return { text, stop: false };
}

function directiveText(directive: Bytes, value: () => Bytes | undefined): { text: Bytes; stop: boolean } | undefined {
  const parsed = /^([-+ 0#']*)(\d*)(?:\.(\d*))?([a-zA-Z])$/.exec(directive);
  if (!parsed) return undefined;
  const [, flags = '', width = '', precision, kind = ''] = parsed;
  if (Number(width) > 4096) return undefined;
  const given = value() ?? '';
  const pad = (text: Bytes, zero = false): Bytes =>
    flags.includes('-')
      ? text.padEnd(Number(width))
      : text.padStart(Number(width), zero && flags.includes('0') ? '0' : ' ');
  switch (kind) {
    case 's':
      return { text: pad(precision === undefined ? given : given.slice(0, Number(precision))), stop: false };
    case 'b': {
      const read = readEscapes(given);
      return { text: pad(read.text), stop: read.stop };
    }
    case 'd':
    case 'i': {
      if (!/^[+-]?(?:0|[1-9]\d{0,17})?$/.test(given) || precision !== undefined || /[+ ']/.test(flags))
        return undefined;
      return { text: pad(String(Number(given || 0)), true), stop: false };
    }
    case 'c':
      return { text: pad(given.slice(0, 1)), stop: false };
    default:
      return undefined;
  }
}
