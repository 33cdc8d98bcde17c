import type { Bytes } from '../platform/bytes.ts';

/** Who runs a line: carried from the entry to the record. */
export interface TurnIdentity {
  /** `YYYYMMDD_HHMMSS_<hex>`. */
  readonly session: string;
  /** Unique in the session; shells count 1, 2, 3. */
  readonly turn: string;
  readonly source: string;
  readonly shell: string;
  readonly cwd: Bytes;
  readonly line: Bytes;
  readonly hidden: boolean;
  readonly label?: string;
  /** The session that `belay run` was started from: its undo takes this one's turns back, too. */
  readonly parent?: string;
  /** The shell's process, so that a killed one is noticed. */
  readonly pid?: number;
}
