import type { Bytes } from './bytes.ts';

/**
 * Shell-like patterns for names and paths that no shell expands: git's pathspecs and ignore files (gitglossary(7), gitignore(5)), find's
 * `-name` and `-path` (fnmatch(3)). The cost is the pattern's length times the text's, whatever both are.
 */
export interface Wild {
  /** `*` and `?` stop at a slash and `**` goes over it (`:(glob)`, ignore files); else `*` matches slashes too, as plain pathspecs do. */
  readonly path?: boolean;
  readonly ignoreCase?: boolean;
}

export interface Tester {
  test(text: Bytes): boolean;
}

type Accepts = (char: Bytes) => boolean;

/** One character, any number of them, or any number of whole folders (`**` with its slash). */
type Step = { readonly kind: 'one' | 'many'; readonly accepts: Accepts } | { readonly kind: 'folders' };

const cache = new Map<string, Tester>();
const MOST_CACHED = 1_000;

export function wild(pattern: Bytes, how: Wild = {}): Tester {
  const key = `${how.path ? 'p' : ''}${how.ignoreCase ? 'i' : ''}:${pattern}`;
  const made = cache.get(key);
  if (made) return made;
  const steps = compile(how.ignoreCase ? lower(pattern) : pattern, how);
  const tester = { test: (text: Bytes): boolean => matches(steps, how.ignoreCase ? lower(text) : text) };
  if (cache.size >= MOST_CACHED) cache.clear();
  cache.set(key, tester);
  return tester;
}

/** Whether one of these patterns matches a whole name; none matches where there are none. */
export function anyOf(patterns: readonly Bytes[]): Tester {
  const tests = patterns.map((pattern) => ({ clue: clueOf(pattern), tester: wild(pattern, { path: true }) }));
  return { test: (text) => tests.some(({ clue, tester }) => text.includes(clue) && tester.test(text)) };
}

/** The longest text that whatever matches has in it: nearly every name of a tree is told apart by that alone. */
const clueOf = (pattern: Bytes): Bytes =>
  /[[\\]/.test(pattern) ? '' : pattern.split(/[*?/]/).reduce((a, b) => (b.length > a.length ? b : a));

const lower = (text: Bytes): Bytes => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** All places in the pattern that are reached, character by character: at no time more than there are steps, twice. */
function matches(steps: readonly Step[], text: Bytes): boolean {
  let now = new Set<number>();
  reach(steps, 0, now);
  for (let at = 0; at < text.length && now.size > 0; at++) {
    const char = text.charAt(at);
    const next = new Set<number>();
    for (const place of now) {
      // An odd place is in the middle of a folder's name.
      const index = place >> 1;
      const step = steps[index];
      if (step === undefined) continue;
      if (step.kind === 'folders') {
        next.add(index * 2 + 1);
        if (char === '/') reach(steps, index + 1, next);
      } else if (step.accepts(char)) {
        if (step.kind === 'one') reach(steps, index + 1, next);
        else reach(steps, index, next);
      }
    }
    now = next;
  }
  return now.has(steps.length * 2);
}

/** A place, and those after it that need no character. */
function reach(steps: readonly Step[], index: number, into: Set<number>): void {
  for (let at = index; ; at++) {
    if (into.has(at * 2)) return;
    into.add(at * 2);
    const step = steps[at];
    if (step === undefined || step.kind === 'one') return;
  }
}

const ANY: Accepts = () => true;
const NO_SLASH: Accepts = (char) => char !== '/';

function compile(pattern: Bytes, { path = false }: Wild): readonly Step[] {
  const any = path ? NO_SLASH : ANY;
  const steps: Step[] = [];
  const literal = (char: Bytes): void => {
    steps.push({ kind: 'one', accepts: (one) => one === char });
  };
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern.charAt(at);
    if (char === '\\' && at + 1 < pattern.length) literal(pattern.charAt(++at));
    else if (char === '?') steps.push({ kind: 'one', accepts: any });
    else if (char === '*') {
      let end = at;
      while (pattern[end + 1] === '*') end++;
      const whole = path && end > at && (at === 0 || pattern[at - 1] === '/');
      if (whole && pattern[end + 1] === '/') {
        steps.push({ kind: 'folders' });
        end++;
      } else steps.push({ kind: 'many', accepts: whole && end + 1 === pattern.length ? ANY : any });
      at = end;
    } else if (char === '[') {
      const bracket = readBracket(pattern, at);
      if (bracket) {
        steps.push({ kind: 'one', accepts: (one) => any(one) && bracket.accepts(one) });
        at = bracket.end;
      } else literal(char);
    } else literal(char);
  }
  return steps;
}

const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /[\x00-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /\s/,
  upper: /[A-Z]/,
  xdigit: /[A-Fa-f0-9]/,
};

function readBracket(pattern: Bytes, start: number): { readonly accepts: Accepts; readonly end: number } | undefined {
  let at = start + 1;
  const negated = pattern[at] === '!' || pattern[at] === '^';
  if (negated) at++;
  const parts: Accepts[] = [];
  for (let first = true; at < pattern.length; first = false) {
    if (pattern[at] === ']' && !first)
      return { accepts: (char) => parts.some((part) => part(char)) !== negated, end: at };
    const named = /^\[:([a-z]+):\]/.exec(pattern.slice(at, at + 12));
    if (named) {
      const known = CLASSES[named[1] ?? ''];
      if (known) parts.push((char) => known.test(char));
      at += named[0].length;
      continue;
    }
    const low = readMember(pattern, at);
    at = low.end;
    if (pattern[at] === '-' && at + 1 < pattern.length && pattern[at + 1] !== ']') {
      const high = readMember(pattern, at + 1);
      at = high.end;
      parts.push((char) => char >= low.char && char <= high.char);
    } else parts.push((char) => char === low.char);
  }
  return undefined;
}

const readMember = (pattern: Bytes, at: number): { readonly char: Bytes; readonly end: number } =>
  pattern[at] === '\\' && at + 1 < pattern.length
    ? { char: pattern.charAt(at + 1), end: at + 2 }
    : { char: pattern.charAt(at), end: at + 1 };
