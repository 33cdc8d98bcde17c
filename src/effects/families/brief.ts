import type { Clause, Row } from '../row.ts';

/** A row in one breath; `--help` and `--version` make any of these programs touch nothing. */
export const row = (
  names: string,
  manual: string,
  loses: string,
  options: string,
  ...does: readonly Clause[]
): Row => ({ names, manual, loses, options: `${options} help version`, does });

/** What most programs with an output option lose. */
export const OUT = 'overwrites the file of its output option';

/** Written through a link. */
export const VIA = { follows: true } as const;
