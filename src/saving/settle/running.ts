import fs from 'node:fs';
import { partOf } from '../../checkpoint/part.ts';
import type { Change } from '../../checkpoint/record.ts';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { lookAt, readBytesIfAny, removeTree, writeAtomic } from '../../platform/files.ts';
import { dirname, join } from '../../platform/paths.ts';
import { folderName } from '../../turns/ids.ts';
import { nextOrder } from '../../turns/order.ts';
import { isDone, noteDone, type PendingTurn, pendingOf } from '../../turns/pending.ts';
import type { EndManifest } from '../end.ts';
import { isSame } from '../hold/versions.ts';
import type { ProjectDraft } from './draft.ts';

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

type By = Change['by'];

const FILES: Readonly<Record<By, Bytes>> = { named: 'settled.json', seen: 'settled-seen.json' };

/** Paths that earlier parts of the turn have recorded: those that lines have named, or those that captures have told of. */
export function doneBefore(folder: Bytes, by: By = 'named'): ReadonlySet<Bytes> {
  const text = readBytesIfAny(join(folder, FILES[by]));
  return new Set(text === undefined ? [] : (JSON.parse(text.toString('utf8')) as Bytes[]));
}

/** The same, with what these drafts record; absolute. */
const doneWith = (folder: Bytes, by: By, drafts: readonly ProjectDraft[]): Bytes[] => {
  const recorded = drafts.flatMap(({ root, draft }) =>
    draft.changes.flatMap((one) => (one.by === by ? [one.path.startsWith('/') ? one.path : join(root, one.path)] : [])),
  );
  return [...new Set([...doneBefore(folder, by), ...recorded])];
};

/**
 * The turn goes on under the next part's name, with everything it still holds; what is recorded is not recorded again. Only that: a
 * path that was merely touched so far keeps its hold.
 */
export function requeue(folder: Bytes, turn: PendingTurn, home: Bytes, drafts: readonly ProjectDraft[]): void {
  const [named, seen] = [doneWith(folder, 'named', drafts), doneWith(folder, 'seen', drafts)];
  const part = nextPart(folder, turn, home);
  // The name first: killed after that, what was recorded is recorded once more, and nothing is lost.
  rename(folder, turn, home, part);
  writeAtomic(join(folder, FILES.named), JSON.stringify(named));
  writeAtomic(join(folder, FILES.seen), JSON.stringify(seen));
  noteDone(home, turn);
  const next = join(dirname(folder), folderName(part));
  fs.renameSync(toBuffer(folder), toBuffer(next));
  removeTree(join(next, 'end-git'));
}

/** Another turn has this one's name, and a record: this one gets a name of its own, and is recorded under it. */
export function renameTurn(folder: Bytes, turn: PendingTurn, home: Bytes): void {
  const part = nextPart(folder, turn, home);
  rename(folder, turn, home, part);
  fs.renameSync(toBuffer(folder), toBuffer(join(dirname(folder), folderName(part))));
}

const rename = (folder: Bytes, turn: PendingTurn, home: Bytes, part: string): void =>
  writeAtomic(join(folder, 'turn.json'), JSON.stringify({ ...turn, turn: part, order: nextOrder(home) }));

/** The next part's name: nobody of the session has it, has had it, or lies where it would. */
function nextPart(folder: Bytes, turn: PendingTurn, home: Bytes): string {
  const taken = new Set(pendingOf(home, turn.session).map((pending) => pending.turn.turn));
  for (let part = 1; ; part++) {
    const name = `${partOf(turn.turn)}~${part}`;
    const lies = lookAt(join(dirname(folder), folderName(name))) !== undefined;
    if (!taken.has(name) && !lies && !isDone(home, turn.session, name)) return name;
  }
}
