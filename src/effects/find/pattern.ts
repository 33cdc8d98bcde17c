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
