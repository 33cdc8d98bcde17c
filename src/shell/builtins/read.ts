import type { Bytes } from '../../platform/bytes.ts';
import { contentOf } from '../disk.ts';
import { MOST_DEPTH } from '../run/budget.ts';
import { assign, assignArray } from '../state/assign.ts';
import type { Arg } from '../types.ts';
import { ifs } from '../words/expand.ts';
import { isKnown, type Text, UNKNOWN, UNKNOWN_WORDS } from '../words/text.ts';
import { type Builtin, type BuiltinCall, isName, splitOptions, textsOf } from './builtin.ts';

/** Longer files are not read. */
const MOST_INPUT = 65_536;

/** `read NAME…`: a line of the input, where it is known text; else the names become unknown. */
export const read: Builtin = (call) => {
  const { flags, operands } = splitOptions(textsOf(call), 'adinNptu');
  const names = operands.filter(isKnown).filter(isName);
  const array = flags.get('a');
  const line = flags.has('u') || flags.has('n') || flags.has('N') ? undefined : takeLine(call, flags.get('d'));
  if (line === 'end') {
    for (const name of names.length > 0 ? names : ['REPLY']) assign(call.state, name, '');
    return 'fail';
  }
  if (typeof array === 'string') {
    const entries = line === undefined ? [] : fieldsOf(line.text, ifs(call.state), Number.POSITIVE_INFINITY);
    assignArray(
      call.state,
      array,
      entries.map((value) => ({ key: undefined, value })),
      { open: line === undefined },
    );
  } else if (line === undefined) assignUnknown(names, call);
  else assignFields(line.text, names, call, flags.has('r'));
  return line === undefined ? 'unknown' : line.whole ? 'ok' : 'fail';
};

/** Lines of `find DIR …` begin with DIR. */
function assignUnknown(names: readonly Bytes[], call: BuiltinCall): void {
  const { stdin } = call.context;
  const [program, folder, next] = stdin.kind === 'pipe' ? stdin.from : [];
  const found =
    program?.kind === 'known' && program.text === 'find' && folder?.kind === 'known' && !folder.text.startsWith('-');
  const single = found && (next === undefined || (next.kind === 'known' && /^[-(!]/.test(next.text)));
  const all = names.length > 0 ? names : ['REPLY'];
  for (const name of all)
    assign(call.state, name, single && all.length === 1 ? { prefix: folder.text, suffix: '' } : UNKNOWN);
}

/**
 * The input as text that is used up. A file that the line has not touched is read as it is now: what is done with it rests on
 * that, and is said so.
 */
export function inputText(
  call: Pick<BuiltinCall, 'context' | 'state' | 'walker'>,
): { text: Bytes; readonly from?: readonly Arg[]; readonly unordered?: boolean } | undefined {
  const { stdin } = call.context;
  if (stdin.kind === 'text') {
    const [program] = stdin.from ?? [];
    if (program?.kind === 'known') call.walker.visitor.foretold?.(program.text, false);
    return stdin;
  }
  const text = stdin.kind === 'file' && !call.state.changed ? contentOf(stdin.path, MOST_INPUT) : undefined;
  if (text === undefined) return undefined;
  call.walker.visitor.foretold?.('read', true);
  return Object.assign(stdin, { kind: 'text' as const, text });
}

const isUnordered = (stdin: { readonly text: Bytes; readonly unordered?: boolean }): boolean =>
  stdin.unordered === true && stdin.text.trimEnd().includes('\n');

/** `mapfile -C TEXT`: TEXT with an index and a line behind it. */
function calledBack(text: Text | true | undefined, call: BuiltinCall): void {
  if (text === undefined || text === true) return;
  const { walker, state, context } = call;
  const around = { ...context, certainty: 'maybe' as const, repeated: true, depth: context.depth + 1 };
  if (isKnown(text) && context.depth < MOST_DEPTH) walker.text(`${text} "$RANDOM" "$RANDOM"`, state, around);
  else walker.gap('a callback that is not known', state);
}

interface Line {
  readonly text: Bytes;
  /** Its end was there too: `read` succeeds. */
  readonly whole: boolean;
}

function takeLine(call: BuiltinCall, delimiter: unknown): Line | 'end' | undefined {
  const stdin = inputText(call);
  // The first of several lines in no certain order is any of them; a loop comes to all.
  if (stdin === undefined || (isUnordered(stdin) && call.state.loops === 0)) return undefined;
  if (stdin.text === '') return 'end';
  const end = typeof delimiter === 'string' ? delimiter.charAt(0) || '\0' : '\n';
  const at = stdin.text.indexOf(end);
  const text = at < 0 ? stdin.text : stdin.text.slice(0, at);
  stdin.text = at < 0 ? '' : stdin.text.slice(at + 1);
  return { text, whole: at >= 0 };
}

function assignFields(raw: Bytes, names: readonly Bytes[], call: BuiltinCall, keepsBackslashes: boolean): void {
  const text = keepsBackslashes ? raw : raw.replace(/\\([\s\S])/g, '$1');
  if (names.length === 0) {
    assign(call.state, 'REPLY', text);
    return;
  }
  const fields = fieldsOf(text, ifs(call.state), names.length);
  for (const [i, name] of names.entries()) assign(call.state, name, fields[i] ?? '');
}

/** Fields of a line for so many names: the last one gets the rest. */
export function fieldsOf(text: Bytes, separators: Bytes, most: number): Bytes[] {
  const blank = [...separators].filter((char) => ' \t\n'.includes(char)).join('');
  const trim = (value: Bytes): Bytes => {
    let start = 0;
    let end = value.length;
    while (start < end && blank.includes(value.charAt(start))) start++;
    while (end > start && blank.includes(value.charAt(end - 1))) end--;
    return value.slice(start, end);
  };
  const out: Bytes[] = [];
  let rest = trim(text);
  while (rest !== '' && out.length < most - 1) {
    let at = 0;
    while (at < rest.length && !separators.includes(rest.charAt(at))) at++;
    out.push(rest.slice(0, at));
    let next = at;
    while (next < rest.length && blank.includes(rest.charAt(next))) next++;
    if (next < rest.length && separators.includes(rest.charAt(next)) && !blank.includes(rest.charAt(next))) next++;
    rest = trim(rest.slice(next));
  }
  if (rest !== '') out.push(rest);
  return out;
}

/** `mapfile NAME`: the lines of the input. */
export const mapfile: Builtin = (call) => {
  const { flags, operands } = splitOptions(textsOf(call), 'cCdnOsu');
  const name = operands.find(isKnown) ?? 'MAPFILE';
  const stdin = flags.has('u') ? undefined : inputText(call);
  const plain = [...flags.keys()].every((flag) => flag === 't' || flag === 'd');
  calledBack(flags.get('C'), call);
  if (stdin === undefined || !plain) {
    assignArray(call.state, name, [{ key: undefined, value: UNKNOWN_WORDS }], { open: true });
    return 'unknown';
  }
  const given = flags.get('d');
  const delimiter = typeof given === 'string' ? given || '\0' : '\n';
  const lines = stdin.text.split(delimiter);
  if (lines.at(-1) === '') lines.pop();
  stdin.text = '';
  assignArray(
    call.state,
    name,
    lines.map((line) => ({ key: undefined, value: flags.has('t') ? line : line + delimiter })),
  );
  return 'ok';
};
