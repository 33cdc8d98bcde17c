import { type Bytes, fromText } from '../platform/bytes.ts';
import { lookAt, makeFolder, readBytesIfAny, removeFile, writeAtomic } from '../platform/files.ts';
import { isAbsolute, isInside, join } from '../platform/paths.ts';
import { isFull } from '../platform/signed.ts';
import { holdPath, holdsFolder } from './holds.ts';
import { dropFar, heldBy } from './let-go.ts';
import type { History } from './read.ts';
import type { CheckpointRecord } from './record.ts';
import { keepFor, type RetentionRules, startOf } from './retention.ts';
import type { Store } from './store.ts';

/** Held files that were given back, of one checkpoint. */
export interface Freed {
  readonly key: string;
  readonly n: number;
  /** Bytes that the disk has more. */
  readonly held: number;
  /** As in the record. */
  readonly paths: readonly Bytes[];
}

const freedFile = (store: Store, key: string, n: number): Bytes => join(holdsFolder(store, key), `${n}.freed`);

/** Held files of a checkpoint that were given back on purpose: their absence is no damage. */
export function freedOf(store: Store, key: string, n: number): ReadonlySet<Bytes> {
  const bytes = readBytesIfAny(freedFile(store, key, n));
  if (bytes === undefined) return new Set();
  try {
    const list: unknown = JSON.parse(bytes.toString('utf8'));
    return new Set(Array.isArray(list) ? list.filter((item): item is string => typeof item === 'string') : []);
  } catch (error) {
    if (error instanceof SyntaxError) return new Set();
    throw error;
  }
}

/** Gives the held files of a checkpoint back. It stays, and says of them that they are gone; noted first, so that a kill loses no word. */
export function freeHolds(
  store: Store,
  key: string,
  record: CheckpointRecord,
  isGoing: (path: Bytes) => boolean = () => true,
): Freed {
  const held = heldBy(record).filter(({ path: name, content }) => {
    if (!isGoing(name)) return false;
    const path = holdPath(store, key, record, content);
    return (isInside(path, holdsFolder(store, key)) || isAbsolute(content.path)) && isOnlyHere(path);
  });
  if (held.length === 0) return { key, n: record.n, held: 0, paths: [] };
  const names = new Set([...freedOf(store, key, record.n), ...held.map(({ content }) => content.path)]);
  const note = (): void => writeAtomic(freedFile(store, key, record.n), JSON.stringify([...names]));
  makeFolder(holdsFolder(store, key));
  let isNoted = true;
  try {
    note();
  } catch (error) {
    if (!isFull(error)) throw error;
    isNoted = false; // there is room for it when something has gone
  }
  for (const { content } of held) {
    const path = holdPath(store, key, record, content);
    if (isInside(path, holdsFolder(store, key))) removeFile(path);
    else dropFar(path);
  }
  if (!isNoted) note();
  return {
    key,
    n: record.n,
    held: held.reduce((sum, { size }) => sum + size, 0),
    paths: held.map(({ path }) => path),
  };
}

/** A link whose file still has another name takes nothing: to give it back would free nothing and lose what it protects. */
function isOnlyHere(path: Bytes): boolean {
  const look = lookAt(path);
  return look !== undefined && (look.type !== 'file' || look.nlink === 1);
}

export interface HoldCap {
  /** Bytes of held files in all; over it, they are given back down to a share of `1 - slack`. */
  readonly limit: number;
  readonly slack: number;
  /** Said before those of a checkpoint go. */
  readonly tell: ((going: { readonly key: string; readonly n: number; readonly held: number }) => void) | undefined;
}

/** Held files over their own limit are given back, those of the oldest checkpoints first, and `slack` of the limit more. */
export function capHolds(
  store: Store,
  histories: ReadonlyMap<string, History>,
  { limit, slack, tell }: HoldCap,
): Freed[] {
  if (!Number.isFinite(limit)) return [];
  const all = [...histories]
    .flatMap(([key, { checkpoints }]) =>
      checkpoints.map(({ record }) => ({ key, record, bytes: heldBytes(store, key, record) })),
    )
    .filter(({ bytes }) => bytes > 0)
    .sort((a, b) => a.record.order - b.record.order);
  let sum = all.reduce((total, { bytes }) => total + bytes, 0);
  const out: Freed[] = [];
  const most = sum > limit ? limit * (1 - slack) : limit;
  for (const { key, record, bytes } of all) {
    if (sum <= most) break;
    tell?.({ key, n: record.n, held: bytes });
    out.push(freeHolds(store, key, record));
    sum -= bytes;
  }
  return out;
}

/** A checkpoint of which held files are to be given back, and which. */
export interface Aged {
  readonly key: string;
  readonly record: CheckpointRecord;
  readonly isGoing: (path: Bytes) => boolean;
}

/**
 * Held files whose time is over, also of checkpoints that stay: after as long as anything is kept, and what can be made again
 * (`node_modules`) sooner.
 */
export function agedHolds(
  histories: ReadonlyMap<string, History>,
  rules: Pick<RetentionRules, 'retentionMs' | 'regenerable'>,
  now: number,
): Aged[] {
  const names = new Set((rules.regenerable?.names ?? []).map(fromText));
  const soon = rules.regenerable?.ms ?? Number.POSITIVE_INFINITY;
  const isRegenerable = (path: Bytes): boolean => path.split('/').some((name) => names.has(name));
  const out: Aged[] = [];
  for (const [key, { checkpoints }] of histories)
    for (const checkpoint of checkpoints) {
      const age = now - startOf(checkpoint, now);
      const isOver = age > keepFor(checkpoint, rules);
      if (!isOver && age <= soon) continue;
      const isGoing = isOver ? () => true : isRegenerable;
      if (heldBy(checkpoint.record).some(({ path }) => isGoing(path)))
        out.push({ key, record: checkpoint.record, isGoing });
    }
  return out;
}

/** Bytes that only the holds of this checkpoint keep on the disk: a link whose file is still there takes nothing. */
export function heldBytes(
  store: Store,
  key: string,
  record: CheckpointRecord,
  isMeant: (path: Bytes) => boolean = () => true,
): number {
  let sum = 0;
  for (const { path: name, content } of heldBy(record)) {
    if (!isMeant(name)) continue;
    const path = holdPath(store, key, record, content);
    if (isOnlyHere(path)) sum += lookAt(path)?.size ?? 0;
  }
  return sum;
}
