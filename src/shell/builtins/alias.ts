import { GLOBAL, SUFFIX } from '../run/alias.ts';
import { isKnown } from '../words/text.ts';
import { type Builtin, splitOptions, textsOf } from './builtin.ts';

/** `alias NAME=TEXT`: holds from the next line on (bash(1), *Aliases*), which the walk sees to. */
export const alias: Builtin = (call) => {
  const { flags, operands } = splitOptions(textsOf(call));
  const kind = call.context.shell !== 'zsh' ? '' : flags.has('g') ? GLOBAL : flags.has('s') ? SUFFIX : '';
  for (const text of operands) {
    const parts = isKnown(text) ? /^([^=]+)=([\s\S]*)$/.exec(text) : null;
    if (parts?.[1]) call.state.comingAliases = [...call.state.comingAliases, [kind + parts[1], parts[2] ?? '']];
  }
  return 'ok';
};

export const unalias: Builtin = (call) => {
  const { flags, operands } = splitOptions(textsOf(call));
  if (flags.has('a')) call.state.aliases.clear();
  for (const name of operands) if (isKnown(name)) call.state.aliases.delete(name);
  return 'ok';
};
