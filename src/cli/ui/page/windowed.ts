/** Where each thing of a long list lies: only what is seen is in the page. */
export interface Placed<T> {
  readonly top: number;
  readonly height: number;
  readonly item: T;
}

export function place<T>(items: readonly T[], heightOf: (item: T) => number): { placed: Placed<T>[]; height: number } {
  let top = 0;
  const placed = items.map((item) => {
    const height = heightOf(item);
    top += height;
    return { top: top - height, height, item };
  });
  return { placed, height: top };
}

/** Index of the last thing that begins at or above `y`. */
export function indexAt(placed: readonly Placed<unknown>[], y: number): number {
  let low = 0;
  let high = placed.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((placed[middle]?.top ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** What lies between two heights, and a little around it. */
export function seen<T>(placed: readonly Placed<T>[], from: number, to: number, around: number): readonly Placed<T>[] {
  if (placed.length === 0) return [];
  return placed.slice(indexAt(placed, from - around), indexAt(placed, to + around) + 1);
}
