import type { State } from '../state/state.ts';
import { isKnown, type Text } from '../words/text.ts';
import { MOST_DEPTH } from './budget.ts';
import type { Context } from './context.ts';
import type { Walker } from './walker.ts';

/** A value that is expanded once more (`${x@P}`, zsh `${(e)x}`, `print -P`): the substitutions in it run. */
export function expandAgain(
  text: Text,
  { walker, state, context }: { readonly walker: Walker; readonly state: State; readonly context: Context },
): void {
  if (isKnown(text) && !/[`$]/.test(text)) return;
  if (!isKnown(text) || context.depth >= MOST_DEPTH) {
    walker.gap('a value that is expanded once more is not known', state);
    return;
  }
  const quoted = text.replace(/"/g, '\\"');
  walker.text(`: "${quoted}"`, state, { ...context, depth: context.depth + 1, inLine: false, out: undefined });
}
