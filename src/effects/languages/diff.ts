import type { Bytes } from '../../platform/bytes.ts';
import { basename, dirname } from '../../platform/paths.ts';

/**
 * The files that a patch changes, seen from the folder it is applied in (patch(1), "Filename determination"): names of
 * `---`, `+++`, `***`, `Index:`, `rename` and git's header lines, `strip` folders taken away. Of the names of one file those that
 * exist are taken, else the last one, which appears. `strip` undefined: only the last name counts, unless the folders exist.
 */
export function patchedFiles(text: Bytes, strip: number | undefined, exists: (name: Bytes) => boolean): Bytes[] {
  const out = new Set<Bytes>();
  let names: Bytes[] = [];
  const flush = (): void => {
    const there = names.filter(exists);
    for (const name of there.length > 0 ? there : names.slice(-1)) out.add(name);
    names = [];
  };
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] ?? '').replace(/\r$/, '');
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (hunk) {
      at = afterHunk(lines, at, Number(hunk[1] ?? 1), Number(hunk[2] ?? 1));
      continue;
    }
    const git = /^diff --git (.+)$/.exec(line);
    const header = /^(?:--- |\*\*\* |Index: |rename from |copy from )(.*)$/.exec(line);
    const second = /^(?:\+\+\+ |rename to |copy to )(.*)$/.exec(line);
    if (git) flush();
    else if (header && !/^\*\*\* \d+(,\d+)? \*\*\*\*$/.test(line)) {
      if (/^(--- |\*\*\* |Index: )/.test(line) && names.length > 1) flush();
      const bare = /^(rename|copy)/.test(line);
      add(names, header[1] ?? '', bare ? 0 : strip, exists);
      if (/^rename/.test(line)) flush();
    } else if (second) {
      add(names, second[1] ?? '', /^(rename|copy)/.test(line) ? 0 : strip, exists);
      flush();
    }
  }
  flush();
  return [...out];
}

/** Behind the lines of a hunk, so that a removed line `-- x` is no header. */
function afterHunk(lines: readonly Bytes[], from: number, before: number, after: number): number {
  let [old, now, at] = [before, after, from];
  while ((old > 0 || now > 0) && at + 1 < lines.length) {
    const sign = lines[at + 1]?.[0] ?? ' ';
    if (sign !== '\\' && !/[ +\-\t\r]/.test(sign)) break;
    if (sign !== '+' && sign !== '\\') old -= 1;
    if (sign !== '-' && sign !== '\\') now -= 1;
    at += 1;
  }
  return at;
}

function add(names: Bytes[], written: Bytes, strip: number | undefined, exists: (name: Bytes) => boolean): void {
  const bare = written.startsWith('"')
    ? written.slice(1, written.indexOf('"', 1)).replace(/\\([0-7]{3}|.)/g, (_, code) => unquoted(code))
    : (written.split('\t')[0] ?? '').replace(/ \d{4}-\d\d-\d\d \d\d:.*$/, '').trimEnd();
  if (bare === '' || bare === '/dev/null') return;
  const parts = bare.split(/\/+/);
  if (strip !== undefined) {
    if (parts.length > strip) names.push(parts.slice(strip).join('/'));
    return;
  }
  names.push(!bare.startsWith('/') && exists(dirname(bare)) ? bare : basename(bare));
}

const unquoted = (code: string): string =>
  /^[0-7]{3}$/.test(code) ? String.fromCharCode(Number.parseInt(code, 8) & 255) : ({ n: '\n', t: '\t' }[code] ?? code);
