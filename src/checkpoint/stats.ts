import { fromBuffer } from '../platform/bytes.ts';
import { git } from '../platform/git.ts';
import { EMPTY_TREE } from './oid.ts';
import type { Checkpoint } from './read.ts';
import type { Version } from './record.ts';
import { type Store, StoreError } from './store.ts';
import { sameVersion } from './version.ts';

export interface Stats {
  readonly files: number;
  readonly insertions: number;
  readonly deletions: number;
}

/** Lines added and removed by each of these checkpoints, told by git from the trees beside their records. One git process. */
export function statsOf(store: Store, checkpoints: readonly Checkpoint[]): Map<Checkpoint, Stats> {
  const out = new Map<Checkpoint, Stats>();
  const pairs = checkpoints.map((checkpoint) => ({
    checkpoint,
    before: checkpoint.tree.get('before') ?? EMPTY_TREE,
    after: checkpoint.tree.get('after') ?? EMPTY_TREE,
  }));
  const different = pairs.filter(({ before, after }) => before !== after);
  const input = different.map(({ before, after }) => `${before} ${after}\n`).join('');
  const lines = new Map<string, { insertions: number; deletions: number }>();
  const oneSided = new Map(
    different.map(({ checkpoint, before, after }) => [`${before} ${after}`, notAtHand(checkpoint)]),
  );
  if (input !== '') {
    const answer = git(['diff-tree', '--stdin', '-r', '--numstat', '--no-renames'], {
      gitDir: store.gitDir,
      input,
      timeout: 60_000,
    });
    if (!answer.ok) throw new StoreError('store_broken', `the store cannot be read: ${answer.err.trim()}`);
    let current = { insertions: 0, deletions: 0 };
    let uncounted: ReadonlySet<number> = new Set();
    for (const line of fromBuffer(answer.out).split('\n')) {
      const head = /^([0-9a-f]{40} [0-9a-f]{40})$/.exec(line)?.[1];
      if (head !== undefined) {
        current = { insertions: 0, deletions: 0 };
        lines.set(head, current);
        uncounted = oneSided.get(head) ?? new Set();
        continue;
      }
      const hit = /^(\d+)\t(\d+)\t(\d+)$/.exec(line); // binary files say `-`
      if (!hit || uncounted.has(Number(hit[3]))) continue;
      current.insertions += Number(hit[1]);
      current.deletions += Number(hit[2]);
    }
  }
  for (const { checkpoint, before, after } of pairs) {
    const counted = lines.get(`${before} ${after}`) ?? { insertions: 0, deletions: 0 };
    const files = checkpoint.record.changes.filter(
      (change) =>
        change.before.kind !== 'folder' && change.after.kind !== 'folder' && !sameVersion(change.before, change.after),
    ).length;
    out.set(checkpoint, { files, ...counted });
  }
  return out;
}

/** Files of which only one version is in the store: counted line by line, all of it would look new or gone. */
function notAtHand({ record }: Checkpoint): Set<number> {
  const missing = (version: Version): boolean => version.kind === 'file' && version.content.at !== 'git';
  return new Set(record.changes.flatMap(({ before, after }, i) => (missing(before) || missing(after) ? [i] : [])));
}
