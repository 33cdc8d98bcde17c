import type { Bytes } from '../../platform/bytes.ts';
import { join } from '../../platform/paths.ts';
import { type Found, overwritten } from './changes.ts';
import { everything } from './pathspec.ts';
import { contentOf } from './pathspec-file.ts';
import { reportChanges, reportState } from './report.ts';
import type { Scene } from './scene.ts';
import { statOf } from './status.ts';

/** How an operation is given up: what resets the work tree, to what, and which files in the git folder say that it is under way. */
interface Way {
  readonly signs: readonly Bytes[];
  /** Files that name the commit to go back to; the first that exists. Else HEAD. */
  readonly back: readonly Bytes[];
  /** `hard` overwrites every change; `merge` keeps files that differ only from the index. */
  readonly mode: 'hard' | 'merge';
}

const WAYS: Record<string, Way> = {
  merge: { signs: ['MERGE_HEAD'], back: [], mode: 'merge' },
  rebase: {
    signs: ['rebase-merge', 'rebase-apply'],
    back: ['rebase-merge/orig-head', 'rebase-apply/orig-head'],
    mode: 'hard',
  },
  'cherry-pick': { signs: ['CHERRY_PICK_HEAD', 'sequencer'], back: ['sequencer/head'], mode: 'merge' },
  revert: { signs: ['REVERT_HEAD', 'sequencer'], back: ['sequencer/head'], mode: 'merge' },
  am: { signs: ['rebase-apply'], back: ['rebase-apply/orig-head', 'ORIG_HEAD'], mode: 'merge' },
  bisect: { signs: ['BISECT_START'], back: [], mode: 'merge' },
};

/**
 * `--abort` and `--skip`: conflict resolutions go. Where nothing is under way now, an earlier command of the line, or one that nobody
 * sees, may still start it (`git am x || git am --abort`).
 */
export function abort(scene: Scene, operation: Bytes, skip: boolean): void {
  const way = WAYS[operation];
  const repo = scene.workTree();
  if (!way || !repo) return;
  const state = scene.state(repo);
  const running = way.signs.some((name) => statOf(join(repo.gitDir, name)) !== undefined);
  const named =
    skip || !running ? undefined : way.back.map((name) => contentOf(join(repo.gitDir, name))?.trim()).find(Boolean);
  const tree = named !== undefined && /^[0-9a-f]{40,64}$/.test(named) ? named : 'HEAD';
  const found = overwritten(repo, state, {
    from: { tree },
    pathspec: everything,
    remove: true,
    ...(way.mode === 'merge' ? { stagedOnly: true, careful: true } : {}),
  });
  const shown: Found =
    running || found.kind !== 'changes'
      ? found
      : { kind: 'changes', changes: found.changes.map((change) => ({ ...change, maybe: true })) };
  reportChanges(scene, repo, shown, ['']);
  reportState(scene, repo, false, running ? {} : { maybe: true });
}
