import type { Event } from '../checkpoint/ledger.ts';
import type { CheckpointRecord } from '../checkpoint/record.ts';
import { sameVersion } from '../checkpoint/version.ts';
import type { Wish } from './restoring.ts';

/** Whether a turn changed git's own state and no file. */
export function onlyGit(record: CheckpointRecord): boolean {
  return (
    record.changes.every((change) => sameVersion(change.before, change.after)) &&
    JSON.stringify(record.gitBefore) !== JSON.stringify(record.gitAfter)
  );
}

/** What `--git` adds to a restore. */
export function gitWish(
  _events: readonly Event[],
  _side: 'before' | 'after',
  _force: boolean,
): Wish['git'] | undefined {
  return undefined;
}
