import { type ArithmeticExpression, type ArithmeticWord, parse, type WordPart } from 'unbash';
import type { Bytes } from '../../platform/bytes.ts';
import { runWithin } from '../run/subscripts.ts';
import { assign } from '../state/assign.ts';
import { expandParts, type Scene } from './expand.ts';
import { elementKey, lookUp, resolve } from './lookup.ts';
import { substitute } from './substitution.ts';
import { isKnown, type Text, UNKNOWN } from './text.ts';

/** `$(( … ))` as text. An unknown operand makes the result unknown; substitutions in it run all the same. */
export function arithmeticText(expression: ArithmeticExpression | undefined, scene: Scene): Text {
  const value = evaluate(expression, scene, 0);
  return value === undefined ? UNKNOWN : String(value);
}

/** The value of an expression, assignments in it carried out; undefined where it cannot be known. */
export const arithmetic = (expression: ArithmeticExpression | undefined, scene: Scene): bigint | undefined =>
  evaluate(expression, scene, 0);

/** The value of a text as an expression: subscripts, `${x:offset}`, `let`. */
export function arithmeticOf(text: Bytes, parts: readonly WordPart[] | undefined, scene: Scene): bigint | undefined {
  const expanded = parts ? expandParts(parts, scene, false) : text;
  return isKnown(expanded) ? evaluateText(expanded, scene, 0) : undefined;
}

const MOST_DEPTH = 16;

function evaluateText(text: Bytes, scene: Scene, depth: number): bigint | undefined {
  const trimmed = text.replace(/^[ \t\n]+|[ \t\n]+$/g, '');
  if (trimmed === '') return 0n;
  const number = readNumber(trimmed);
  if (number !== undefined) return number;
  const parameter = /^\$(\w+|[#?!$])$/.exec(trimmed)?.[1];
  if (depth <= MOST_DEPTH && parameter !== undefined) return variableValue(parameter, scene, depth);
  if (depth > MOST_DEPTH || /[`$]/.test(trimmed)) {
    runWithin(trimmed, scene.walker, scene.state, scene.context);
    return undefined;
  }
  scene.walker.budget.step();
  if (/^[A-Za-z_]\w*$/.test(trimmed)) return variableValue(trimmed, scene, depth);
  const command = parse(`((${trimmed}))`).commands[0]?.command;
  return command?.type === 'ArithmeticCommand' ? evaluate(command.expression, scene, depth + 1) : undefined;
}

function readNumber(text: Bytes): bigint | undefined {
  const match = /^([+-]?)(0[xX][0-9A-Fa-f]+|0[0-7]*|[1-9]\d*|(\d+)#([0-9A-Za-z]+))$/.exec(text);
  if (!match) return undefined;
  const [, sign, digits = '', base, rest = ''] = match;
  const value = base
    ? readBase(Number(base), rest)
    : BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits);
  return value === undefined ? undefined : wrap(sign === '-' ? -value : value);
}

function readBase(base: number, digits: Bytes): bigint | undefined {
  if (base < 2 || base > 36) return undefined;
  let value = 0n;
  for (const digit of digits.toLowerCase()) {
    const one = Number.parseInt(digit, 36);
    if (one >= base) return undefined;
    value = value * BigInt(base) + BigInt(one);
  }
  return value;
}

/** The shell counts in 64 bits. */
const wrap = (value: bigint): bigint => BigInt.asIntN(64, value);

function variableValue(name: Bytes, scene: Scene, depth: number): bigint | undefined {
  const found = lookUp(name, undefined, scene);
  // A name that nobody handed over is unset as far as is known: 0.
  if (found.set === false) return 0n;
  const value = found.items[0];
  return isKnown(value) ? evaluateText(value, scene, depth + 1) : undefined;
}

function evaluate(node: ArithmeticExpression | undefined, scene: Scene, depth: number): bigint | undefined {
  if (!node) return 0n;
  if (depth > 200) return undefined;
  scene.walker.budget.step();
  switch (node.type) {
    case 'ArithmeticGroup':
      return evaluate(node.expression, scene, depth + 1);
    case 'ArithmeticWord':
      return wordValue(node, scene, depth);
    case 'ArithmeticCommandExpansion': {
      const output = substitute(node, scene);
      return isKnown(output) ? evaluateText(output, scene, depth + 1) : undefined;
    }
    case 'ArithmeticTernary': {
      const test = evaluate(node.test, scene, depth + 1);
      if (test !== undefined) return evaluate(test !== 0n ? node.consequent : node.alternate, scene, depth + 1);
      evaluate(node.consequent, scene, depth + 1);
      evaluate(node.alternate, scene, depth + 1);
      return undefined;
    }
    case 'ArithmeticUnary':
      return unary(node, scene, depth);
    case 'ArithmeticBinary':
      return binary(node, scene, depth);
  }
}

function wordValue(node: ArithmeticWord, scene: Scene, depth: number): bigint | undefined {
  if (!node.parts) {
    const element = /^([A-Za-z_]\w*)\[([\s\S]*)\]$/.exec(node.value);
    if (!element) return evaluateText(node.value, scene, depth);
    const index = element[2] ?? '';
    const value = lookUp(element[1] ?? '', { type: 'Word', text: index, value: index, pos: 0, end: 0 }, scene);
    const item = value.items[0];
    if (value.set === false) return 0n;
    return isKnown(item) ? evaluateText(item, scene, depth + 1) : undefined;
  }
  const text = expandParts(node.parts, scene, false);
  return isKnown(text) ? evaluateText(text, scene, depth + 1) : undefined;
}

type Node<T extends ArithmeticExpression['type']> = Extract<ArithmeticExpression, { type: T }>;

function unary(node: Node<'ArithmeticUnary'>, scene: Scene, depth: number): bigint | undefined {
  const value = evaluate(node.operand, scene, depth + 1);
  if (node.operator === '++' || node.operator === '--') {
    const next = value === undefined ? undefined : wrap(value + (node.operator === '++' ? 1n : -1n));
    store(node.operand, next, scene);
    return node.prefix ? next : value;
  }
  if (value === undefined) return undefined;
  switch (node.operator) {
    case '-':
      return wrap(-value);
    case '!':
      return value === 0n ? 1n : 0n;
    case '~':
      return ~value;
    default:
      return value;
  }
}

function binary(node: Node<'ArithmeticBinary'>, scene: Scene, depth: number): bigint | undefined {
  const assigned = /^(|\*\*?|[/%+&^|-]|<<|>>)=$/.exec(node.operator)?.[1];
  if (assigned !== undefined) {
    const right = evaluate(node.right, scene, depth + 1);
    const value = assigned === '' ? right : calculate(assigned, evaluate(node.left, scene, depth + 1), right);
    store(node.left, value, scene);
    return value;
  }
  const left = evaluate(node.left, scene, depth + 1);
  if (node.operator === '&&' || node.operator === '||') {
    const decided = node.operator === '&&' ? 0n : 1n;
    if (left !== undefined && (left !== 0n) === (decided === 1n)) return decided;
    const right = evaluate(node.right, scene, depth + 1);
    if (right === undefined || left === undefined) return undefined;
    return right !== 0n ? 1n : 0n;
  }
  return calculate(node.operator, left, evaluate(node.right, scene, depth + 1));
}

function calculate(operator: string, left: bigint | undefined, right: bigint | undefined): bigint | undefined {
  if (operator === ',') return right;
  if (left === undefined || right === undefined) return undefined;
  const truth = (value: boolean): bigint => (value ? 1n : 0n);
  switch (operator) {
    case '+':
      return wrap(left + right);
    case '-':
      return wrap(left - right);
    case '*':
      return wrap(left * right);
    case '/':
      return right === 0n ? undefined : wrap(left / right);
    case '%':
      return right === 0n ? undefined : left % right;
    case '**':
      return right < 0n || right > 64n ? undefined : wrap(left ** right);
    case '<<':
      return wrap(left << (right & 63n));
    case '>>':
      return left >> (right & 63n);
    case '&':
      return left & right;
    case '|':
      return left | right;
    case '^':
      return left ^ right;
    case '<':
      return truth(left < right);
    case '>':
      return truth(left > right);
    case '<=':
      return truth(left <= right);
    case '>=':
      return truth(left >= right);
    case '==':
      return truth(left === right);
    case '!=':
      return truth(left !== right);
    default:
      return undefined;
  }
}

/** An assignment inside an expression. */
function store(place: ArithmeticExpression, value: bigint | undefined, scene: Scene): void {
  if (place.type !== 'ArithmeticWord') return;
  const target = /^([A-Za-z_]\w*)(?:\[([\s\S]*)\])?$/.exec(place.value);
  if (!target) return;
  const [, name = '', index] = target;
  const text = value === undefined ? UNKNOWN : String(value);
  if (index === undefined) {
    assign(scene.state, name, text);
    return;
  }
  const word = { type: 'Word', text: index, value: index, pos: 0, end: 0 } as const;
  assign(scene.state, name, text, { key: elementKey(resolve(name, scene.state), word, scene) ?? 'unknown' });
}
