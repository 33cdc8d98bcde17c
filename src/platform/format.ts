import { type Bytes, fromBuffer, toText } from './bytes.ts';
import { codeOf, readBytesIfAny, writeAtomic } from './files.ts';
import { foreignHome } from './home.ts';
import { join } from './paths.ts';

/** The layout of a home that this belay reads and writes (docs/format.md). It goes up when an older belay could not read what is written. */
export const FORMAT = 1;

const formatFile = (home: Bytes): Bytes => join(home, 'format');

/**
 * Why this belay must not touch a home: a newer one has written there what this one would misread, or nobody can tell. Without the file it
 * is format 1.
 */
export function newerHome(home: Bytes): string | undefined {
  const text = readFormat(home);
  if (text === undefined) return undefined;
  const format = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
  if (format !== undefined && format <= FORMAT) return undefined;
  const name = toText(home);
  return format === undefined
    ? `${name} was written by a newer belay, or is damaged (its file format says '${toText(text.slice(0, 40))}'; where no newer one was, it is to say ${FORMAT}): not read, not written`
    : `${name} was written by a newer belay (format ${format}, this one knows ${FORMAT}): not read, not written`;
}

function readFormat(home: Bytes): Bytes | undefined {
  try {
    const text = readBytesIfAny(formatFile(home));
    return text === undefined ? undefined : fromBuffer(text).trim();
  } catch (error) {
    if (codeOf(error) === 'EACCES') return undefined; // whose home it is says another check
    throw error;
  }
}

/** Said once, when a store is made; on disk at once, as an empty one after a power cut would keep everybody out. */
export const noteFormat = (home: Bytes): void => writeAtomic(formatFile(home), `${FORMAT}\n`, { sync: true });

/** Why nothing may be written in this home: it is another user's, or a newer belay's. */
export const notWritable = (home: Bytes): string | undefined => foreignHome(home) ?? newerHome(home);
