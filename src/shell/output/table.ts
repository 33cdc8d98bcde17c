import type { Bytes } from '../../platform/bytes.ts';
import type { Context, Status } from '../run/context.ts';
import type { Walker } from '../run/walker.ts';
import type { State } from '../state/state.ts';
import type { Arg } from '../types.ts';
import { isKnown, type Text, toText } from '../words/text.ts';
import { DECODERS } from './decoders.ts';
import { FILTERS, textAt } from './filters.ts';
import { jq } from './jq.ts';
import { LOOKS } from './looks.ts';
import { ls } from './ls.ts';

/** A program about to run, for those that say before what they print. */
export interface Program {
  readonly args: readonly Bytes[];
  readonly state: State;
  /** Text on standard input; undefined where it is not known. */
  readonly input: Bytes | undefined;
  readonly context: Context;
  readonly walker: Walker;
}

export interface Printed {
  /** Undefined: not known. */
  readonly text: Text | undefined;
  readonly status: Status;
  /** The lines come in no certain order. */
  readonly unordered?: boolean;
}

/** A program whose output follows from its words, its input and a look at the file system. */
export type Printer = (program: Program) => Printed | undefined;

const NOTHING_KNOWN: Printed = { text: undefined, status: 'unknown' };

const PRINTERS: ReadonlyMap<Bytes, Printer> = new Map([...FILTERS, ...DECODERS, ...LOOKS, ['ls', ls], ['jq', jq]]);

/** Filters that read a file in place of standard input where their last word is one. */
const READERS = new Set([
  'sed',
  'awk',
  'gawk',
  'mawk',
  'grep',
  'egrep',
  'fgrep',
  'cut',
  'head',
  'tail',
  'sort',
  'tac',
  'rev',
  'uniq',
  'base64',
  'xxd',
  'jq',
]);

/** What a program will print and how it will end, as far as both can be known without running it. */
export function printed(run: {
  readonly argv: readonly Arg[];
  readonly walker: Walker;
  readonly state: State;
  readonly context: Context;
}): Printed {
  const texts = run.argv.map(toText);
  const [name] = texts;
  if (!isKnown(name)) return NOTHING_KNOWN;
  const base = name.slice(name.lastIndexOf('/') + 1);
  const printer = PRINTERS.get(base);
  const args = texts.slice(1);
  if (!printer || !args.every(isKnown)) return NOTHING_KNOWN;
  const { stdin } = run.context;
  const program: Program = { ...run, args, input: stdin.kind === 'text' ? stdin.text : undefined };
  const said = printer(program) ?? (READERS.has(base) ? ofFile(printer, program, base) : undefined);
  if (said?.text && name.endsWith('git')) run.walker.visitor.foretold?.(name, true);
  return said ?? NOTHING_KNOWN;
}

/** `head -n 3 list`, `head -n 3 < list`: how it ends is not said, so that no branch rests on it. */
function ofFile(printer: Printer, program: Program, name: Bytes): Printed | undefined {
  const { args, state, walker, context } = program;
  const { stdin, out } = context;
  if (out === undefined) return undefined;
  const last = args.at(-1);
  const fed = stdin.kind === 'file' ? textAt(stdin.path, state, walker, name) : undefined;
  const said = fed === undefined ? undefined : printer({ ...program, input: fed });
  if (said || last === undefined || last.startsWith('-')) return said && { ...said, status: 'unknown' };
  const input = textAt(last, state, walker, name);
  const read = input === undefined ? undefined : printer({ ...program, args: args.slice(0, -1), input });
  return read && { ...read, status: 'unknown' };
}
