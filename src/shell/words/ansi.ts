import type { Bytes } from '../../platform/bytes.ts';
import { readEscape } from '../output/format.ts';

/** The bytes that `$'…'` stands for (bash(1), *QUOTING*); `text` with its quotes. `\cx` is a control character, NUL ends it. */
export function readAnsi(text: Bytes): Bytes {
  const body = text.slice(2, text.endsWith("'") && text.length > 2 ? -1 : undefined);
  if (!body.includes('\\')) return body;
  const read = body.replace(
    /\\(x[0-9A-Fa-f]{1,2}|x\{[0-9A-Fa-f]*\}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}|[0-7]{1,3}|c[\s\S]|[\s\S])/g,
    (whole: Bytes, what: Bytes) => {
      if (what.length === 2 && what.startsWith('c')) return String.fromCharCode(what.charCodeAt(1) & 31);
      return what === '?' ? '?' : readEscape(what.replace(/[{}]/g, ''), whole);
    },
  );
  const end = read.indexOf('\0');
  return end < 0 ? read : read.slice(0, end);
}
