import type { Bytes } from '../../platform/bytes.ts';

/**
 * A pattern of fnmatch(3) as find uses it (leading dots and, for `-path`, slashes are nothing special). Undefined where it is
 * not understood.
 */
export function globToRegExp(pattern: Bytes, anyCase: boolean, slashes: boolean): RegExp | undefined {
  const any = slashes ? '[\\s\\S]' : '[^/]';
  let out = '';
  for (let at = 0; at < pattern.length; at++) {
    const letter = pattern[at] ?? '';
    if (letter === '*') out += `${any}*`;
    else if (letter === '?') out += any;
    else if (letter === '\\') out += escaped(pattern[++at] ?? '\\');
    else if (letter === '[') {
      const end = pattern.indexOf(']', at + 2);
      if (end < 0) out += '\\[';
      else {
        const inside = pattern.slice(at + 1, end);
        if (inside.includes('[')) return undefined;
        out += `[${inside.replace(/^!/, '^').replace(/\\/g, '\\\\')}]`;
        at = end;
      }
    } else out += escaped(letter);
  }
  try {
    return new RegExp(`^${out}$`, anyCase ? 'i' : '');
  } catch {
    return undefined; // a range out of order: not understood
  }
}

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
