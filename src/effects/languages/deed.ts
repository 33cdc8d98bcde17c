import type { Bytes } from '../../platform/bytes.ts';
import { join } from '../../platform/paths.ts';
import type { Arg, Call, Place, Stdin } from '../../shell/types.ts';
import { matchedFiles } from '../matched.ts';
import { merged } from '../merge.ts';
import type { Out, Way } from '../types.ts';

/**
 * What a program written in another language (a sed script, an awk program, `python -c`) would do, as far as its text
 * tells it. The readers of those languages are pure: text in, deeds out.
 */
export type Deed =
  | {
      readonly kind: 'file';
      readonly path: Bytes | Arg;
      readonly way: Way;
      readonly recursive?: boolean;
      readonly follows?: boolean;
      readonly to?: Bytes | Arg;
      /** Where `path` is a folder, this name inside it is meant (`shutil.copy`, `cp`). */
      readonly into?: Bytes;
      /** A tree whose entries go onto those of `path` (`shutil.copytree`, `fs.cp`). */
      readonly merges?: Bytes | Arg;
      /** What this pattern matches; `path` is then what is known of it. */
      readonly pattern?: Bytes;
    }
  /** Relative paths start elsewhere from here on. */
  | { readonly kind: 'chdir'; readonly path: Bytes | Arg }
  /** A command line handed to `sh -c`. */
  | { readonly kind: 'shell'; readonly text: Bytes; readonly stdin?: Stdin }
  /** A program started without a shell. */
  | { readonly kind: 'run'; readonly argv: readonly (Bytes | Arg)[] }
  /** Destroys something that only the running program can name. */
  | { readonly kind: 'unknown'; readonly note: string }
  /** Does something nobody followed; not destructive by itself. */
  | { readonly kind: 'opaque' };

export const knownArg = (text: Bytes): Arg => ({ kind: 'known', text });

export const unknownArg = (prefix: Bytes = '', suffix: Bytes = ''): Arg => ({
  kind: 'unknown',
  prefix,
  suffix,
  many: false,
});

export const asArg = (value: Bytes | Arg): Arg => (typeof value === 'string' ? knownArg(value) : value);

/** How a program's deeds are told: under which verb, seen from where, and whether they may not happen at all. */
export interface Telling {
  readonly verb: Bytes;
  readonly from?: Place;
  readonly certainty?: 'known' | 'maybe';
}

const CHILD_OF_TERMINAL: Stdin = { kind: 'terminal' };

/** Reports deeds as effects; commands that the program starts are walked in its place. */
export function report(deeds: readonly Deed[], call: Call, out: Out, telling: Telling): void {
  let place = telling.from ?? call.cwd;
  for (const deed of deeds) {
    const change = { cwd: place, ...(telling.certainty ? { certainty: telling.certainty } : {}) };
    if (deed.kind === 'file') {
      const matched = deed.pattern === undefined ? undefined : matchedFiles(deed.pattern, place);
      for (const path of matched ?? [deed.path])
        out.effect({
          verb: telling.verb,
          path: deed.into === undefined ? path : insideFolder(path, deed.into, place, out),
          way: deed.way,
          from: place,
          ...(telling.certainty === 'maybe' ? { certainty: 'maybe' as const } : {}),
          ...(deed.recursive ? { recursive: true } : {}),
          ...(deed.merges === undefined ? {} : entriesOf(deed.merges, path, place, out)),
          ...(deed.follows ? { follows: true } : {}),
          ...(deed.to !== undefined ? { to: deed.to } : {}),
        });
    } else if (deed.kind === 'shell') {
      const argv = ['sh', '-c', deed.text].map(knownArg);
      call.run(argv, { ...change, stdin: deed.stdin ?? CHILD_OF_TERMINAL });
    } else if (deed.kind === 'chdir') {
      const path = out.absolute(deed.path, place);
      place = path === undefined ? { kind: 'unknown' } : { kind: 'known', path };
    } else if (deed.kind === 'run') {
      if (deed.argv.length > 0) call.run(deed.argv.map(asArg), change);
    } else if (deed.kind === 'unknown') {
      out.unknown(telling.verb, place, deed.note);
    } else {
      out.opaque(telling.verb, place);
    }
  }
}

/** What of a tree is overwritten by another, or appears in it; all of it where the other cannot be listed. */
function entriesOf(source: Bytes | Arg, onto: Bytes | Arg, place: Place, out: Out): { parts?: readonly Bytes[] } {
  const [from, to] = [out.absolute(source, place), out.absolute(onto, place)];
  const parts = from === undefined || to === undefined ? undefined : merged(from, to);
  return parts === undefined ? {} : { parts };
}

/** The path, or the name in it where it leads to a folder. */
function insideFolder(path: Bytes | Arg, name: Bytes, place: Place, out: Out): Bytes | Arg {
  const text = typeof path === 'string' ? path : path.kind === 'known' ? path.text : undefined;
  if (text === undefined || out.kindOf(path, place) !== 'folder') return path;
  return join(text.replace(/\/+$/, '') || '/', name);
}
