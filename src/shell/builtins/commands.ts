import type { Bytes } from '../../platform/bytes.ts';
import { contentOf, lookUp } from '../disk.ts';
import { findProgram } from '../output/looks.ts';
import { runArgv, writtenAt } from '../run/argv.ts';
import { MOST_DEPTH } from '../run/budget.ts';
import { hull, type Status } from '../run/context.ts';
import { fileOf } from '../run/redirect.ts';
import { concat, isKnown, type Text, toText } from '../words/text.ts';
import { type Builtin, type BuiltinCall, textsOf } from './builtin.ts';
import { inputText } from './read.ts';
import { BUILTINS } from './table.ts';

/** `command NAME…`: no function; `-v` and `-V` only say what NAME is. */
export const command: Builtin = (call) => {
  const { argv, walker, state, context } = call;
  let at = 1;
  for (; at < argv.length; at++) {
    const text = toText(argv[at] as (typeof argv)[number]);
    if (text === '--') {
      at++;
      break;
    }
    if (!isKnown(text) || !/^-[pvV]+$/.test(text)) break;
    if (/[vV]/.test(text)) {
      context.out?.write(nameOf(argv.slice(at + 1).map(toText), call));
      return 'unknown';
    }
  }
  return argv.length > at ? runArgv(argv.slice(at), walker, state, context, { functions: false }) : 'ok';
};

function nameOf(names: readonly Text[], call: BuiltinCall): Text | undefined {
  const [name] = names;
  if (!isKnown(name) || names.length !== 1) return undefined;
  if (BUILTINS.has(name) || call.state.functions.has(name)) return `${name}\n`;
  const path = findProgram(name, call.state);
  return path && `${path}\n`;
}

/** `builtin NAME…`. */
export const execute: Builtin = ({ argv, walker, state, context }) =>
  argv.length > 1 ? runArgv(argv.slice(1), walker, state, context, { functions: false }) : 'ok';

/** `exec NAME…` ends the shell with NAME; `exec` with redirections alone keeps them for what follows. */
export const exec: Builtin = ({ argv, walker, state, context }) => {
  let at = 1;
  for (; at < argv.length; at++) {
    const text = toText(argv[at] as (typeof argv)[number]);
    if (text === '--') {
      at++;
      break;
    }
    if (!isKnown(text) || !/^-[acl]+$/.test(text)) break;
    if (text.includes('a')) at++;
  }
  if (at >= argv.length) return 'ok';
  const status = runArgv(argv.slice(at), walker, state, context, { functions: false, builtins: false });
  state.flow = { kind: 'exit', levels: 1 };
  return status;
};

/** `eval WORD…`: the words with blanks between them are a script. */
export const evaluate: Builtin = (call) => {
  const texts = textsOf(call);
  const script = texts.reduce<Text>((left, right, i) => (i === 0 ? right : concat(concat(left, ' '), right)), '');
  return runText(script, call, 'a script that is not known before the line runs');
};

function runText(text: Text, call: BuiltinCall, reason: string): Status {
  const { walker, state, context } = call;
  if (isKnown(text) && context.depth < MOST_DEPTH) {
    return walker.text(text, state, {
      ...context,
      depth: context.depth + 1,
      inLine: false,
      within: hull(call.argv.slice(1)),
    });
  }
  walker.gap(reason, state);
  state.changed = true;
  return 'unknown';
}

/** Scripts larger than this are not read. */
const MOST_SCRIPT = 65_536;

/** `source FILE ARG…`: the file is read and walked in this shell; fish reads its input where there is no FILE. */
export const source: Builtin = (call) => {
  const { state } = call;
  const [given, ...args] = textsOf(call);
  const fed = call.context.shell === 'fish' && (given === undefined || given === '-');
  const path = fed ? '/dev/stdin' : given;
  if (path === undefined) return 'fail';
  if (!isKnown(path)) return runText(path, call, 'a script file that is not known before the line runs');
  const text = path === '/dev/stdin' ? inputText(call)?.text : scriptText(path, call);
  if (text === 'absent') return 'fail';
  const { positional } = state;
  if (args.length > 0) state.positional = args;
  state.sourced++;
  const status = runText(text ?? { prefix: '', suffix: '' }, call, `a script file that cannot be read: ${path}`);
  state.sourced--;
  if (state.flow?.kind === 'return') state.flow = undefined;
  if (args.length > 0) state.positional = positional;
  return status;
};

/** The script's text: what the line wrote there, else what lies on the disk; without a slash, `PATH` is searched first. */
function scriptText(path: Bytes, call: BuiltinCall): Bytes | 'absent' | undefined {
  const written = writtenAt(path, call.state);
  if (written) return written.kind === 'text' ? written.text : undefined;
  const file = (path.includes('/') ? undefined : findProgram(path, call.state)) ?? fileOf(path, call.state);
  if (file === undefined) return undefined;
  if (lookUp(file, true) === 'absent') return call.state.changed ? undefined : 'absent';
  return contentOf(file, MOST_SCRIPT);
}
