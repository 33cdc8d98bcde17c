import type { Bytes } from '../../platform/bytes.ts';
import type { Arg, Place } from '../types.ts';
import type { Text } from '../words/text.ts';
import { type FunctionBody, sameBody } from './functions.ts';
import { joinVariable, type Variable, type Variables } from './variables.ts';

/** Why the commands that follow are not run. */
export interface Flow {
  readonly kind: 'break' | 'continue' | 'return' | 'exit';
  /** Loops still to leave. */
  readonly levels: number;
}

/** What one shell process knows at one moment. Changed in place by the commands that it runs; forked for subshells. */
export interface State {
  /** Where it may be: one place, or the alternatives after a branch that may have been taken. Never empty. */
  places: readonly Place[];
  variables: Variables;
  /** Several bodies: one of them, or (`program`) none. */
  functions: Map<Bytes, readonly (FunctionBody | 'program')[]>;
  aliases: Map<Bytes, Bytes>;
  options: Set<string>;
  /** A value that is given to a list takes the place of all of it (zsh, fish), not of its first item (bash). */
  oneForAll: boolean;
  /** The directory stack below the working directory. */
  stack: readonly Place[];
  positional: readonly Text[];
  zero: Text;
  /** Variables that running functions made local, innermost last: what each was before. */
  locals: readonly Map<Bytes, Variable | undefined>[];
  /** Absolute path to what the line wrote there. */
  written: Map<Bytes, Text>;
  /** Absolute paths that the line made, and that it moved or removed. */
  made: Set<Bytes>;
  gone: Set<Bytes>;
  /** A program has run that may have made anything. */
  changed: boolean;
  hashed: Map<Bytes, Text>;
  /** `$_`: the last word of the command before. */
  last: Arg | undefined;
  traps: Trap[];
  flow: Flow | undefined;
  /** Loops around the command in this function, and scripts being sourced: what `break` and `return` can leave. */
  loops: number;
  sourced: number;
  /** The last command was a `cd` that may fail: where the shell then is, and where otherwise. */
  mayStay: { readonly before: readonly Place[]; readonly after: readonly Place[] } | undefined;
  /** Aliases of this line: they hold from the next one on. */
  comingAliases: readonly (readonly [Bytes, Bytes])[];
  /** Where `break`, `return` and the like in a branch that may not be taken would go on. */
  escaped: readonly State[];
}

export interface Trap {
  readonly text: Text;
  readonly signal: Bytes;
}

/** A copy that changes by itself. */
export const fork = (state: State): State => ({
  ...state,
  variables: new Map(state.variables),
  functions: new Map(state.functions),
  aliases: new Map(state.aliases),
  options: new Set(state.options),
  locals: state.locals.map((frame) => new Map(frame)),
  written: new Map(state.written),
  made: new Set(state.made),
  gone: new Set(state.gone),
  hashed: new Map(state.hashed),
});

/** More alternatives than this and the place is unknown. */
const MOST_PLACES = 6;

/** `state` becomes what is true after one of the two histories, nobody knows which. */
export function join(state: State, other: State): void {
  // A trap set in either history, also in one that ended, runs at the end of the shell.
  const traps = [...new Set([...state.traps, ...other.traps])];
  joinKnown(state, other);
  state.traps = traps;
}

function joinKnown(state: State, other: State): void {
  const stay = joinStay(state, other);
  if (other.flow) {
    // Nothing goes on after `exit`.
    const lost = other.flow.kind === 'exit' ? [] : [other];
    state.escaped = union(state.escaped, other.escaped, ...lost);
    return;
  }
  if (state.flow) {
    const dead = state.flow.kind === 'exit' ? [] : [fork(state)];
    Object.assign(state, other, { escaped: union(state.escaped, other.escaped, ...dead) });
    return;
  }
  state.places = unionPlaces(state.places, other.places);
  state.mayStay = stay;
  for (const name of new Set([...state.variables.keys(), ...other.variables.keys()])) {
    const left = state.variables.get(name);
    const right = other.variables.get(name);
    if (left !== right) state.variables.set(name, joinVariable(left, right));
  }
  joinFunctions(state, other);
  joinOptions(state, other);
  for (const [name, value] of other.aliases) if (!state.aliases.has(name)) state.aliases.set(name, value);
  if (state.stack !== other.stack)
    state.stack = samePlaces(state.stack, other.stack) ? state.stack : [{ kind: 'unknown' }];
  if (!sameTexts(state.positional, other.positional)) state.positional = [{ prefix: '', suffix: '', many: true }];
  for (const path of new Set([...state.written.keys(), ...other.written.keys()]))
    if (state.written.get(path) !== other.written.get(path)) state.written.set(path, { prefix: '', suffix: '' });
  for (const path of other.made) state.made.add(path);
  for (const path of other.gone) state.gone.add(path);
  state.changed ||= other.changed;
  if (state.last !== other.last) state.last = undefined;
  state.escaped = union(state.escaped, other.escaped);
}

/** Both histories have most of them in common: without this they would double at every branch. */
const union = (left: readonly State[], right: readonly State[], ...more: readonly State[]): readonly State[] => [
  ...new Set([...left, ...right, ...more]),
];

export function unionPlaces(left: readonly Place[], right: readonly Place[]): readonly Place[] {
  const out = [...left];
  for (const place of right) if (!out.some((one) => samePlace(one, place))) out.push(place);
  return out.length > MOST_PLACES ? [{ kind: 'unknown' }] : out;
}

/** Where the shell is if the last command failed, and if it succeeded, when one of the two histories does not say. */
function joinStay(state: State, other: State): State['mayStay'] {
  if (!state.mayStay && !other.mayStay) return undefined;
  const [left, right] = [state, other].map((one) => one.mayStay ?? { before: one.places, after: one.places });
  if (!left || !right) return undefined;
  return { before: unionPlaces(left.before, right.before), after: unionPlaces(left.after, right.after) };
}

/** Takes it as known that the last command succeeded, or failed. */
export function assume(state: State, succeeded: boolean): State {
  const { mayStay } = state;
  const places = succeeded ? mayStay?.after : mayStay?.before;
  if (places && places.length > 0) state.places = places;
  state.mayStay = undefined;
  return state;
}

export const samePlace = (left: Place, right: Place): boolean =>
  left.kind === 'known' && right.kind === 'known' ? left.path === right.path : left.kind === right.kind;

export const samePlaces = (left: readonly Place[], right: readonly Place[]): boolean =>
  left.length === right.length && left.every((place, i) => samePlace(place, right[i] ?? { kind: 'unknown' }));

const sameTexts = (left: readonly Text[], right: readonly Text[]): boolean =>
  left === right || (left.length === right.length && left.every((text, i) => text === right[i]));

function joinFunctions(state: State, other: State): void {
  for (const name of new Set([...state.functions.keys(), ...other.functions.keys()])) {
    const left = state.functions.get(name) ?? ['program' as const];
    const right = other.functions.get(name) ?? ['program' as const];
    if (left !== right)
      state.functions.set(name, [...left, ...right.filter((body) => !left.some((one) => sameBody(one, body)))]);
  }
}

/** Options that protect or hide count only where they are on in both histories, the others where they are on in one. */
const NARROWING = new Set(['noclobber', 'noglob', 'failglob', 'errexit', 'noexec', 'nullglob']);

function joinOptions(state: State, other: State): void {
  for (const name of new Set([...state.options, ...other.options])) {
    const both = state.options.has(name) && other.options.has(name);
    if (both || !NARROWING.has(name)) state.options.add(name);
    else state.options.delete(name);
  }
}
