import type { Bytes } from '../../platform/bytes.ts';
import { lower } from './bracket.ts';
import { characters, compile, type Item, type Matching, type Pattern } from './pattern.ts';

/** Whether the whole text is matched. Cost: the pattern's items times the text's characters, per nesting level of groups. */
export function matches(pattern: Pattern, text: Bytes, matching: Matching): boolean {
  const chars = characters(text, matching);
  if (!matching.dots && chars[0] === '.' && !beginsWithDot(pattern)) return false;
  return ends(pattern, chars, 0, matching).has(chars.length);
}

export const matchesText = (pattern: Bytes, text: Bytes, matching: Matching): boolean =>
  matches(compile(pattern, matching), text, matching);

/** A leading dot must be written (bash(1), *Pathname Expansion*). */
function beginsWithDot(pattern: Pattern): boolean {
  const first = pattern[0];
  if (first?.kind === 'char') return first.char === '.';
  if (first?.kind !== 'group' || first.operator === '!') return false;
  const rest = pattern.slice(1);
  if (first.choices.some((choice) => beginsWithDot([...choice, ...(choice.length === 0 ? rest : [])]))) return true;
  return (first.operator === '?' || first.operator === '*') && beginsWithDot(rest);
}

/** All positions at which a match of the whole pattern that starts at `start` can end. */
export function ends(pattern: Pattern, chars: readonly Bytes[], start: number, matching: Matching): Set<number> {
  let at = new Set([start]);
  for (const item of pattern) {
    at = step(item, chars, at, matching);
    if (at.size === 0) break;
  }
  return at;
}

function step(item: Item, chars: readonly Bytes[], from: Set<number>, matching: Matching): Set<number> {
  const out = new Set<number>();
  switch (item.kind) {
    case 'star': {
      const least = Math.min(...from);
      for (let at = least; at <= chars.length; at++) out.add(at);
      return out;
    }
    case 'group':
      return stepGroup(item, chars, from, matching);
    default:
      for (const at of from) if (at < chars.length && accepts(item, chars[at] ?? '', matching)) out.add(at + 1);
      return out;
  }
}

function accepts(item: Item, char: Bytes, matching: Matching): boolean {
  if (item.kind === 'any') return true;
  if (item.kind === 'class') return item.matches(char);
  if (item.kind !== 'char') return false;
  return item.char === char || (matching.ignoreCase && lower(item.char) === lower(char));
}

function stepGroup(
  item: Extract<Item, { kind: 'group' }>,
  chars: readonly Bytes[],
  from: Set<number>,
  matching: Matching,
): Set<number> {
  const once = (starts: Iterable<number>): Set<number> => {
    const out = new Set<number>();
    for (const start of starts)
      for (const choice of item.choices) for (const end of ends(choice, chars, start, matching)) out.add(end);
    return out;
  };
  switch (item.operator) {
    case '@':
      return once(from);
    case '?':
      return new Set([...from, ...once(from)]);
    case '*':
    case '+': {
      const out = item.operator === '*' ? new Set(from) : new Set<number>();
      let fresh = once(from);
      while (fresh.size > 0) {
        const added = [...fresh].filter((end) => !out.has(end));
        for (const end of added) out.add(end);
        fresh = once(added);
        if (added.length === 0) break;
      }
      return out;
    }
    case '!': {
      const out = new Set<number>();
      for (const start of from) {
        const hit = once([start]);
        for (let end = start; end <= chars.length; end++) if (!hit.has(end)) out.add(end);
      }
      return out;
    }
  }
}
