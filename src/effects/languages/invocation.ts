import type { Bytes } from '../../platform/bytes.ts';
import type { Arg } from '../../shell/types.ts';
import { type Deed, knownArg } from './deed.ts';

/** How an interpreter's command line is told apart from its program's own words. */
export interface Manner {
  /** `script`: how the program is named on the command line (`-`, a file), where it is; `args`: the words behind. */
  readonly deeds: (source: Bytes, args: readonly Bytes[], script?: Bytes) => Deed[];
  /** Letters whose value is the rest of the cluster or the next word. */
  readonly values: string;
  /** Letters whose value can only be attached. */
  readonly attached: string;
  /** Letters that give the program's text. */
  readonly code: string;
  /** Long options that give the program's text. */
  readonly longCode?: readonly Bytes[];
  readonly longValues?: readonly Bytes[];
  /** Letters that make it run nothing: `-v`, `-h`, `-c`. */
  readonly idle: string;
  /** Options go on behind `-e CODE` (Perl, Ruby, Node); for Python what follows is the program's. */
  readonly goesOn: boolean;
}

export interface Invocation {
  readonly code: readonly Arg[];
  readonly values: ReadonlyMap<string, readonly Arg[]>;
  readonly flags: ReadonlySet<string>;
  /** What is attached to `-i`: the suffix of the copies kept, mostly none. */
  readonly inPlace: Arg | undefined;
  /** The script, unless there is code, and what belongs to the program. */
  readonly rest: readonly Arg[];
}

const sliced = (arg: Arg, from: number): Arg =>
  arg.kind === 'known' ? { ...arg, text: arg.text.slice(from) } : { ...arg, prefix: arg.prefix.slice(from) };

/** The words behind an interpreter's name, told apart. */
export function invocation(args: readonly Arg[], manner: Manner): Invocation {
  const code: Arg[] = [];
  const values = new Map<string, Arg[]>();
  const flags = new Set<string>();
  let inPlace: Arg | undefined;
  let at = 0;
  const keep = (name: string, value: Arg | undefined): void => {
    flags.add(name);
    if (value) values.set(name, [...(values.get(name) ?? []), value]);
  };
  /** One cluster of letters; true where the program's own words begin behind it. */
  const cluster = (arg: Arg, text: Bytes): boolean => {
    for (let index = 1; index < text.length; index++) {
      const letter = text[index] as string;
      const more = index + 1 < text.length || arg.kind === 'unknown';
      if (letter === 'i' && manner.attached.includes('i')) {
        inPlace = sliced(arg, index + 1);
        return false;
      }
      if (manner.code.includes(letter)) {
        code.push(more ? sliced(arg, index + 1) : (args[++at] ?? knownArg('')));
        return !manner.goesOn;
      }
      if (manner.values.includes(letter)) {
        keep(letter, more ? sliced(arg, index + 1) : args[++at]);
        return letter === 'm' && !manner.goesOn;
      }
      flags.add(letter);
      // `-0777e`, `-l012p`: digits belong to the letter, other letters go on.
      if (manner.attached.includes(letter)) {
        const digits = /^[0-9a-fA-FxX]*/.exec(text.slice(index + 1))?.[0].length ?? 0;
        if (!/[0l]/.test(letter)) return false;
        index += /^[0-7]*/.exec(text.slice(index + 1, index + 1 + digits))?.[0].length ?? 0;
      }
    }
    return false;
  };
  for (; at < args.length; at++) {
    const arg = args[at] as Arg;
    const text = arg.kind === 'known' ? arg.text : arg.prefix;
    if (!text.startsWith('-') || text === '-') break;
    if (text === '--') {
      at += 1;
      break;
    }
    if (text.startsWith('--')) {
      const [name = '', value] = text.slice(2).split(/=([\s\S]*)/);
      const given = value === undefined ? undefined : sliced(arg, name.length + 3);
      if (manner.longCode?.includes(name)) code.push(given ?? args[++at] ?? knownArg(''));
      else keep(name, given ?? (manner.longValues?.includes(name) ? args[++at] : undefined));
    } else if (cluster(arg, text)) {
      at += 1;
      break;
    }
  }
  return { code, values, flags, inPlace, rest: args.slice(at) };
}
