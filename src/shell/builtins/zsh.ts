import { runProgram } from '../run/argv.ts';
import { MOST_DEPTH } from '../run/budget.ts';
import { fork } from '../state/state.ts';
import { isKnown, type Text, toArg } from '../words/text.ts';
import { type Builtin, type BuiltinCall, splitOptions, textsOf } from './builtin.ts';

/** zshmodules(1), zutil: `zstyle -e PATTERN STYLE TEXT…`: TEXT is run whenever the style is looked up. */
export const zstyle: Builtin = (call) => {
  const [option, , , ...texts] = textsOf(call);
  if (option === '-e') runLater(texts, 'a style whose commands are not known', call);
  return 'ok';
};

function runLater(texts: readonly Text[], unknown: string, { walker, state, context }: BuiltinCall): void {
  const around = { ...context, certainty: 'maybe' as const, deferred: true, depth: context.depth + 1, inLine: false };
  if (context.depth >= MOST_DEPTH) return;
  if (texts.every(isKnown)) walker.text(texts.join(' '), state, around);
  else walker.gap(unknown, state);
}

/** zshmodules(1), zsh/sched: `sched [-o] TIME COMMAND…` runs the text at a prompt later on. */
export const sched: Builtin = (call) => {
  const { argv, walker, state, context } = call;
  if (context.shell !== 'zsh') return runProgram(argv, walker, state, context);
  const all = textsOf(call);
  const texts = all.slice(all.findIndex((text) => !isKnown(text) || !text.startsWith('-')) + 1);
  if (all.every((text) => isKnown(text) && text.startsWith('-'))) return 'ok';
  if (texts.length > 0) runLater(texts, 'a command for later that is not known', call);
  return 'ok';
};

/** zshmodules(1), zsh/zpty: `zpty [-be] NAME COMMAND…` runs the text in a terminal of its own. */
export const zpty: Builtin = (call) => {
  const { argv, walker, state, context } = call;
  if (context.shell !== 'zsh') return runProgram(argv, walker, state, context);
  const { flags, operands } = splitOptions(textsOf(call));
  const texts = operands.slice(1);
  if (![...flags.keys()].some((flag) => 'dwrtL'.includes(flag)) && texts.length > 0)
    runLater(texts, 'a command in a terminal of its own that is not known', { ...call, state: fork(state) });
  return 'ok';
};

/** zshbuiltins(1): `r` is `fc -e -`, a line of before once more; elsewhere a program. */
export const again: Builtin = ({ argv, walker, state, context }) => {
  const words = context.shell === 'zsh' ? [...['fc', '-e', '-'].map((word) => toArg(word)), ...argv.slice(1)] : argv;
  return runProgram(words, walker, state, context);
};
