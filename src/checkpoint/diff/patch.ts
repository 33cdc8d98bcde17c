import fs from 'node:fs';
import os from 'node:os';
import { type Bytes, fromBuffer, fromText, toBuffer } from '../../platform/bytes.ts';
import { makeFolder, removeTree } from '../../platform/files.ts';
import { git } from '../../platform/git.ts';
import { join } from '../../platform/paths.ts';
import { type Entry, ImportStream } from '../fast-import.ts';
import { blobOid } from '../oid.ts';
import type { Store } from '../store.ts';
import { StoreError } from '../store.ts';
import { type Pair, readSide, type Side } from './pairs.ts';

export interface FileDiff {
  readonly pair: Pair;
  readonly insertions: number;
  readonly deletions: number;
  readonly binary: boolean;
  /** From `@@` or `Binary files` on, as bytes; empty where only mode or type changed, or it is too large. */
  readonly hunks: Bytes;
}

/**
 * Line by line differences, made by git over numbered names: a hostile path never becomes one. Contents that the store does not
 * have go into a throwaway repository that borrows the store's objects. Two git processes.
 */
export function diffPairs(store: Store, pairs: readonly Pair[], context: number): FileDiff[] {
  const folder = fromText(fs.realpathSync(fs.mkdtempSync(`${os.tmpdir()}/belay-diff-`)));
  try {
    const gitDir = throwaway(folder, store);
    const sides: { before?: Entered | undefined; after?: Entered | undefined }[] = pairs.map(({ before, after }) =>
      isAtHand(before) && isAtHand(after) ? { before: entryOf(before), after: entryOf(after) } : {},
    );
    const stream = new ImportStream();
    for (const { before, after } of sides)
      for (const side of [before, after]) if (side?.content) stream.blob(side.oid, side.content);
    for (const which of ['before', 'after'] as const) {
      const entries = sides.flatMap((side, i): Entry[] => {
        const oid = side[which]?.oid;
        return oid === undefined ? [] : [{ path: String(i), blob: oid }];
      });
      stream.commit({ ref: `refs/${which}`, subject: which, when: 0, entries });
    }
    const done = git(['fast-import', '--quiet', '--date-format=raw', '--done'], {
      gitDir,
      input: stream.bytes(),
      timeout: 120_000,
    });
    if (!done.ok) throw new StoreError('store_failed', `the difference cannot be made: ${done.err.trim()}`);
    return readDiff(gitDir, pairs, context);
  } finally {
    removeTree(folder);
  }
}

function throwaway(folder: Bytes, store: Store): Bytes {
  const gitDir = join(folder, 'git');
  for (const name of ['objects/info', 'objects/pack', 'refs/heads', 'info']) makeFolder(join(gitDir, name));
  fs.writeFileSync(toBuffer(join(gitDir, 'HEAD')), 'ref: refs/heads/none\n');
  fs.writeFileSync(toBuffer(join(gitDir, 'config')), '[core]\n\tbare = true\n\trepositoryformatversion = 0\n');
  fs.writeFileSync(toBuffer(join(gitDir, 'info/attributes')), '* -text -filter -ident -eol\n');
  fs.writeFileSync(toBuffer(join(gitDir, 'objects/info/alternates')), toBuffer(`${store.gitDir}/objects\n`));
  return gitDir;
}

/** Whether its bytes can be shown, or there are none: one side alone would look as if all of it were new. */
export const isAtHand = (side: Side): boolean => side.version.kind !== 'file' || side.bytes !== undefined;

interface Entered {
  readonly oid: string;
  readonly content?: Uint8Array;
}

function entryOf(side: Side): Entered | undefined {
  if (side.bytes === undefined) return undefined;
  if ('blob' in side.bytes) return { oid: side.bytes.blob };
  const content = readSide(side);
  return content === undefined ? undefined : { oid: blobOid(content), content };
}

function readDiff(gitDir: Bytes, pairs: readonly Pair[], context: number): FileDiff[] {
  const answer = git(
    [
      'diff-tree',
      '-r',
      '--no-renames',
      '--numstat',
      '-p',
      `-U${context}`,
      '--no-color',
      '--no-ext-diff',
      '--no-textconv',
      'refs/before',
      'refs/after',
    ],
    { gitDir, timeout: 120_000 },
  );
  if (!answer.ok) throw new StoreError('store_failed', `the difference cannot be made: ${answer.err.trim()}`);
  const out = fromBuffer(answer.out);
  const counts = new Map<number, { insertions: number; deletions: number; binary: boolean }>();
  for (const line of out.slice(0, beginningOfPatch(out)).split('\n')) {
    const hit = /^(\d+|-)\t(\d+|-)\t(\d+)$/.exec(line);
    if (!hit) continue;
    const binary = hit[1] === '-';
    counts.set(Number(hit[3]), {
      insertions: binary ? 0 : Number(hit[1]),
      deletions: binary ? 0 : Number(hit[2]),
      binary,
    });
  }
  const hunks = new Map<number, Bytes>();
  for (const part of out.slice(beginningOfPatch(out)).split(/^(?=diff --git a\/\d+ b\/\d+$)/m)) {
    const i = /^diff --git a\/(\d+) b\/\d+$/m.exec(part)?.[1];
    const start = part.search(/^(?:@@ |Binary files )/m);
    if (i !== undefined && start >= 0) hunks.set(Number(i), part.slice(start));
  }
  return pairs.map((pair, i) => ({
    pair,
    hunks: hunks.get(i) ?? '',
    ...(counts.get(i) ?? { insertions: 0, deletions: 0, binary: false }),
  }));
}

const beginningOfPatch = (out: Bytes): number => {
  const at = out.search(/^diff --git /m);
  return at < 0 ? out.length : at;
};
