import type { Bytes } from '../../platform/bytes.ts';
import { skipQuoted } from './quotes.ts';

/** More words than this and the rest is not enumerated. */
export const MOST_BRACE_WORDS = 4096;

/**
 * Brace expansion (bash(1), *Brace Expansion*) of a word's raw text: purely textual, before every other expansion. Undefined
 * where it would make more than `MOST_BRACE_WORDS` words.
 */
export function expandBraces(text: Bytes): readonly Bytes[] | undefined {
  if (!text.includes('{')) return [text];
  try {
    return expand(text, { left: MOST_BRACE_WORDS * 4 });
  } catch (error) {
    if (error instanceof TooMany) return undefined;
    throw error;
  }
}

class TooMany extends Error {}

function expand(text: Bytes, budget: { left: number }): Bytes[] {
  if (budget.left-- <= 0) throw new TooMany();
  for (let at = 0; at < text.length; at = next(text, at)) {
    if (text[at] !== '{' || text[at - 1] === '$') continue;
    const group = readGroup(text, at);
    if (!group) continue;
    const before = text.slice(0, at);
    const middles = group.sequence ?? group.parts.flatMap((part) => expand(part, budget));
    const afters = expand(text.slice(group.end), budget);
    if (middles.length * afters.length > MOST_BRACE_WORDS) throw new TooMany();
    return middles.flatMap((middle) => afters.map((after) => before + middle + after));
  }
  return [text];
}

/** The offset after the character, quotation or expansion that starts at `at`. */
function next(text: Bytes, at: number): number {
  const past = skipQuoted(text, at);
  return past > at ? past : at + 1;
}

interface Group {
  readonly parts: readonly Bytes[];
  readonly sequence?: Bytes[];
  readonly end: number;
}

/** `{a,b}` or `{1..3}` at `open`; undefined where the brace is an ordinary character. */
function readGroup(text: Bytes, open: number): Group | undefined {
  const commas: number[] = [];
  let depth = 0;
  for (let at = open; at < text.length; at = next(text, at)) {
    const char = text[at];
    if (char === '{') depth++;
    else if (char === ',' && depth === 1) commas.push(at);
    else if (char === '}' && --depth === 0) {
      if (commas.length > 0) {
        const edges = [open, ...commas, at];
        return { parts: edges.slice(1).map((edge, i) => text.slice((edges[i] ?? 0) + 1, edge)), end: at + 1 };
      }
      const sequence = readSequence(text.slice(open + 1, at));
      return sequence && { parts: [], sequence, end: at + 1 };
    }
  }
  return undefined;
}

function readSequence(body: Bytes): Bytes[] | undefined {
  const numbers = /^([+-]?\d+)\.\.([+-]?\d+)(?:\.\.([+-]?\d+))?$/.exec(body);
  if (numbers) {
    const [, from = '', to = '', by] = numbers;
    const padded = [from, to].some((end) => /^[+-]?0\d/.test(end));
    const width = padded ? Math.max(from.length, to.length) : 0;
    return count(Number(from), Number(to), by).map((value) => pad(value, width));
  }
  const letters = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.([+-]?\d+))?$/.exec(body);
  if (!letters) return undefined;
  const [, from = '', to = '', by] = letters;
  return count(from.charCodeAt(0), to.charCodeAt(0), by).map((code) => escapeLetter(String.fromCharCode(code)));
}

/** `{Z..a}` passes over characters that would be syntax in the word. */
const escapeLetter = (char: Bytes): Bytes => (/[A-Za-z]/.test(char) ? char : `\\${char}`);

function count(from: number, to: number, by: Bytes | undefined): number[] {
  const step = Math.abs(Number(by ?? 1)) || 1;
  if (Math.abs(to - from) / step >= MOST_BRACE_WORDS || !Number.isSafeInteger(from) || !Number.isSafeInteger(to))
    throw new TooMany();
  const out: number[] = [];
  if (from <= to) for (let value = from; value <= to; value += step) out.push(value);
  else for (let value = from; value >= to; value -= step) out.push(value);
  return out;
}

function pad(value: number, width: number): Bytes {
  if (width === 0) return String(value);
  const digits = String(Math.abs(value));
  return value < 0 ? `-${digits.padStart(width - 1, '0')}` : digits.padStart(width, '0');
}
