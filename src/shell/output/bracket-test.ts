import type { Bytes } from '../../platform/bytes.ts';
import type { Status } from '../run/context.ts';
import type { State } from '../state/state.ts';
import { testBinary, testFile, testString } from './test.ts';

const not = (status: Status): Status => (status === 'unknown' ? status : status === 'ok' ? 'fail' : 'ok');

/** `test` and `[` by the number of their arguments (POSIX XCU test), `-a` and `-o` where both sides are plain. */
export function testArgs(args: readonly Bytes[], state: State): Status {
  const [first = '', second = '', third = ''] = args;
  switch (args.length) {
    case 0:
      return 'fail';
    case 1:
      return first === '' ? 'fail' : 'ok';
    case 2:
      if (first === '!') return second === '' ? 'ok' : 'fail';
      return testString(first, second) ?? testFile(first, second, state) ?? 'unknown';
    case 3:
      if (/^(?:=|==|!=|<|>|-[a-z]{2})$/.test(second)) return testBinary(second, first, third);
      if (first === '!') return not(testArgs(args.slice(1), state));
      break;
    default:
      if (first === '!' && args.length === 4) return not(testArgs(args.slice(1), state));
  }
  return logical(args, state);
}

function logical(args: readonly Bytes[], state: State): Status {
  for (const operator of ['-o', '-a']) {
    const at = args.indexOf(operator, 1);
    if (at < 1 || at === args.length - 1) continue;
    const left = testArgs(args.slice(0, at), state);
    const right = testArgs(args.slice(at + 1), state);
    const decides: Status = operator === '-o' ? 'ok' : 'fail';
    if (left === decides || right === decides) return decides;
    return left === 'unknown' || right === 'unknown' ? 'unknown' : not(decides);
  }
  return 'unknown';
}
