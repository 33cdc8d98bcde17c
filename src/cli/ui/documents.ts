/** What the page asks for and what it is told: read by the server and by the page, so that neither guesses. */

/** As every document of belay says a path: UTF-8, with its bytes in base64 beside it where that loses something. */
export interface PathKeys {
  readonly path: string;
  readonly path_bytes?: string;
}

export interface LeftOut extends PathKeys {
  readonly reason: string;
}

/** A row of `belay list --json`, what the page needs of it. */
export interface CheckpointRow {
  readonly n: number;
  readonly id: string;
  readonly time: string;
  readonly reason: string;
  readonly kind: 'turn' | 'safety' | 'manual';
  readonly scope: 'full' | 'targets';
  readonly session: string;
  readonly turn: string;
  readonly label: string | null;
  readonly state: 'whole' | 'undone' | 'earlier-folder' | 'imported';
  readonly stats: { readonly files: number; readonly insertions: number; readonly deletions: number };
  readonly left_out: readonly LeftOut[];
  readonly nested_not_captured: readonly string[];
  readonly as_of?: string;
}

/** One checkpoint in the timeline, and whose it is. */
export interface TimelineRow extends CheckpointRow {
  readonly key: string;
  /** The command line, where there is one. */
  readonly line: string;
  readonly source: string;
  readonly cwd: string;
  /** It changed nothing, and has nothing else to tell. */
  readonly idle: boolean;
  readonly left_out_count: number;
}

export interface ProjectRow {
  readonly key: string;
  readonly root: string;
  readonly state: 'live' | 'orphan' | 'unreachable';
  readonly checkpoints: number;
}

export interface Timeline {
  /** Names this state of the store: who has it already is told no more. */
  readonly stamp: string;
  readonly unchanged?: true;
  readonly total: number;
  readonly from: number;
  readonly rows: readonly TimelineRow[];
  readonly projects: readonly ProjectRow[];
  /** The project of the folder that `belay ui` was called in. */
  readonly here: string | null;
  /** Nothing is saved at present: belay is switched off. */
  readonly off: boolean;
}

export interface FileChange extends PathKeys {
  readonly status: 'added' | 'deleted' | 'modified' | 'renamed' | 'type';
  readonly insertions: number;
  readonly deletions: number;
  readonly binary: boolean;
  readonly folder?: true;
  readonly from?: string;
  readonly mode?: string;
  readonly owner?: string;
  readonly sizes: readonly [before: string, after: string];
  /** From the first `@@` on; null where it is too long to come with the others, or its bytes are not to be had. */
  readonly patch: string | null;
  readonly at_hand: boolean;
}

/** `belay show --json --patch`, `belay diff --json --patch`. */
export interface Difference {
  readonly title: string;
  readonly files: readonly FileChange[];
  readonly git?: readonly string[];
}

/** What is to be restored: the words of `belay rollback` or `belay undo`. */
export interface RestoreWish {
  readonly key: string;
  /** The checkpoint's whole id: a number could be another project's. */
  readonly id: string;
  readonly what: 'rollback' | 'undo';
  readonly paths?: readonly PathKeys[];
  readonly all?: boolean;
  readonly git?: boolean;
  readonly force?: boolean;
  /** The preview that was agreed to; without it nothing is changed. */
  readonly agreed?: string;
}

export interface Kept extends PathKeys {
  readonly reason: string;
  readonly why: string;
}

/** What a restore did, or would do. */
export interface Restored {
  readonly restored: readonly string[];
  readonly removed: readonly string[];
  readonly kept: readonly Kept[];
  readonly safety: number | null;
  readonly projects: readonly { readonly root: string; readonly key: string; readonly safety: number | null }[];
  readonly notes: readonly string[];
  readonly dry_run: boolean;
  /** Of a preview: the name of what would be done to what is there now. */
  readonly plan?: string;
}

export interface RestoreAnswer {
  readonly outcome: Restored;
  /** Of a preview: what agrees to it. */
  readonly agree?: string;
  /** The same, typed. */
  readonly command: string;
  /** Exit status 1: not all of it could be brought back. */
  readonly short: boolean;
  /** What takes it back, where it was done. */
  readonly back?: readonly { readonly key: string; readonly n: number; readonly command: string }[];
}

export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  /** What was not changed, as a sentence. */
  readonly unchanged?: string;
}

export interface UsePoint {
  /** Milliseconds since 1970. */
  readonly t: number;
  /** Bytes of all contents that checkpoints up to here keep, each content once, uncompressed. */
  readonly bytes: number;
  readonly checkpoints: number;
}

export interface StoreUse {
  readonly points: readonly UsePoint[];
  /** On disk now. */
  readonly store_bytes: number;
  readonly holds_bytes: number;
  /** The largest that the store may become; null where there is no limit. */
  readonly limit_bytes: number | null;
  /** The same as the setting says it, in megabytes of 2^20 bytes. */
  readonly limit_mb: number | null;
  readonly base: string;
  readonly retention_days: number;
}

/** `belay checkpoints status --json`, what the page needs of it. */
export interface StoreStatus {
  readonly projects: readonly {
    readonly workdir: string;
    readonly key: string;
    readonly checkpoints: number;
    readonly last_touch: string;
    readonly state: ProjectRow['state'];
    readonly bytes: number;
  }[];
}

/** `belay worktree list --json`, what the page needs of it. */
export interface Worktrees {
  readonly worktrees: readonly (PathKeys & {
    readonly branch: string | null;
    readonly main?: boolean;
    readonly age_s: number | null;
    readonly bytes: number | null;
    readonly install_bytes?: number;
    readonly ahead?: number | null;
    readonly behind?: number | null;
    readonly in_use?: string | null;
    readonly verdict: 'keep' | 'archive' | 'remove';
    readonly reason: string;
  })[];
}
