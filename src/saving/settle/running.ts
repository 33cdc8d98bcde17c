import fs from 'node:fs';
import { partOf } from '../../checkpoint/part.ts';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { lookAt, readBytesIfAny, removeTree, writeAtomic } from '../../platform/files.ts';
import { dirname, join } from '../../platform/paths.ts';
import { nextOrder } from '../../turns/order.ts';
import { isDone, noteDone, type PendingTurn } from '../../turns/pending.ts';
import type { EndManifest } from '../end.ts';
import { isSame } from '../hold/versions.ts';

/**
 * A turn of which something may still run (`(sleep 1; rm -rf data) &`, a stopped job) stays pending with its holds until its shell
 * is gone. A reader settles what has changed so far; this is its end manifest: the paths as they are now. What was otherwise when
 * the turn ended is possibly somebody else's work.
 */
export function sinceEnd(ended: EndManifest, now: EndManifest): EndManifest {
  const then = new Map(ended.paths.map((entry) => [entry.path, entry]));
  const paths = now.paths.map((entry) => {
    const before = then.get(entry.path);
    if (before === undefined || before.late) return { ...entry, uncertain: true };
    const [a, b] = [before.look, entry.look];
    const same = a === undefined || b === undefined ? a === b : isSame(a, b);
    return same ? entry : { ...entry, uncertain: true };
  });
  return { ...now, ended: ended.ended, running: true, paths };
}

/** Paths that earlier parts of the turn have recorded. */
export function doneBefore(folder: Bytes): ReadonlySet<Bytes> {
  const text = readBytesIfAny(join(folder, 'settled.json'));
  return new Set(text === undefined ? [] : (JSON.parse(text.toString('utf8')) as Bytes[]));
}

/** The turn goes on under the next part's name, with everything it still holds; what is recorded is not recorded again. */
export function requeue(folder: Bytes, turn: PendingTurn, home: Bytes, end: EndManifest): void {
  const done = [...new Set([...doneBefore(folder), ...end.paths.map(({ path }) => path)])];
  const session = dirname(folder);
  const nameOf = (part: number): string => `${partOf(turn.turn)}~${part}`;
  const isTaken = (part: number): boolean =>
    lookAt(join(session, nameOf(part))) !== undefined || isDone(home, turn.session, nameOf(part));
  let part = 1;
  while (isTaken(part)) part++;
  const next = join(session, nameOf(part));
  // The name first: killed after that, what was recorded is recorded once more, and nothing is lost.
  writeAtomic(join(folder, 'turn.json'), JSON.stringify({ ...turn, turn: nameOf(part), order: nextOrder(home) }));
  writeAtomic(join(folder, 'settled.json'), JSON.stringify(done));
  noteDone(home, turn);
  fs.renameSync(toBuffer(folder), toBuffer(next));
  removeTree(join(next, 'end-git'));
}
