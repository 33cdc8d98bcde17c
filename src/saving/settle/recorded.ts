import { partOf } from '../../checkpoint/part.ts';
import type { CheckpointRecord } from '../../checkpoint/record.ts';
import { fileChanges } from '../../checkpoint/version.ts';
import type { Bytes } from '../../platform/bytes.ts';
import { noteEvents } from '../../turns/journal.ts';

/** Of a turn that changed thousands of paths so many are named in the session's record. */
const MOST_PATHS = 20;

/** Tells the record of the session which checkpoint its turn has become; of a line hidden from history it says nothing. */
export function recordCheckpoint(
  home: Bytes,
  { key, n, record }: { readonly key: string; readonly n: number; readonly record: CheckpointRecord },
): void {
  if (record.kind === 'turn' && record.hidden) return;
  const { session, turn, root, verbs, changes, ended } = record;
  const paths = changes.slice(0, MOST_PATHS).map(({ path }) => path);
  const files = fileChanges(changes).length;
  const bytes = changes.reduce((sum, { before }) => sum + (before.kind === 'file' ? before.size : 0), 0);
  noteEvents(
    home,
    session,
    [{ e: 'checkpoint', t: ended, turn: partOf(turn), n, key, root, verbs, files, paths, bytes }],
    { known: true },
  );
}
