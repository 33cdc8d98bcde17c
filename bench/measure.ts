/** Figures of one kind, in milliseconds. */
export interface Figure {
  readonly median: number;
  readonly least: number;
  readonly count: number;
}

export function figure(samples: readonly number[]): Figure {
  const sorted = [...samples].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median =
    sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
  return { median, least: sorted[0] ?? 0, count: sorted.length };
}

export const ms = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(value < 1 ? 3 : 2);

/** One line of the table: what was measured, beside what it has to be compared with, in the same run. */
export interface Row {
  readonly what: string;
  readonly figure: Figure;
  /** Name of the baseline and its figure. */
  readonly beside?: { readonly what: string; readonly figure: Figure };
  /** What else was seen, such as the number of git processes. */
  readonly note?: string;
}

/** The table as text, columns aligned. */
export function table(rows: readonly Row[]): string {
  const head = ['what', 'median ms', 'beside', 'median ms', 'added ms', 'ratio', 'n', ''];
  const cells = rows.map(({ what, figure: own, beside, note }) => [
    what,
    ms(own.median),
    beside?.what ?? '',
    beside ? ms(beside.figure.median) : '',
    beside ? ms(own.median - beside.figure.median) : '',
    beside ? `${(own.median / beside.figure.median).toFixed(2)} x` : '',
    String(own.count),
    note ?? '',
  ]);
  const widths = head.map((title, i) => Math.max(title.length, ...cells.map((row) => (row[i] ?? '').length)));
  const numeric = new Set([1, 3, 4, 5, 6]);
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => (numeric.has(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
  return [
    line(head),
    widths
      .map((width) => '-'.repeat(width))
      .join('  ')
      .trimEnd(),
    ...cells.map(line),
  ].join('\n');
}
