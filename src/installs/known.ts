import type { Bytes } from '../platform/bytes.ts';
import { writeNote } from '../platform/notes.ts';
import { join } from '../platform/paths.ts';
import { type Checkout, lookAtCheckout } from './checkout.ts';
import { installKey } from './layout.ts';
import { readCheckout } from './states.ts';

/**
 * `worktrees/known/<key>.json`: worktrees that were seen while they were there (by `worktree add`, hooks/post-checkout), so that the
 * deletion of one can be proved whatever tool keeps a state of it.
 */
const folderOf = (home: Bytes): Bytes => join(home, 'worktrees/known');

export function remember(home: Bytes, checkout: Bytes): Checkout {
  const seen = lookAtCheckout(checkout);
  writeNote(join(folderOf(home), `${installKey(seen.path)}.json`), seen);
  return seen;
}

export function recall(home: Bytes, key: string): Checkout | undefined {
  if (!/^[0-9a-f]{16}$/.test(key)) return undefined;
  return readCheckout(join(folderOf(home), `${key}.json`));
}
