import type { Bytes } from '../../platform/bytes.ts';
import type { Input } from '../run/context.ts';
import { awk } from './awk.ts';
import { grep } from './grep.ts';
import { sed } from './sed.ts';
import type { Printer } from './table.ts';

const ok = (text: Bytes) => ({ text, status: 'ok' as const });

/** Reads only standard input: any word that is no option known here makes the output unknown. */
const filter =
  (change: (input: Bytes, args: readonly Bytes[]) => Bytes | undefined): Printer =>
  ({ args, input }) => {
    const text = input === undefined ? undefined : change(input, args);
    return text === undefined ? undefined : ok(text);
  };

const isUnordered = (stdin: Input): boolean => stdin.kind === 'text' && stdin.unordered === true;

/** A filter for which the order of the lines counts: of lines in no certain order, a few, any may be what it gives. */
const ordered = (change: Parameters<typeof filter>[0]): Printer => {
  const printer = filter(change);
  return (program) => {
    if (!isUnordered(program.context.stdin)) return printer(program);
    return program.input !== undefined && linesOf(program.input).length <= MOST_CANDIDATES
      ? ok(program.input)
      : undefined;
  };
};

const MOST_CANDIDATES = 200;

/** A filter for which the order counts where its script has numbers of lines. */
const unlessNumbered = (change: Parameters<typeof filter>[0], numbers: RegExp): Printer => {
  const printer = filter(change);
  return (program) =>
    isUnordered(program.context.stdin) && program.args.some((arg) => numbers.test(arg)) ? undefined : printer(program);
};

/** Programs that give out what comes in, otherwise written: what is decoded here is often run by a shell behind the next pipe. */
export const DECODERS: readonly (readonly [Bytes, Printer])[] = [
  ['base64', filter(base64)],
  [
    'openssl',
    filter((input, args) =>
      /^(enc )?-?base64 /.test(args.join(' '))
        ? base64(
            input,
            args.filter((arg) => arg === '-d'),
          )
        : undefined,
    ),
  ],
  [
    'xxd',
    filter((input, args) =>
      /^(-r -p|-p -r|-rp|-pr|-r -ps|-ps -r)$/.test(args.join(' ')) ? hexadecimal(input) : undefined,
    ),
  ],
  [
    'rev',
    filter((input, args) => (args.length > 0 ? undefined : eachLine(input, (line) => [...line].reverse().join('')))),
  ],
  ['tac', filter((input, args) => (args.length > 0 ? undefined : linesOf(input).reverse().join('')))],
  ['sort', filter(sort)],
  // What it writes is its own; what it read goes on.
  ['tee', ({ input }) => (input === undefined ? undefined : ok(input))],
  ['tr', filter(translate)],
  ['head', ordered(head)],
  ['tail', ordered(tail)],
  ['sed', unlessNumbered(sed, /(?:^|[;\n])\s*[\d$]|q/)],
  ['awk', unlessNumbered(awk, /NR/)],
  ['gawk', unlessNumbered(awk, /NR/)],
  ['mawk', unlessNumbered(awk, /NR/)],
  ['grep', grep('')],
  ['egrep', grep('E')],
  ['fgrep', grep('F')],
  ['cut', filter(cut)],
  [
    'uniq',
    filter((input, args) =>
      args.length > 0
        ? undefined
        : linesOf(input)
            .filter((line, at, all) => line !== all[at - 1])
            .join(''),
    ),
  ],
];

function linesOf(text: Bytes): Bytes[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

const eachLine = (text: Bytes, change: (line: Bytes) => Bytes): Bytes =>
  linesOf(text)
    .map((line) => (line.endsWith('\n') ? `${change(line.slice(0, -1))}\n` : change(line)))
    .join('');

function sort(input: Bytes, args: readonly Bytes[]): Bytes | undefined {
  if (!args.every((arg) => /^-[ru]+$/.test(arg))) return undefined;
  const lines = linesOf(input.replace(/([^\n])$/, '$1\n'));
  const all = args.join('').includes('u') ? [...new Set(lines)] : lines;
  all.sort();
  return (args.join('').includes('r') ? all.reverse() : all).join('');
}

function base64(input: Bytes, args: readonly Bytes[]): Bytes | undefined {
  const decodes = args.some((arg) => /^(-[iw0]*d[iw0]*|-D|--d(e(c(o(d(e)?)?)?)?)?)$/.test(arg));
  if (!args.every((arg) => /^-[dDiw0]+$|^--(decode|dec\w*|ignore-garbage|wrap=0)$|^-$/.test(arg))) return undefined;
  if (decodes) return Buffer.from(input.replace(/\s/g, ''), 'base64').toString('latin1');
  const text = Buffer.from(input, 'latin1').toString('base64');
  return args.some((arg) => /w0|wrap=0/.test(arg)) ? text : text.replace(/.{1,76}/g, '$&\n');
}

const hexadecimal = (input: Bytes): Bytes | undefined => {
  const digits = input.replace(/\s/g, '');
  return /^[0-9a-f]*$/i.test(digits) ? Buffer.from(digits, 'hex').toString('latin1') : undefined;
};

/** tr(1): sets of letters, ranges and escapes; `-d`. Classes and the other options are not followed. */
function translate(input: Bytes, args: readonly Bytes[]): Bytes | undefined {
  const deletes = args[0] === '-d';
  const [from, to] = (deletes ? args.slice(1) : args).map(letters);
  if (from === undefined) return undefined;
  if (deletes) return args.length === 2 ? [...input].filter((letter) => !from.includes(letter)).join('') : undefined;
  if (to === undefined || to === '' || args.length !== 2) return undefined;
  return [...input]
    .map((letter) => {
      const at = from.lastIndexOf(letter);
      return at < 0 ? letter : (to[at] ?? to.at(-1));
    })
    .join('');
}

const ESCAPES: Readonly<Record<string, Bytes>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', 0: '\0' };

function letters(set: Bytes): Bytes | undefined {
  if (/\[[:=.]|\[.\*|\\[1-9]/.test(set) || set.startsWith('-')) return undefined;
  const plain = set.replace(/\\(.)/g, (_whole, letter: string) => ESCAPES[letter] ?? letter);
  let out = '';
  for (let at = 0; at < plain.length; at++) {
    const end = plain[at + 1] === '-' ? plain[at + 2] : undefined;
    if (end === undefined) {
      out += plain[at];
      continue;
    }
    for (let code = plain.charCodeAt(at); code <= end.charCodeAt(0); code++) out += String.fromCharCode(code);
    at += 2;
  }
  return out;
}

/** `-n 3`, `-3`, `-n -3`, `-n +3`. */
function countIn(args: readonly Bytes[]): { readonly sign: Bytes; readonly count: number } | undefined {
  const said = /^(?:(?:-n ?|--lines[= ])([-+]?)(\d+)|-(\d+)|(\+)(\d+))$/.exec(args.join(' '));
  if (args.length === 0) return { sign: '', count: 10 };
  return said ? { sign: said[1] ?? said[4] ?? '', count: Number(said[2] ?? said[3] ?? said[5]) } : undefined;
}

function head(input: Bytes, args: readonly Bytes[]): Bytes | undefined {
  const said = countIn(args);
  if (!said || args[0]?.startsWith('+')) return undefined;
  const lines = linesOf(input);
  return lines.slice(0, said.sign === '-' ? Math.max(0, lines.length - said.count) : said.count).join('');
}

function tail(input: Bytes, args: readonly Bytes[]): Bytes | undefined {
  const said = countIn(args);
  if (!said) return undefined;
  const lines = linesOf(input);
  const from = said.sign === '+' ? Math.max(0, said.count - 1) : Math.max(0, lines.length - said.count);
  return lines.slice(from).join('');
}

/** cut(1) with one field or letter, or a list or range of them. */
function cut(input: Bytes, args: readonly Bytes[]): Bytes | undefined {
  const said = /^(?:-d ?([\s\S]) )?-([fcb]) ?([\d,-]+)(?: -d ?([\s\S]))?$/.exec(args.join(' '));
  const [, before, kind, list, after] = said ?? [];
  if (list === undefined) return undefined;
  const delimiter = kind === 'f' ? (before ?? after ?? '\t') : '';
  const wanted = (place: number): boolean =>
    list.split(',').some((range) => {
      const [from = '', to = from] = range.split('-');
      return place >= Number(from || 1) && place <= (to === '' ? Number.POSITIVE_INFINITY : Number(to));
    });
  return eachLine(input.replace(/([^\n])$/, '$1\n'), (line) => {
    if (kind === 'f' && !line.includes(delimiter)) return line;
    return line
      .split(delimiter)
      .filter((_part, at) => wanted(at + 1))
      .join(delimiter);
  });
}
