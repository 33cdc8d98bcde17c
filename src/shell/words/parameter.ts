import type { ParameterExpansionPart, SimpleExpansionPart, Word } from 'unbash';
import { expandAgain } from '../run/again.ts';
import { assign } from '../state/assign.ts';
import { fork } from '../state/state.ts';
import { carriedIn, emitCarried } from '../zsh/carried.ts';
import { emitWord, expandText, ifs, type Scene } from './expand.ts';
import type { Fields } from './fields.ts';
import { elementKey, type Found, lookUp, resolve } from './lookup.ts';
import { operate } from './operations.ts';
import { concat, isKnown, type Text, UNKNOWN, UNKNOWN_WORDS } from './text.ts';

/** `$x`, `${x…}` (bash(1), *Parameter Expansion*). */
export function emitParameter(
  part: SimpleExpansionPart | ParameterExpansionPart,
  scene: Scene,
  fields: Fields,
  quoted: boolean,
): void {
  if (part.type === 'SimpleExpansion') {
    emitFound(lookUp(part.text.slice(1), undefined, scene), scene, fields, quoted);
    return;
  }
  if (part.prefix === '!') {
    emitFound(indirect(part, scene), scene, fields, quoted);
    return;
  }
  const found = lookUp(part.parameter, part.index, scene);
  if (part.prefix === '#') {
    fields.expansion(lengthOf(found), quoted);
    return;
  }
  const { operation } = part;
  if (operation?.type === 'Transform' && scene.context.shell === 'zsh') {
    const carried = carriedIn(part);
    if (carried) {
      emitCarried(carried.text, scene, fields, quoted);
      return;
    }
    emitSplit(found, operation.operand.text, fields, quoted);
    return;
  }
  if (operation?.type === 'Transform' && operation.operand.text === 'P')
    for (const item of found.items) expandAgain(item, scene);
  if (operation?.type === 'Default') {
    emitDefault(part, found, operation, scene, fields, quoted);
    return;
  }
  emitFound(operation ? operate(found, operation, scene) : found, scene, fields, quoted);
}

function emitFound(found: Found, scene: Scene, fields: Fields, quoted: boolean): void {
  const zsh = scene.context.shell === 'zsh' && !scene.state.options.has('shwordsplit');
  if (found.list === undefined) {
    const value = found.items[0] ?? '';
    if (found.set === false && !quoted) return;
    if (zsh && !quoted && isKnown(value) && scene.state.options.has('globsubst')) fields.add(value, false);
    else if (zsh && !quoted) fields.whole(isKnown(value) ? value : { ...value, many: found.set === undefined });
    else fields.expansion(isKnown(value) ? value : { ...value, many: false }, quoted);
    return;
  }
  scene.walker.budget.step(found.items.length / 8);
  const separator = ifs(scene.state);
  const joins = found.list === '*' ? quoted || !fields.splits : !fields.splits;
  if (joins) {
    const between = found.list === '*' ? separator.slice(0, 1) : ' ';
    const items = found.items.map((item): Text => (isKnown(item) ? item : { ...item, many: false }));
    fields.expansion(
      items.reduce<Text>((left, right, i) => (i === 0 ? right : concat(concat(left, between), right)), ''),
      quoted,
    );
    return;
  }
  for (const [i, item] of found.items.entries()) {
    if (i > 0) fields.end();
    if (quoted) fields.add('', true);
    if (zsh && !quoted) fields.whole(item);
    else if (isKnown(item)) fields.expansion(item, quoted);
    else fields.hole(item, quoted);
  }
}

/** zsh's `$=x` (split), `$~x` (matched), under the names that the translation gives them. */
function emitSplit(found: Found, how: string, fields: Fields, quoted: boolean): void {
  for (const [i, item] of found.items.entries()) {
    if (i > 0) fields.end();
    if (!isKnown(item)) fields.hole({ ...item, many: true }, quoted);
    else if (how === 'G') fields.add(item, false);
    else fields.expansion(item, false);
  }
}

function lengthOf(found: Found): Text {
  if (found.list) return found.items.every(isKnown) ? String(found.items.length) : UNKNOWN;
  const value = found.set === false ? '' : found.items[0];
  if (!isKnown(value)) return UNKNOWN;
  return /[\x80-\xff]/.test(value) ? UNKNOWN : String(value.length);
}

/** `${!x}`: the parameter that x names; `${!x*}` and `${!a[@]}`: names and keys. */
export function indirect(part: ParameterExpansionPart, scene: Scene): Found {
  if (part.operation?.type === 'Names') return { items: [UNKNOWN_WORDS], list: '@', set: undefined };
  if (part.index?.text === '@' || part.index?.text === '*') {
    const variable = resolve(part.parameter, scene.state);
    if (!variable?.items) return { items: [UNKNOWN_WORDS], list: '@', set: undefined };
    const keys: Text[] = [...variable.items.keys()];
    if (!variable.associative) keys.sort((left, right) => Number(left) - Number(right));
    return { items: variable.open ? [...keys, UNKNOWN_WORDS] : keys, list: part.index.text, set: keys.length > 0 };
  }
  const name = lookUp(part.parameter, part.index, scene).items[0];
  if (!isKnown(name)) return { items: [UNKNOWN], set: undefined };
  const array = /^([A-Za-z_]\w*)\[(.*)\]$/.exec(name);
  const index = array?.[2];
  const found = lookUp(
    array?.[1] ?? name,
    index === undefined ? undefined : { type: 'Word', text: index, value: index, pos: 0, end: 0 },
    scene,
  );
  return part.operation && part.operation.type !== 'Default' ? operate(found, part.operation, scene) : found;
}

function emitDefault(
  part: ParameterExpansionPart,
  found: Found,
  operation: Extract<ParameterExpansionPart['operation'], { type: 'Default' }>,
  scene: Scene,
  fields: Fields,
  quoted: boolean,
): void {
  const filled = isFilled(found, operation.operator.startsWith(':'));
  const kind = operation.operator.at(-1);
  const operand = (): void => emitOperand(operation.operand, scene, fields, quoted);
  if (kind === '+') {
    if (filled === false) return;
    if (filled) {
      operand();
      return;
    }
    mayExpand(operation.operand, scene);
    fields.hole(UNKNOWN, quoted);
    return;
  }
  if (filled) {
    emitFound(found, scene, fields, quoted);
    return;
  }
  if (kind === '?') {
    mayExpand(operation.operand, scene);
    fields.hole(UNKNOWN, quoted);
    return;
  }
  // Set to something that nobody knows: it may be empty or not.
  if (filled === undefined && found.set === true) {
    mayExpand(operation.operand, scene);
    emitFound(found, scene, fields, quoted);
    return;
  }
  // Else unset as far as anybody knows: the default is what is meant (`${UNKNOWN:-build}`), and a variable that the shell has
  // would have been handed over.
  if (kind === '=') {
    const value = expandText(operation.operand, scene);
    setDefault(part, value, scene);
    fields.expansion(value, quoted);
    return;
  }
  operand();
}

/** A word that may be expanded or not: the commands in it may run. */
function mayExpand(word: Word, scene: Scene): void {
  expandText(word, { ...scene, state: fork(scene.state), context: { ...scene.context, certainty: 'maybe' } });
}

/** The word after `:-` and the like: quoted as a whole where the expansion is. */
function emitOperand(word: Word, scene: Scene, fields: Fields, quoted: boolean): void {
  if (quoted) fields.expansion(expandText(word, scene), true);
  else emitWord(word, scene, fields, scene.context.shell === 'zsh' ? 'word' : 'operand');
}

function setDefault(part: ParameterExpansionPart, value: Text, scene: Scene): void {
  if (!part.index) {
    assign(scene.state, part.parameter, value);
    return;
  }
  const key = elementKey(resolve(part.parameter, scene.state), part.index, scene);
  assign(scene.state, part.parameter, value, { key: key ?? 'unknown' });
}

/** Whether the parameter counts as set; with a colon also whether it is not empty. */
function isFilled(found: Found, colon: boolean): boolean | undefined {
  if (found.set !== true) return found.set;
  if (!colon) return true;
  if (found.list && found.items.length > 1) return true;
  const value: Text | undefined = found.items[0];
  if (value === undefined) return false;
  if (isKnown(value)) return value !== '';
  return value.prefix !== '' || value.suffix !== '' ? true : undefined;
}
