import type { Bytes } from '../../platform/bytes.ts';
import { isKnown, type Text } from '../words/text.ts';
import { type Builtin, textsOf } from './builtin.ts';

/** Among the options: `{a,b}` is an ordinary word. */
export const NO_BRACES = 'nobraceexpand';

const LETTERS: Readonly<Record<string, string>> = {
  a: 'allexport',
  B: 'braceexpand',
  C: 'noclobber',
  e: 'errexit',
  f: 'noglob',
  n: 'noexec',
  u: 'nounset',
};

/** `set`: options (`-f`, `-o noclobber`) and the positional parameters. */
export const set: Builtin = (call) => {
  const texts = textsOf(call);
  const { options } = call.state;
  for (let at = 0; at < texts.length; at++) {
    const text: Text | undefined = texts[at];
    if (text === '--' || (isKnown(text) && !/^[-+]./.test(text)) || !isKnown(text)) {
      if (text === '-') continue;
      call.state.positional = texts.slice(text === '--' ? at + 1 : at);
      return 'ok';
    }
    const on = text.startsWith('-');
    for (const letter of text.slice(1)) {
      const name = letter === 'o' ? texts[++at] : LETTERS[letter];
      if (isKnown(name)) switchOption(options, name, on);
    }
  }
  return 'ok';
};

/** `braceexpand` is on unless it is switched off; not every shell that hands its options over names it. */
function switchOption(options: Set<string>, name: Bytes, on: boolean): void {
  if (name === 'braceexpand') switchOption(options, NO_BRACES, !on);
  else if (on) options.add(name);
  else options.delete(name);
}

export const shopt: Builtin = (call) => {
  const texts = textsOf(call).filter(isKnown);
  const on = texts.some((text) => /^-\w*s/.test(text));
  const off = texts.some((text) => /^-\w*u/.test(text));
  for (const name of texts) if (!name.startsWith('-') && (on || off)) switchOption(call.state.options, name, on);
  return 'ok';
};

export const shift: Builtin = (call) => {
  const [first = '1'] = textsOf(call);
  const { state } = call;
  const count = isKnown(first) && /^\d+$/.test(first) ? Number(first) : undefined;
  const open = state.positional.slice(0, count ?? Number.POSITIVE_INFINITY).some((text) => !isKnown(text) && text.many);
  if (count === undefined || open) state.positional = [{ prefix: '', suffix: '', many: true }];
  else if (count <= state.positional.length) state.positional = state.positional.slice(count);
  else return 'fail';
  return 'ok';
};
