import type { Bytes } from '../../platform/bytes.ts';
import { define } from '../definitions.ts';
import { importedFunctions, isOneForAll } from '../state/initial.ts';
import { fork, type State } from '../state/state.ts';
import type { Variable } from '../state/variables.ts';
import type { Arg, CallChange, Place, ScriptChange, Stdin } from '../types.ts';
import { toText } from '../words/text.ts';
import { runArgv } from './argv.ts';
import { MOST_DEPTH } from './budget.ts';
import type { Context, Input } from './context.ts';
import { keepFiles } from './list.ts';
import { runTraps } from './traps.ts';
import type { Walker } from './walker.ts';

/** `Call.run`: a program started by a program. Functions, builtins and aliases of the shell are not seen by it. */
export function runCall(
  argv: readonly Arg[],
  walker: Walker,
  state: State,
  context: Context,
  change: CallChange,
): void {
  if (argv.length === 0) return;
  const child = inPlace(fork(state), change.cwd);
  for (const [name, value] of change.variables ?? [])
    child.variables.set(name, { value: value && toText(value), exported: value !== undefined });
  runArgv(argv, walker, child, changed(context, change), { functions: false, builtins: false });
  keepFiles(state, child);
}

/** `Call.script`: text that another shell runs. */
export function runScriptText(text: Bytes, walker: Walker, state: State, context: Context, change: ScriptChange): void {
  const own = change.child !== false;
  const shell = own ? inPlace(freshShell(state), change.cwd) : inPlace(state, change.cwd);
  if (own && /^(?:ba)?sh$/.test(change.shell ?? context.shell)) shell.functions = importedFunctions(state, walker.line);
  shell.oneForAll = isOneForAll(change.shell ?? context.shell);
  if (change.positional) {
    const [zero, ...rest] = change.positional.map(toText);
    if (zero !== undefined) shell.zero = zero;
    shell.positional = rest;
  } else if (own) shell.positional = [];
  const around: Context = {
    ...changed(context, change),
    shell: change.shell ?? context.shell,
    inLine: false,
    barred: new Set(),
  };
  if (around.depth > MOST_DEPTH) {
    walker.gap('scripts nested too deep', state, true);
    return;
  }
  if (change.functionPath) shell.variables.set('fish_function_path', listOf(change.functionPath));
  for (const one of change.startUp ?? []) define(one, walker, shell, around);
  walker.text(text, shell, around);
  if (!own) return;
  runTraps(walker, shell, around);
  keepFiles(state, shell);
}

const listOf = (items: readonly Bytes[]): Variable => ({
  value: undefined,
  items: new Map(items.map((item, at) => [String(at), item])),
  exported: false,
});

/** What a new shell process gets from its parent: the environment, the working directory. */
function freshShell(state: State): State {
  const child = fork(state);
  for (const [name, variable] of child.variables)
    if (!variable.exported && !/^(?:PWD|OLDPWD|IFS)$/.test(name)) child.variables.delete(name);
  child.variables.delete('IFS');
  child.aliases = new Map();
  child.functions = new Map();
  child.options = new Set([...child.options].filter((name) => name === 'extglob'));
  child.stack = [];
  child.locals = [];
  child.traps = [];
  child.hashed = new Map();
  child.flow = undefined;
  child.escaped = [];
  return child;
}

function inPlace(state: State, cwd: Place | undefined): State {
  if (cwd) state.places = [cwd];
  return state;
}

function changed(context: Context, change: CallChange | ScriptChange): Context {
  return {
    ...context,
    depth: context.depth + 1,
    certainty: change.certainty === 'maybe' ? 'maybe' : context.certainty,
    deferred: change.deferred || context.deferred,
    stdin: 'stdin' in change && change.stdin ? inputOf(change.stdin) : context.stdin,
    out: context.out,
  };
}

const inputOf = (stdin: Stdin): Input => {
  if (stdin.kind === 'pipe') return { kind: 'pipe', from: stdin.from ?? [] };
  return stdin.kind === 'text' ? { ...stdin } : stdin;
};
