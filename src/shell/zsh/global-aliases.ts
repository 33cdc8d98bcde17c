import type { Bytes } from '../../platform/bytes.ts';
import { skipQuoted } from '../words/quotes.ts';
import { lex } from './lex.ts';

/**
 * The text with zsh's global aliases put in (zshmisc(1), *Aliasing*): for words that are such a name as they stand, unquoted and
 * whole, in substitutions too. What stands in quotes, in comments and in here-documents stays: it would be another file that is lost.
 */
export function withGlobalAliases(text: Bytes, globals: ReadonlyMap<Bytes, Bytes>, comments: boolean): Bytes {
  let out = '';
  let from = 0;
  for (const token of lex(text, comments)) {
    const at = text.indexOf(token.text, from);
    out += text.slice(from, at) + (token.kind === 'word' ? ofWord(token.text, globals, comments) : token.text);
    from = at + token.text.length;
  }
  return out + text.slice(from);
}

/** A word that is no alias may hold commands that have some. The alias's own name is none within its text. */
function ofWord(word: Bytes, globals: ReadonlyMap<Bytes, Bytes>, comments: boolean): Bytes {
  const value = globals.get(word);
  if (value === undefined) return /[`(]/.test(word) ? withinWord(word, globals, comments, false) : word;
  const others = new Map(globals);
  others.delete(word);
  return others.size === 0 ? value : withGlobalAliases(value, others, comments);
}

/** The word with its substitutions' commands so; `quoted`: between double quotes, where `'`, `<(` and `=(` are characters. */
function withinWord(word: Bytes, globals: ReadonlyMap<Bytes, Bytes>, comments: boolean, quoted: boolean): Bytes {
  let out = '';
  for (let at = 0; at < word.length; ) {
    const sign = word.slice(at, at + 2);
    let end = at;
    if (!quoted && /^[<>=]\($/.test(sign)) end = at + skipQuoted(`$${word.slice(at + 1)}`, 0);
    else if (!quoted || !/^(?:'|\$')/.test(sign)) end = skipQuoted(word, at);
    const part = word.slice(at, Math.max(at + 1, end));
    out += ofPart(part, globals, comments);
    at += part.length;
  }
  return out;
}

/** One quotation, substitution or character. */
function ofPart(part: Bytes, globals: ReadonlyMap<Bytes, Bytes>, comments: boolean): Bytes {
  if (part.length < 3 || part.startsWith('$((')) return part;
  if (part.startsWith('"')) return `"${withinWord(part.slice(1, -1), globals, comments, true)}"`;
  const opening = /^(?:[$<>=]\(|`)/.exec(part)?.[0];
  return opening === undefined
    ? part
    : opening + withGlobalAliases(part.slice(opening.length, -1), globals, comments) + part.slice(-1);
}
