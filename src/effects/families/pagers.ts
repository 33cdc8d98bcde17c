import { type Row, textOfArg, touch, type Use } from '../row.ts';
import { row, VIA } from './brief.ts';

/** less(1): `+COMMANDS` are typed when the file is shown: `!TEXT`, `#TEXT` and `|mTEXT` are a shell's. `-O FILE` overwrites it. */
function less(use: Use): void {
  const { call, words } = use;
  for (const arg of call.argv.slice(1)) {
    const text = /^\++[^/?]*?(?:[!#]|\|.)([\s\S]+)$/.exec(textOfArg(arg) ?? '')?.[1];
    if (text !== undefined) call.script(text, { shell: 'sh', certainty: 'maybe' });
  }
  for (const file of words.values('O')) touch(use, file, 'write-in-place', { ...VIA, certainty: 'maybe' });
}

/** man(1): the page is shown by a program of the line's own choice. */
function man({ call, words }: Use): void {
  for (const value of words.values('P', 'H')) {
    const text = textOfArg(value);
    if (text !== undefined && text !== '') call.script(text, { shell: 'sh', certainty: 'maybe' });
  }
}

/** Programs that show a text, and run what they are told to meanwhile. */
export const pagers: readonly Row[] = [
  row(
    'less more',
    'less(1), more(1)',
    'what the commands lose that `+!…` runs; with `-O`, what the log file held',
    'O,LOG-FILE= o,log-file= b= D= h= j= k= p= P= t= T= x= y= z=',
    less,
  ),
  row(
    'man',
    'man(1)',
    'what the pager or browser of `-P`, `-H` loses',
    'P,pager= H,html? C= R= L= m= M= S,s= e= p= r= E= T? X? Z',
    man,
  ),
];
