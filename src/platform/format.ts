import { type Bytes, fromBuffer, toText } from './bytes.ts';
import { codeOf, readBytesIfAny, writeAtomic } from './files.ts';
import { foreignHome } from './home.ts';
import { join } from './paths.ts';

/** The layout of a home that this belay reads and writes (docs/format.md). It goes up when an older belay could not read what is written. */
export const FORMAT = 1;

const formatFile = (home: Bytes): Bytes => join(home, 'format');

/** Why this belay must not touch a home: a newer one has written there what this one would misread. Without the file it is format 1. */
export function newerHome(home: Bytes): string | undefined {
  const format = readFormat(home);
  return format <= FORMAT
    ? undefined
    : `${toText(home)} was written by a newer belay (format ${format}, this one knows ${FORMAT}): not read, not written`;
}

function readFormat(home: Bytes): number {
  try {
    const text = readBytesIfAny(formatFile(home));
    const format = text === undefined ? FORMAT : Number(fromBuffer(text).trim());
    return Number.isSafeInteger(format) ? format : FORMAT;
  } catch (error) {
    if (codeOf(error) === 'EACCES') return FORMAT; // whose home it is says another check
    throw error;
  }
}

/** Said once, when a store is made. */
export const noteFormat = (home: Bytes): void => writeAtomic(formatFile(home), `${FORMAT}\n`);

/** Why nothing may be written in this home: it is another user's, or a newer belay's. */
export const notWritable = (home: Bytes): string | undefined => foreignHome(home) ?? newerHome(home);
