import type { Bytes } from '../../platform/bytes.ts';
import { shown } from '../paths.ts';

/** `laptop:/home/me/shop #7` */
export const originText = (origin: {
  readonly host: string;
  readonly root: Bytes;
  readonly n: number;
  readonly from: string;
}): string => {
  const host = origin.host === '' ? '' : `${shown(origin.host)}:`;
  return `from ${origin.from === 'belay' ? '' : `${origin.from === 'hermes' ? 'Hermes' : 'an older layout'}, `}${host}${shown(origin.root)} #${origin.n}`;
};
