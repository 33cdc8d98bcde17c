import type { Bytes } from '../platform/bytes.ts';
import { namesInOrNone, removeFile } from '../platform/files.ts';
import { git } from '../platform/git.ts';
import { join } from '../platform/paths.ts';
import { shut } from './gate.ts';
import { deleteRefs, letGo } from './let-go.ts';
import { readProject } from './projects.ts';
import { readHistories } from './read.ts';
import type { Store } from './store.ts';
import { captureRef, compactTurns } from './write.ts';

/**
 * Every checkpoint and capture of a project, and what is known of its files. Its numbers stay used. While somebody captures it, the
 * newest capture stays: he may rest on it.
 */
export function clearProject(store: Store, key: string): readonly { readonly key: string; readonly n: number }[] {
  const history = readHistories(store, [key]).get(key);
  if (history === undefined) return [];
  const newest = Math.max(0, ...history.captures.map(({ m }) => m));
  letGo(
    store,
    key,
    history.checkpoints,
    history.captures.filter(({ m }) => m !== newest),
  );
  deleteRefs(
    store,
    history.broken.map((ref) => `refs/belay/${key}/${ref}`),
  );
  shut(store, 10_000, (quiet) => {
    if (!quiet) return;
    const indexes = join(store.gitDir, 'indexes');
    for (const name of namesInOrNone(indexes))
      if (name === key || name.startsWith(`${key}.`)) removeFile(join(indexes, name));
    deleteRefs(store, [
      ...(newest > 0 ? [captureRef(key, newest)] : []),
      ...existing(store, `refs/belay/${key}/index`),
    ]);
  });
  compactTurns(store, key, new Set(), readProject(store, key)?.next ?? 0);
  return history.checkpoints.map(({ record }) => ({ key, n: record.n }));
}

function existing(store: Store, ref: string): string[] {
  return git(['rev-parse', '--verify', '-q', ref], { gitDir: store.gitDir }).ok ? [ref] : [];
}

export const legacyFolders = (store: Store): Bytes[] =>
  namesInOrNone(store.base).filter((name) => name.startsWith('legacy-'));
