import type { Bytes } from '../../platform/bytes.ts';
import { assign } from '../state/assign.ts';
import { exportedAs } from '../state/functions.ts';
import type { State } from '../state/state.ts';
import type { Variable } from '../state/variables.ts';
import { arithmeticOf } from '../words/arithmetic.ts';
import { concat, isKnown, type Text } from '../words/text.ts';
import { writeMapped } from '../zsh/mapfile.ts';
import { type Builtin, isName, splitOptions, textsOf } from './builtin.ts';

/** `export`, `declare`, `typeset`, `local`, `readonly`. */
export const declare: Builtin = (call) => {
  const { state } = call;
  const texts = textsOf(call);
  const name = call.argv[0]?.kind === 'known' ? call.argv[0].text : '';
  const options = texts.filter((text): text is Bytes => isKnown(text) && /^[-+][A-Za-z]/.test(text));
  if (name === 'local' && state.locals.length === 0) return 'fail';
  const how = howOf(name, state, options);
  if (how.on.includes('f') && how.exports) exportFunctions(texts, state);
  if (/[fFp]/.test(how.on)) return 'ok';
  for (const text of texts) {
    if (!isKnown(text) || !/^[-+][A-Za-z]/.test(text)) declareOne(text, state, how);
  }
  return 'ok';
};

/** `export -f f`, `declare -fx f`: also for a function that nobody handed over. */
function exportFunctions(texts: readonly Text[], state: State): void {
  for (const name of texts) {
    if (!isKnown(name) || /^[-+]/.test(name)) continue;
    const old = state.variables.get(exportedAs(name));
    state.variables.set(exportedAs(name), { value: old?.value ?? '', exported: true });
  }
}

/** Declares a name without a value, with the options that stand before it. */
export const declareName = (name: Bytes, state: State, builtin: Bytes, options: readonly Bytes[]): void =>
  declareOne(name, state, howOf(builtin, state, options));

function howOf(builtin: Bytes, state: State, options: readonly Bytes[]): How {
  const on = options.filter((text) => text.startsWith('-')).join('');
  const off = options.filter((text) => text.startsWith('+')).join('');
  const inFunction = (builtin === 'declare' || builtin === 'typeset') && state.locals.length > 0 && !on.includes('g');
  const exports = builtin === 'export' ? !on.includes('n') : on.includes('x');
  return { local: builtin === 'local' || inFunction, on, off, exports };
}

interface How {
  readonly local: boolean;
  readonly on: string;
  readonly off: string;
  readonly exports: boolean;
}

function declareOne(text: Text, state: State, how: How): void {
  const parsed = /^([A-Za-z_]\w*)(\+?)(=?)([\s\S]*)$/.exec(isKnown(text) ? text : text.prefix);
  const name = parsed?.[1];
  if (!parsed || name === undefined) return;
  if (how.local) makeLocal(name, state, parsed[3] !== '=');
  const old = state.variables.get(name);
  const variable: Variable = {
    ...(old ?? { value: undefined }),
    exported: (how.exports || (old?.exported ?? false)) && !how.off.includes('x'),
    ...(how.on.includes('A') ? { associative: true, items: old?.items ?? new Map(), value: undefined } : {}),
    ...(how.on.includes('a') && !old?.items ? { items: new Map(), value: undefined } : {}),
    ...(how.on.includes('i') ? { integer: true } : {}),
    ...(how.on.includes('u') ? { case: 'upper' as const } : {}),
    ...(how.on.includes('l') ? { case: 'lower' as const } : {}),
  };
  // A name that nobody handed over may hold anything: declaring it exported does not make it empty.
  if (old || parsed[3] === '=' || how.local || /[aA]/.test(how.on)) state.variables.set(name, variable);
  if (how.on.includes('n')) {
    state.variables.set(name, { value: assignedBy(text, parsed), exported: false, reference: true });
    return;
  }
  if (parsed[3] === '=')
    assign(state, name, assignedBy(text, parsed), { append: parsed[2] === '+', exported: variable.exported });
}

const assignedBy = (text: Text, parsed: RegExpExecArray): Text => {
  const rest = parsed[4] ?? '';
  return isKnown(text) ? rest : concat({ ...text, prefix: rest }, '');
};

function makeLocal(name: Bytes, state: State, empty: boolean): void {
  const frame = state.locals.at(-1);
  if (!frame || frame.has(name)) return;
  frame.set(name, state.variables.get(name));
  // The array that a declaration assigns is set before the builtin runs.
  const old = state.variables.get(name);
  if (empty && !old?.items) state.variables.set(name, { value: undefined, exported: false });
}

export const unset: Builtin = (call) => {
  const { flags, operands } = splitOptions(textsOf(call));
  for (const text of operands) {
    if (!isKnown(text)) continue;
    if (flags.has('f')) {
      call.state.functions.delete(text);
      call.state.variables.delete(exportedAs(text));
    } else if (isName(text)) call.state.variables.set(text, { value: undefined, exported: false });
    else {
      const mapped = call.context.shell === 'zsh' ? /^mapfile\[([\s\S]+)\]$/.exec(text)?.[1] : undefined;
      if (mapped !== undefined) writeMapped(mapped, call);
      unsetItem(text, call.state);
    }
  }
  return 'ok';
};

function unsetItem(text: Bytes, state: State): void {
  const [, name = '', key = ''] = /^([A-Za-z_]\w*)\[([\s\S]*)\]$/.exec(text) ?? [];
  const variable = state.variables.get(name);
  if (!variable?.items) return;
  const items = new Map(variable.items);
  items.delete(key);
  state.variables.set(name, { ...variable, items: key === '@' || key === '*' ? new Map() : items });
}

export const letExpression: Builtin = (call) => {
  let last: bigint | undefined = 0n;
  for (const text of textsOf(call)) last = isKnown(text) ? arithmeticOf(text, undefined, call) : undefined;
  return last === undefined ? 'unknown' : last === 0n ? 'fail' : 'ok';
};

/** `hash -p PATH NAME`, in zsh `hash NAME=PATH`: NAME is PATH from now on. */
export const hash: Builtin = (call) => {
  const { flags, operands } = splitOptions(textsOf(call), 'p');
  const path = flags.get('p');
  if (path !== undefined && path !== true)
    for (const name of operands) if (isKnown(name)) call.state.hashed.set(name, path);
  // zsh: `hash -d name=/folder` makes `~name`.
  if (flags.has('d'))
    for (const text of operands) {
      const [, name, folder] = isKnown(text) ? (/^([\w.@+-]+)=([\s\S]*)$/.exec(text) ?? []) : [];
      if (name !== undefined && folder !== undefined) call.state.hashed.set(`~${name}`, folder);
    }
  else if (call.context.shell === 'zsh')
    for (const text of operands) {
      const [, name, file] = isKnown(text) ? (/^([^=]+)=([\s\S]+)$/.exec(text) ?? []) : [];
      if (name !== undefined && file !== undefined) call.state.hashed.set(name, file);
    }
  // Programs and named directories are two tables.
  if (flags.has('r'))
    for (const name of [...call.state.hashed.keys()])
      if (name.startsWith('~') === flags.has('d')) call.state.hashed.delete(name);
  return 'ok';
};
