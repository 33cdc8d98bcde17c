import type { Bytes } from '../../platform/bytes.ts';
import { type Builtin, textsOf } from '../builtins/builtin.ts';
import { MOST_DEPTH } from '../run/budget.ts';
import { isKnown } from '../words/text.ts';

/** zsh's names for what bash calls otherwise (zshoptions(1)). */
const NAMES: Readonly<Record<string, string>> = {
  globdots: 'dotglob',
  glob: '!noglob',
  clobber: '!noclobber',
  cdablevars: 'cdable_vars',
  caseglob: '!nocaseglob',
  casematch: '!nocasematch',
  errexit: 'errexit',
};

/** `EXTENDED_GLOB`, `extendedglob` and `no_extendedglob` are one option: its name here, and whether it is meant to be on. */
export function zshOption(given: Bytes, on: boolean): { readonly name: string; readonly on: boolean } {
  const bare = given.toLowerCase().replaceAll('_', '');
  const negated = bare.startsWith('no') && bare !== 'nomatch' && bare !== 'notify';
  const plain = negated ? bare.slice(2) : bare;
  const name = NAMES[plain] ?? plain;
  const value = negated ? !on : on;
  return name.startsWith('!') ? { name: name.slice(1), on: !value } : { name, on: value };
}

/** `emulate sh`, `emulate zsh -c TEXT` (zshbuiltins(1)). */
export const emulate: Builtin = (call) => {
  const texts = textsOf(call);
  const shell = texts.find((text) => isKnown(text) && !text.startsWith('-'));
  const at = texts.findIndex((text) => isKnown(text) && /^-[A-Za-z]*c$/.test(text));
  const text = at < 0 ? undefined : texts[at + 1];
  const { walker, state, context } = call;
  if (isKnown(text) && context.depth < MOST_DEPTH)
    return walker.text(text, state, { ...context, depth: context.depth + 1, inLine: false });
  if (text !== undefined) walker.gap('a script that is not known before the line runs', state);
  else if (shell === 'sh' || shell === 'ksh') state.options.add('shwordsplit');
  return 'ok';
};

/** `setopt` and `unsetopt`. */
export const setopt =
  (on: boolean): Builtin =>
  (call) => {
    for (const text of textsOf(call)) {
      if (!isKnown(text) || text.startsWith('-')) continue;
      const option = zshOption(text, on);
      if (option.on) call.state.options.add(option.name);
      else call.state.options.delete(option.name);
    }
    return 'ok';
  };
