import type { Bytes } from '../../platform/bytes.ts';
import { autoloaded } from '../builtins/autoload.ts';
import { folderAt, go } from '../builtins/cd.ts';
import { BUILTINS } from '../builtins/table.ts';
import { define } from '../definitions.ts';
import { isFolder } from '../disk.ts';
import { fishBuiltins } from '../fish/builtins.ts';
import { findProgram } from '../output/looks.ts';
import { type Printed, printed } from '../output/table.ts';
import { fork, join, type State } from '../state/state.ts';
import { plainValue, type Variable } from '../state/variables.ts';
import type { Arg, Call, Foretold, ScriptChange, Span, Stdin } from '../types.ts';
import { isKnown, toArg } from '../words/text.ts';
import { MOST_DEPTH } from './budget.ts';
import { noteChanges } from './changes.ts';
import type { Context, Input, Status, Told } from './context.ts';
import { runFunction } from './function.ts';
import { fileOf } from './redirect.ts';
import { runCall, runScriptText } from './reenter.ts';
import { runNamed } from './subscripts.ts';
import type { Walker } from './walker.ts';

export interface HowRun {
  /** Looks for functions (`command`, `builtin`, `exec` and wrappers do not). */
  readonly functions?: boolean;
  readonly builtins?: boolean;
  readonly redirections?: boolean;
  /** Variables assigned in front of the command: what they were before. */
  readonly assigned?: ReadonlyMap<Bytes, Variable | undefined>;
}

/** Runs a command by its expanded words: function, builtin or program. */
export function runArgv(
  argv: readonly Arg[],
  walker: Walker,
  state: State,
  context: Context,
  how: HowRun = {},
): Status {
  walker.budget.step();
  const [first] = argv;
  if (!first) return 'unknown';
  if (context.depth > MOST_DEPTH) {
    walker.gap('commands nested too deep', state, true);
    return 'unknown';
  }
  if (first.kind === 'unknown') return runUnknown(argv, walker, state, context, how);
  const name = first.text;
  const bodies =
    how.functions === false || name.includes('/') ? undefined : functionsNamed(name, walker, state, context);
  if (bodies) return runFunction(bodies, argv, walker, state, context, how);
  const builtin = how.builtins === false ? undefined : builtinsOf(context.shell).get(name);
  if (how.builtins !== false) runNamed(argv, walker, state, context);
  if (builtin) return builtin({ argv, walker, state, context, how });
  if (argv.length === 1 && entersFolder(name, state, context)) return enterFolder(name, state, context);
  const hashed = state.hashed.get(name);
  if (hashed === undefined && how.functions !== false) notFound(name, argv, walker, state, context);
  return runProgram(
    hashed === undefined ? argv : [toArg(hashed, first.span), ...argv.slice(1)],
    walker,
    state,
    context,
  );
}

/** What a name calls; fish looks into files for it before it takes the name for a program's. */
function functionsNamed(
  name: Bytes,
  walker: Walker,
  state: State,
  context: Context,
): State['functions'] extends Map<Bytes, infer V> ? V | undefined : never {
  if (context.shell === 'fish' && !state.functions.has(name)) {
    const text = autoloaded(name, state);
    if (text !== undefined) define(text, walker, state, context);
  }
  return state.functions.get(name);
}

const HANDLERS: Readonly<Record<string, Bytes>> = {
  bash: 'command_not_found_handle',
  zsh: 'command_not_found_handler',
  fish: 'fish_command_not_found',
};

/** A name that nobody knows is handed to a function that the shell calls in its place, in a process of its own. */
function notFound(name: Bytes, argv: readonly Arg[], walker: Walker, state: State, context: Context): void {
  const handler = HANDLERS[context.shell];
  const bodies = handler === undefined ? undefined : state.functions.get(handler);
  if (!bodies || handler === undefined || context.barred.has(handler) || name.includes('/')) return;
  if (!state.variables.has('PATH') || findProgram(name, state) !== undefined) return;
  const around: Context = { ...context, certainty: 'maybe', barred: new Set([...context.barred, handler]) };
  runFunction(bodies, [toArg(handler), ...argv], walker, fork(state), around, {});
}

const builtinsOf = (shell: Context['shell']): typeof BUILTINS => (shell === 'fish' ? fishBuiltins() : BUILTINS);

/** A folder's name alone changes into it, where the shell is set so; fish does it for names that look like paths. */
function entersFolder(name: Bytes, state: State, context: Context): boolean {
  const wants = context.shell === 'fish' ? /^(?:[.~/]|.*\/$)/.test(name) : state.options.has('autocd');
  const place = state.places[0];
  if (!wants || place === undefined || findProgram(name.includes('/') ? '' : name, state) !== undefined) return false;
  if (place.kind === 'unknown') return name.startsWith('/') && isFolder(name);
  return isFolder(folderAt(name, place, false).path) || state.variables.has('CDPATH');
}

/** bash does it only at a prompt: in a script the name is a command that is not found. */
function enterFolder(name: Bytes, state: State, context: Context): Status {
  const stays = fork(state);
  if (go(name, state, false) === 'fail') return 'fail';
  if (context.shell !== 'bash') return 'ok';
  join(state, stays);
  return 'unknown';
}

/**
 * What runs is not known. An unquoted expansion may also be empty (`$SUDO rm x`): then the next word is the command.
 */
function runUnknown(argv: readonly Arg[], walker: Walker, state: State, context: Context, how: HowRun): Status {
  walker.gap('the program is not known before the line runs', state);
  context.out?.write(undefined, argv);
  state.changed = true;
  const [first, ...rest] = argv;
  if (first?.kind === 'unknown' && first.many && rest.length > 0)
    runArgv(rest, walker, state, { ...context, certainty: 'maybe' }, how);
  return 'unknown';
}

export function runProgram(argv: readonly Arg[], walker: Walker, state: State, context: Context): Status {
  const call = callOf(argv, walker, state, context);
  walker.budget.step((DEAR.get(nameOf(argv)) ?? 1) + argv.length / 64);
  const out = printed({ argv, walker, state, context });
  if (out.text === undefined) restOn(context.stdin, argv, walker);
  const asks = context.out !== undefined && out.text === undefined && !state.changed && !context.repeated;
  const foretold = asks ? walker.visitor.prints?.(call) : undefined;
  walker.visitor.call(call);
  context.out?.write(out.text ?? foretold?.text, argv, toldOf(out, foretold, argv, context));
  noteChanges(argv, state);
  return out.status;
}

/** Programs that are dear to judge, in steps: they look at a repository, an archive, a tree. */
const DEAR: ReadonlyMap<Bytes, number> = new Map([
  ['git', 12],
  ['find', 12],
  ['tar', 6],
  ['rsync', 6],
  ['mv', 4],
  ['ln', 4],
  ['cp', 3],
]);

const nameOf = (argv: readonly Arg[]): Bytes => (argv[0]?.kind === 'known' ? argv[0].text : '?');

/** A program that acts on what another is foretold to print; a filter only passes it on, xargs tells where that comes from by itself. */
function restOn(stdin: Input, argv: readonly Arg[], walker: Walker): void {
  const [program] = stdin.kind === 'text' ? (stdin.from ?? []) : [];
  if (program?.kind === 'known' && nameOf(argv) !== 'xargs') walker.visitor.foretold?.(program.text, false);
}

/** A filter passes on what it was told, in that order; sort in its own. */
function toldOf(printed: Printed, foretold: Foretold | undefined, argv: readonly Arg[], { stdin }: Context): Told {
  if (foretold) return { foretold: true, unordered: !foretold.ordered };
  if (stdin.kind !== 'text' || nameOf(argv) === 'sort')
    return { foretold: false, unordered: printed.unordered === true };
  return { foretold: stdin.from !== undefined, unordered: stdin.unordered === true || printed.unordered === true };
}

function callOf(argv: readonly Arg[], walker: Walker, state: State, context: Context): Call {
  return {
    argv,
    cwd: state.places[0] ?? { kind: 'unknown' },
    certainty: context.certainty,
    deferred: context.deferred,
    stdin: stdinOf(context.stdin),
    env: (name) => environment(name, state, context.shell),
    shell: context.shell,
    written: (path) => writtenAt(path, state),
    repeated: context.repeated,
    run: (words, change = {}) => runCall(words, walker, state, context, change),
    script: (text: Bytes, change: ScriptChange = {}) =>
      runScriptText(text, walker, state, { ...context, within: holder(text, argv) }, change),
  };
}

/** The word that a script is, else the program's. */
const holder = (text: Bytes, argv: readonly Arg[]): Span | undefined =>
  (argv.find((arg) => arg.kind === 'known' && arg.text === text) ?? argv[0])?.span;

const stdinOf = (input: Input): Stdin => (input.kind === 'text' ? { ...input } : input);

function environment(name: Bytes, state: State, shell: Context['shell']): Bytes | undefined {
  const variable = state.variables.get(name);
  // fish(1), *Path variables*: lists inside, joined by colons in the environment.
  const items = shell === 'fish' && name.endsWith('PATH') ? [...(variable?.items?.values() ?? [])] : [];
  if (items.length > 0 && items.every(isKnown)) return items.join(':');
  if (!variable?.exported) return undefined;
  const value = plainValue(variable);
  return isKnown(value) ? value : undefined;
}

export function writtenAt(path: Bytes, state: State): ReturnType<Call['written']> {
  const text = state.written.get(path) ?? state.written.get(fileOf(path, state) ?? '');
  if (text === undefined) return undefined;
  return isKnown(text) ? { kind: 'text', text } : { kind: 'unknown' };
}
