import type { Bytes } from '../platform/bytes.ts';
import { namesInOrNone, removeTree, writeAtomic } from '../platform/files.ts';
import { git } from '../platform/git.ts';
import { join } from '../platform/paths.ts';
import { holdsFolder } from './holds.ts';
import { changedSomething } from './ledger.ts';
import { projects } from './projects.ts';
import { type CaptureRef, type Checkpoint, readCaptures, readHistories } from './read.ts';
import { bytesBelow } from './size.ts';
import { type Store, StoreError } from './store.ts';
import { captureRef, turnRef } from './write.ts';

export interface RetentionRules {
  readonly maxSnapshots: number;
  readonly maxTotalBytes: number;
  readonly retentionMs: number;
}

export interface Pruned {
  readonly dropped: readonly { readonly key: string; readonly n: number }[];
  readonly freed: number;
}

/** What is let go of one project: turns that lost nothing first, then the oldest. The newest checkpoint stays. */
export function expired(checkpoints: readonly Checkpoint[], rules: RetentionRules, now: number): Checkpoint[] {
  const oldest = [...checkpoints].sort((a, b) => a.record.order - b.record.order);
  oldest.pop();
  const out = new Set(oldest.filter(({ record }) => now - record.started > rules.retentionMs));
  let left = checkpoints.length - out.size;
  const lossless = oldest.filter(
    ({ record }) => record.kind === 'turn' && !losesData(record.changes) && !changedSomething(record),
  );
  for (const list of [lossless, oldest])
    for (const checkpoint of list) {
      if (left <= rules.maxSnapshots) break;
      if (out.has(checkpoint)) continue;
      out.add(checkpoint);
      left--;
    }
  return [...out];
}

const losesData = (changes: Checkpoint['record']['changes']): boolean =>
  changes.some(({ before }) => before.kind !== 'absent');

/**
 * Lets old checkpoints go, and the space of what only they held. What a project still lists stays whole: its captures from the
 * nearest before its oldest checkpoint on, and always the newest, whose objects the kept index names.
 */
export function prune(store: Store, rules: RetentionRules, now: number): Pruned {
  const before = bytesBelow(store.base);
  const dropped: { key: string; n: number }[] = [];
  const histories = readHistories(store);
  const drop = (key: string, going: readonly Checkpoint[], captures: readonly CaptureRef[]): void => {
    deleteRefs(store, [
      ...going.map(({ record }) => turnRef(key, record.n)),
      ...captures.map(({ m }) => captureRef(key, m)),
    ]);
    for (const { record } of going) {
      dropped.push({ key, n: record.n });
      dropHolds(store, key, record);
    }
  };
  for (const { key } of projects(store)) {
    const history = histories.get(key);
    if (history === undefined) continue;
    const going = expired(history.checkpoints, rules, now);
    const staying = history.checkpoints.filter((checkpoint) => !going.includes(checkpoint));
    drop(key, going, spareCaptures(store, history.captures, staying));
  }
  collect(store);
  shrink(store, rules, drop);
  writeAtomic(join(store.base, '.last_prune'), `${new Date(now).toISOString()}\n`);
  return { dropped, freed: Math.max(0, before - bytesBelow(store.base)) };
}

/** Over its size the store lets the oldest checkpoints of all projects go, a tenth at a time. */
function shrink(
  store: Store,
  rules: RetentionRules,
  drop: (key: string, going: readonly Checkpoint[], captures: readonly CaptureRef[]) => void,
): void {
  for (let rounds = 0; rounds < 20 && bytesBelow(store.gitDir) > rules.maxTotalBytes; rounds++) {
    const histories = [...readHistories(store)];
    const all = histories
      .flatMap(([key, { checkpoints }]) => checkpoints.slice(1).map((checkpoint) => ({ key, checkpoint })))
      .sort((a, b) => a.checkpoint.record.order - b.checkpoint.record.order);
    if (all.length === 0) return;
    const going = new Set(all.slice(0, Math.max(1, Math.ceil(all.length / 10))).map(({ checkpoint }) => checkpoint));
    for (const [key, history] of histories) {
      const mine = history.checkpoints.filter((checkpoint) => going.has(checkpoint));
      const staying = history.checkpoints.filter((checkpoint) => !going.has(checkpoint));
      if (mine.length > 0) drop(key, mine, spareCaptures(store, history.captures, staying));
    }
    collect(store);
  }
}

/** Captures older than the one that the oldest staying checkpoint rests on. */
function spareCaptures(store: Store, captures: readonly CaptureRef[], staying: readonly Checkpoint[]): CaptureRef[] {
  const sorted = [...captures].sort((a, b) => b.m - a.m);
  const orders = staying.map(({ record }) => record.order);
  const oldest = Math.min(...orders);
  const records = readCaptures(store, sorted);
  const named = new Set(staying.flatMap(({ record }) => [record.captureBefore, record.captureAfter]));
  let rests = false;
  return sorted.filter(({ m }, i) => {
    if (i === 0 || named.has(m)) return false;
    const capture = records.get(m);
    if (capture === undefined || rests) return true;
    rests = capture.record.order < oldest;
    return false;
  });
}

export function deleteRefs(store: Store, refs: readonly string[]): void {
  if (refs.length === 0) return;
  const answer = git(['update-ref', '--no-deref', '--stdin'], {
    gitDir: store.gitDir,
    input: refs.map((ref) => `delete ${ref}\n`).join(''),
    timeout: 60_000,
  });
  if (!answer.ok) throw new StoreError('store_failed', `checkpoints could not be dropped: ${answer.err.trim()}`);
}

/** Held files of a record: its own folder, and those that a restore put aside for it. */
export function dropHolds(store: Store, key: string, record: Checkpoint['record']): void {
  const folder = holdsFolder(store, key);
  removeTree(join(folder, String(record.n)));
  for (const name of namesInOrNone(folder))
    if (record.kind === 'safety' && name === `s${record.order}`) removeTree(join(folder, name));
}

/** What was written just now may not be named by a ref yet: only older things go. */
const GRACE = '1.hour.ago';

/** One pack, and nothing that no ref names. Debris of killed processes goes, too. */
function collect(store: Store): void {
  const answer = git(['repack', '-a', '-d', '-l', '-q', '--unpack-unreachable', GRACE], {
    gitDir: store.gitDir,
    timeout: 600_000,
  });
  if (!answer.ok) throw new StoreError('store_failed', `the store could not be packed: ${answer.err.trim()}`);
  git(['pack-refs', '--all', '--prune'], { gitDir: store.gitDir });
  git(['prune', '--expire', GRACE], { gitDir: store.gitDir, timeout: 600_000 });
}

/** Every checkpoint of a project, for `checkpoints clear`. */
export function clearProject(store: Store, key: string): readonly { readonly key: string; readonly n: number }[] {
  const history = readHistories(store, [key]).get(key);
  if (history === undefined) return [];
  const newest = Math.max(0, ...history.captures.map(({ m }) => m));
  deleteRefs(store, [
    ...history.checkpoints.map(({ record }) => turnRef(key, record.n)),
    ...history.captures.filter(({ m }) => m !== newest).map(({ m }) => captureRef(key, m)),
  ]);
  removeTree(holdsFolder(store, key));
  return history.checkpoints.map(({ record }) => ({ key, n: record.n }));
}

export const legacyFolders = (store: Store): Bytes[] =>
  namesInOrNone(store.base).filter((name) => name.startsWith('legacy-'));
