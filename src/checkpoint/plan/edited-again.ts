import { type Event, find, isSafety, type Ledger } from '../ledger.ts';
import { differ } from '../version.ts';
import type { Goal } from './goals.ts';

/**
 * An edit by hand that restores took away and brought back: the newest of them took another one back and left what a restore had found
 * that no event had left. A plain rollback keeps it as it keeps any edit.
 */
export function isEditAgain({ path }: Goal, taken: ReadonlySet<Event>, ledger: Ledger): boolean {
  const events = ledger.touched.get(path) ?? [];
  const newest = events.at(-1);
  const now = newest?.changes.get(path)?.after;
  if (newest === undefined || now === undefined || !takesBack(newest, ledger)) return false;
  return events.some((event, i) => {
    const found = event.changes.get(path)?.before;
    if (!taken.has(event) || !isSafety(event) || found === undefined || differ(found, now)) return false;
    const left = events[i - 1]?.changes.get(path)?.after;
    return left === undefined || differ(left, found);
  });
}

/** A redo, or a rollback to before another restore. */
function takesBack(event: Event, ledger: Ledger): boolean {
  if (!isSafety(event)) return false;
  const { what, to } = event.record.did;
  const aim = to === undefined ? undefined : find(ledger, event.key, to);
  return what === 'redo' || (aim !== undefined && isSafety(aim));
}
