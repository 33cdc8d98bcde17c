import type { Bytes } from '../../platform/bytes.ts';
import { folderAt, go } from '../builtins/cd.ts';
import { BUILTINS } from '../builtins/table.ts';
import { isFolder } from '../disk.ts';
import { fishBuiltins } from '../fish/builtins.ts';
import { findProgram } from '../output/looks.ts';
import { printed } from '../output/table.ts';
import type { State } from '../state/state.ts';
import { plainValue, type Variable } from '../state/variables.ts';
import type { Arg, Call, ScriptChange, Stdin } from '../types.ts';
import { isKnown, toArg } from '../words/text.ts';
import { MOST_DEPTH } from './budget.ts';
import { noteChanges } from './changes.ts';
import type { Context, Input, Status } from './context.ts';
import { runFunction } from './function.ts';
import { fileOf } from './redirect.ts';
import { runCall, runScriptText } from './reenter.ts';
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
  const bodies = how.functions === false || name.includes('/') ? undefined : state.functions.get(name);
  if (bodies) return runFunction(bodies, argv, walker, state, context, how);
  const builtin = how.builtins === false ? undefined : builtinsOf(context.shell).get(name);
  if (builtin) return builtin({ argv, walker, state, context, how });
  if (argv.length === 1 && entersFolder(name, state, context) && go(name, state, false) !== 'fail') return 'ok';
  const hashed = state.hashed.get(name);
  return runProgram(
    hashed === undefined ? argv : [toArg(hashed, first.span), ...argv.slice(1)],
    walker,
    state,
    context,
  );
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
  const out = printed({ argv, walker, state, context });
  walker.visitor.call(call);
  if (context.out) context.out.write(out.text, argv);
  noteChanges(argv, state);
  return out.status;
}

function callOf(argv: readonly Arg[], walker: Walker, state: State, context: Context): Call {
  return {
    argv,
    cwd: state.places[0] ?? { kind: 'unknown' },
    certainty: context.certainty,
    deferred: context.deferred,
    stdin: stdinOf(context.stdin),
    env: (name) => environment(name, state),
    shell: context.shell,
    written: (path) => writtenAt(path, state),
    repeated: context.repeated,
    run: (words, change = {}) => runCall(words, walker, state, context, change),
    script: (text: Bytes, change: ScriptChange = {}) => runScriptText(text, walker, state, context, change),
  };
}

const stdinOf = (input: Input): Stdin => (input.kind === 'text' ? { kind: 'text', text: input.text } : input);

function environment(name: Bytes, state: State): Bytes | undefined {
  const variable = state.variables.get(name);
  if (!variable?.exported) return undefined;
  const value = plainValue(variable);
  return isKnown(value) ? value : undefined;
}

export function writtenAt(path: Bytes, state: State): ReturnType<Call['written']> {
  const text = state.written.get(path) ?? state.written.get(fileOf(path, state) ?? '');
  if (text === undefined) return undefined;
  return isKnown(text) ? { kind: 'text', text } : { kind: 'unknown' };
}
