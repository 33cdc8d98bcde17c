import type { Bytes } from '../../platform/bytes.ts';
import {
  delimited,
  interpolated,
  type Language,
  type Lexicon,
  type Read,
  rawEscapes,
  resolveEscapes,
  type Token,
} from './tokens.ts';

const NEVER = /^(?!)/;
const RUBY_HOLE = /^#\{([^{}]*)\}/;
const PERL_HOLE = /^(?:\$\{(\w+)\}|([$@]\w+(?:(?:->)?(?:\[[^\]]*\]|\{[^}]*\}))*))/;
const PHP_HOLE = /^(?:\{(\$[^}]*)\}|(\$\w+(?:\[[^\]]*\]|->\w+)?))/;
const JS_HOLE = /^\$\{([^{}]*)\}/;
const PYTHON_HOLE = /^\{([^{}!:]*)(?:![rsa])?(?::[^{}]*)?\}/;

const value = (text: Bytes): Token => ({ kind: 'string', text });

/** A name or a closing bracket came before: what follows divides, indexes or compares, and opens no literal. */
const afterOperand = (before: Token | undefined): boolean =>
  before !== undefined &&
  ((before.kind === 'name' &&
    !/^(return|and|or|not|if|unless|while|split|grep|map|in|typeof|case|when|puts|print)$/.test(before.text)) ||
    before.kind === 'number' ||
    before.kind === 'string' ||
    (before.kind === 'sign' && /^[)\]}]$/.test(before.text)));

/** `q`, `qq`, `qw`, `%q`, … at `at`: their body, whatever the delimiter. */
function quoted(rest: Bytes, at: number): { readonly body: Bytes; readonly end: number } | undefined {
  return at < rest.length && !/[\w\s,;]/.test(rest[at] ?? '') ? delimited(rest, at) : undefined;
}

function plainString(rest: Bytes, quotes: string, raw: string, hole: RegExp): Read | undefined {
  const quote = rest[0] ?? '';
  if (!quotes.includes(quote)) return undefined;
  const body = delimited(rest, 0);
  if (!body) return undefined;
  const token = quote === raw ? value(rawEscapes(body.body)) : interpolated(body.body, hole);
  return { token, length: body.end };
}

function regex(rest: Bytes, before: Token | undefined): Read | undefined {
  if (rest[0] !== '/' || afterOperand(before)) return undefined;
  const hit = /^\/((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.){0,500}\]){1,500})\/[a-z]*/.exec(rest);
  return hit ? { token: value(''), length: hit[0].length } : undefined;
}

const python: Lexicon = {
  comment: /^#[^\n]*/,
  name: /^[A-Za-z_]\w*/,
  literal(rest) {
    const hit = /^([rRbBuUfF]{0,2})("""|'''|"|')/.exec(rest);
    if (!hit) return undefined;
    const [opening = '', flags = '', quote = ''] = hit;
    const body = new RegExp(`^((?:[^\\\\]|\\\\[\\s\\S])*?)${quote}`).exec(rest.slice(opening.length));
    if (!body) return undefined;
    const text = body[1] ?? '';
    const length = opening.length + body[0].length;
    if (/f/i.test(flags))
      return {
        token: interpolated(
          text.replace(/\{\{|\}\}/g, (two) => two[0] as string),
          PYTHON_HOLE,
        ),
        length,
      };
    return { token: value(/r/i.test(flags) ? text : resolveEscapes(text)), length };
  },
};

const javascript: Lexicon = {
  comment: /^(\/\/[^\n]*|\/\*[\s\S]*?\*\/)/,
  name: /^[A-Za-z_$][\w$]*/,
  literal: (rest, before) =>
    plainString(rest, `'"`, '', NEVER) ?? plainString(rest, '`', '', JS_HOLE) ?? regex(rest, before),
};

/** Perl's quote-like operators (perlop(1)); patterns and transliterations are read only to be passed over. */
const perl: Lexicon = {
  comment: /^(#[^\n]*|\n=\w[\s\S]*?\n=cut[^\n]*)/,
  name: /^([$@%&]?#?\$*(?:[A-Za-z_]\w*(?:::\w+)*)|[$@](?:[0-9]+|[&_!@/\\,;.]))/,
  literal(rest, before) {
    const plain = plainString(rest, `'"`, "'", PERL_HOLE);
    if (plain) return plain;
    if (rest[0] === '`') {
      const body = delimited(rest, 0);
      return body && { token: interpolated(body.body, PERL_HOLE, 'shell'), length: body.end };
    }
    const operator =
      before?.text === '->' || before?.text === '{' ? null : /^(qq|qw|qx|qr|q|m|s|tr|y)\b\s*(?=[^\w\s,;=)])/.exec(rest);
    if (operator && !/^\s*=>/.test(rest.slice(operator[0].length))) {
      const word = operator[1] as string;
      const body = quoted(rest, operator[0].length);
      if (body) return perlQuote(rest, word, body);
    }
    if (rest[0] === '<' && (!afterOperand(before) || (before?.kind === 'name' && /^[a-z]/.test(before.text)))) {
      const hit = /^<([^\s<>=]*[*?[{~][^<>\n]*)>/.exec(rest);
      if (hit) return { token: { kind: 'glob', text: hit[1] ?? '' }, length: hit[0].length };
      const handle = /^<\$?\w*>/.exec(rest);
      if (handle) return { token: value(''), length: handle[0].length };
    }
    return regex(rest, before);
  },
};

function perlQuote(rest: Bytes, word: string, body: { body: Bytes; end: number }): Read {
  const token: Token =
    word === 'q'
      ? value(rawEscapes(body.body))
      : word === 'qq'
        ? interpolated(body.body, PERL_HOLE)
        : word === 'qx'
          ? interpolated(body.body, PERL_HOLE, 'shell')
          : word === 'qw'
            ? { kind: 'words', text: body.body }
            : { kind: 'number', text: '' };
  if (!/^(s|tr|y)$/.test(word))
    return { token, length: body.end + (/^(m|qr)$/.test(word) ? flags(rest, body.end) : 0) };
  // s{…}{…} has a second pair, s/…/…/ goes on at the same slash
  const paired = /[([{<]/.test(rest[body.end - body.body.length - 2] ?? '');
  const open = paired ? body.end + (/^\s*/.exec(rest.slice(body.end))?.[0].length ?? 0) : body.end - 1;
  const second = delimited(rest, open);
  const end = second?.end ?? body.end;
  const length = end + flags(rest, end);
  // `s/…/code/e`: the replacement is a program.
  const evaluated: Token | undefined =
    word === 's' && /e/.test(rest.slice(end, length)) && second
      ? { kind: 'string', text: '', open: true, parts: [{ source: second.body }] }
      : undefined;
  return { token: evaluated ?? token, length };
}

const flags = (rest: Bytes, at: number): number => /^[a-z]*/.exec(rest.slice(at))?.[0].length ?? 0;

const ruby: Lexicon = {
  comment: /^#(?!\{)[^\n]*/,
  name: /^(\$?@{0,2}[A-Za-z_]\w*[?!]?|\$[0-9!@/\\,;.&~_*])/,
  literal(rest, before) {
    const plain = plainString(rest, `'"`, "'", RUBY_HOLE);
    if (plain) return plain;
    if (rest[0] === '`') {
      const body = delimited(rest, 0);
      return body && { token: interpolated(body.body, RUBY_HOLE, 'shell'), length: body.end };
    }
    const operator = /^%([qQwWx]?)(?=[([{<|!/])/.exec(rest);
    if (operator && !(operator[1] === '' && afterOperand(before))) {
      const body = quoted(rest, operator[0].length);
      if (body) {
        const word = operator[1];
        if (word === 'w' || word === 'W') return { token: { kind: 'words', text: body.body }, length: body.end };
        const token =
          word === 'q'
            ? value(rawEscapes(body.body))
            : interpolated(body.body, RUBY_HOLE, word === 'x' ? 'shell' : 'string');
        return { token, length: body.end };
      }
    }
    return regex(rest, before);
  },
};

const php: Lexicon = {
  comment: /^(#(?!\[)[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/|<\?php|<\?=?|\?>)/,
  name: /^\$?\\?[A-Za-z_][\w\\]*/,
  literal(rest) {
    if (rest[0] === '`') {
      const body = delimited(rest, 0);
      return body && { token: interpolated(body.body, PHP_HOLE, 'shell'), length: body.end };
    }
    return plainString(rest, `'"`, "'", PHP_HOLE);
  },
};

export const LEXICONS: Readonly<Record<Language, Lexicon>> = { python, javascript, perl, ruby, php };
