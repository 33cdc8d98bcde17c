import type { ParameterOperation } from 'unbash';
import type { Bytes } from '../../platform/bytes.ts';
import { lower, upper } from '../glob/bracket.ts';
import { ends } from '../glob/match.ts';
import { characters, compile, type Matching, type Pattern } from '../glob/pattern.ts';
import { modify } from '../zsh/modifiers.ts';
import { arithmeticOf } from './arithmetic.ts';
import { expandPattern, expandText, type Scene } from './expand.ts';
import { matching } from './locale.ts';
import type { Found } from './lookup.ts';
import { isKnown, type Text, UNKNOWN, UNKNOWN_WORDS } from './text.ts';

type Of<T extends ParameterOperation['type']> = Extract<ParameterOperation, { type: T }>;

/** `${x%…}`, `${x/…}`, `${x:…}`, `${x^^}`, `${x@Q}` applied to what `x` is; to each item of a list. */
export function operate(found: Found, operation: ParameterOperation, scene: Scene): Found {
  if (found.set === false && !found.list) return { ...found, items: [''] };
  switch (operation.type) {
    case 'Remove':
      return each(found, remove(operation, scene));
    case 'Replace':
      return each(found, replace(operation, scene));
    case 'Slice':
      return slice(found, operation, scene);
    case 'CaseModification':
      return each(found, changeCase(operation, scene));
    default:
      return found.list ? { ...found, items: [UNKNOWN_WORDS] } : { ...found, items: [UNKNOWN] };
  }
}

const each = (found: Found, change: ((text: Bytes) => Text) | undefined): Found => ({
  ...found,
  items: found.items.map((item) => {
    if (!isKnown(item)) return item.many ? UNKNOWN_WORDS : UNKNOWN;
    return change ? change(item) : UNKNOWN;
  }),
});

/** Texts longer than this are not worked on character by character. */
const MOST_CHARACTERS = 4096;

const matchingOf = (scene: Scene): Matching =>
  matching(scene.walker.utf8, scene.state.options.has('nocasematch'), true);

function remove(operation: Of<'Remove'>, scene: Scene): ((text: Bytes) => Text) | undefined {
  const source = expandPattern(operation.operand, scene);
  if (source === undefined) return undefined;
  const how = matchingOf(scene);
  const pattern = compile(source, how);
  const longest = operation.operator.length === 2;
  const front = operation.operator.startsWith('#');
  return (text) => {
    const chars = characters(text, how);
    if (chars.length > MOST_CHARACTERS) return UNKNOWN;
    scene.walker.budget.step(1 + chars.length / 64);
    if (front) {
      const all = [...ends(pattern, chars, 0, how)];
      if (all.length === 0) return text;
      return chars.slice(longest ? Math.max(...all) : Math.min(...all)).join('');
    }
    const starts = chars.length > 512 ? undefined : chars.map((_, i) => i);
    if (!starts) return UNKNOWN;
    starts.push(chars.length);
    if (!longest) starts.reverse();
    const at = starts.find((start) => ends(pattern, chars, start, how).has(chars.length));
    return at === undefined ? text : chars.slice(0, at).join('');
  };
}

function replace(operation: Of<'Replace'>, scene: Scene): ((text: Bytes) => Text) | undefined {
  const source = expandPattern(operation.pattern, scene);
  const replacement = expandText(operation.replacement, scene);
  // `&` in the replacement is what was matched, where it is not quoted and `patsub_replacement` is on (bash 5.2).
  if (source === undefined || !isKnown(replacement) || /&/.test(operation.replacement.text)) return undefined;
  const how = matchingOf(scene);
  const pattern = compile(source, how);
  return (text) => {
    const chars = characters(text, how);
    if (chars.length > 512) return UNKNOWN;
    scene.walker.budget.step(1 + chars.length / 16);
    return replaceIn(chars, pattern, replacement, operation.operator, how);
  };
}

function replaceIn(
  chars: readonly Bytes[],
  pattern: Pattern,
  replacement: Bytes,
  operator: Of<'Replace'>['operator'],
  how: Matching,
): Bytes {
  if (pattern.length === 0)
    return operator === '/#'
      ? replacement + chars.join('')
      : operator === '/%'
        ? chars.join('') + replacement
        : chars.join('');
  if (operator === '/%') {
    for (let at = 0; at <= chars.length; at++)
      if (ends(pattern, chars, at, how).has(chars.length)) return chars.slice(0, at).join('') + replacement;
    return chars.join('');
  }
  let out = '';
  let at = 0;
  while (at <= chars.length) {
    const end = Math.max(-1, ...ends(pattern, chars, at, how));
    if (end > at || (end === at && at === 0 && chars.length === 0)) {
      out += replacement;
      at = end;
      if (operator !== '//') break;
      if (at === chars.length) break;
    } else {
      if (operator === '/#') break;
      out += chars[at] ?? '';
      at++;
    }
  }
  return out + chars.slice(at).join('');
}

function slice(found: Found, operation: Of<'Slice'>, scene: Scene): Found {
  if (scene.context.shell === 'zsh' && /^[a-zA-Z](?::[a-zA-Z])*$/.test(operation.offset.text)) {
    const letters = operation.offset.text + (operation.length ? operation.length.text : '');
    return each(found, (text) => modify(text, letters, scene.state.places[0]) ?? UNKNOWN);
  }
  const from = arithmeticOf(operation.offset.text, operation.offset.parts, scene);
  const length = operation.length && arithmeticOf(operation.length.text, operation.length.parts, scene);
  const unknown = from === undefined || (operation.length && length === undefined);
  if (found.list) {
    if (unknown || !found.items.every(isKnown)) return { ...found, items: [UNKNOWN_WORDS] };
    // Positional parameters are counted from $0.
    const all: Text[] = [...found.items];
    const start = Number(from) < 0 ? all.length + Number(from) : Number(from) - (found.positional ? 1 : 0);
    if (found.positional && Number(from) === 0) all.unshift(scene.state.zero);
    const begin = found.positional && Number(from) === 0 ? 0 : start;
    const items = begin < 0 ? [] : all.slice(begin, length === undefined ? undefined : begin + Number(length));
    return { ...found, items };
  }
  const change = (text: Bytes): Text => {
    const chars = characters(text, matchingOf(scene));
    const start = Number(from) < 0 ? chars.length + Number(from) : Number(from);
    if (start < 0) return '';
    const end =
      length === undefined ? chars.length : Number(length) < 0 ? chars.length + Number(length) : start + Number(length);
    return chars.slice(start, Math.max(start, end)).join('');
  };
  return each(found, unknown ? undefined : change);
}

function changeCase(operation: Of<'CaseModification'>, scene: Scene): ((text: Bytes) => Text) | undefined {
  const source = operation.operand ? expandPattern(operation.operand, scene) : '?';
  if (source === undefined) return undefined;
  const how = matchingOf(scene);
  const pattern = compile(source || '?', how);
  const change = operation.operator.startsWith('^') ? upper : lower;
  const all = operation.operator.length === 2;
  return (text) => {
    if (/[\x80-\xff]/.test(text)) return UNKNOWN;
    const chars = characters(text, how);
    return chars
      .map((char, i) => ((all || i === 0) && ends(pattern, [char], 0, how).has(1) ? change(char) : char))
      .join('');
  };
}
