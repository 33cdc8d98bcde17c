import type { Bytes } from '../../platform/bytes.ts';
import type { Arg } from '../../shell/types.ts';
import { knownArg, unknownArg } from './deed.ts';

/** What an expression of a followed program is known to be. */
export type Value =
  | { readonly kind: 'text'; readonly text: Bytes }
  | { readonly kind: 'unknown'; readonly prefix: Bytes; readonly suffix: Bytes }
  /** One of these, or all of them: a list, or a name that is set more than once. `rest`: others may follow. */
  | { readonly kind: 'list'; readonly items: readonly Value[]; readonly rest: boolean }
  /** What a pattern matches in the file system when the program runs. */
  | { readonly kind: 'glob'; readonly pattern: Bytes }
  /** A module, function or class by its full name: `os`, `os.path.join`. */
  | { readonly kind: 'name'; readonly path: Bytes }
  | { readonly kind: 'record'; readonly entries: ReadonlyMap<Bytes, Value> };

export const UNKNOWN: Value = { kind: 'unknown', prefix: '', suffix: '' };

export const textValue = (text: Bytes): Value => ({ kind: 'text', text });

export const listValue = (items: readonly Value[], rest = false): Value => ({ kind: 'list', items, rest });

const prefixOf = (value: Value): Bytes =>
  value.kind === 'text' ? value.text : value.kind === 'unknown' ? value.prefix : '';
const suffixOf = (value: Value): Bytes =>
  value.kind === 'text' ? value.text : value.kind === 'unknown' ? value.suffix : '';

/** Two texts one after the other; each of a list's items with each of the other's, as long as they are few. */
export function concat(left: Value, right: Value): Value {
  if (left.kind === 'list' && left.items.length <= MANY)
    return listValue(
      left.items.map((item) => concat(item, right)),
      left.rest,
    );
  if (right.kind === 'list' && right.items.length <= MANY)
    return listValue(
      right.items.map((item) => concat(left, item)),
      right.rest,
    );
  if (left.kind === 'text' && right.kind === 'text') return textValue(left.text + right.text);
  const prefix = left.kind === 'text' ? left.text + prefixOf(right) : prefixOf(left);
  const suffix = right.kind === 'text' ? suffixOf(left) + right.text : suffixOf(right);
  return { kind: 'unknown', prefix, suffix: left.kind === 'text' || right.kind === 'text' ? suffix : suffixOf(right) };
}

/** `os.path.join`, `Path / name`: an absolute right side stands alone. */
export function joinPaths(left: Value, right: Value): Value {
  if (right.kind === 'text' && right.text.startsWith('/')) return right;
  if (left.kind === 'text' && (left.text === '' || left.text.endsWith('/'))) return concat(left, right);
  return concat(concat(left, textValue('/')), right);
}

/** More than these are not told apart. */
const MANY = 64;

/** Both may be meant: a name that is set twice. */
export function either(left: Value | undefined, right: Value): Value {
  if (!left) return right;
  const items = (value: Value): readonly Value[] => (value.kind === 'list' ? value.items : [value]);
  const all = [...items(left), ...items(right)];
  const rest = (left.kind === 'list' && left.rest) || (right.kind === 'list' && right.rest);
  return listValue(all.slice(0, MANY), rest || all.length > MANY);
}

const FIRST_MAGIC = /[*?[{]/;

/** The paths that a value in a path's place stands for. */
export function pathsOf(value: Value | undefined): Arg[] {
  if (!value) return [unknownArg()];
  switch (value.kind) {
    case 'text':
      return value.text === '' ? [] : [knownArg(value.text)];
    case 'unknown':
      return [unknownArg(value.prefix, value.suffix)];
    case 'list':
      return [...value.items.flatMap(pathsOf), ...(value.rest ? [unknownArg()] : [])];
    case 'glob': {
      const magic = FIRST_MAGIC.exec(value.pattern)?.index;
      if (magic === undefined) return [knownArg(value.pattern)];
      const tail = /[^*?[\]{}/]*$/.exec(value.pattern)?.[0] ?? '';
      const prefix = value.pattern.slice(0, magic);
      return [{ kind: 'unknown', prefix, suffix: tail, many: true }];
    }
    default:
      return [unknownArg()];
  }
}

export const isTrue = (value: Value | undefined): boolean =>
  value !== undefined &&
  (value.kind === 'name'
    ? /^(true|True)$/.test(value.path)
    : value.kind === 'text' && value.text !== '' && value.text !== '0');
