import type { Bytes } from '../../platform/bytes.ts';
import { real, sameFolder } from '../disk.ts';
import { parse } from '../parse.ts';
import type { Line, Place } from '../types.ts';
import { isKnown, UNKNOWN, UNKNOWN_WORDS } from '../words/text.ts';
import { zshOption } from '../zsh/options.ts';
import { exportedName, type FunctionBody } from './functions.ts';
import type { State } from './state.ts';
import type { Variable } from './variables.ts';

/** What the shell knows before the line. */
export function initialState(line: Line): State {
  const variables = new Map<Bytes, Variable>();
  const options = [...line.options].map((name) => (line.shell === 'zsh' ? zshOption(name, true) : { name, on: true }));
  for (const [name, value] of line.variables) variables.set(name, { value, exported: true });
  // Every variable of fish is a list: one of one item is told twice, and may be exported.
  for (const [name, items] of line.arrays ?? [])
    if (line.shell !== 'fish' || items.size !== 1 || !line.variables.has(name))
      variables.set(
        name,
        isAssociative(items) ? { ...NO_VALUE, items, associative: true } : arrayOf(items, line.shell),
      );
  for (const [name, letters] of line.attributes ?? [])
    variables.set(name, {
      ...(variables.get(name) ?? NO_VALUE),
      ...(letters.includes('i') ? { integer: true } : {}),
      ...(letters.includes('l') ? { case: 'lower' } : letters.includes('u') ? { case: 'upper' } : {}),
    });
  for (const [name, target] of line.references ?? [])
    variables.set(name, { ...NO_VALUE, value: target, reference: true });
  return {
    places: [placeOf(line)],
    variables,
    functions: functionsOf(line),
    aliases: new Map(line.aliases),
    options: new Set(options.filter((option) => option.on).map((option) => option.name)),
    oneForAll: isOneForAll(line.shell),
    stack: (line.stack ?? []).slice(1).map((path) => ({ kind: 'known', path })),
    positional: line.unknownArguments ? [UNKNOWN_WORDS] : (line.positional?.slice(1) ?? []),
    zero: line.positional?.[0] ?? UNKNOWN,
    locals: [],
    written: new Map(),
    made: new Set(),
    gone: new Set(),
    changed: false,
    hashed: new Map(line.hashed),
    last: undefined,
    traps: [],
    flow: undefined,
    loops: 0,
    sourced: 0,
    mayStay: undefined,
    comingAliases: [],
    escaped: [],
  };
}

export const isOneForAll = (shell: Line['shell']): boolean => shell === 'zsh' || shell === 'fish';

const NO_VALUE = { value: undefined, exported: false } as const;

/** Their own numbers count from 1 in zsh and fish; from 0 here. */
const arrayOf = (items: ReadonlyMap<Bytes, Bytes>, shell: Line['shell']): Variable => ({
  ...NO_VALUE,
  items: isOneForAll(shell) ? new Map([...items].map(([key, item]) => [String(Number(key) - 1), item])) : items,
  associative: false,
});

const isAssociative = (items: ReadonlyMap<Bytes, Bytes>): boolean =>
  [...items.keys()].some((key) => !/^\d+$/.test(key));

/** The working directory, by `$PWD`'s name for it where that leads to the same folder. */
function placeOf(line: Line): Place {
  if (line.cwd === undefined) return { kind: 'unknown' };
  const path = real(line.cwd);
  const named = line.variables.get('PWD');
  const logical = named?.startsWith('/') && sameFolder(named, path) ? named : line.cwd;
  return logical === path ? { kind: 'known', path } : { kind: 'known', path, logical };
}

function functionsOf(line: Line): Map<Bytes, readonly FunctionBody[]> {
  const functions = new Map<Bytes, readonly FunctionBody[]>();
  for (const [name, text] of line.functions) functions.set(name, [lazily(text, line)]);
  return functions;
}

/**
 * The functions that a new bash gets from its parent (bash(1), FUNCTIONS): those that the line exported, and those that lie in the
 * environment since before.
 */
export function importedFunctions(state: State, line: Line): State['functions'] {
  const functions: State['functions'] = new Map();
  for (const [variable, { value, exported }] of state.variables) {
    const name = exportedName(variable);
    if (name === undefined || !exported) continue;
    const bodies = state.functions.get(name);
    if (bodies) functions.set(name, bodies);
    else if (value !== undefined && isKnown(value) && value !== '')
      functions.set(name, [lazily(`${name} ${value}`, { ...line, shell: 'bash' })]);
  }
  return functions;
}

/** Shells have hundreds of functions; a body is parsed when it is called. */
function lazily(text: Bytes, line: Line): FunctionBody {
  let body: FunctionBody['body'] | undefined;
  return {
    inLine: false,
    source: text,
    get body() {
      body ??= bodyOf(text, line);
      return body;
    },
  };
}

/** The body of a function as its shell printed it; handed over without its head, the text is the body. */
function bodyOf(text: Bytes, line: Line): FunctionBody['body'] {
  const parsed = parse(text, line);
  const list = { type: 'CompoundList', pos: 0, end: text.length } as const;
  if (parsed.kind === 'too much') return { ...list, commands: [] };
  const command = parsed.script.commands[0]?.command;
  return command?.type === 'Function' ? command.body : { ...list, commands: parsed.script.commands };
}
