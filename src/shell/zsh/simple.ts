import type { Bytes } from '../../platform/bytes.ts';
import type { Cursor } from './cursor.ts';
import { lex } from './lex.ts';

type Words = (text: Bytes) => Bytes;

export function redirections(next: Cursor, words: Words): Bytes {
  let out = '';
  while (next.now().kind === 'redirection') out += redirection(next, words);
  return out;
}

/** A redirection: `>!` insists as `>|` does, `>>!` appends, `>&!` and `&>!` are those without the sign. */
export function redirection(next: Cursor, words: Words): Bytes {
  const operator = next
    .take()
    .text.replace(/^(&?>>)[|!]$/, '$1')
    .replace(/^(\S*>)[|!]$/, (_whole, start: Bytes) => (start.startsWith('&') ? start : `${start}|`))
    .replace(/^>&[|!]$/, '>&')
    .replace(/^>>&[|!]?$/, '&>>');
  if (next.now().kind !== 'word') return ` ${operator}`;
  const { text } = next.take();
  return /<<-?$/.test(operator) && !operator.endsWith('<<<') ? ` ${operator}${text}` : ` ${operator} ${words(text)}`;
}

/** An argument; `a=(…)` is an array, not a pattern. */
export function argument(text: Bytes, words: Words, comments: boolean): Bytes {
  const array = /^([A-Za-z_]\w*\+?=)\(([\s\S]*)\)$/.exec(text);
  if (!array) return words(text);
  const items = lex(array[2] ?? '', comments).filter((item) => item.kind === 'word');
  return `${array[1]}(${items.map((item) => words(item.text)).join(' ')})`;
}

/** `((…))`: raw text up to the parentheses that close those here. */
export function arithmetic(next: Cursor): Bytes {
  let depth = 0;
  let out = '';
  do {
    const token = next.take();
    for (const char of token.text) depth += char === '(' ? 1 : char === ')' ? -1 : 0;
    out += (token.glued ? '' : ' ') + token.text;
  } while (depth > 0 && next.now().kind !== 'end');
  return out;
}

/** `[[ … ]]`: raw too. */
export function test(next: Cursor): Bytes {
  let out = '';
  while (next.now().kind !== 'end' && !next.is(']]')) out += ` ${next.take().text}`;
  next.take();
  return `${out} ]]`;
}
