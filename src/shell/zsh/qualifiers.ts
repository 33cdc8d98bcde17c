import type { Bytes } from '../../platform/bytes.ts';
import type { Look } from '../../platform/files.ts';
import { lookUp } from '../disk.ts';

const TYPES: Readonly<Record<string, (look: Look) => boolean>> = {
  '.': (look) => look.type === 'file',
  '/': (look) => look.type === 'folder',
  '@': (look) => look.type === 'link',
  '=': (look) => look.type === 'socket',
  p: (look) => look.type === 'fifo',
  '*': (look) => look.type === 'file' && (look.mode & 0o111) !== 0,
};

/** Stands in front of glob qualifiers that a word carries on to the matching of files. */
export const QUALIFIERS = '\x01q';

/** What qualifiers do to a match, as far as they are followed; those that only choose among the matches are not: more is saved. */
export interface Choice {
  readonly keeps: (path: Bytes) => boolean;
  readonly nullglob: boolean;
  readonly dots: boolean;
  /** All was understood: the matches are exactly those of zsh. */
  readonly exact: boolean;
}

export function readQualifiers(text: Bytes): Choice {
  const tests: ((look: Look) => boolean)[] = [];
  let negated = false;
  let follows = false;
  let exact = true;
  let nullglob = false;
  let dots = false;
  for (const char of text) {
    const type = TYPES[char];
    if (char === '^') negated = !negated;
    else if (char === '-') follows = !follows;
    else if (char === 'N') nullglob = true;
    else if (char === 'D') dots = true;
    else if (type) {
      const wanted = !negated;
      tests.push((look) => type(look) === wanted);
    } else {
      // Sizes, times, owners, sorting, `[1]`, code: what is left of the text has no types that could be read alone.
      exact = false;
      break;
    }
  }
  if (text.includes(',')) tests.length = 0;
  const keeps = (path: Bytes): boolean => {
    if (tests.length === 0) return true;
    const look = lookUp(path, follows);
    return typeof look === 'string' ? look === 'unknown' : tests.every((test) => test(look));
  };
  return { keeps, nullglob, dots, exact };
}
