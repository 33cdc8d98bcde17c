import type { FunctionBody } from '../state/functions.ts';
import type { State } from '../state/state.ts';
import { fork, join } from '../state/state.ts';
import type { Arg } from '../types.ts';
import { toText } from '../words/text.ts';
import { type HowRun, runArgv } from './argv.ts';
import { runCompound } from './compound.ts';
import type { Context, Status } from './context.ts';
import { runCommand } from './list.ts';
import type { Walker } from './walker.ts';

/** Calls a function; where it may be one of several (defined in a branch), each of them may run. */
export function runFunction(
  bodies: readonly (FunctionBody | 'program')[],
  argv: readonly Arg[],
  walker: Walker,
  state: State,
  context: Context,
  how: HowRun,
): Status {
  const [only, ...others] = bodies;
  if (!only) return 'unknown';
  if (others.length === 0) return callBody(only, argv, walker, state, context, how);
  const before = fork(state);
  const maybe: Context = { ...context, certainty: 'maybe' };
  callBody(only, argv, walker, state, maybe, how);
  for (const other of others) {
    const one = fork(before);
    callBody(other, argv, walker, one, maybe, how);
    join(state, one);
  }
  return 'unknown';
}

function callBody(
  body: FunctionBody | 'program',
  argv: readonly Arg[],
  walker: Walker,
  state: State,
  context: Context,
  how: HowRun,
): Status {
  if (body === 'program') return runArgv(argv, walker, state, context, { ...how, functions: false });
  const { positional, loops } = state;
  state.loops = 0;
  state.positional = argv.slice(1).map(toText);
  state.locals = [...state.locals, new Map()];
  const around: Context = {
    ...context,
    depth: context.depth + 1,
    inLine: body.inLine,
    within: argv[0]?.span,
    source: body.source,
  };
  const status =
    body.body.type === 'CompoundList'
      ? runCompound(body.body, walker, state, around)
      : runCommand(body.body, walker, state, around);
  returnFrom(state);
  state.positional = positional;
  state.loops = loops;
  return status;
}

/** Leaves a function: its `return`s end here and what was local is as it was. */
function returnFrom(state: State): void {
  const returned = state.escaped.filter((one) => one.flow?.kind === 'return');
  state.escaped = state.escaped.filter((one) => one.flow?.kind !== 'return');
  if (state.flow && state.flow.kind !== 'exit') state.flow = undefined;
  for (const one of returned) join(state, { ...one, flow: undefined, escaped: [] });
  const frame = state.locals.at(-1);
  state.locals = state.locals.slice(0, -1);
  for (const [name, variable] of frame ?? []) {
    if (variable) state.variables.set(name, variable);
    else state.variables.delete(name);
  }
}
