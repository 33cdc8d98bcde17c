import { runProgram } from '../run/argv.ts';
import { plainValue } from '../state/variables.ts';
import { toArg } from '../words/text.ts';
import { type Builtin, textsOf } from './builtin.ts';

/** bash(1) `history -w`, `-a`, zshbuiltins(1) `fc -W`, `-A`, `-P`: without a file it is HISTFILE, which need not be exported. */
export const history: Builtin = ({ argv, walker, state, context, ...rest }) => {
  const texts = textsOf({ argv, walker, state, context, ...rest });
  const known = state.variables.get('HISTFILE');
  const file = known && plainValue(known);
  const writes = texts.length === 1 && /^-[^-]*[waWAP]/.test(String(texts[0]));
  return runProgram(
    writes && file !== undefined && file !== '' ? [...argv, toArg(file)] : argv,
    walker,
    state,
    context,
  );
};
