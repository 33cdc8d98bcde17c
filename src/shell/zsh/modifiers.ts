import type { Bytes } from '../../platform/bytes.ts';
import { resolve as resolvePath } from '../../platform/paths.ts';
import { real } from '../disk.ts';
import type { Place } from '../types.ts';

/** `${x:h}`, `${x:t:r}` (zshexpn(1), *Modifiers*); undefined for one that is not followed. */
export function modify(text: Bytes, modifiers: Bytes, place: Place | undefined): Bytes | undefined {
  let value = text;
  for (const letter of modifiers.replaceAll(':', '')) {
    const bare = value.replace(/\/+$/, '') || '/';
    const slash = bare.lastIndexOf('/');
    switch (letter) {
      case 'h':
        value = slash < 0 ? '.' : slash === 0 ? '/' : bare.slice(0, slash).replace(/\/+$/, '') || '/';
        break;
      case 't':
        value = bare.slice(slash + 1);
        break;
      case 'r':
        value = value.replace(/\.[^./]*$/, '');
        break;
      case 'e':
        value = /\.([^./]*)$/.exec(value)?.[1] ?? '';
        break;
      case 'l':
        value = value.replace(/[A-Z]/g, (char) => char.toLowerCase());
        break;
      case 'u':
        value = value.replace(/[a-z]/g, (char) => char.toUpperCase());
        break;
      case 'a':
      case 'A': {
        const path = place?.kind === 'known' ? resolvePath(place.path, value) : undefined;
        if (path === undefined) return undefined;
        value = letter === 'A' ? real(path) : path;
        break;
      }
      default:
        return undefined;
    }
  }
  return value;
}
