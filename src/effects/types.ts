import type { Bytes } from '../platform/bytes.ts';
import type { Arg, Call, Place, Span } from '../shell/types.ts';

/**
 * What a command line does to one path. `append` adds to a file and loses nothing; it is held so that it can be
 * undone, and is not destructive. `create` makes something where nothing was.
 */
export type Way = 'delete' | 'replace' | 'write-in-place' | 'move' | 'append' | 'create' | 'metadata' | 'git-state';

export type Certainty = 'known' | 'maybe' | 'unknown';

/** `path` as written by a rule: not yet looked at. */
export interface RuleEffect {
  readonly verb: Bytes;
  readonly path: Arg | Bytes;
  readonly way: Way;
  readonly certainty?: Certainty;
  /** The whole tree below. */
  readonly recursive?: boolean;
  /** Follows a link in the last name (`>`, `tee`, `cp` over a link); else the link itself is the target. */
  readonly follows?: boolean;
  /** `move`: where it goes. `delete`: the file that takes it in (`tar --remove-files`), whose folder is saved with it. */
  readonly to?: Arg | Bytes;
  /** Relative paths start here; default the call's cwd. */
  readonly from?: Place;
  /** One plain sentence for a person, when the way alone does not tell it. */
  readonly note?: string;
  /**
   * Whether this loses data. Default: what the way does to a path that exists. git's commands say it themselves: content that a
   * ref, stash or reflog still holds is changed by them but not lost.
   */
  readonly destructive?: boolean;
  /**
   * A frame around effects that are reported one by one: `explain` shows it and its folder is among the plan's `dirs`, but nothing
   * is held for it. Its path is the folder, file or pattern that the command names.
   */
  readonly frame?: boolean;
  /** Only entries for which this holds (a pattern of `find -name`, `git clean`); a refinement, never needed for safety. */
  readonly only?: (path: Bytes) => boolean;
  /** Below `path` it is only these (absolute): they become the targets; without it the whole of `path` does. */
  readonly parts?: readonly Bytes[];
  /** `delete`: also a folder, if it is empty (`rmdir`, `rm -d`). */
  readonly emptyFolder?: boolean;
  /** A loss even where nothing is seen now: what is there is not decided on this machine or with these eyes. */
  readonly blind?: boolean;
}

/** `hidden`: it may not be looked at; `unknown`: which path it is cannot be known. */
export type Kind = 'file' | 'folder' | 'absent' | 'hidden' | 'unknown';

/** What a rule can say about a call. */
export interface Out {
  effect(effect: RuleEffect): void;
  /** Something below `place` may be destroyed, nobody knows what: the project there is captured. */
  unknown(verb: Bytes, place: Place | Bytes, note: string): void;
  /** A program nobody can parse runs here: opaque, not destructive by itself. */
  opaque(program: Bytes, place: Place): void;
  /**
   * git state (HEAD, index, refs, stash) of a repository changes: it is kept with the turn, for `--git`. `destructive`: no ref, stash or
   * reflog holds what was there afterwards. Shown with the path of `commonDir`.
   */
  gitState(verb: Bytes, repository: GitRepository, change: GitChange): void;
  /** What is there when this command runs, links followed, the work of earlier commands of the line counted. */
  kindOf(path: Arg | Bytes, from?: Place): Kind;
  /** Absolute, as far as it can be known; undefined otherwise. */
  absolute(path: Arg | Bytes, from?: Place): Bytes | undefined;
  /** The first bytes of a file (512 at most); undefined where it cannot be read. */
  headOf(path: Arg | Bytes, from?: Place): Bytes | undefined;
  /** The names in a folder, as the file system has them now; none where it cannot be read. */
  namesIn(folder: Bytes): readonly Bytes[];
  /** A symbolic link lies there now. */
  isLink(path: Arg | Bytes, from?: Place): boolean;
  /** No earlier command of the line may have changed anything: sizes, modes and times are those of now. */
  untouched(): boolean;
  /** The content of a file as this command will see it, when that is known; at most 1 MB. */
  textOf(path: Arg | Bytes, from?: Place): Bytes | undefined;
  /**
   * An existing name and another one that lead to the same content from now on (`ln`): what is written through one is written
   * to the other.
   */
  same(existing: Bytes, name: Bytes): void;
  /** What is said inside happens under another user or in another name space: not seeing a file proves nothing. */
  blind(body: () => void): void;
  /**
   * What is said inside concerns these folders of this machine alone: a path outside of them is another machine's or another
   * name space's, and nothing is saved for it; what cannot be known is somewhere in them.
   */
  within(folders: readonly Bytes[], body: () => void): void;
  /** When what is said inside loses something, `paths` (`?`: any) are told as what the line may reach; nothing is held for them. */
  scope(verb: Bytes, paths: readonly Bytes[], body: () => void): void;
  /** The folder in which the line was typed. */
  readonly start: Place;
  /** Said in `explain`: nothing local is touched because it runs elsewhere, is a dry run, … */
  remark(text: string): void;
  /** What rules remember from one command of a line to the next; one for a whole line. */
  readonly memory: Map<string, unknown>;
}

export interface GitChange {
  readonly destructive: boolean;
  readonly certainty?: Certainty;
  readonly note?: string;
}

export interface GitRepository {
  /** Absolute, real. */
  readonly gitDir: Bytes;
  /** Where refs and objects are (differs from gitDir in a linked worktree). */
  readonly commonDir: Bytes;
  readonly workTree: Bytes | undefined;
}

/** What one program destroys: a row of the tables, interpreted; or a function where a row cannot say it. */
export type Rule = (call: Call, out: Out) => void;

/** An effect on a path that has been looked at, in the order of the line. */
export interface Effect {
  readonly verb: Bytes;
  /** Absolute, parents real; `?` where it cannot be known. */
  readonly path: Bytes;
  readonly way: Way;
  readonly certainty: Certainty;
  readonly deferred: boolean;
  readonly destructive: boolean;
  readonly note?: string;
  readonly span?: Span;
}

/** What has to be held before the line runs. */
export interface Target {
  /** Absolute, parents real, the last name not followed. */
  readonly path: Bytes;
  readonly way: Way;
  readonly recursive: boolean;
  readonly deferred: boolean;
  /**
   * The content may be written in place by this line through this or another name: it must be copied, a hard link would
   * not keep it.
   */
  readonly exposed: boolean;
  /**
   * A command of this line writes into it and a later one takes its name away: what its other names (hard links) had is then to be had
   * through them alone.
   */
  readonly parted?: true;
  /** `move`: where it ends, so that it can be renamed back. */
  readonly to?: Bytes;
}

/** A repository whose HEAD, index, refs and stash are kept with the turn. */
export interface GitTarget extends GitRepository {
  readonly verb: Bytes;
}

/** The decision about one line: nothing in it has been done. */
export interface Plan {
  /** Some existing content can be lost. */
  readonly destructive: boolean;
  /** The whole text was understood as language (no parse error, no cap). */
  readonly parsed: boolean;
  readonly effects: readonly Effect[];
  readonly targets: readonly Target[];
  readonly git: readonly GitTarget[];
  /** Folders below which something unknown or opaque may destroy things: each one's project is captured. */
  readonly captures: readonly { readonly folder: Bytes; readonly why: 'unknown' | 'opaque'; readonly verb: Bytes }[];
  /** Smallest folders that the line can destroy something in; `?` where unknown. */
  readonly dirs: readonly Bytes[];
  readonly projects: readonly { readonly root: Bytes; readonly scope: 'full' | 'targets' }[];
  /** Verbs in order, once each: `rm`, `git clean`, `>`. */
  readonly verbs: readonly Bytes[];
  readonly unknownPrograms: readonly Bytes[];
  readonly remarks: readonly string[];
}
