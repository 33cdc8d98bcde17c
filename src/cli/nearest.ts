/** The one of these that was probably meant: at most two slips away, and less than half of the word. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((name) => ({ name, slips: slips(word, name) }))
    .filter(({ name, slips }) => slips <= 2 && slips * 2 < Math.max(word.length, name.length))
    .sort((a, b) => a.slips - b.slips);
  return ranked[0]?.name ?? (word.length > 2 ? known.find((name) => name.startsWith(word)) : undefined);
}

/** `; did you mean 'list'?`, or nothing. */
export function didYouMean(word: string, known: readonly string[]): string {
  const name = nearest(word, known);
  return name === undefined ? '' : `; did you mean '${name}'?`;
}

/** Letters more, fewer, other, or two that changed places (optimal string alignment). */
function slips(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    before = above;
    above = row;
  }
  return above[b.length] ?? 0;
}
