import type { State } from '../state/state.ts';
import type { Arg } from '../types.ts';
import { isKnown, type Text, toText } from '../words/text.ts';
import { MOST_DEPTH } from './budget.ts';
import type { Context } from './context.ts';
import type { Walker } from './walker.ts';

/** Builtins that take names of variables, and expand what stands in their subscripts once more (bash(1), *Arrays*). */
const NAMING = new Set(
  'printf read let declare typeset local readonly export integer float unset test [ wait mapfile readarray getopts'.split(
    ' ',
  ),
);

const SUBSTITUTES = /\$\(|`/;

/** `printf -v 'q[$(rm x)]'`, `declare -i z='q[$(rm x)]'`: quoted as it is, the builtin runs it. */
export function runNamed(argv: readonly Arg[], walker: Walker, state: State, context: Context): void {
  const [name, ...args] = argv.map(toText);
  if (!isKnown(name) || !NAMING.has(name) || context.shell === 'fish') return;
  if (name === 'printf' && args[0] !== '-v') return;
  const counts =
    args.some((text) => isKnown(text) && /^-\w*i/.test(text)) || /^(?:let|test|\[|integer|float)$/.test(name);
  const names = name === 'printf' ? args.slice(1, 2) : args;
  for (const text of names) {
    if (!isKnown(text) || !text.includes('[')) continue;
    runWithin(
      counts ? text : text.replace(/^([^[=]*\[[\s\S]*?\])=[\s\S]*$|^[^[=]*=[\s\S]*$/, '$1'),
      walker,
      state,
      context,
    );
  }
}

/** The substitutions in a text that the shell expands once more. */
export function runWithin(text: Text, walker: Walker, state: State, context: Context): void {
  if (!isKnown(text) || !SUBSTITUTES.test(text) || context.depth >= MOST_DEPTH) return;
  const end = '__BELAY_END_OF_TEXT__';
  walker.text(`: <<${end}\n${text}\n${end}\n`, state, {
    ...context,
    certainty: 'maybe',
    depth: context.depth + 1,
    inLine: false,
  });
}
