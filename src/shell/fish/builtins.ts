import type { Bytes } from '../../platform/bytes.ts';
import { type Builtin, type BuiltinCall, isName, textsOf } from '../builtins/builtin.ts';
import { go } from '../builtins/cd.ts';
import { printing } from '../builtins/printing.ts';
import { read as bashRead } from '../builtins/read.ts';
import { BUILTINS } from '../builtins/table.ts';
import { parse } from '../parse.ts';
import { raise } from '../run/traps.ts';
import { bodyOf } from '../state/functions.ts';
import type { State } from '../state/state.ts';
import { isKnown, type Text, toArg, UNKNOWN } from '../words/text.ts';

/** Names of bash that are none in fish, or mean something else there. */
const NOT_FISH =
  /^(?:shopt|setopt|unsetopt|emulate|declare|typeset|local|readonly|let|shift|unset|mapfile|readarray|hash|getopts|print|integer|float)$/;

let builtins: ReadonlyMap<Bytes, Builtin> | undefined;

/** fish's own builtins over those that it has in common with bash; made when a fish first asks. */
export function fishBuiltins(): ReadonlyMap<Bytes, Builtin> {
  builtins ??= new Map<Bytes, Builtin>([
    ...[...BUILTINS].filter(([name]) => !NOT_FISH.test(name)),
    ['set', (call) => set(call)],
    ['read', (call) => read(call)],
    ['alias', (call) => alias(call)],
    ['string', printing],
    ['count', printing],
    ['psub', printing],
    ['functions', (call) => functions(call)],
    ['emit', (call) => emit(call)],
    // The folder before, as `cd -`; further ones are in a list that nobody hands over.
    ['prevd', ({ argv, state }) => go(argv.length === 1 ? '-' : UNKNOWN, state, false)],
    ['nextd', ({ state }) => go(UNKNOWN, state, false)],
    ['cdh', ({ state }) => go(UNKNOWN, state, false)],
  ]);
  return builtins;
}

const VALUED = /^-[^-]*[pPdnRcS]$|^--(?:prompt|prompt-str|delimiter|nchars|right-prompt|command)$/;

/** `set [-flags] NAME[index] VALUES…` (set(1) of fish): every variable is a list. */
function set(call: BuiltinCall): ReturnType<Builtin> {
  const texts = textsOf(call);
  const options: Bytes[] = [];
  let at = 0;
  for (; at < texts.length; at++) {
    const text = texts[at];
    if (!isKnown(text) || !/^-./.test(text)) break;
    options.push(text);
  }
  const has = (letter: string, long: string): boolean =>
    options.some((option) => option === long || new RegExp(`^-[a-zA-Z]*${letter}`).test(option));
  const [name, ...values] = texts.slice(at);
  if (has('q', '--query') || has('n', '--names') || has('S', '--show') || !isKnown(name)) return 'unknown';
  const plain = /^(\w+)(\[.*\])?$/.exec(name);
  if (!plain?.[1]) return 'fail';
  if (has('e', '--erase')) {
    for (const one of [name, ...values])
      if (isKnown(one) && isName(one)) call.state.variables.set(one, { value: undefined, exported: false });
    return 'ok';
  }
  const scoped = call.state.locals.length > 0 && !has('g', '--global') && !has('U', '--universal');
  if (scoped && (has('l', '--local') || has('f', '--function') || !call.state.variables.has(plain[1])))
    keep(plain[1], call.state);
  setList(plain[1], plain[2] === undefined ? values : undefined, call.state, {
    append: has('a', '--append'),
    prepend: has('p', '--prepend'),
    exported: has('x', '--export'),
  });
  raise(`ON-VARIABLE:${plain[1]}`, ['VARIABLE', 'SET', plain[1]], call);
  return 'ok';
}

/** `emit EVENT ARG…`. */
function emit(call: BuiltinCall): ReturnType<Builtin> {
  const [event, ...args] = textsOf(call);
  if (isKnown(event)) raise(`ON-EVENT:${event}`, args, call);
  return 'ok';
}

/** Remembers what a variable was before the running function. */
function keep(name: Bytes, state: State): void {
  const frame = state.locals.at(-1);
  if (frame && !frame.has(name)) frame.set(name, state.variables.get(name));
}

/** `values` undefined: some item was set, nobody follows which. */
function setList(
  name: Bytes,
  values: readonly Text[] | undefined,
  state: State,
  how: { readonly append: boolean; readonly prepend: boolean; readonly exported: boolean },
): void {
  const old = state.variables.get(name);
  const before: readonly Text[] = old?.items ? [...old.items.values()] : old?.value === undefined ? [] : [old.value];
  const all = how.append
    ? [...before, ...(values ?? [])]
    : how.prepend
      ? [...(values ?? []), ...before]
      : (values ?? []);
  const open =
    values === undefined || all.some((text) => !isKnown(text) && text.many) || ((how.append || how.prepend) && !old);
  const items = new Map(all.filter((text) => isKnown(text) || !text.many).map((text, i) => [String(i), text]));
  state.variables.set(name, { value: undefined, items, open, exported: how.exported || (old?.exported ?? false) });
}

/** `read NAMES…`: options are fish's, the reading is that of bash's `read -r`. */
function read(call: BuiltinCall): ReturnType<Builtin> {
  const texts = textsOf(call);
  const names: Bytes[] = [];
  let other = false;
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at];
    if (!isKnown(text)) continue;
    if (VALUED.test(text)) {
      other ||= /[dnR]$|delimiter|nchars/.test(text);
      at++;
    } else if (/^-./.test(text))
      other ||= /^-[a-zA-Z]*[aLtzd]|^--(?:list|array|line|null|tokenize|delimiter)/.test(text);
    else if (isName(text)) names.push(text);
  }
  const argv = ['read', '-r', ...(other ? ['-n1'] : []), ...names].map((text) => toArg(text));
  return bashRead({ ...call, argv });
}

/** `alias NAME BODY` and `alias NAME=BODY`: a function from now on. */
function alias(call: BuiltinCall): ReturnType<Builtin> {
  const [first, second] = textsOf(call).filter((text) => !isKnown(text) || !text.startsWith('-'));
  if (!isKnown(first)) return 'unknown';
  const [name = '', given] = first.includes('=')
    ? [first.slice(0, first.indexOf('=')), first.slice(first.indexOf('=') + 1)]
    : [first, second];
  if (!isKnown(given) || name === '') return 'unknown';
  // `command` in front where the alias has its own name, as fish does.
  const source = `${given.startsWith(`${name} `) || given === name ? 'command ' : ''}${given} $argv`;
  const parsed = parse(source, { shell: 'fish', options: call.state.options });
  if (parsed.kind !== 'tree') return 'unknown';
  call.state.functions.set(name, [bodyOf(parsed)]);
  return 'ok';
}

/** `functions -e NAME` and `functions -c OLD NEW`. */
function functions(call: BuiltinCall): ReturnType<Builtin> {
  const texts = textsOf(call).filter(isKnown);
  const names = texts.filter((text) => !text.startsWith('-'));
  if (texts.some((text) => /^(?:-e|--erase)$/.test(text))) for (const name of names) call.state.functions.delete(name);
  const [from, to] = names;
  const body = from === undefined ? undefined : call.state.functions.get(from);
  if (texts.some((text) => /^(?:-c|--copy)$/.test(text)) && body && to !== undefined)
    call.state.functions.set(to, body);
  return 'ok';
}
