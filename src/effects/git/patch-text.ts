import type { Bytes } from '../../platform/bytes.ts';
import { unquote } from './pathspec-file.ts';

/** One file that a patch touches; names without the stripped components. */
export interface PatchedFile {
  readonly from: Bytes | undefined;
  readonly to: Bytes | undefined;
  /** `from` stays where it is (a copy). */
  readonly copied: boolean;
  /** Its names start at the top of the work tree: the header is git's own. */
  readonly fromTop: boolean;
}

/** The files named in a unified or git patch, `strip` leading components taken off (git-apply(1), `-p`). */
export function patchedFiles(text: Bytes, strip: number): PatchedFile[] {
  const out: PatchedFile[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.startsWith('diff --git ')) {
      let end = at + 1;
      while (end < lines.length && !/^(diff --git |@@ -|-- $)/.test(lines[end] ?? '')) end++;
      const found = gitHeader(lines.slice(at, end), strip);
      if (found) out.push(found);
      at = end - 1;
    } else if (
      line.startsWith('--- ') &&
      (lines[at + 1] ?? '').startsWith('+++ ') &&
      /^@@ -/.test(lines[at + 2] ?? '')
    ) {
      const from = nameOf(line.slice(4), strip);
      const to = nameOf((lines[at + 1] ?? '').slice(4), strip);
      // both sides name one file; git takes the name that is not /dev/null
      if (from !== undefined || to !== undefined)
        out.push({
          from: from === undefined ? undefined : (to ?? from),
          to: to === undefined ? undefined : to,
          copied: false,
          fromTop: false,
        });
      at += 2;
    }
  }
  return out;
}

function gitHeader(lines: readonly Bytes[], strip: number): PatchedFile | undefined {
  const value = (start: string): Bytes | undefined => lines.find((line) => line.startsWith(start))?.slice(start.length);
  const renameFrom = value('rename from ') ?? value('copy from ');
  const renameTo = value('rename to ') ?? value('copy to ');
  if (renameFrom !== undefined && renameTo !== undefined)
    return {
      from: cut(unquote(renameFrom), strip - 1),
      to: cut(unquote(renameTo), strip - 1),
      copied: value('copy from ') !== undefined,
      fromTop: true,
    };
  const both = headerName(lines[0] ?? '', strip);
  const minus = value('--- ');
  const plus = value('+++ ');
  const from = minus === undefined ? both : nameOf(minus, strip);
  const to = plus === undefined ? both : nameOf(plus, strip);
  const made = value('new file mode ') !== undefined;
  const gone = value('deleted file mode ') !== undefined;
  if (from === undefined && to === undefined) return undefined;
  return { from: made ? undefined : (from ?? to), to: gone ? undefined : (to ?? from), copied: false, fromTop: true };
}

/** `diff --git a/x b/x`: the name that both sides share. */
function headerName(line: Bytes, strip: number): Bytes | undefined {
  const rest = line.slice('diff --git '.length);
  const quoted = /^("(?:[^"\\]|\\.)*") (.*)$/s.exec(rest);
  if (quoted) return cut(unquote(quoted[1] ?? ''), strip);
  for (let at = rest.indexOf(' '); at >= 0; at = rest.indexOf(' ', at + 1)) {
    const name = cut(rest.slice(0, at), strip);
    if (name !== undefined && name === cut(unquote(rest.slice(at + 1)), strip)) return name;
  }
  return undefined;
}

/** `a/name<TAB>date`; undefined for /dev/null. */
function nameOf(text: Bytes, strip: number): Bytes | undefined {
  const name = text.startsWith('"')
    ? unquote(text.replace(/"[^"]*$/s, '"'))
    : text.replace(/\t.*$/s, '').replace(/\r$/, '');
  return name === '/dev/null' || name === '' ? undefined : cut(name, strip);
}

function cut(name: Bytes, strip: number): Bytes | undefined {
  if (strip <= 0) return name;
  const parts = name.split('/');
  return parts.length > strip ? parts.slice(strip).join('/') : undefined;
}
