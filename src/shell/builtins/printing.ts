import { printed } from '../output/table.ts';
import { expandAgain } from '../run/again.ts';
import { assign } from '../state/assign.ts';
import { toText, UNKNOWN } from '../words/text.ts';
import type { Builtin } from './builtin.ts';

/** `echo`, `printf`, `test` and the like: what they print goes to whoever reads it. `printf -v NAME` sets a variable. */
export const printing: Builtin = ({ argv, walker, state, context }) => {
  const [name, option, variable, ...rest] = argv.map(toText);
  if (name === 'printf' && option === '-v') {
    const text = printed({
      argv: [argv[0], ...argv.slice(3)].filter((arg) => arg !== undefined),
      walker,
      state,
      context,
    }).text;
    const target = typeof variable === 'string' ? /^([A-Za-z_]\w*)(?:\[(\w+)\])?$/.exec(variable) : null;
    if (target?.[1])
      assign(
        state,
        target[1],
        rest.length > 0 ? (text ?? UNKNOWN) : UNKNOWN,
        target[2] === undefined ? {} : { key: target[2] },
      );
    return 'ok';
  }
  // zshbuiltins(1): `print -P` expands as a prompt is, substitutions only under this option.
  if (name === 'print' && state.options.has('promptsubst') && /^-[a-zA-Z]*P/.test(String(option)))
    for (const text of [variable ?? '', ...rest]) expandAgain(text, { walker, state, context });
  const out = printed({ argv, walker, state, context });
  context.out?.write(out.text, argv);
  return out.status;
};
