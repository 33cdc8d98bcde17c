import type { Bytes } from '../../platform/bytes.ts';
import type { Look } from '../../platform/files.ts';
import type { Version } from '../record.ts';
import type { Source } from './sources.ts';

/** One thing that a restore does to one path. `seen` is what was there when it was decided: anything else is left alone. */
export type Step = {
  readonly path: Bytes;
  /** The project whose safety checkpoint has it. */
  readonly key: string;
  readonly seen: Look | undefined;
  /** What the path is afterwards. */
  readonly becomes: Version;
} & (
  | { readonly do: 'remove' }
  | { readonly do: 'folder'; readonly mode: number }
  | {
      readonly do: 'file';
      readonly mode: number;
      readonly size: number;
      readonly mtime?: string;
      readonly source: Source;
      /** Written into the file that is there, so that its other names get it too. */
      readonly inPlace: boolean;
    }
  | { readonly do: 'mode'; readonly mode: number }
  | { readonly do: 'link'; readonly target: Bytes }
  | { readonly do: 'fifo'; readonly mode: number }
  | {
      readonly do: 'move';
      readonly from: Bytes;
      readonly fromSeen: Look;
      readonly mode: number;
      readonly folder: boolean;
    }
);

export type Why =
  | 'hand-edit'
  | 'later-turn'
  | 'left-out'
  | 'no-content'
  | 'in-the-way'
  | 'mounted'
  | 'not-empty'
  | 'uncertain'
  | 'changed-meanwhile'
  | 'failed';

/** A path that stays as it is, and the reason in words. */
export interface Kept {
  readonly path: Bytes;
  readonly why: Why;
  readonly reason: string;
}

export interface RestorePlan {
  readonly steps: readonly Step[];
  readonly kept: readonly Kept[];
  /** Paths that are as they should be already. */
  readonly already: number;
}
