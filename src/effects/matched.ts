import type { Bytes } from '../platform/bytes.ts';
import { globFiles } from '../shell/glob/files.ts';
import type { Arg, Place } from '../shell/types.ts';

/** A program that is handed more is told by folder. */
const NAMES = 20_000;

/**
 * What a pattern that a program matches by itself (`rimraf "dist/*.js"`, `glob.glob`) stands for now; wildcards match leading
 * dots here, since some programs' do. Undefined: too many to look at, or a pattern of another kind.
 */
export function matchedFiles(pattern: Bytes, place: Place): Arg[] | undefined {
  if (place.kind === 'unknown' || /[{}]|\$\(/.test(pattern)) return undefined;
  let left = NAMES;
  const spend = (names: number): boolean => {
    left -= names;
    return left >= 0;
  };
  const options = { ignoreCase: false, utf8: true, dots: true, globstar: true };
  const found = globFiles(pattern, place.path, options, { spend });
  return found === 'too many' ? undefined : found.map((text) => ({ kind: 'known', text, glob: pattern }));
}

export const isPattern = (text: Bytes): boolean => /[*?[{]|[!@+]\(/.test(text);

/** The folder in front of a pattern's first name with a wildcard, with its slash; `./` for none. */
export function folderBefore(pattern: Bytes): Bytes {
  const names = pattern.split('/');
  const folder = names.slice(0, Math.max(0, names.findIndex(isPattern))).join('/');
  return folder === '' ? (pattern.startsWith('/') ? '/' : './') : `${folder}/`;
}
