import type { Bytes } from '../../platform/bytes.ts';
import { assign } from '../state/assign.ts';
import type { State } from '../state/state.ts';
import { isKnown, type Text, UNKNOWN } from '../words/text.ts';
import { type Builtin, isName, textsOf } from './builtin.ts';

/** Where `getopts` is inside `-abc`: kept among the variables, under a name that none of them can have. */
const INSIDE = 'OPTIND inside';

/** `getopts SPEC NAME [ARG…]` (POSIX XCU getopts): the next option of the positional parameters. */
export const getopts: Builtin = (call) => {
  const { state } = call;
  const [spec, name, ...given] = textsOf(call);
  const args = given.length > 0 ? given : state.positional;
  const known = args.filter(isKnown);
  const index = isKnown(state.variables.get('OPTIND')?.value ?? '1')
    ? Number(state.variables.get('OPTIND')?.value ?? 1)
    : 0;
  if (!isKnown(spec) || !isKnown(name) || !isName(name) || known.length < args.length || !(index >= 1)) {
    if (isKnown(name)) assign(state, name, UNKNOWN);
    for (const one of ['OPTARG', 'OPTIND', INSIDE]) assign(state, one, UNKNOWN);
    return 'unknown';
  }
  const next = nextOption(spec, known, index, insideOf(state, index));
  assign(state, name, next.option);
  state.variables.set('OPTARG', { value: next.argument, exported: false });
  assign(state, 'OPTIND', String(next.index));
  assign(state, INSIDE, `${next.index}:${next.inside}`);
  return next.ended ? 'fail' : 'ok';
};

function insideOf(state: State, index: number): number {
  const text: Text | undefined = state.variables.get(INSIDE)?.value;
  const [word, at] = isKnown(text) ? text.split(':').map(Number) : [];
  return word === index && at !== undefined ? at : 1;
}

interface Next {
  readonly option: Bytes;
  readonly argument: Bytes | undefined;
  readonly index: number;
  readonly inside: number;
  readonly ended?: boolean;
}

function nextOption(spec: Bytes, args: readonly Bytes[], index: number, inside: number): Next {
  const word = args[index - 1];
  if (word === undefined || !/^-./.test(word) || word === '--')
    return { option: '?', argument: undefined, index: word === '--' ? index + 1 : index, inside: 1, ended: true };
  const letter = word.charAt(inside);
  const rest = word.slice(inside + 1);
  const past = rest === '' ? { index: index + 1, inside: 1 } : { index, inside: inside + 1 };
  const at = letter === ':' ? -1 : spec.indexOf(letter);
  const quiet = spec.startsWith(':');
  if (at < 0) return { option: '?', argument: quiet ? letter : undefined, ...past };
  if (spec.charAt(at + 1) !== ':') return { option: letter, argument: undefined, ...past };
  if (rest !== '') return { option: letter, argument: rest, index: index + 1, inside: 1 };
  const argument = args[index];
  if (argument !== undefined) return { option: letter, argument, index: index + 2, inside: 1 };
  return { option: quiet ? ':' : '?', argument: quiet ? letter : undefined, index: index + 1, inside: 1 };
}
