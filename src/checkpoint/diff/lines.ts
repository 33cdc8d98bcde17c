/** Lines that one content has more and less than another; as git counts them, but for how it breaks ties. */
export interface LineCount {
  readonly insertions: number;
  readonly deletions: number;
}

/** Beyond this many edits the exact number interests nobody: every line between the common ends counts as replaced. */
const MOST_EDITS = 2000;

/** Undefined for contents that are no text: a NUL in the first 8000 bytes, as git decides. */
export function countLines(before: Buffer, after: Buffer): LineCount | undefined {
  if ([before, after].some((content) => content.subarray(0, 8000).includes(0))) return undefined;
  const [a, b] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [old, now] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const edits = distance(old, now) ?? old.length + now.length;
  return { insertions: (edits + now.length - old.length) / 2, deletions: (edits + old.length - now.length) / 2 };
}

/** Each with its end: a last line without one is another line. */
const linesOf = (content: Buffer): string[] => content.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** The least number of lines to remove and add (Myers, "An O(ND) difference algorithm"); undefined when it is too large. */
function distance(a: readonly string[], b: readonly string[]): number | undefined {
  const most = Math.min(a.length + b.length, MOST_EDITS);
  const reached = new Int32Array(2 * most + 3);
  for (let edits = 0; edits <= most; edits++)
    for (let k = -edits; k <= edits; k += 2) {
      const at = most + 1 + k;
      const down = k === -edits || (k !== edits && (reached[at - 1] ?? 0) < (reached[at + 1] ?? 0));
      let x = down ? (reached[at + 1] ?? 0) : (reached[at - 1] ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reached[at] = x;
      if (x >= a.length && x - k >= b.length) return edits;
    }
  return undefined;
}
