import { type Bytes, fromText, isText, toBuffer, toText } from '../platform/bytes.ts';
import { isInside, relativeTo } from '../platform/paths.ts';

/** A path in a JSON document: UTF-8, with the bytes beside it where that loses something. */
export function pathKeys(path: Bytes): { path: string; path_bytes?: string } {
  return isText(path) ? { path: toText(path) } : { path: toText(path), path_bytes: toBuffer(path).toString('base64') };
}

/** The path as a person in this project knows it. */
export const fromRoot = (root: Bytes, path: Bytes): Bytes => (isInside(path, root) ? relativeTo(root, path) : path);

/** For a terminal: control characters of a hostile name do nothing. */
export const shown = (path: Bytes): string =>
  toText(path).replace(
    /[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g,
    (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );

/** The same of what is text already, with such a name in it. */
export const shownText = (text: string): string => shown(fromText(text));

/** The path as one word of a line to copy, in any shell. */
export function asWord(path: Bytes): string {
  const text = shown(path);
  return /^[\p{L}\p{N}_@%+=:,./-]+$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
