import type { Bytes } from '../../platform/bytes.ts';

/** What the checks look at: gathered once, so that each check is a function of it. */
export interface Patient {
  readonly env: ReadonlyMap<Bytes, Bytes>;
  /** Where `bin/`, `dist/` and `shims/` lie. */
  readonly install: Bytes;
  /** A person is asking: there is a terminal. */
  readonly atTerminal: boolean;
  /** The name of the program that started belay (`bash`, `zsh`, `fish`, `sh`, …), where that can be known. */
  readonly parent: string | undefined;
  /** The processes above this one, nearest first, as far as they can be known. */
  readonly ancestors: readonly number[];
}
