import type { Bytes } from '../../platform/bytes.ts';

const escaped = (letter: string): string => letter.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** `-regex`: the dialects that find knows, as far as a JavaScript expression says the same; undefined otherwise (find(1)). */
export function regexToRegExp(pattern: Bytes, dialect: Bytes, anyCase: boolean): RegExp | undefined {
  const extended = /^(posix-extended|posix-egrep|egrep|awk|gnu-awk|posix-awk|posix-minimal-extended)$/.test(dialect);
  const basic = /^(grep|sed|ed|posix-basic)$/.test(dialect);
  if ((!extended && !basic && dialect !== 'emacs' && dialect !== 'findutils-default') || pattern.includes('[['))
    return undefined;
  const swapped = extended ? '' : basic ? '(){}|+?' : '(){}|';
  let out = '';
  for (let at = 0; at < pattern.length; at++) {
    const letter = pattern[at] ?? '';
    if (letter === '[') {
      const end = pattern.indexOf(']', at + 2);
      if (end < 0) return undefined;
      out += pattern.slice(at, end + 1).replace(/\\/g, '\\\\');
      at = end;
    } else if (letter === '\\') {
      const next = pattern[++at] ?? '';
      if (/[a-zA-Z0-9<>`']/.test(next)) return undefined;
      out += swapped.includes(next) && next !== '' ? next : escaped(next);
    } else if (letter === '.') out += '[\\s\\S]';
    else out += swapped.includes(letter) ? escaped(letter) : letter;
  }
  try {
    return new RegExp(`^(?:${out})$`, anyCase ? 'i' : '');
  } catch {
    return undefined; // not understood
  }
}
