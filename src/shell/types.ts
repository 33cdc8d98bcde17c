import type { Bytes } from '../platform/bytes.ts';

export type ShellName = 'bash' | 'zsh' | 'fish' | 'sh';

/** One command line as a shell is about to run it, with what only that shell knows. */
export interface Line {
  readonly text: Bytes;
  readonly shell: ShellName;
  /** Undefined where the folder was deleted. */
  readonly cwd: Bytes | undefined;
  /** Exported and handed-over variables; `PWD`/`OLDPWD`/`HOME` included. */
  readonly variables: ReadonlyMap<Bytes, Bytes>;
  /** Arrays of the shell that were handed over; index or key to value. */
  readonly arrays?: ReadonlyMap<Bytes, ReadonlyMap<Bytes, Bytes>>;
  /** bash: names that stand for another (`declare -n`). */
  readonly references?: ReadonlyMap<Bytes, Bytes>;
  /** bash: variables that change what they are given, by the letters of `declare` (`i`, `l`, `u` among them). */
  readonly attributes?: ReadonlyMap<Bytes, Bytes>;
  readonly aliases: ReadonlyMap<Bytes, Bytes>;
  /** Function bodies as the shell prints them (`declare -f`). */
  readonly functions: ReadonlyMap<Bytes, Bytes>;
  /** Names that the shell remembers as programs of another name (`hash -p /bin/rm ls`); `~name` leads to a folder (zsh: `hash -d`). */
  readonly hashed?: ReadonlyMap<Bytes, Bytes>;
  /** `shopt`/`set -o` names that are on: nullglob, dotglob, globstar, extglob, nocaseglob, failglob, autocd, cdable_vars, noglob, noclobber, … */
  readonly options: ReadonlySet<string>;
  /** The directory stack, `~0` first, where the shell handed it over. */
  readonly stack?: readonly Bytes[];
  /** `$1`, `$2`, … and `$0` at 0. */
  readonly positional?: readonly Bytes[];
  /** There may be positional parameters that nobody has told. */
  readonly unknownArguments?: boolean;
  /** One call of a program, by a caller that nobody has read. */
  readonly called?: boolean;
}

/** One argument after expansion. */
export type Arg =
  | {
      readonly kind: 'known';
      readonly text: Bytes;
      /** The pattern it was one match of; the text itself where nothing matches now. */
      readonly glob?: Bytes;
      /** The line itself may have made more that the pattern matches by then: names that are not there now. */
      readonly fresh?: true;
      readonly span?: Span;
    }
  /**
   * Text that cannot be known before the line runs. `prefix` is the part in front of the unknown that is known (`"$X"/a` has none,
   * `/tmp/$X` has `/tmp/`), `suffix` likewise. `many`: it may stand for any number of arguments (an unquoted expansion, `"$@"`, a
   * failed look at a huge glob), none included. `split`: an unquoted expansion that may fall into several words: then only the
   * first one begins with `prefix` and only the last one ends with `suffix`.
   */
  | {
      readonly kind: 'unknown';
      readonly prefix: Bytes;
      readonly suffix: Bytes;
      readonly many: boolean;
      readonly split?: boolean;
      readonly span?: Span;
    };

/** Start and end offset in the line that the person typed; absent for text that is not in it (aliases, scripts). */
export type Span = readonly [start: number, end: number];

/**
 * A working directory: known, or not to be known before the line runs (`cd "$X"`). `path` is the real one, which relative paths
 * start from; `logical` is how the shell names it (`$PWD`), only where it came in through a link.
 */
export type Place =
  | { readonly kind: 'known'; readonly path: Bytes; readonly logical?: Bytes }
  | { readonly kind: 'unknown' };

/** What feeds a command's standard input, as far as it can be known. */
export type Stdin =
  /** `from`: the text was told from how things are now (`find …`), by the command that will print it; `unordered`: its lines in no certain order. */
  | { readonly kind: 'text'; readonly text: Bytes; readonly from?: readonly Arg[]; readonly unordered?: boolean }
  | { readonly kind: 'file'; readonly path: Bytes }
  /** A pipe from commands of the same line whose output is not known. `from`: those commands' first words and arguments. */
  | { readonly kind: 'pipe'; readonly from?: readonly Arg[] }
  | { readonly kind: 'terminal' };

/** One simple command, in the order in which the shell would run it. */
export interface Call {
  /** At least one argument; argv[0] as looked up (alias and function already followed by the walk). */
  readonly argv: readonly Arg[];
  readonly cwd: Place;
  readonly certainty: 'known' | 'maybe';
  /** May run after the line has returned: `&`, coprocess, trap, nohup, at. */
  readonly deferred: boolean;
  readonly stdin: Stdin;
  /** Variables in the environment of this command, prefix assignments included; undefined value: unknown. */
  readonly env: (name: Bytes) => Bytes | undefined;
  readonly shell: ShellName;
  /**
   * What a file holds when this command starts, where the line itself wrote it (`echo … > s.sh; sh s.sh`, `source <(echo …)`):
   * `unknown` where it wrote something nobody knows, undefined where the line did not touch it (then look at the disk).
   * `path` as the command sees it, relative to its cwd or absolute.
   */
  readonly written: (
    path: Bytes,
  ) => { readonly kind: 'text'; readonly text: Bytes } | { readonly kind: 'unknown' } | undefined;
  /** May be walked more than once in a loop whose number of rounds is not known. */
  readonly repeated: boolean;
  /** Walks another command in this one's place: what `sudo`, `env`, `xargs`, `find -exec` run. */
  run(argv: readonly Arg[], change?: CallChange): void;
  /** Walks a script's text: `bash -c TEXT`, a script file, a here-document fed to a shell. */
  script(text: Bytes, change?: ScriptChange): void;
}

export type CallChange = Partial<Pick<Call, 'cwd' | 'certainty' | 'deferred' | 'stdin'>> & {
  /** Variables put into the command's environment; undefined: taken out of it. */
  readonly variables?: ReadonlyMap<Bytes, Arg | undefined>;
};

export interface ScriptChange {
  readonly shell?: ShellName;
  readonly cwd?: Place;
  readonly certainty?: 'known' | 'maybe';
  readonly deferred?: boolean;
  /** `$0 $1 …`. */
  readonly positional?: readonly Arg[];
  /** Runs in a process of its own: its `cd` and variables end with it. Default true. */
  readonly child?: boolean;
  /** Files that the shell reads first: of each only the functions and aliases that it defines. */
  readonly startUp?: readonly Bytes[];
  /** Folders in which a fish looks for functions. */
  readonly functionPath?: readonly Bytes[];
}

export type RedirectKind =
  /** `>`, `>|`, `&>`, `>&file`, `{fd}>`: truncates. With `noclobber`, `>` alone does not replace an existing regular file: `clobber: false`. */
  | 'write'
  /** `>>`, `&>>`. */
  | 'append'
  /** `<>`: opened for reading and writing, not truncated. */
  | 'read-write';

/** An output redirection, seen before the command it belongs to. */
export interface Redirect {
  readonly kind: RedirectKind;
  readonly clobber: boolean;
  readonly target: Arg;
  readonly cwd: Place;
  readonly certainty: 'known' | 'maybe';
  readonly deferred: boolean;
  /** The file descriptor opened (1 where none is written). A write to fd 1 of a command that only truncates is a truncation all the same. */
  readonly fd: number;
}

/** What the walk reports, in the order of running. */
export interface Visitor {
  call(call: Call): void;
  redirect(redirect: Redirect): void;
  /** Something could not be followed: a parse error, a cap, a function or alias nobody knows, a word in command position that is unknown. */
  gap(gap: Gap): void;
  /**
   * What a program will print was told from how things are now (`$(git rev-parse --show-toplevel)`), not from the line alone.
   * `surely`: only another process could make it something else.
   */
  foretold?(program: Bytes, surely: boolean): void;
  /**
   * What a command will print, where only the rules know: `find`, `git ls-files`, `grep -l`. Asked before the command is reported, when
   * the line reads it.
   */
  prints?(call: Call): Foretold | undefined;
}

/** What a command will print, told from how things are now. */
export interface Foretold {
  readonly text: Bytes;
  /** Its lines come in this order. */
  readonly ordered: boolean;
}

export interface Gap {
  readonly reason: string;
  readonly cwd: Place;
  /**
   * `program`: what runs is not known (`$CMD x`, an unparsable rest): anything could be destroyed. `scan`: found by the
   * quote-tolerant scan of text that could not be parsed: `verb` is a destructive word or redirection in it.
   */
  readonly kind: 'program' | 'scan';
  readonly verb?: Bytes;
}
