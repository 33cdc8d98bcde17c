import fs from 'node:fs';
import { type Bytes, fromBuffer, toBuffer } from '../platform/bytes.ts';
import * as files from '../platform/files.ts';
import { codeOf, type Look, lookAt, lookThrough, readLink, realAsFar } from '../platform/files.ts';

/**
 * Looks at the disk as a shell's globs, `cd` and `test` do: what cannot be looked at (no permission, a dead mount, a name that is
 * too long) is not there for them either.
 */
function orElse<T>(otherwise: T, look: () => T): T {
  try {
    return look();
  } catch (error) {
    if (isSystemError(error)) return otherwise;
    throw error;
  }
}

/** `ERR_INVALID_ARG_VALUE`: a NUL in the path, which no name has. */
const isSystemError = (error: unknown): boolean => /^(?:E[A-Z0-9]+|ERR_INVALID_ARG_VALUE)$/.test(codeOf(error));

/** The names in a folder, unsorted. */
export const namesIn = (folder: Bytes): readonly Bytes[] =>
  orElse<readonly Bytes[]>([], () => fs.readdirSync(toBuffer(folder), 'buffer').map(fromBuffer));

export const entriesIn = (folder: Bytes): readonly files.Entry[] =>
  orElse<readonly files.Entry[]>([], () => files.entriesIn(folder));

/** Whether a path leads to a folder, links followed. */
export const isFolder = (path: Bytes): boolean => orElse(false, () => fs.statSync(toBuffer(path)).isDirectory());

/** Whether there is an entry of that name, a dangling link included. */
export const exists = (path: Bytes): boolean =>
  orElse(false, () => fs.lstatSync(toBuffer(path), { throwIfNoEntry: false }) !== undefined);

/** What a path is, links followed or not; `absent`, or `unknown` where one may not look. */
export function lookUp(path: Bytes, follow: boolean): Look | 'absent' | 'unknown' {
  try {
    return (follow ? lookThrough(path) : lookAt(path)) ?? 'absent';
  } catch (error) {
    if (isSystemError(error)) return 'unknown';
    throw error;
  }
}

/** The path with all links followed, as far as one may look. */
export const real = (path: Bytes): Bytes => orElse(path, () => realAsFar(path));

/** Where a link points; undefined where it is none. */
export const linkAt = (path: Bytes): Bytes | undefined => orElse<Bytes | undefined>(undefined, () => readLink(path));

/** The whole of a file; undefined where it is none, is longer than `most` bytes or may not be read. */
export const contentOf = (path: Bytes, most: number): Bytes | undefined =>
  orElse<Bytes | undefined>(undefined, () => {
    const stat = fs.statSync(toBuffer(path));
    return stat.isFile() && stat.size <= most ? fromBuffer(fs.readFileSync(toBuffer(path))) : undefined;
  });

/** Two paths lead to the same folder. */
export const sameFolder = (left: Bytes, right: Bytes): boolean =>
  orElse(false, () => {
    const [one, two] = [left, right].map((path) => fs.statSync(toBuffer(path)));
    return one !== undefined && one.dev === two?.dev && one.ino === two?.ino;
  });
