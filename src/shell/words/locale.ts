import type { Bytes } from '../../platform/bytes.ts';
import type { Matching } from '../glob/pattern.ts';

/** `LC_ALL`, else `LC_CTYPE`, else `LANG` names a UTF-8 locale (locale(7)). */
export function isUtf8(variables: ReadonlyMap<Bytes, Bytes>): boolean {
  const name = variables.get('LC_ALL') || variables.get('LC_CTYPE') || variables.get('LANG') || '';
  return /utf-?8/i.test(name);
}

export const matching = (utf8: boolean, ignoreCase: boolean, dots: boolean): Matching => ({ utf8, ignoreCase, dots });
