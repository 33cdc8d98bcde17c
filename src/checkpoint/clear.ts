import type { Bytes } from '../platform/bytes.ts';
import { namesInOrNone, removeFile } from '../platform/files.ts';
import { join } from '../platform/paths.ts';
import { shut } from './gate.ts';
import { besideOf, deleteRefs, existing, letGo } from './let-go.ts';
import { readProject } from './projects.ts';
import { readHistories } from './read.ts';
import type { Resting } from './resting.ts';
import type { Store } from './store.ts';
import { captureRef, compactTurns } from './write.ts';

export interface Cleared {
  readonly dropped: readonly { readonly key: string; readonly n: number }[];
  /** Captures that stay: turns that are not over rest on them. */
  readonly captures: number;
}

/**
 * Every checkpoint and capture of a project, and what is known of its files. Its numbers stay used. Captures that a turn rests on which is
 * not settled stay, and the newest while any such turn or somebody who captures may be about to rest on it. `resting` is asked again
 * once everybody is out.
 */
export function clearProject(store: Store, key: string, resting: () => Resting): Cleared {
  const history = readHistories(store, [key]).get(key);
  if (history === undefined) return { dropped: [], captures: 0 };
  const newest = Math.max(0, ...history.captures.map(({ m }) => m));
  const first = resting();
  const going = history.captures.filter(({ m }) => m !== newest && !isRestedOn(first, key, m));
  letGo(store, key, history, history.checkpoints, going);
  const broken = new Set(history.broken.map((ref) => Number(ref.split('/')[1])));
  deleteRefs(store, [
    ...history.broken.map((ref) => `refs/belay/${key}/${ref}`),
    ...besideOf(key, history, (n) => broken.has(n)),
  ]);
  const newestGoes = shut(store, 10_000, (quiet) => {
    const now = resting();
    // A turn that is under way may have taken it and not noted it yet.
    if (!quiet || Number.isFinite(now.oldestOrder) || isRestedOn(now, key, newest)) return false;
    const indexes = join(store.gitDir, 'indexes');
    for (const name of namesInOrNone(indexes))
      if (name === key || name.startsWith(`${key}.`)) removeFile(join(indexes, name));
    deleteRefs(store, [
      ...(newest > 0 ? [captureRef(key, newest)] : []),
      ...existing(store, `refs/belay/${key}/index`),
    ]);
    return newest > 0;
  });
  compactTurns(store, key, new Set(), readProject(store, key)?.next ?? 0);
  return {
    dropped: history.checkpoints.map(({ record }) => ({ key, n: record.n })),
    captures: history.captures.length - going.length - (newestGoes ? 1 : 0),
  };
}

const isRestedOn = (resting: Resting, key: string, m: number): boolean =>
  resting.unknown || (resting.captures.get(key)?.has(m) ?? false);

export const legacyFolders = (store: Store): Bytes[] =>
  namesInOrNone(store.base).filter((name) => name.startsWith('legacy-'));
