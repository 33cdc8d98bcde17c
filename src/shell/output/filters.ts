import type { Bytes } from '../../platform/bytes.ts';
import { basename, dirname } from '../../platform/paths.ts';
import { contentOf } from '../disk.ts';
import { string } from '../fish/string.ts';
import { fileOf } from '../run/redirect.ts';
import type { Walker } from '../run/walker.ts';
import type { State } from '../state/state.ts';
import { isKnown } from '../words/text.ts';
import { testArgs } from './bracket-test.ts';
import { format, readEscapes } from './format.ts';
import type { Printer } from './table.ts';

const ok = (text: Bytes) => ({ text, status: 'ok' as const });

/** Programs that print what their words and input say, whatever lies on the disk. */
export const FILTERS: readonly (readonly [Bytes, Printer])[] = [
  ['true', () => ok('')],
  [':', () => ok('')],
  ['false', () => ({ text: '', status: 'fail' })],
  ['echo', ({ args }) => ok(echo(args))],
  ['print', ({ args }) => print(args)],
  ['string', string],
  ['count', ({ args, input }) => (input === undefined ? ok(`${args.length}\n`) : undefined)],
  ['psub', ({ input, state, walker }) => psub(input, state, walker)],
  ['printf', ({ args }) => printf(args)],
  [
    'dirname',
    ({ args }) =>
      args.some((arg) => arg.startsWith('-')) ? undefined : ok(args.map((arg) => `${parent(arg)}\n`).join('')),
  ],
  ['basename', ({ args }) => baseName(args)],
  ['cat', cat],
  ['seq', ({ args }) => seq(args)],
  ['test', ({ args, state }) => ({ text: '', status: testArgs(args, state) })],
  ['[', ({ args, state }) => ({ text: '', status: args.at(-1) === ']' ? testArgs(args.slice(0, -1), state) : 'fail' })],
];

/** bash's echo; dash reads escapes without being asked, which a backslash makes unknown enough to matter only in names. */
export function echo(args: readonly Bytes[]): Bytes {
  let at = 0;
  let newline = true;
  let escapes = false;
  for (; at < args.length && /^-[neE]+$/.test(args[at] ?? ''); at++) {
    for (const option of (args[at] ?? '').slice(1)) {
      if (option === 'n') newline = false;
      else escapes = option === 'e';
    }
  }
  const text = args.slice(at).join(' ');
  if (!escapes) return newline ? `${text}\n` : text;
  const { text: read, stop } = readEscapes(text);
  return newline && !stop ? `${read}\n` : read;
}

/** zsh's print: escapes unless `-r`, a word a line with `-l`; other options go elsewhere than to the output. */
function print(args: readonly Bytes[]): ReturnType<Printer> {
  let at = 0;
  let flags = '';
  while (/^-[A-Za-z]+$/.test(args[at] ?? '')) flags += (args[at++] ?? '').slice(1);
  if (args[at] === '--' || args[at] === '-') at++;
  if (/[^rlnRN]/.test(flags)) return undefined;
  const separator = flags.includes('l') ? '\n' : flags.includes('N') ? '\0' : ' ';
  const text = args.slice(at).join(separator);
  const read = /[rR]/.test(flags) ? text : readEscapes(text).text;
  return ok(flags.includes('n') ? read : read + (flags.includes('N') ? '\0' : '\n'));
}

function printf(args: readonly Bytes[]): ReturnType<Printer> {
  const rest = args[0] === '--' ? args.slice(1) : args;
  const [pattern, ...values] = rest;
  if (pattern === undefined || pattern.startsWith('-')) return undefined;
  const text = format(pattern, values);
  return text === undefined ? undefined : ok(text);
}

function parent(path: Bytes): Bytes {
  const bare = path.replace(/\/+$/, '');
  if (bare === '') return path === '' ? '.' : '/';
  return dirname(bare).replace(/\/+$/, '') || '/';
}

/** fish's `(… | psub)`: a file with what was read. */
function psub(input: Bytes | undefined, state: State, walker: Walker): ReturnType<Printer> {
  const name = `/dev/fd/belay-${walker.pipes++}`;
  state.written.set(name, input ?? { prefix: '', suffix: '' });
  return ok(`${name}\n`);
}

function baseName(args: readonly Bytes[]): ReturnType<Printer> {
  const [path, suffix = '', ...more] = args;
  if (path === undefined || path.startsWith('-') || more.length > 0) return undefined;
  const name = basename(path.replace(/\/+$/, '')) || '/';
  return ok(`${suffix !== '' && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name}\n`);
}

/** Larger files are not read. */
const MOST_CONTENT = 65_536;

/** What files hold, one after the other. */
function cat({ args, input, state, walker }: Parameters<Printer>[0]): ReturnType<Printer> {
  if (args.some((arg) => /^-./.test(arg))) return undefined;
  const texts = (args.length === 0 ? ['-'] : args).map((arg) =>
    arg === '-' ? input : textAt(arg, state, walker, 'cat'),
  );
  return texts.every((text): text is Bytes => typeof text === 'string') ? ok(texts.join('')) : undefined;
}

/** What a file holds for `program`: as the line wrote it, else as it is now, which is said. */
export function textAt(path: Bytes, state: State, walker: Walker, program: Bytes): Bytes | undefined {
  const file = fileOf(path, state);
  const written = state.written.get(path) ?? state.written.get(file ?? '');
  if (written !== undefined) return isKnown(written) ? written : undefined;
  const text = state.changed || file === undefined ? undefined : contentOf(file, MOST_CONTENT);
  if (text !== undefined) walker.visitor.foretold?.(program, true);
  return text;
}

const MOST_NUMBERS = 2_000;

function seq(args: readonly Bytes[]): ReturnType<Printer> {
  if (args.length < 1 || args.length > 3 || !args.every((arg) => /^-?\d+$/.test(arg))) return undefined;
  const numbers = args.map(Number);
  const from = args.length > 1 ? (numbers[0] ?? 1) : 1;
  const by = args.length > 2 ? (numbers[1] ?? 1) : 1;
  const to = numbers.at(-1) ?? 0;
  if (by === 0 || Math.abs((to - from) / by) > MOST_NUMBERS || args.some((arg) => /^-?0\d/.test(arg))) return undefined;
  let text = '';
  for (let value = from; by > 0 ? value <= to : value >= to; value += by) text += `${value}\n`;
  return ok(text);
}
