import { runArgv, runProgram } from '../run/argv.ts';
import type { Builtin } from './builtin.ts';
import { textsOf } from './builtin.ts';

/** `jobs -x COMMAND ARG…` runs it (bash(1)); without, jobs are listed. */
export const jobs: Builtin = (call) => {
  const { argv, walker, state, context } = call;
  if (textsOf(call)[0] === '-x' && /^(?:ba)?sh$/.test(context.shell))
    return argv.length > 2 ? runArgv(argv.slice(2), walker, state, context) : 'ok';
  return runProgram(argv, walker, state, context);
};
