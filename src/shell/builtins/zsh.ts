import { runProgram } from '../run/argv.ts';
import { MOST_DEPTH } from '../run/budget.ts';
import { isKnown, toArg } from '../words/text.ts';
import { type Builtin, textsOf } from './builtin.ts';

/** zshmodules(1), zutil: `zstyle -e PATTERN STYLE TEXT…`: TEXT is run whenever the style is looked up. */
export const zstyle: Builtin = (call) => {
  const { walker, state, context } = call;
  const [option, , , ...texts] = textsOf(call);
  const around = { ...context, certainty: 'maybe' as const, deferred: true, depth: context.depth + 1, inLine: false };
  if (option !== '-e' || context.depth >= MOST_DEPTH) return 'ok';
  if (texts.every(isKnown)) walker.text(texts.join(' '), state, around);
  else walker.gap('a style whose commands are not known', state);
  return 'ok';
};

/** zshbuiltins(1): `r` is `fc -e -`, a line of before once more; elsewhere a program. */
export const again: Builtin = ({ argv, walker, state, context }) => {
  const words = context.shell === 'zsh' ? [...['fc', '-e', '-'].map((word) => toArg(word)), ...argv.slice(1)] : argv;
  return runProgram(words, walker, state, context);
};
