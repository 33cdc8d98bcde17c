import { type Bytes, fromBuffer, toBuffer } from '../../platform/bytes.ts';
import { removeFile } from '../../platform/files.ts';
import { type GitAnswer, git } from '../../platform/git.ts';
import { join } from '../../platform/paths.ts';
import { randomHex } from '../../platform/random.ts';
import type { CaptureRecord, LeftOut } from '../record.ts';
import type { Store } from '../store.ts';
import { captureRef } from '../write.ts';

const FILES = 'files/';

/**
 * Writes a capture anew without the files whose content is lost; its record says that they are left out. Which they were; undefined where more
 * than contents is lost, and nothing was changed.
 */
export function lessen(store: Store, key: string, m: number, bad: ReadonlySet<string>): readonly LeftOut[] | undefined {
  const index = join(store.base, `.store-${process.pid}-${randomHex(4)}`);
  const run = (args: readonly string[], input?: string | Uint8Array): GitAnswer =>
    git(args, { gitDir: store.gitDir, index, timeout: 120_000, ...(input === undefined ? {} : { input }) });
  const ref = captureRef(key, m);
  try {
    if (!run(['read-tree', ref]).ok) return undefined;
    const lost = entriesOf(run(['ls-files', '-s', '-z'])).filter(({ oid }) => bad.has(oid));
    const meta = run(['cat-file', 'blob', `${ref}:meta.json`]);
    if (!meta.ok || lost.length === 0 || lost.some(({ path }) => !path.startsWith(FILES))) return undefined;
    const record = JSON.parse(meta.out.toString('utf8')) as CaptureRecord;
    const gone = lost.map(({ path }) => ({ path: path.slice(FILES.length), reason: 'the store has lost it' }));
    const leftOut = [...record.leftOut, ...gone];
    const blob = run(['hash-object', '-w', '--stdin'], Buffer.from(JSON.stringify({ ...record, leftOut }), 'utf8'));
    const lines = lost.map(({ path }) => `0 ${'0'.repeat(40)}\t${path}\0`).join('');
    const told = run(
      ['update-index', '-z', '--index-info'],
      toBuffer(`${lines}100644 ${fromBuffer(blob.out).trim()}\tmeta.json\0`),
    );
    const tree = run(['write-tree']);
    const subject = run(['log', '-1', '--format=%B', ref]);
    if (!blob.ok || !told.ok || !tree.ok || !subject.ok) return undefined;
    const commit = run(['commit-tree', fromBuffer(tree.out).trim()], subject.out);
    const moved = commit.ok && run(['update-ref', ref, fromBuffer(commit.out).trim()]).ok;
    return moved ? gone : undefined;
  } finally {
    removeFile(index);
  }
}

const entriesOf = (answer: GitAnswer): { readonly oid: string; readonly path: Bytes }[] =>
  fromBuffer(answer.out)
    .split('\0')
    .flatMap((entry) => {
      const hit = /^\d+ ([0-9a-f]{40}) \d\t([\s\S]+)$/.exec(entry);
      return hit?.[1] && hit[2] ? [{ oid: hit[1], path: hit[2] }] : [];
    });
