import type { Bytes } from '../../platform/bytes.ts';
import { textOfArg, touch, type Use } from '../row.ts';
import { quoted } from '../wrappers/quoted.ts';

/** More pieces are not told one by one; those that exist are held all the same. */
const MOST = 650;

/** What `split` and `csplit` write: `prefix` and then one of `tails`, in order. */
interface Pieces {
  readonly prefix: Bytes;
  /** All that can be written; undefined where how many there will be is not known. */
  readonly count: number | undefined;
  readonly tail: (index: number) => Bytes;
  /** What can follow the prefix at all. */
  readonly shape: RegExp;
}

/** The pieces are written through links; those of an earlier run are overwritten. */
function write(use: Use, pieces: Pieces): void {
  const slash = pieces.prefix.lastIndexOf('/');
  const folder = use.out.absolute(slash < 0 ? './' : pieces.prefix.slice(0, slash + 1));
  if (folder === undefined) {
    use.out.unknown(use.verb, use.call.cwd, 'writes pieces where it cannot be known');
    return;
  }
  const start = pieces.prefix.slice(slash + 1);
  const names = new Set<Bytes>();
  for (let at = 0; at < Math.min(pieces.count ?? MOST, MOST); at++) names.add(start + pieces.tail(at));
  if (pieces.count === undefined || pieces.count > MOST)
    for (const name of use.out.namesIn(folder))
      if (name.startsWith(start) && pieces.shape.test(name.slice(start.length))) names.add(name);
  for (const name of names) touch(use, `${folder}/${name}`, 'write-in-place', { follows: true });
}

/** The content that is cut, where it is known. */
function content(use: Use): Bytes | undefined {
  const [file] = use.words.operands;
  if (file !== undefined && textOfArg(file) !== '-') return use.out.textOf(file);
  const { stdin } = use.call;
  return stdin.kind === 'text' ? stdin.text : stdin.kind === 'file' ? use.out.textOf(stdin.path) : undefined;
}

const UNITS: Record<string, number> = { b: 512, K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 };

function size(text: Bytes | undefined): number | undefined {
  const found = /^(\d+)([bKMGTkm]?)(i?B)?$/.exec(text ?? '');
  if (!found) return undefined;
  const unit = found[2] === '' ? 1 : (UNITS[(found[2] ?? '').replace('k', 'K').replace('m', 'M')] ?? 1);
  return Number(found[1]) * (found[3] === 'B' && unit > 512 ? 1000 ** Math.round(Math.log2(unit) / 10) : unit);
}

const lines = (text: Bytes): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

/** How many pieces split(1) makes at most. */
function splitCount(use: Use): number | undefined {
  const { words } = use;
  const chunks = textOfArg(words.value('number'));
  if (words.has('number'))
    return /^(?:[lr]\/)?(\d+)$/.test(chunks ?? '') ? Number(chunks?.match(/\d+$/)?.[0]) : undefined;
  const text = content(use);
  if (text === undefined) return undefined;
  if (text === '') return 0;
  const most = size(textOfArg(words.value('bytes') ?? words.value('line-bytes') ?? words.value('lines'))) ?? 0;
  if (words.has('bytes')) return most > 0 ? Math.ceil(text.length / most) : undefined;
  if (words.has('line-bytes')) return most > 0 ? Math.ceil(text.length / most) + lines(text) : undefined;
  return Math.ceil(lines(text) / (words.has('lines') ? most || 1 : 1000));
}

/** `aa` … `yz`, `zaaa` …: where no length is asked for, the last letter starts longer suffixes (split(1), *-a*). */
function suffix(index: number, letters: Bytes, width: number, grows: boolean): Bytes {
  let at = index;
  let before = '';
  let digits = width;
  if (grows)
    for (let room = (letters.length - 1) * letters.length ** (digits - 1); at >= room; digits++) {
      at -= room;
      before += letters.at(-1);
      room = (letters.length - 1) * letters.length ** digits;
    }
  let tail = '';
  for (let place = 0; place < digits; place++) {
    tail = (letters[at % letters.length] ?? '') + tail;
    at = Math.floor(at / letters.length);
  }
  return before + tail;
}

/** split(1). `-n K/N` and `--filter` write no file. */
export function split(use: Use): void {
  const { words } = use;
  const chunks = textOfArg(words.value('number'));
  if (/^(?:[lr]\/)?\d+\/\d+$/.test(chunks ?? '')) return;
  const given = words.operands[1];
  const prefix = given === undefined ? 'x' : textOfArg(given);
  if (prefix === undefined) {
    use.out.unknown(use.verb, use.call.cwd, 'writes pieces whose names cannot be known');
    return;
  }
  const numbers = words.has('d', 'numeric-suffixes');
  const letters = numbers
    ? '0123456789'
    : words.has('x', 'hex-suffixes')
      ? '0123456789abcdef'
      : 'abcdefghijklmnopqrstuvwxyz';
  const from =
    Number.parseInt(textOfArg(words.value('numeric-suffixes', 'hex-suffixes')) ?? '0', numbers ? 10 : 16) || 0;
  const count = splitCount(use);
  const asked = Number(textOfArg(words.value('suffix-length')) ?? 0);
  const width =
    asked > 0
      ? asked
      : Math.max(2, Math.ceil(Math.log((words.has('number') && count) || 1) / Math.log(letters.length)));
  const extra = textOfArg(words.value('additional-suffix')) ?? '';
  const pieces: Pieces = {
    prefix,
    count,
    tail: (index) => suffix(index + from, letters, width, asked === 0 && from === 0 && !words.has('number')) + extra,
    shape: words.has('additional-suffix') ? /^/ : /^[a-z0-9]{2,}$/,
  };
  if (words.has('filter')) filtered(use, pieces);
  else write(use, pieces);
}

/** More rounds of a filter are told as one with a name that is not known. */
const ROUNDS = 16;

/** `--filter=TEXT`: the shell runs it for each piece, with the piece's name in `$FILE`. */
function filtered(use: Use, pieces: Pieces): void {
  const text = textOfArg(use.words.value('filter'));
  if (text === undefined) {
    use.out.unknown(use.verb, use.call.cwd, 'the filter cannot be known');
    return;
  }
  const { count } = pieces;
  const names =
    count === undefined || count > ROUNDS
      ? [`${quoted({ kind: 'known', text: pieces.prefix })}"$_UNKNOWN_WORD_"`]
      : Array.from({ length: count }, (_, at) => quoted({ kind: 'known', text: pieces.prefix + pieces.tail(at) }));
  for (const name of names) use.call.script(`FILE=${name}\n${text}`, { shell: 'sh' });
}

/** csplit(1): a piece a pattern and one for the rest; `{N}` repeats the pattern before it, `{*}` as often as it can. */
export function csplit(use: Use): void {
  const { words } = use;
  const prefix = words.has('prefix') ? textOfArg(words.value('prefix')) : 'xx';
  if (prefix === undefined) {
    use.out.unknown(use.verb, use.call.cwd, 'writes pieces whose names cannot be known');
    return;
  }
  const digits = Number(textOfArg(words.value('digits')) ?? 2) || 2;
  const format = textOfArg(words.value('suffix-format'));
  const number = /^([^%]*)%(0?)(\d*)[diu]([^%]*)$/.exec(format ?? `%0${digits}d`);
  let count: number | undefined = 1;
  for (const pattern of words.operands.slice(1)) {
    const repeat = /^\{(\d+|\*)\}$/.exec(textOfArg(pattern) ?? '');
    const more: number = repeat === null ? 1 : Number(repeat[1]);
    count = count === undefined || Number.isNaN(more) || pattern.kind === 'unknown' ? undefined : count + more;
  }
  if (count === undefined) {
    const text = content(use);
    if (text !== undefined) count = lines(text) + 1;
  }
  write(use, {
    prefix,
    count: number === null ? undefined : count,
    tail: (index) =>
      number === null
        ? `${index}`
        : `${number[1]}${`${index}`.padStart(Number(number[3] || 0), number[2] === '0' ? '0' : ' ')}${number[4]}`,
    shape: format === undefined ? /^\d+$/ : /^/,
  });
}
