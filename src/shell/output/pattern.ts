import type { Bytes } from '../../platform/bytes.ts';

/** Regular expressions of grep, sed and awk (regex(7)) as JavaScript's, where both mean the same. */
export type Grammar = 'basic' | 'extended';

const PIECE = /\\[\s\S]|\[\^?\]?(?:\[:[a-z]+:\]|[^[\]])*\]|[\s\S]/g;

const CLASSES: Readonly<Record<string, string>> = {
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: 'A-Za-z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: ' \\t\\n\\r\\f\\v',
  blank: ' \\t',
  punct: '!-\\/:-@\\[-`{-~',
  xdigit: '0-9A-Fa-f',
};

/** Undefined where the pattern holds something that is not followed here. */
export function translated(pattern: Bytes, grammar: Grammar): Bytes | undefined {
  const pieces = pattern.match(PIECE) ?? [];
  const out: Bytes[] = [];
  for (const [at, piece] of pieces.entries()) {
    const one = pieceOf(piece, grammar, { first: at === 0, last: at === pieces.length - 1, before: pieces[at - 1] });
    if (one === undefined) return undefined;
    out.push(one);
  }
  return out.join('');
}

interface Where {
  readonly first: boolean;
  readonly last: boolean;
  readonly before: Bytes | undefined;
}

function pieceOf(piece: Bytes, grammar: Grammar, where: Where): Bytes | undefined {
  const basic = grammar === 'basic';
  if (piece.length > 1 && piece[0] === '[') return bracket(piece);
  if (piece[0] === '\\') {
    const letter = piece[1] ?? '';
    if (/[()|{}+?]/.test(letter)) return basic ? letter : piece;
    if (/[.*/^$[\]\\]/.test(letter)) return piece;
    if (letter === '-' || letter === '"' || letter === "'") return letter;
    return /[wWsSbB]/.test(letter) ? piece : undefined;
  }
  if (piece === '\\' || piece === '[') return undefined;
  const begins = where.first || /^(?:\\?\(|\\?\|)$/.test(where.before ?? '');
  if (basic && /^[+?()|{}]$/.test(piece)) return `\\${piece}`;
  if (piece === '^' && !begins) return basic ? undefined : piece;
  if (piece === '$' && !where.last && basic) return undefined;
  if (/^[*+?{]$/.test(piece) && (begins || where.before === '^')) return undefined;
  if (piece === '}' && !basic) return piece;
  return piece === '/' ? '\\/' : piece;
}

/** A backslash is itself in brackets (regex(7)). */
function bracket(piece: Bytes): Bytes | undefined {
  if (/\[[.=]/.test(piece.slice(1)) || /^\[\^?\]\]$/.test(piece)) return undefined;
  const [, not = '', inner = ''] = /^\[(\^?)([\s\S]*)\]$/.exec(piece) ?? [];
  const text = inner.replace(/\[:([a-z]+):\]|[\\\][]/g, (whole, name?: string) =>
    name === undefined ? `\\${whole}` : (CLASSES[name] ?? ''),
  );
  return `[${not}${text}]`;
}

/** `flags` as JavaScript's. Bytes above 127 are not folded. */
export function regExpOf(pattern: Bytes, grammar: Grammar, flags = ''): RegExp | undefined {
  if (flags.includes('i') && /[^\x20-\x7e]/.test(pattern)) return undefined;
  const source = translated(pattern, grammar);
  if (source === undefined) return undefined;
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined; // not a pattern for JavaScript: what it matches is not known
  }
}

/** By the number of repetitions in a pattern: on longer lines, JavaScript's search may take too long. */
const LONGEST: readonly number[] = [Number.POSITIVE_INFINITY, 2_000, 300, 120, 60];

/** The longest line on which a pattern is tried; 0 where repetitions are nested. */
export function longestLine({ source }: RegExp): number {
  const bare = source.replace(/\\[\s\S]|\[(?:\\[\s\S]|[^\]])*\]/g, 'x');
  if (/[*+?}][^()]*\)(?:[*+]|\{\d*,?\d*\})/.test(bare)) return 0;
  return LONGEST[(bare.match(/[*+]|\{\d*,?\d*\}/g) ?? []).length] ?? 0;
}
