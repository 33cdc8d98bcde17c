import { acquire } from '../platform/lock.ts';
import { type Call, refused } from './command.ts';
import { type Context, restoreLock } from './context.ts';
import { mayWrite } from './permission.ts';

/** How long a restore waits for another, ms. */
const PATIENCE = 30_000;

/**
 * One restore at a time in a store, from the look at the books to the last rename: two that decide at once would both take the same
 * turn back, or the second would decide by what the first has just made untrue. A dry run decides nothing.
 */
export async function alone<T>(context: Context, call: Call, work: () => Promise<T> | T): Promise<T> {
  mayWrite(context, []);
  if (context.settling.is === 'busy')
    throw refused(
      'busy',
      'another belay is still filing what the last lines did',
      'Nothing was changed. Run it again in a moment.',
    );
  if (context.store === undefined || call.values['dry-run'] === true) return work();
  const lock = acquire(restoreLock(context.store), PATIENCE, { watched: true });
  if (lock === undefined) throw refused('busy', 'another restore is running', 'Wait for it, then run this again.');
  try {
    return await work();
  } finally {
    lock.release();
  }
}
