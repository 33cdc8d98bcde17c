import type { Bytes } from '../platform/bytes.ts';
import type { MountsBelow } from '../platform/mounts.ts';

/**
 * The records of the store (docs/format.md). Byte strings stand in JSON as strings of U+0000…U+00FF, one character a byte.
 */

/** Whose an entry is: user and group. */
export type Owner = readonly [uid: number, gid: number];

/**
 * What a path is, at one moment. Times are nanoseconds in decimal strings. `owner` stands where it is not that of belay's own process,
 * where the turn changed it, and where the mode has a setuid or setgid bit: those come back with their owner only.
 */
export type Version =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'file';
      readonly mode: number;
      readonly owner?: Owner;
      readonly size: number;
      readonly mtime?: string;
      /**
       * Inode, and names (hard links) where there are several: such a file whose inode is the same before and after was written in
       * place, so it is restored in place and its other names get it too, also those that a later turn removed.
       */
      readonly ino?: string;
      readonly names?: number;
      readonly content: Content;
    }
  | { readonly kind: 'link'; readonly target: Bytes; readonly owner?: Owner }
  | { readonly kind: 'folder'; readonly mode: number; readonly owner?: Owner }
  /** fifo, socket, device: made anew at restore where that can be done (fifo), else named. */
  | {
      readonly kind: 'special';
      readonly mode: number;
      readonly what: 'fifo' | 'socket' | 'device';
      readonly owner?: Owner;
    }
  /** It existed, and belay could not or did not look. */
  | { readonly kind: 'unknown'; readonly why: string };

/** Where the bytes of a file version are. */
export type Content =
  /** A blob of the store; `oid` is git's (SHA-1) name for the bytes. */
  | { readonly at: 'git'; readonly oid: string }
  /**
   * A file under `holds/<key>/<n>/`, or at an absolute `path` on the file system of the target. `linked`: a hard link to the inode
   * that was there; `seal` is its mtime and inode when its name went, so that a later write through another name is found.
   */
  | {
      readonly at: 'hold';
      readonly path: Bytes;
      readonly linked: boolean;
      readonly seal?: { readonly mtime: string; readonly ino: string };
      readonly oid?: string;
    }
  /** Known by hash only: enough to recognise the content, not to bring it back. */
  | { readonly at: 'hash'; readonly oid: string }
  /** Neither: `stat` recognises it (size, mtime, ctime, inode as at the end of the turn). */
  | { readonly at: 'nowhere'; readonly ctime?: string; readonly ino?: string; readonly why: string };

/** One path that a turn touched. `path` is relative to the project's root when inside it, else absolute. */
export interface Change {
  readonly path: Bytes;
  readonly before: Version;
  readonly after: Version;
  /** `named`: by a line's effect or an agent's file tool: exact. `seen`: by the difference of two captures. */
  readonly by: 'named' | 'seen';
  /** Possibly not the turn's own work (it ran long, others wrote meanwhile): undo asks. */
  readonly uncertain?: boolean;
  /**
   * It was renamed by the turn: where it went (same form as `path`). A folder that moved has a change for every entry in it, each
   * with its own `movedTo`; the content of a file that only moved need not be kept (`nowhere`, `hash`): it is found again at the
   * other end, or in what a later turn held of it there.
   */
  readonly movedTo?: Bytes;
  /** How it was before later lines of the same turn that changed it once more: somebody else's work, perhaps. Oldest first. */
  readonly later?: readonly Version[];
}

export interface LeftOut {
  readonly path: Bytes;
  readonly reason: string;
}

/** A repository's state as data; the object names are not kept alive by belay. */
export interface GitState {
  /** Relative to the root, `.` for itself; else absolute. */
  readonly workTree: Bytes | undefined;
  readonly gitDir: Bytes;
  readonly commonDir: Bytes;
  readonly head: Bytes;
  readonly refs: readonly (readonly [name: Bytes, value: Bytes])[];
  /** Lines of the stash's reflog, oldest first. */
  readonly stash: readonly Bytes[];
  /** Blob of the index file; absent where there is no index. */
  readonly index?: string;
  /**
   * What says that a merge, rebase, cherry-pick, revert, am or bisect is under way, and where it came from (`ORIG_HEAD`): names below
   * `gitDir` and contents. Absent where there was too much of it, and in records from before this was kept.
   */
  readonly files?: readonly (readonly [name: Bytes, content: Bytes])[];
  /** Reflogs that a line took lines from, or that began with it, by their ref: the others only grow, and are left to git. */
  readonly logs?: readonly (readonly [ref: Bytes, content: Bytes])[];
}

/**
 * Of a checkpoint that was taken over from elsewhere (another machine, another program): where it lies there. It stands apart from
 * the turns of this project, and rests on a state of its own (`refs/belay/<key>/imported/<n>`).
 */
export interface Origin {
  /** Sixteen hex digits that name the project there. */
  readonly key: string;
  readonly n: number;
  readonly root: Bytes;
  readonly host: string;
  readonly from: 'belay' | 'hermes' | 'legacy';
  /** When it was taken over, milliseconds since 1970. */
  readonly imported: number;
}

interface Common {
  readonly v: 1;
  readonly n: number;
  readonly generation: number;
  readonly root: Bytes;
  readonly scope: 'full' | 'targets';
  readonly session: string;
  readonly turn: string;
  /** Counter taken at the first hold: the order among turns. */
  readonly order: number;
  /** Milliseconds since 1970. */
  readonly started: number;
  readonly ended: number;
  /** The line as recorded: secrets masked; only its verbs when it was hidden from history. */
  readonly line: Bytes;
  readonly verbs: readonly Bytes[];
  readonly cwd: Bytes;
  readonly shell: string;
  readonly source: string;
  readonly label?: string;
  readonly changes: readonly Change[];
  readonly leftOut: readonly LeftOut[];
  /** Nested repositories that were not captured. */
  readonly nested: readonly Bytes[];
  /** Number of the capture that shows the state before, and of the one right after; absent where there is none. */
  readonly captureBefore?: number;
  readonly captureAfter?: number;
  /**
   * The capture before was not taken right before the turn: what it tells (changes by `seen`) is as of this time, milliseconds since
   * 1970, that of an earlier prompt.
   */
  readonly asOf?: number;
  readonly gitBefore: readonly GitState[];
  readonly gitAfter: readonly GitState[];
  /** What was mounted where it began: what has been mounted there since is nothing of the project's. */
  readonly mounts?: MountsBelow;
  readonly origin?: Origin;
}

export interface TurnRecord extends Common {
  readonly kind: 'turn';
  /** The session that `belay run` was started from. */
  readonly parent?: string;
  /** `line` has only the verbs: it was hidden from history. */
  readonly hidden?: true;
}

export interface ManualRecord extends Common {
  readonly kind: 'manual';
}

/** What a restore saved first. `before` of each change is what was there, `after` what the restore put there. */
export interface SafetyRecord extends Common {
  readonly kind: 'safety';
  readonly did: {
    readonly what: 'rollback' | 'undo' | 'redo';
    /** Turns (session and turn id) whose work was taken back, or put back by redo. */
    readonly turns: readonly { readonly session: string; readonly turn: string }[];
    /** The checkpoint that was restored, for `rollback N`. */
    readonly to?: number;
    readonly partial: boolean;
  };
}

export type CheckpointRecord = TurnRecord | ManualRecord | SafetyRecord;

/** A capture: the whole project as a tree `files/` beside this. */
export interface CaptureRecord {
  readonly v: 1;
  readonly m: number;
  readonly generation: number;
  readonly root: Bytes;
  readonly order: number;
  readonly taken: number;
  /** What git's modes cannot say: path → twelve bits, for every entry where they differ from 0644/0755. */
  readonly modes: readonly (readonly [path: Bytes, mode: number])[];
  readonly emptyFolders: readonly (readonly [path: Bytes, mode: number])[];
  /** Whose the project's folder is, and every entry that is somebody else's. Where they are missing nobody knows. */
  readonly owner?: Owner;
  readonly owners?: readonly (readonly [path: Bytes, uid: number, gid: number])[];
  readonly leftOut: readonly LeftOut[];
  readonly nested: readonly { readonly path: Bytes; readonly captured: boolean; readonly head?: string }[];
  /**
   * What git ignored beside what the ignore files in the tree say: a path that may have been ignored is not proved absent by being
   * absent here. Where it is missing, nothing is.
   */
  readonly ignores?: {
    /** Exclude lists that lie in no tree, as one. */
    readonly exclude: Bytes;
    /** Ignore files that are themselves ignored: their folders and texts. */
    readonly files: readonly (readonly [folder: Bytes, text: Bytes])[];
    /** Ignored files of these names are here all the same, but for `unsure`; absent where the search did not come to its end. */
    readonly precious?: {
      readonly names: readonly string[];
      /** Ignored folders that were not searched. */
      readonly skip: readonly string[];
      readonly unsure: readonly Bytes[];
    };
  };
}
