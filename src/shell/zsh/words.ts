import type { Bytes } from '../../platform/bytes.ts';
import { TooDeep } from '../nesting.ts';
import { skipQuoted } from '../words/quotes.ts';
import { carry } from './carried.ts';
import { QUALIFIERS } from './qualifiers.ts';

/** How what lies inside a word is read; `spend` counts what is read again or grows. */
export interface Inner {
  readonly script: (text: Bytes) => Bytes;
  readonly spend: (length: number) => void;
}

/** A script inside a word, in bash. */
function scriptOf(text: Bytes, inner: Inner): Bytes {
  inner.spend(text.length);
  return inner.script(text);
}

/** A variable that nobody can set: what it stands for is never known. */
const UNKNOWN = 'belay[unknown]';

/**
 * A zsh word as a bash word that means the same to the expansions of the walk: groups become extended globs, qualifiers
 * (zshexpn(1), *Glob Qualifiers*) a quoted mark at the end, `$x[1]` and `$x:h` get their braces.
 */
export function wordToBash(word: Bytes, extended: boolean, inner: Inner): Bytes {
  if (/^[<>=]\(/.test(word) && word.endsWith(')'))
    return `${word[0] === '>' ? '>' : '<'}(${scriptOf(word.slice(2, -1), inner)})`;
  const { base, qualifiers } = splitQualifiers(word);
  const body = /[(^#~<]|\*\*\*\//.test(base) ? pattern(base, extended) : base;
  return parameters(body, inner) + (qualifiers === undefined ? '' : `'${QUALIFIERS}${qualifiers}'`);
}

/** `*(.om[1])`: the group at the end holds qualifiers unless it is one of a pattern. */
function splitQualifiers(word: Bytes): { readonly base: Bytes; readonly qualifiers: Bytes | undefined } {
  const groups = outerGroups(word);
  const last = groups.at(-1);
  if (!last || last.end !== word.length || last.start === 0) return { base: word, qualifiers: undefined };
  const inside = word.slice(last.start + 1, -1);
  if (inside === '' || (/[|~(]/.test(inside) && !inside.startsWith('#q')) || inside.includes("'"))
    return { base: word, qualifiers: undefined };
  return { base: word.slice(0, last.start), qualifiers: inside.replace(/^#q/, '') };
}

/** The unquoted groups of a word that lie in no other. */
function outerGroups(word: Bytes): { readonly start: number; readonly end: number }[] {
  const groups: { start: number; end: number }[] = [];
  let depth = 0;
  for (let at = 0; at < word.length; ) {
    const past = skipQuoted(word, at);
    if (past > at) {
      at = past;
      continue;
    }
    if (word[at] === '(' && depth++ === 0) groups.push({ start: at, end: word.length });
    else if (word[at] === ')' && depth > 0 && --depth === 0) {
      const last = groups.at(-1);
      if (last) last.end = at + 1;
    }
    at++;
  }
  return groups;
}

/** `^` inside each other. */
const MOST_NEGATED = 32;

/** What `#` repeats is looked for in so many characters in front of it. */
const LONGEST_ATOM = 256;

/** Pattern characters that bash has not (zshexpn(1), *Glob Operators*). What is left out makes the pattern match more. */
function pattern(word: Bytes, extended: boolean, negated = 0): Bytes {
  if (negated > MOST_NEGATED) throw new TooDeep('patterns negated too deep');
  // What is behind the last atom is not looked at again.
  let done = '';
  let out = '';
  for (let at = 0; at < word.length; ) {
    const past = skipQuoted(word, at);
    if (past > at) {
      out += word.slice(at, past);
      at = past;
      continue;
    }
    const char = word.charAt(at);
    const rest = word.slice(at);
    const range = /^<\d*-\d*>/.exec(rest);
    const flags = /^\(#[a-zA-Z]\w*\)/.exec(rest);
    if (range) {
      out += '+([0-9])';
      at += range[0].length;
    } else if (flags) {
      // `(#i)` and the like change how the rest matches: anything in this folder may be meant.
      const slash = rest.indexOf('/');
      out += `*'${QUALIFIERS}?'`;
      if (slash >= 0) return `${done}${out.replace(/\*'[^']*'$/, '')}\${${UNKNOWN}}`;
      return done + out;
    } else if (/^\*\*\*+\//.test(rest)) {
      // Follows links, so that it can lead anywhere.
      return `${done}${out}\${${UNKNOWN}}`;
    } else if (char === '(') {
      out += /[+@!]/.test(word[at - 1] ?? '') ? '(' : '@(';
      at++;
    } else if (extended && char === '^') {
      const end = componentEnd(word, at + 1);
      out += `!(${pattern(word.slice(at + 1, end), extended, negated + 1)})`;
      at = end;
    } else if (extended && char === '~' && at > 0 && at + 1 < word.length) {
      at = componentEnd(word, at + 1);
    } else if (extended && char === '#' && out !== '') {
      done += out.slice(0, -LONGEST_ATOM);
      out = out.slice(-LONGEST_ATOM);
      const atom = /(?:\[[^\]]*\]|@\([^)]*\)|[^()])$/.exec(out)?.[0] ?? '';
      out = `${out.slice(0, -atom.length || undefined)}${word[at + 1] === '#' ? '+' : '*'}(${atom.replace(/^@\((.*)\)$/, '$1')})`;
      at += word[at + 1] === '#' ? 2 : 1;
    } else {
      out += char;
      at++;
    }
  }
  return done + out;
}

function componentEnd(word: Bytes, start: number): number {
  let depth = 0;
  for (let at = start; at < word.length; ) {
    const past = skipQuoted(word, at);
    if (past > at) {
      at = past;
      continue;
    }
    const char = word[at];
    if (char === '(') depth++;
    else if (char === ')' && depth-- === 0) return at;
    else if (depth === 0 && (char === '/' || char === '~')) return at;
    at++;
  }
  return word.length;
}

/** `$x[…]`, `$x:h`, `$=x`, `$~x`, `$#x` outside single quotes get braces. */
function parameters(word: Bytes, inner: Inner): Bytes {
  if (!word.includes('$')) return word;
  let out = '';
  for (let at = 0; at < word.length; ) {
    if (word[at] === "'" || word[at] === '\\') {
      const past = skipQuoted(word, at);
      out += word.slice(at, past);
      at = past;
      continue;
    }
    if (word.startsWith('$(', at) && word[at + 2] !== '(') {
      const end = skipQuoted(word, at);
      out += `$(${scriptOf(word.slice(at + 2, end - 1), inner)})`;
      at = end;
      continue;
    }
    const replaced = /^\$([A-Za-z_]\w*:g?s([^\w\s'"])(?:(?!\2)[^\s'"$`])+\2(?:(?!\2)[^\s'"$`])*\2?)/.exec(
      word.slice(at, at + 256),
    );
    if (replaced) {
      out += carry('', replaced[1] ?? '', false);
      at += replaced[0].length;
      continue;
    }
    const simple = /^\$([=~#+^]*)([A-Za-z_]\w*|\d+|[@*])((?:\[[^\][]*\])?)((?::[htreaAuls])*)/.exec(
      word.slice(at, at + 256),
    );
    if (simple && (simple[1] || simple[3] || simple[4])) {
      const [whole, flags = '', name = '', index = '', modifiers = ''] = simple;
      out += braced(flags, name, index, modifiers);
      at += whole.length;
      continue;
    }
    const own = word.startsWith('${', at) ? OWN.exec(word.slice(at, at + 96)) : null;
    if (own) {
      const end = skipQuoted(word, at);
      const flags = own[1] ?? '';
      out += flaggedExpansion(flags, word.slice(at + 2 + flags.length, end - 1), inner);
      at = end;
      continue;
    }
    out += word[at];
    at++;
  }
  return out;
}

/** Expansions that only zsh has: flags, one within the other, `${:-x}`, `${x:#…}`, `${x:s/…}`. */
const OWN = /^\$\{(?:([=~^]+|\((?:[^()]|\([^()]*\))*\))|(?=["$`]|:-|[A-Za-z_]\w*(?:\[[^\]]*\])?:(?:#|g?s[^\w\s])))/;

function braced(flags: Bytes, name: Bytes, index: Bytes, modifiers: Bytes): Bytes {
  if (flags.includes('#')) return `\${#${name}${index}}`;
  if (flags.includes('+')) return `\${${UNKNOWN}}`;
  if (flags.includes('=')) return `\${${name}${index}@S}`;
  if (flags.includes('~')) return `\${${name}${index}@G}`;
  if (flags === '^') return carry('', name + index + modifiers, true);
  return `\${${name}${index}${modifiers}}`;
}

/** `${=x}`, `${(f)x}`, `${(f)"$(…)"}`: flags that are not followed make the words unknown, but commands inside still run. */
function flaggedExpansion(flags: Bytes, rest: Bytes, inner: Inner): Bytes {
  if (/^[A-Za-z_]\w*(?:\[[^\]]*\])?$/.test(rest)) {
    if (flags === '=') return `\${${rest}@S}`;
    if (flags === '~') return `\${${rest}@G}`;
  }
  const body = parameters(rest, inner);
  inner.spend(rest.length + body.length);
  if (flags === '' || flags === '^' || flags.startsWith('('))
    return carry(flags.replace(/^[(^]|\)$/g, ''), body, flags === '^');
  return body.includes('(') || body.includes('`') ? `\${${UNKNOWN}:+${body}}` : `\${${UNKNOWN}}`;
}
