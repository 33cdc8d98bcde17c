import { type Commit, type Imported, ImportStream, runImport } from '../../checkpoint/fast-import.ts';
import { breakStaleLocks } from '../../checkpoint/git-locks.ts';
import { isOwnTree, writeLoose } from '../../checkpoint/loose.ts';
import { projectsFolder } from '../../checkpoint/projects.ts';
import type { CaptureRecord } from '../../checkpoint/record.ts';
import type { Store } from '../../checkpoint/store.ts';
import { captureRef, nestedNote } from '../../checkpoint/write.ts';
import { lookAt } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { countUp, raise } from '../../turns/order.ts';
import type { Taken } from './trees.ts';
import { CaptureError } from './work-tree.ts';

/** A loose ref; a packed one counts as gone, and the same state is written once more. */
export const hasCapture = (store: Store, key: string, m: number): boolean =>
  lookAt(join(store.gitDir, captureRef(key, m))) !== undefined;

/** The counter says the next number; the project's file stands in for it when it is lost, and may lag behind by so many. */
export const LAG = 32;

const notCaptured = ({ nested }: CaptureRecord) => nested.flatMap(({ path, captured }) => (captured ? [] : [path]));

/** The number is ours alone, so the import may be forced: it moves the index's ref, which keeps the kept index's objects. */
export function writeCapture(
  store: Store,
  key: string,
  floor: number,
  record: CaptureRecord,
  trees: readonly Taken[],
  deadline: number,
): number {
  const counter = join(projectsFolder(store), `${key}.captures`);
  raise(counter, floor > 1 && lookAt(counter) === undefined ? floor + LAG : floor - 1);
  const m = countUp(counter);
  const until = Math.max(deadline, Date.now() + LEAST_WAIT_MS);
  for (;;) {
    const done = put(store, commitOf(key, m, record, trees), `refs/belay/${key}/index`);
    if (done.is === 'written') return m;
    if (done.is === 'failed') throw new CaptureError(`fast-import: ${done.why}`);
    // Another capture of this project moves the index's ref at this moment, or one was killed while it did.
    if (breakStaleLocks(store) === 0 && Date.now() > until) throw new CaptureError('the ref is locked');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5 + Math.random() * 45);
  }
}

/** The work is done by now: for a lock it waits this long, though the time is up. */
const LEAST_WAIT_MS = 3000;

/** Nested trees are grafted into the project's, which takes a git that knows it. */
function put(store: Store, commit: Commit, index: string): Imported {
  if (isOwnTree(commit)) return writeLoose(store, { commit, blobs: new Map(), refs: [commit.ref, index], over: 'any' });
  const stream = new ImportStream();
  stream.commit(commit);
  stream.pointAt(index, commit.ref);
  return runImport(store, stream, { force: true });
}

const commitOf = (key: string, m: number, record: CaptureRecord, trees: readonly Taken[]): Commit => ({
  ref: captureRef(key, m),
  subject: `capture ${m}${nestedNote(notCaptured(record))}`,
  when: record.taken,
  entries: [
    ...trees.map(({ at, kept }) => ({ path: at === '' ? 'files' : `files/${at}`, tree: kept.tree })),
    { path: 'meta.json', data: Buffer.from(JSON.stringify({ ...record, m }), 'utf8') },
  ],
});
