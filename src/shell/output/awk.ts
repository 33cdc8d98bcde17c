import type { Bytes } from '../../platform/bytes.ts';
import { longestLine, regExpOf } from './pattern.ts';

/** awk(1) as a filter of names: `{print $2}`, `/x/ {print $NF}`, `NR>3`, `-F: '{print $1"/x"}'`. Undefined for anything else. */
export function awk(input: Bytes, args: readonly Bytes[]): Bytes | undefined {
  const words = [...args];
  let separator: Bytes | undefined;
  if (words[0] === '-F') separator = words.splice(0, 2)[1];
  else if (words[0]?.startsWith('-F')) separator = words.shift()?.slice(2);
  const [program, ...more] = words;
  if (program === undefined || more.length > 0 || program.startsWith('-')) return undefined;
  const split = splitter(separator);
  const rule = ruleOf(program);
  if (!split || !rule) return undefined;
  const lines = (input.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => line.replace(/\n$/, ''));
  if (lines.some((line) => line.length > rule.longest)) return undefined;
  return lines
    .map((line, at): Row => ({ line, fields: split(line), number: at + 1 }))
    .filter((row) => rule.when(row))
    .map((row) => `${rule.print(row)}\n`)
    .join('');
}

interface Row {
  readonly line: Bytes;
  readonly fields: readonly Bytes[];
  readonly number: number;
}

type Value = (row: Row) => Bytes;

interface Rule {
  readonly when: (row: Row) => boolean;
  readonly print: Value;
  readonly longest: number;
}

function splitter(separator: Bytes | undefined): ((line: Bytes) => Bytes[]) | undefined {
  if (separator === undefined || separator === ' ')
    return (line) => line.split(/[ \t\n]+/).filter((field) => field !== '');
  const plain = separator === '\\t' ? '\t' : separator;
  if (plain.length === 1 && plain !== '\\') return (line) => (line === '' ? [] : line.split(plain));
  const pattern = regExpOf(plain, 'extended');
  return pattern && !pattern.source.includes('(') ? (line) => (line === '' ? [] : line.split(pattern)) : undefined;
}

const RULE = /^\s*(?:([^{}]*?)\s*)?(?:\{\s*print\b\s*([^{}]*?)\s*;?\s*\})?\s*$/;

function ruleOf(program: Bytes): Rule | undefined {
  const hit = RULE.exec(program);
  const [, condition = '', printed] = hit ?? [];
  if (!hit || (condition === '' && !program.includes('{'))) return undefined;
  const when = condition === '' ? { test: () => true, longest: Number.POSITIVE_INFINITY } : conditionOf(condition);
  const print = printed === undefined || printed === '' ? (row: Row): Bytes => row.line : expressionOf(printed);
  return when && print ? { when: when.test, print, longest: when.longest } : undefined;
}

interface Condition {
  readonly test: (row: Row) => boolean;
  readonly longest: number;
}

const COMPARE: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
};

function conditionOf(text: Bytes): Condition | undefined {
  const matched = /^(?:(\$\w+)\s*)?(!?)(~?)\s*\/((?:\\.|[^\\/])+)\/$/.exec(text);
  if (matched) {
    const [, field, not = '', tilde = '', source = ''] = matched;
    const pattern = regExpOf(source, 'extended');
    const value = field === undefined ? (row: Row): Bytes => row.line : fieldOf(field);
    if (!pattern || !value || (field === undefined) !== (tilde === '')) return undefined;
    return { test: (row) => pattern.test(value(row)) !== (not !== ''), longest: longestLine(pattern) };
  }
  const counted = /^(NR|NF)\s*([=!<>]=|[<>])\s*(\d+)$/.exec(text);
  if (counted) {
    const [, name, operator = '', number] = counted;
    const compare = COMPARE[operator];
    return (
      compare && {
        test: (row) => compare(name === 'NR' ? row.number : row.fields.length, Number(number)),
        longest: Number.POSITIVE_INFINITY,
      }
    );
  }
  const equal = /^(\$\w+)\s*([=!]=)\s*"([^"\\]*)"$/.exec(text);
  const value = equal && fieldOf(equal[1] ?? '');
  if (!equal || !value) return undefined;
  return { test: (row) => (value(row) === equal[3]) === (equal[2] === '=='), longest: Number.POSITIVE_INFINITY };
}

function fieldOf(text: Bytes): Value | undefined {
  if (text === '$NF') return ({ fields }) => fields.at(-1) ?? '';
  const before = /^\$\(NF-(\d)\)$/.exec(text);
  if (before) return ({ fields }) => fields[fields.length - 1 - Number(before[1])] ?? '';
  const number = /^\$(\d+)$/.exec(text)?.[1];
  if (number === undefined) return undefined;
  return number === '0' ? ({ line }) => line : ({ fields }) => fields[Number(number) - 1] ?? '';
}

/** Fields and texts, side by side or with commas between them. */
function expressionOf(text: Bytes): Value | undefined {
  const values: Value[] = [];
  let rest = text;
  while (rest !== '') {
    const hit = /^(?:(\$(?:NF|\d+|\(NF-\d\)))|"((?:[^"\\]|\\[\\"])*)"|(,))\s*/.exec(rest);
    if (!hit) return undefined;
    rest = rest.slice(hit[0].length);
    const [, field, literal, comma] = hit;
    const value = field === undefined ? undefined : fieldOf(field);
    if (value) values.push(value);
    else if (literal !== undefined) values.push(() => literal.replace(/\\(.)/g, '$1'));
    else if (comma) values.push(() => ' ');
    else return undefined;
  }
  return (row) => values.map((value) => value(row)).join('');
}
