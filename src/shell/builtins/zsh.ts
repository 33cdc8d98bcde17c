import { MOST_DEPTH } from '../run/budget.ts';
import { isKnown } from '../words/text.ts';
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
