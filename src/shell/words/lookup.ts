import type { Word } from 'unbash';
import type { Bytes } from '../../platform/bytes.ts';
import type { State } from '../state/state.ts';
import { plainValue, type Variable } from '../state/variables.ts';
import { arithmeticOf } from './arithmetic.ts';
import { expandText, type Scene } from './expand.ts';
import { isKnown, type Text, toText, UNKNOWN, UNKNOWN_WORDS } from './text.ts';

/** What a parameter stands for before any operation. */
export interface Found {
  readonly items: readonly Text[];
  /** `@` and `*`: several words. */
  readonly list?: '@' | '*';
  /** `$@` and `$*`: counted from `$0`. */
  readonly positional?: boolean;
  /** Whether it is set; undefined where nobody knows. */
  readonly set: boolean | undefined;
}

const one = (text: Text): Found => ({ items: [text], set: true });
const NOTHING_KNOWN: Found = { items: [UNKNOWN], set: undefined };

/** Values that change by themselves or that only the running shell has. */
const MOVING =
  /^(?:RANDOM|SRANDOM|SECONDS|EPOCHSECONDS|EPOCHREALTIME|BASHPID|LINENO|BASH_COMMAND|HISTCMD|PIPESTATUS|FUNCNAME|[?$!-])$/;

export function lookUp(parameter: Bytes, index: Word | undefined, scene: Scene): Found {
  const { state } = scene;
  if (parameter === 'argv' && scene.context.shell === 'fish')
    return listOf(
      { value: undefined, exported: false, items: new Map(state.positional.map((text, i) => [String(i), text])) },
      index,
      scene,
    );
  if (parameter === '@' || parameter === '*')
    return { items: state.positional, list: parameter, positional: true, set: state.positional.length > 0 };
  if (parameter === '#') return state.positional.some(isOpen) ? one(UNKNOWN) : one(String(state.positional.length));
  if (/^\d+$/.test(parameter)) return positional(Number(parameter), state);
  if (parameter === '_') return one(state.last ? toText(state.last) : UNKNOWN);
  if (MOVING.test(parameter)) return { items: [UNKNOWN], set: true };
  if (parameter === 'PWD' && !index) return one(workingFolder(state));
  if (parameter === 'DIRSTACK') return NOTHING_KNOWN;
  const variable = resolve(parameter, state);
  if (!index) {
    if (!variable) return NOTHING_KNOWN;
    if (variable.items && scene.context.shell !== 'bash' && scene.context.shell !== 'sh')
      return { ...element(variable, ALL, scene), list: '*' };
    const value = plainValue(variable);
    return value === undefined ? { items: [], set: false } : one(value);
  }
  return element(variable, index, scene);
}

/** The variable of that name, name references followed. */
export function resolve(name: Bytes, state: State, depth = 0): Variable | undefined {
  const variable = state.variables.get(name);
  if (!variable?.reference || depth > 8) return variable;
  return isKnown(variable.value) ? resolve(variable.value, state, depth + 1) : { value: UNKNOWN, exported: false };
}

function positional(index: number, state: State): Found {
  if (index === 0) return one(state.zero);
  const before = state.positional.slice(0, index);
  if (before.some(isOpen)) return NOTHING_KNOWN;
  const value = before[index - 1];
  return value === undefined ? { items: [], set: false } : one(value);
}

const isOpen = (text: Text): boolean => !isKnown(text) && (text.many ?? false);

function workingFolder(state: State): Text {
  const place = state.places[0];
  return state.places.length === 1 && place?.kind === 'known' ? (place.logical ?? place.path) : UNKNOWN;
}

/** A list as fish has it: all of it, or one item. */
const listOf = (variable: Variable, index: Word | undefined, scene: Scene): Found =>
  index ? element(variable, index, scene) : { ...element(variable, ALL, scene), list: '*' };

const ALL: Word = { type: 'Word', text: '@', value: '@', pos: 0, end: 0 };

function element(variable: Variable | undefined, index: Word, scene: Scene): Found {
  if (index.text === '@' || index.text === '*') {
    const list = index.text;
    if (!variable) return { items: [UNKNOWN_WORDS], list, set: undefined };
    const items = variable.items ? [...inOrder(variable)] : variable.value === undefined ? [] : [variable.value];
    return { items: variable.open ? [...items, UNKNOWN_WORDS] : items, list, set: items.length > 0 };
  }
  const span = RANGES[scene.context.shell]?.exec(index.text);
  if (span && variable?.items && !variable.open && !variable.associative)
    return between(variable, span[1], span[2], scene.context.shell === 'fish');
  const key = elementKey(variable, index, scene);
  if (!variable || key === undefined) return NOTHING_KNOWN;
  if (!variable.items && scene.context.shell === 'zsh') return NOTHING_KNOWN;
  const value = variable.items ? variable.items.get(key) : key === '0' ? variable.value : undefined;
  if (value !== undefined) return one(value);
  return variable.open ? NOTHING_KNOWN : { items: [], set: false };
}

const RANGES: Readonly<Record<string, RegExp>> = { zsh: /^(-?\d+),(-?\d+)$/, fish: /^(-?\d+)\.\.(-?\d+)$/ };

/** `$x[2,-1]` of zsh, `$x[2..-1]` of fish, there also backwards: counted from 1, from the end where negative. */
function between(variable: Variable, from: string | undefined, to: string | undefined, backwards: boolean): Found {
  const all = inOrder(variable);
  const [start = 0, end = 0] = [Number(from), Number(to)].map((at) => (at < 0 ? all.length + at + 1 : at));
  const items = all.slice(Math.max(0, Math.min(start, end) - 1), Math.max(0, start, end));
  return { items: start <= end ? items : backwards ? items.reverse() : [], list: '*', set: true };
}

/** The items of an array in the order in which `"${a[@]}"` gives them. */
export function inOrder(variable: Variable): Text[] {
  const entries = [...(variable.items ?? [])];
  if (!variable.associative) entries.sort(([left], [right]) => Number(left) - Number(right));
  return entries.map(([, value]) => value);
}

/** The subscript of an array element; negative ones count from the end. Undefined where it cannot be known. */
export function elementKey(variable: Variable | undefined, index: Word, scene: Scene): Bytes | undefined {
  if (variable?.associative) {
    const key = expandText(index, scene);
    return isKnown(key) ? key : undefined;
  }
  const value = index.text.includes(',') ? undefined : arithmeticOf(index.text, index.parts, scene);
  if (value === undefined) return undefined;
  // zsh and fish count from 1.
  if (/^(?:zsh|fish)$/.test(scene.context.shell) && value > 0n && !scene.state.options.has('ksharrays'))
    return String(value - 1n);
  if (value >= 0n) return String(value);
  const top = Math.max(-1, ...[...(variable?.items?.keys() ?? [])].map(Number));
  return variable?.open ? undefined : String(BigInt(top) + 1n + value);
}
