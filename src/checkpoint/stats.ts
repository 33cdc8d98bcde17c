import { type Bytes, fromBuffer } from '../platform/bytes.ts';
import { codeOf, lookAt, readBytesIfAny } from '../platform/files.ts';
import { git } from '../platform/git.ts';
import { addCounts, type Counted, readCounts } from './counts.ts';
import { countLines, type LineCount } from './diff/lines.ts';
import { placeOf } from './ledger.ts';
import { blobOid, EMPTY_TREE } from './oid.ts';
import { type Checkpoint, readObjects } from './read.ts';
import type { Change, Version } from './record.ts';
import { type Store, StoreError } from './store.ts';
import { fileChanges, oidOf, sameVersion } from './version.ts';

export interface Stats {
  readonly files: number;
  readonly insertions: number;
  readonly deletions: number;
}

/** Commits of two captures. */
export interface Span {
  readonly before: string;
  readonly now: string;
}

/**
 * Lines added and removed by each of these checkpoints, told by git from the trees beside their records; contents that a record names by
 * hash only are looked for in the store and at their place. What was counted before is known (counts.ts); one git process for the rest, two where there are such contents. A checkpoint by hand
 * changed nothing itself: it is told what differs from the one by hand before it, where `spans` has the captures of both.
 */
export function statsOf(
  store: Store,
  checkpoints: readonly Checkpoint[],
  spans: ReadonlyMap<Checkpoint, Span> = new Map(),
): Map<Checkpoint, Stats> {
  const out = new Map<Checkpoint, Stats>();
  const pairs = checkpoints.map((checkpoint) => ({
    checkpoint,
    before: checkpoint.tree.get('before') ?? EMPTY_TREE,
    after: checkpoint.tree.get('after') ?? EMPTY_TREE,
  }));
  const known = readCounts(store);
  const isNew = ({ before, now }: Span): boolean => before !== now && !known.has(spanName({ before, now }));
  const different = pairs.filter(({ checkpoint, before, after }) => before !== after && !known.has(checkpoint.id));
  const between = [...spans.values()].filter(isNew);
  // Of two commits git takes the second for the first one's parent, and names only the first.
  const input = [
    ...different.map(({ before, after }) => `${before} ${after}\n`),
    ...new Set(between.map(({ before, now }) => `${now} ${before}\n`)),
  ].join('');
  const lines = new Map<string, Counted>();
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
    let current: Counted = { files: 0, insertions: 0, deletions: 0 };
    let uncounted: ReadonlySet<number> = new Set();
    for (const line of fromBuffer(answer.out).split('\n')) {
      const head = /^([0-9a-f]{40}(?: [0-9a-f]{40})?)$/.exec(line)?.[1];
      if (head !== undefined) {
        current = { files: 0, insertions: 0, deletions: 0 };
        lines.set(head, current);
        uncounted = oneSided.get(head) ?? new Set();
        continue;
      }
      const hit = /^(\d+|-)\t(\d+|-)\t(?:(\d+)|"?files\/.*)$/.exec(line); // binary files say `-`
      if (!hit || uncounted.has(Number(hit[3]))) continue;
      current.files++;
      if (hit[1] === '-') continue;
      current.insertions += Number(hit[1]);
      current.deletions += Number(hit[2]);
    }
  }
  const fresh = new Map<string, Counted>();
  for (const { checkpoint, before, after } of different) {
    const counted = lines.get(`${before} ${after}`);
    if (counted !== undefined) fresh.set(checkpoint.id, counted);
  }
  for (const span of between) {
    const counted = lines.get(span.now);
    if (counted !== undefined) fresh.set(spanName(span), counted);
  }
  addCounts(store, fresh);
  const countedOf = (name: string): Counted | undefined => fresh.get(name) ?? known.get(name);
  const others = countOthers(store, checkpoints);
  for (const { checkpoint } of pairs) {
    if (checkpoint.record.kind === 'manual') {
      const span = spans.get(checkpoint);
      if (span !== undefined) out.set(checkpoint, (span.before !== span.now && countedOf(spanName(span))) || NOTHING);
      continue;
    }
    const inTrees = countedOf(checkpoint.id) ?? { insertions: 0, deletions: 0 };
    const beside = others.get(checkpoint) ?? { insertions: 0, deletions: 0 };
    const counted = {
      insertions: inTrees.insertions + beside.insertions,
      deletions: inTrees.deletions + beside.deletions,
    };
    out.set(checkpoint, { files: fileChanges(checkpoint.record.changes).length, ...counted });
  }
  return out;
}

const spanName = ({ before, now }: Span): string => `${before}-${now}`;

const NOTHING: Stats = { files: 0, insertions: 0, deletions: 0 };

/** Files of which only one version is in the store: counted line by line, all of it would look new or gone. */
function notAtHand({ record }: Checkpoint): Set<number> {
  const missing = (version: Version): boolean => version.kind === 'file' && version.content.at !== 'git';
  return new Set(record.changes.flatMap(({ before, after }, i) => (missing(before) || missing(after) ? [i] : [])));
}

/** Longer contents are not counted line by line for a list. */
const LONGEST = 1 << 20;
const ALL_OF_THEM = 32 << 20;

/** The changes that no tree shows whole, counted here. */
function countOthers(store: Store, checkpoints: readonly Checkpoint[]): Map<Checkpoint, LineCount> {
  const found: { readonly checkpoint: Checkpoint; readonly change: Change }[] = [];
  let left = ALL_OF_THEM;
  for (const checkpoint of checkpoints)
    for (const i of notAtHand(checkpoint)) {
      const change = checkpoint.record.changes[i];
      if (change === undefined || sameVersion(change.before, change.after)) continue;
      const sides = [change.before, change.after];
      if (!sides.every((side) => isCountable(side))) continue;
      left -= sides.reduce((sum, side) => sum + (side.kind === 'file' ? side.size : 0), 0);
      if (left >= 0) found.push({ checkpoint, change });
    }
  const oids = [
    ...new Set(found.flatMap(({ change }) => [change.before, change.after].flatMap((side) => oidIn(side) ?? []))),
  ];
  const contents = new Map(readObjects(store, oids).map((content, i) => [oids[i] ?? '', content] as const));
  const out = new Map<Checkpoint, LineCount>();
  for (const { checkpoint, change } of found) {
    const place = placeOf(checkpoint.record.root, change);
    const [before, after] = [change.before, change.after].map((side) => bytesOf(side, contents, place));
    const lines = before && after && countLines(before, after);
    if (lines === undefined) continue;
    const sum = out.get(checkpoint) ?? { insertions: 0, deletions: 0 };
    out.set(checkpoint, {
      insertions: sum.insertions + lines.insertions,
      deletions: sum.deletions + lines.deletions,
    });
  }
  return out;
}

const isCountable = (version: Version): boolean =>
  version.kind === 'file' ? oidIn(version) !== undefined && version.size <= LONGEST : version.kind === 'absent';

const oidIn = (version: Version): string | undefined => (version.kind === 'file' ? oidOf(version.content) : undefined);

function bytesOf(
  version: Version,
  contents: ReadonlyMap<string, Buffer | undefined>,
  place: Bytes | undefined,
): Buffer | undefined {
  if (version.kind !== 'file') return Buffer.alloc(0);
  const oid = oidIn(version) ?? '';
  const kept = contents.get(oid);
  if (kept !== undefined || place === undefined) return kept;
  try {
    // It may still lie there as the turn left it.
    const look = lookAt(place);
    const now = look?.type === 'file' && look.size === version.size ? readBytesIfAny(place) : undefined;
    return now !== undefined && blobOid(now) === oid ? now : undefined;
  } catch (error) {
    if (codeOf(error) === 'EACCES') return undefined; // nobody may look there: it is only a number in a list
    throw error;
  }
}
