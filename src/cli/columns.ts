import { padLeft, padRight, widthOf } from './style.ts';

/** Lays out cells in columns as wide as the widest of each; those whose numbers are in `right` are aligned to the right. */
export function columns(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[],
): (cells: readonly string[]) => string {
  const widths = head.map((name, i) =>
    rows.reduce((most, cells) => Math.max(most, widthOf(cells[i] ?? '')), widthOf(name)),
  );
  return (cells) =>
    cells
      .map((cell, i) => (right.includes(i) ? padLeft : padRight)(cell, widths[i] ?? 0))
      .join('  ')
      .trimEnd();
}
