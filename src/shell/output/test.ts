import type { Bytes } from '../../platform/bytes.ts';
import type { Look } from '../../platform/files.ts';
import { resolve as resolvePath } from '../../platform/paths.ts';
import { lookUp } from '../disk.ts';
import type { Status } from '../run/context.ts';
import type { State } from '../state/state.ts';
import { isKnown, type Text } from '../words/text.ts';

const answer = (value: boolean): Status => (value ? 'ok' : 'fail');

/** `-n`, `-z`; undefined for another operator. */
export function testString(operator: string, value: Text): Status | undefined {
  if (operator !== '-n' && operator !== '-z') return undefined;
  if (isKnown(value)) return answer((value === '') === (operator === '-z'));
  return value.prefix !== '' || value.suffix !== '' ? answer(operator === '-n') : 'unknown';
}

const KINDS: Readonly<Record<string, (look: Look) => boolean>> = {
  '-e': () => true,
  '-a': () => true,
  '-f': (look) => look.type === 'file',
  '-d': (look) => look.type === 'folder',
  '-s': (look) => look.size > 0,
  '-p': (look) => look.type === 'fifo',
  '-S': (look) => look.type === 'socket',
  '-h': (look) => look.type === 'link',
  '-L': (look) => look.type === 'link',
};

/** File tests that a look answers, as long as the line itself has changed nothing; undefined for another operator. */
export function testFile(operator: string, value: Text, state: State): Status | undefined {
  const kind = KINDS[operator];
  if (!kind) return undefined;
  const path = absolute(value, state);
  if (path === undefined || mayHaveChanged(path, state)) return 'unknown';
  if (path === '') return 'fail';
  const look = lookUp(path, operator !== '-h' && operator !== '-L');
  if (look === 'unknown') return look;
  return answer(look !== 'absent' && kind(look));
}

function absolute(value: Text, state: State): Bytes | undefined {
  if (!isKnown(value)) return undefined;
  if (value === '') return '';
  const place = state.places[0];
  if (value.startsWith('/')) return value;
  return place?.kind === 'known' ? `${place.path}/${value}` : undefined;
}

/** Whether an earlier command of the line may have made, removed or replaced what is there. */
export function mayHaveChanged(path: Bytes, state: State): boolean {
  const plain = resolvePath('/', path);
  return state.changed || state.written.has(plain) || state.made.has(plain) || state.gone.has(plain);
}

export function testBinary(operator: string, left: Text, right: Text): Status {
  if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(operator)) return compareNumbers(operator, integer(left), integer(right));

  if (!isKnown(left) || !isKnown(right)) return 'unknown';
  switch (operator) {
    case '=':
    case '==':
      return answer(left === right);
    case '!=':
      return answer(left !== right);
    case '<':
      return answer(left < right);
    case '>':
      return answer(left > right);
    default:
      return 'unknown';
  }
}

const integer = (text: Text): bigint | undefined =>
  isKnown(text) && /^[ \t]*[+-]?\d+[ \t]*$/.test(text) ? BigInt(text.trim().replace(/^\+/, '')) : undefined;

export function compareNumbers(operator: string, left: bigint | undefined, right: bigint | undefined): Status {
  if (left === undefined || right === undefined) return 'unknown';
  switch (operator) {
    case '-eq':
      return answer(left === right);
    case '-ne':
      return answer(left !== right);
    case '-lt':
      return answer(left < right);
    case '-le':
      return answer(left <= right);
    case '-gt':
      return answer(left > right);
    default:
      return answer(left >= right);
  }
}
