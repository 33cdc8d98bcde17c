import type { Bytes } from '../../platform/bytes.ts';
import { readEscape } from '../output/format.ts';
import { skipFish } from './lex.ts';

type Nested = (script: Bytes) => Bytes;

/** A variable that nobody can set: what it stands for is never known. */
const UNKNOWN = `\${belay[unknown]}`;

/**
 * A fish word (fish language: quotes, expansions) as a bash word that the walk's expansions read with fish's rules: `(cmd)` becomes
 * `$(cmd)`, `$x[1]` gets braces, escapes and quotes are bash's, and characters that are special only in bash are escaped.
 */
export function wordToBash(word: Bytes, nested: Nested): Bytes {
  let out = '';
  for (let at = 0; at < word.length; ) {
    const char = word.charAt(at);
    const past = skipFish(word, at);
    // Left open: fish refuses the line, and so will the parser.
    if (/['"(]/.test(char) && (past - at < 2 || word[past - 1] !== (char === '(' ? ')' : char)))
      return `${out} ( ${word.slice(at)}`;
    if (char === '\\') {
      const escaped = readUnquoted(word, at);
      out += escaped.text;
      at = escaped.end;
    } else if (char === "'") {
      out += quote(word.slice(at + 1, past - 1).replace(/\\([\\'])/g, '$1'));
      at = past;
    } else if (char === '"') {
      out += `"${doubleQuoted(word.slice(at + 1, past - 1), nested)}"`;
      at = past;
    } else if (char === '(') {
      const index = /^\[[^\]]*\]/.exec(word.slice(past))?.[0] ?? '';
      const script = nested(word.slice(at + 1, past - 1));
      out += index === '' ? `$(${script})` : `\${belay[unknown]:+$(${script})}`;
      at = past + index.length;
    } else if (char === '$') {
      const expansion = variable(word, at, nested);
      out += expansion.text;
      at = expansion.end;
    } else {
      const plain = bare(word, at);
      out += plain.text;
      at = plain.end;
    }
  }
  return out;
}

const quote = (text: Bytes): Bytes => `'${text.replaceAll("'", "'\\''")}'`;

function readUnquoted(word: Bytes, at: number): { text: Bytes; end: number } {
  const found =
    /^\\(x[0-9A-Fa-f]{1,2}|X[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}|[0-7]{1,3}|c[A-Za-z]|[\s\S])/.exec(
      word.slice(at, at + 12),
    );
  const what = found?.[1] ?? '';
  const end = at + (found?.[0].length ?? 1);
  if (/^[abefnrtv]$/.test(what) || (/^[xXuU0-7]/.test(what) && (what.length > 1 || /\d/.test(what))))
    return { text: quote(readEscape(what.replace(/^X/, 'x'), what)), end };
  if (/^c[A-Za-z]$/.test(what)) return { text: quote(String.fromCharCode(what.charCodeAt(1) & 31)), end };
  return what === '\n' || what === '' ? { text: '', end } : { text: `\\${what}`, end };
}

/** `$x`, `$x[1]`, `$$x`; a dollar alone is itself. */
function variable(word: Bytes, at: number, nested: Nested): { text: Bytes; end: number } {
  if (word.startsWith('$(', at)) {
    const end = skipFish(word, at + 1);
    return { text: `$(${nested(word.slice(at + 2, end - 1))})`, end };
  }
  const found = /^(\$+)(\w+)((?:\[[^\]]*\])*)/.exec(word.slice(at));
  if (!found) return { text: '\\$', end: at + 1 };
  const [whole, dollars = '', name = '', index = ''] = found;
  const end = at + whole.length;
  if (dollars.length > 1) return { text: dollars.length === 2 && index === '' ? `\${!${name}}` : UNKNOWN, end };
  const one = /^\[\s*(-?\d+(?:\.\.-?\d+)?)\s*\]$/.exec(index)?.[1];
  if (index === '') return { text: `\${${name}}`, end };
  return { text: one === undefined ? UNKNOWN : `\${${name}[${one}]}`, end };
}

function doubleQuoted(text: Bytes, nested: Nested): Bytes {
  let out = '';
  for (let at = 0; at < text.length; ) {
    const char = text.charAt(at);
    if (char === '\\' && /[\\"$\n]/.test(text.charAt(at + 1))) {
      out += text[at + 1] === '\n' ? '' : text.slice(at, at + 2);
      at += 2;
    } else if (char === '$') {
      const expansion = variable(text, at, nested);
      out += expansion.text;
      at = expansion.end;
    } else {
      out += /[\\`"]/.test(char) ? `\\${char}` : char;
      at++;
    }
  }
  return out;
}

/** A character outside quotes: wildcards and braces are fish's own, brackets and the like mean nothing. */
function bare(word: Bytes, at: number): { text: Bytes; end: number } {
  const rest = word.slice(at);
  const stars = /^\*{2,}/.exec(rest)?.[0];
  if (stars !== undefined) {
    const end = at + stars.length;
    const open = at === 0 || word[at - 1] === '/';
    if (!open) return { text: UNKNOWN, end };
    return { text: end === word.length || word[end] === '/' ? '**' : '**/*', end };
  }
  if (rest.startsWith('{')) {
    const body = /^\{[^{}]*\}/.exec(rest)?.[0];
    if (body !== undefined && !body.includes(',')) return { text: /[$(]/.test(body) ? '' : '\\{', end: at + 1 };
    return { text: '{', end: at + 1 };
  }
  const char = rest.charAt(0);
  if (char === '}') return { text: word.slice(0, at).includes('{') ? closingBrace(word, at) : '\\}', end: at + 1 };
  return { text: /[`!#[\]()&;<>|"]/.test(char) || (char === '~' && at > 0) ? `\\${char}` : char, end: at + 1 };
}

/** A brace that closes one without a comma is text. */
function closingBrace(word: Bytes, at: number): Bytes {
  const open = word.lastIndexOf('{', at);
  const body = word.slice(open, at + 1);
  if (!/^\{[^{},]*\}$/.test(body)) return '}';
  return /[$(]/.test(body) ? '' : '\\}';
}

/** A pattern of `case`: `*` and `?` match, quoted or not. */
export function caseToBash(word: Bytes, nested: Nested): Bytes {
  if (/[$(]/.test(word)) return wordToBash(word, nested);
  const text = word.replace(/^(['"])([\s\S]*)\1$/, '$2').replace(/\\([\s\S])/g, '$1');
  return text.replace(/[^\w*?./-]/g, (char) => (char === '\n' ? "'\n'" : `\\${char}`)) || "''";
}
