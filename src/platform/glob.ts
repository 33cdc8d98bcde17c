import type { Bytes } from './bytes.ts';

/** A shell pattern (fnmatch with FNM_PATHNAME, and git's `**`) as the source of a regular expression. */
export function globSource(pattern: Bytes): string {
  let out = '';
  for (let i = 0; i < pattern.length; i++) {
    const rest = pattern.slice(i);
    if (rest === '/**') return `${out}/.*`;
    if (rest.startsWith('/**/')) {
      out += '/(?:.*/)?';
      i += 3;
    } else if (i === 0 && rest.startsWith('**/')) {
      out += '(?:.*/)?';
      i += 2;
    } else if (rest[0] === '*') {
      out += '[^/]*';
      while (pattern[i + 1] === '*') i++;
    } else if (rest[0] === '?') out += '[^/]';
    else if (rest[0] === '[' && rest.indexOf(']', 2) > 0) {
      const end = rest.indexOf(']', 2);
      out += `[${rest.slice(1, end).replace(/^!/, '^').replace(/\\/g, '\\\\')}]`;
      i += end;
    } else {
      if (rest[0] === '\\' && rest.length > 1) i++;
      out += (pattern[i] ?? '').replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
    }
  }
  return out;
}

/** One expression for all of these patterns, each against a whole name; none matches where there are none. */
export const anyOf = (patterns: readonly Bytes[]): RegExp =>
  new RegExp(`^(?:${patterns.map(globSource).join('|') || '(?!)'})$`, 's');
