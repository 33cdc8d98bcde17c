import type { Bytes } from '../../platform/bytes.ts';
import type { Context, Status } from '../run/context.ts';
import type { Walker } from '../run/walker.ts';
import type { State } from '../state/state.ts';
import type { Arg } from '../types.ts';
import { isKnown, type Text, toText } from '../words/text.ts';
import { DECODERS } from './decoders.ts';
import { FILTERS } from './filters.ts';
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

const PRINTERS: ReadonlyMap<Bytes, Printer> = new Map([...FILTERS, ...DECODERS, ...LOOKS, ['ls', ls]]);

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
  const printer = PRINTERS.get(name.slice(name.lastIndexOf('/') + 1));
  const args = texts.slice(1);
  if (!printer || !args.every(isKnown)) return NOTHING_KNOWN;
  const { stdin } = run.context;
  const said = printer({ ...run, args, input: stdin.kind === 'text' ? stdin.text : undefined });
  if (said?.text && name.endsWith('git')) run.walker.visitor.foretold?.(name, true);
  return said ?? NOTHING_KNOWN;
}
