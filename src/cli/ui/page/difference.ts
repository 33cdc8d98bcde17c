/** One line of one side. */
export interface Line {
  readonly no: number;
  readonly text: string;
  readonly is: 'same' | 'old' | 'new';
  /** It has no line end, as the last one of a file may. */
  readonly open?: true;
  /** Which part of it differs from the line beside it. */
  readonly differs?: readonly [from: number, to: number];
}

/** Both sides, line beside line. */
export interface Beside {
  readonly old?: Line;
  readonly now?: Line;
}

export interface Hunk {
  /** What git tells of where it is: `@@ -1,3 +1,4 @@ function f()`. */
  readonly head: string;
  readonly rows: readonly Beside[];
}

const HEAD = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/;

/** git's patch, from the first `@@` on, as lines beside each other. */
export function hunksOf(patch: string): Hunk[] {
  const hunks: { head: string; rows: Beside[] }[] = [];
  let [oldNo, newNo] = [0, 0];
  let olds: Line[] = [];
  let news: Line[] = [];
  const flush = (): void => {
    const rows = hunks.at(-1)?.rows;
    for (let i = 0; i < Math.max(olds.length, news.length); i++) rows?.push(pair(olds[i], news[i]));
    olds = [];
    news = [];
  };
  for (const line of patch.replace(/\n$/, '').split('\n')) {
    const head = HEAD.exec(line);
    if (head) {
      flush();
      [oldNo, newNo] = [Number(head[1]), Number(head[2])];
      hunks.push({ head: head[3]?.trim() ?? '', rows: [] });
      continue;
    }
    const text = line.slice(1);
    if (line.startsWith('-')) {
      if (news.length > 0) flush();
      olds.push({ no: oldNo++, text, is: 'old' });
    } else if (line.startsWith('+')) news.push({ no: newNo++, text, is: 'new' });
    else if (line.startsWith('\\'))
      leaveOpen(news.length > 0 ? news : olds.length > 0 ? olds : undefined, hunks.at(-1)?.rows);
    else if (line.startsWith(' ')) {
      flush();
      hunks.at(-1)?.rows.push({ old: { no: oldNo++, text, is: 'same' }, now: { no: newNo++, text, is: 'same' } });
    }
  }
  flush();
  return hunks;
}

/** `\ No newline at end of file` is of the line before it. */
function leaveOpen(lines: Line[] | undefined, rows: Beside[] | undefined): void {
  const last = lines?.at(-1);
  if (lines !== undefined && last !== undefined) lines[lines.length - 1] = { ...last, open: true };
  else if (rows !== undefined && rows.length > 0) {
    const row = rows[rows.length - 1];
    if (row?.old && row.now)
      rows[rows.length - 1] = { old: { ...row.old, open: true }, now: { ...row.now, open: true } };
  }
}

/** An old line and the new one beside it, with the stretch in which they differ where they are alike at all. */
function pair(old: Line | undefined, now: Line | undefined): Beside {
  if (old === undefined) return now === undefined ? {} : { now };
  if (now === undefined) return { old };
  const [a, b] = [old.text, now.text];
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  // Lines that have little in common are two lines, not one that was changed.
  if (head + tail < Math.max(a.length, b.length) * 0.3) return { old, now };
  return {
    old: { ...old, differs: [head, a.length - tail] },
    now: { ...now, differs: [head, b.length - tail] },
  };
}

/** The same one under the other, for narrow windows: what went, then what came. */
export function underneath(rows: readonly Beside[]): Line[] {
  const out: Line[] = [];
  let news: Line[] = [];
  const flush = (): void => {
    out.push(...news);
    news = [];
  };
  for (const { old, now } of rows) {
    if (old?.is === 'same') {
      flush();
      out.push(old);
      continue;
    }
    if (old) out.push(old);
    if (now) news.push(now);
  }
  flush();
  return out;
}
