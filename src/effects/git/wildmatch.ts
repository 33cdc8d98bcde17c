import type { Bytes } from '../../platform/bytes.ts';

export interface Wild {
  /** `*` and `?` stop at a slash and `**` goes over it (`:(glob)`, ignore files); else `*` matches slashes too, as plain pathspecs do. */
  readonly path?: boolean;
  readonly ignoreCase?: boolean;
}

/** git's wildmatch, as a regular expression (gitglossary(7), pathspec; gitignore(5)). */
export function wildmatch(pattern: Bytes, text: Bytes, how: Wild = {}): boolean {
  return wild(pattern, how).test(text);
}

const cache = new Map<string, RegExp>();

export function wild(pattern: Bytes, how: Wild): RegExp {
  const key = `${how.path ? 'p' : ''}${how.ignoreCase ? 'i' : ''}:${pattern}`;
  const made = cache.get(key);
  if (made) return made;
  let expression: RegExp;
  try {
    expression = new RegExp(`^${translate(pattern, how.path ?? false)}$`, how.ignoreCase ? 'is' : 's');
  } catch {
    expression = /(?:)/; // a bracket that is none: matching too much only holds too much
  }
  cache.set(key, expression);
  return expression;
}

const CLASSES: Record<string, string> = {
  alnum: 'A-Za-z0-9',
  alpha: 'A-Za-z',
  blank: ' \\t',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\s',
  upper: 'A-Z',
  xdigit: 'A-Fa-f0-9',
};

const literal = (char: string): string => char.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

function translate(pattern: Bytes, path: boolean): string {
  let out = '';
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] ?? '';
    if (char === '\\' && at + 1 < pattern.length) out += literal(pattern[++at] ?? '');
    else if (char === '?') out += path ? '[^/]' : '.';
    else if (char === '*') {
      let end = at;
      while (pattern[end + 1] === '*') end++;
      const whole = end > at && (at === 0 || pattern[at - 1] === '/');
      if (!path) out += '.*';
      else if (whole && pattern[end + 1] === '/') {
        out += '(?:.*/)?';
        end++;
      } else if (whole && end + 1 === pattern.length) out += '.*';
      else out += '[^/]*';
      at = end;
    } else if (char === '[') {
      const bracket = readBracket(pattern, at);
      if (!bracket) out += '\\[';
      else {
        out += path ? `(?!/)${bracket.expression}` : bracket.expression;
        at = bracket.end;
      }
    } else out += literal(char);
  }
  return out;
}

function readBracket(pattern: Bytes, start: number): { readonly expression: string; readonly end: number } | undefined {
  let at = start + 1;
  let out = '[';
  if (pattern[at] === '!' || pattern[at] === '^') {
    out += '^';
    at++;
  }
  for (let first = true; at < pattern.length; first = false) {
    const char = pattern[at] ?? '';
    if (char === ']' && !first) return { expression: `${out}]`, end: at };
    const named = /^\[:([a-z]+):\]/.exec(pattern.slice(at, at + 12));
    if (named) {
      out += CLASSES[named[1] ?? ''] ?? '';
      at += named[0].length;
      continue;
    }
    if (char === '\\' && at + 1 < pattern.length) {
      out += literal(pattern[at + 1] ?? '');
      at += 2;
      continue;
    }
    out += char === '-' && !first && pattern[at + 1] !== ']' ? '-' : literal(char);
    at++;
  }
  return undefined;
}
