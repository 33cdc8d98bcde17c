import { runArgv } from '../run/argv.ts';
import { MOST_DEPTH } from '../run/budget.ts';
import { isKnown, type Text, toArg } from '../words/text.ts';
import { type Builtin, splitOptions, textsOf } from './builtin.ts';

/** `compgen -C COMMAND`, `-F FUNCTION`, `-W WORDS` (bash(1), *Programmable Completion*): run now; `complete` only remembers them. */
export const compgen: Builtin = ({ argv, walker, state, context, how }) => {
  const { flags } = splitOptions(textsOf({ argv, walker, state, context, how }), 'oAGWFCXPSV');
  const given = (flag: string): Text | undefined => {
    const value = flags.get(flag);
    return value === true ? undefined : value;
  };
  const [command, name, words] = ['C', 'F', 'W'].map(given);
  context.out?.write(undefined, argv);
  if (context.depth >= MOST_DEPTH) return 'unknown';
  const inside = { ...context, depth: context.depth + 1, inLine: false };
  if (isKnown(command)) walker.text(command, state, inside);
  if (isKnown(words)) walker.text(`: "${words}"`, state, inside);
  if (isKnown(name)) runArgv([toArg(name)], walker, state, inside);
  return 'unknown';
};
