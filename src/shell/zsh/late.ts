import type { Bytes } from '../../platform/bytes.ts';
import type { Setting } from './same.ts';

/** What zsh alone understands is loaded when a line has some (docs/decisions/0007). */
export const toBash = (text: Bytes, setting: Setting): Bytes =>
  (require('./translate.ts') as typeof import('./translate.ts')).toBash(text, setting);

/** And so are its global aliases. */
export const withGlobalAliases = (text: Bytes, globals: ReadonlyMap<Bytes, Bytes>, comments: boolean): Bytes =>
  (require('./global-aliases.ts') as typeof import('./global-aliases.ts')).withGlobalAliases(text, globals, comments);
