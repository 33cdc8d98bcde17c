import type { Bytes } from '../../platform/bytes.ts';
import type { Arg } from '../../shell/types.ts';
import { inputText } from '../input.ts';
import { awkDeeds } from '../languages/awk.ts';
import { report } from '../languages/deed.ts';
import { type Row, textOfArg, touch, type Use } from '../row.ts';
import { editedInPlace } from './sed.ts';

const ASSIGNMENT = /^([A-Za-z_][\w:]*)=([\s\S]*)$/;

/** The program is the first operand, unless `-f` or `-e` gave it; then come files and assignments (POSIX XCU awk). */
function awk(use: Use): void {
  const { words, call, out, verb } = use;
  const given = words.has('f', 'e', 'E');
  const program = given ? programOf(use) : textOfArg(words.operands[0]);
  if (program === undefined) return;
  const rest = given ? words.operands : words.operands.slice(1);
  const variables = new Map<Bytes, Bytes>();
  const files: Arg[] = [];
  for (const value of words.values('v')) assign(variables, textOfArg(value));
  for (const arg of rest) if (!assign(variables, textOfArg(arg))) files.push(arg);
  if (!words.has('S')) {
    const known = files.flatMap((arg) => textOfArg(arg) ?? []);
    report(awkDeeds(program, { variables, env: call.env, files: known }), call, out, { verb });
  }
  if (words.values('i').some((library) => /^inplace(\.awk)?$/.test(textOfArg(library) ?? ''))) {
    const suffix = variables.get('INPLACE_SUFFIX') ?? variables.get('inplace::suffix');
    for (const file of files) editedInPlace(use, file, suffix);
  }
  const written = { o: 'awkprof.out', p: 'awkprof.out', d: 'awkvars.out' };
  for (const [name, standard] of Object.entries(written)) {
    if (words.has(name)) touch(use, words.value(name) ?? standard, 'write-in-place', { follows: true });
  }
}

const programOf = ({ words, out, call }: Use): Bytes =>
  words.options
    .map(({ name, value }) => {
      if (name === 'e') return textOfArg(value) ?? '';
      if (!/^[fE]$/.test(name) || !value) return '';
      const fromInput = /^(-|\/dev\/stdin|\/dev\/fd\/0)$/.test(textOfArg(value) ?? '');
      return (fromInput ? inputText(call, out) : out.textOf(value)) ?? '';
    })
    .join('\n');

function assign(variables: Map<Bytes, Bytes>, text: Bytes | undefined): boolean {
  const hit = text === undefined ? null : ASSIGNMENT.exec(text);
  if (!hit) return false;
  variables.set(hit[1] ?? '', hit[2] ?? '');
  return true;
}

export const awkRow: Row = {
  names: 'awk gawk mawk nawk original-awk',
  manual: 'awk(1), gawk(1)',
  loses:
    'files that its program prints into with `>`; with `-i inplace`, replaces its operands; what the commands it starts lose',
  options:
    'f,file= F,field-separator= v,assign= b c C d,dump-variables? D,debug? e,source= E,exec= g h,help i,include= I k l,load= L,lint? M n N o,pretty-print? O p,profile? P r s S,sandbox t V,version W=',
  grammar: { stopsAtOperand: true },
  idle: 'h V',
  does: [awk],
};
