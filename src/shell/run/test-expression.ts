import type { TestExpression, Word } from 'unbash';
import type { Bytes } from '../../platform/bytes.ts';
import { matchesText } from '../glob/match.ts';
import { compareNumbers, testBinary, testFile, testString } from '../output/test.ts';
import { arithmeticOf } from '../words/arithmetic.ts';
import { expandPattern, expandText, type Scene } from '../words/expand.ts';
import { matching } from '../words/locale.ts';
import { resolve } from '../words/lookup.ts';
import { isKnown, type Text } from '../words/text.ts';
import type { Status } from './context.ts';
import { runWithin } from './subscripts.ts';

/** `[[ … ]]` (bash(1), *Conditional Expressions*). Its words are expanded, so that substitutions in them are seen. */
export function testExpression(node: TestExpression, scene: Scene): Status {
  scene.walker.budget.step();
  switch (node.type) {
    case 'TestGroup':
      return testExpression(node.expression, scene);
    case 'TestNot': {
      const status = testExpression(node.operand, scene);
      if (status === 'unknown' || node.negations.length % 2 === 0) return status;
      return status === 'ok' ? 'fail' : 'ok';
    }
    case 'TestLogical':
      return logical(node.operands, node.operator, scene);
    case 'TestUnary':
      return unary(node.operator, node.operand, scene);
    case 'TestBinary':
      return binary(node.operator, node.left, node.right, scene);
  }
}

function logical(operands: readonly TestExpression[], operator: '&&' | '||', scene: Scene): Status {
  const decides: Status = operator === '&&' ? 'fail' : 'ok';
  let unknown = false;
  for (const operand of operands) {
    const status = testExpression(operand, scene);
    if (status === decides) return unknown ? 'unknown' : decides;
    unknown ||= status === 'unknown';
  }
  return unknown ? 'unknown' : operator === '&&' ? 'ok' : 'fail';
}

function unary(operator: string, word: Word, scene: Scene): Status {
  if (operator === '-v') {
    runWithin(expandText(word, scene), scene.walker, scene.state, scene.context);
    const variable = resolve(word.value, scene.state);
    return variable && variable.value !== undefined ? 'ok' : 'unknown';
  }
  const value = expandText(word, scene);
  return testString(operator, value) ?? testFile(operator, value, scene.state) ?? 'unknown';
}

function binary(operator: string, left: Word, right: Word, scene: Scene): Status {
  const one = expandText(left, scene);
  if (operator === '==' || operator === '=' || operator === '!=') {
    const pattern = expandPattern(right, scene);
    return compare(one, pattern, operator === '!=', scene);
  }
  if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(operator)) {
    const numbers = [one, expandText(right, scene)].map((text) =>
      isKnown(text) ? arithmeticOf(text, undefined, scene) : undefined,
    );
    return compareNumbers(operator, numbers[0], numbers[1]);
  }
  const two = expandText(right, scene);
  return operator === '=~' ? 'unknown' : testBinary(operator, one, two);
}

function compare(subject: Text, pattern: Bytes | undefined, negated: boolean, scene: Scene): Status {
  if (pattern === undefined || !isKnown(subject)) return 'unknown';
  scene.walker.budget.step((pattern.length * subject.length) / 4096);
  const how = matching(scene.walker.utf8, scene.state.options.has('nocasematch'), true);
  return matchesText(pattern, subject, how) === negated ? 'fail' : 'ok';
}
