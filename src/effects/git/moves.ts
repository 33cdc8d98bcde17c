import type { Bytes } from '../../platform/bytes.ts';
import { type Care, type Change, carefully, type Found, overGrown, overwritten, UNKNOWN, unharmed } from './changes.ts';
import { everything } from './pathspec.ts';
import { reportChanges, reportState } from './report.ts';
import type { Repository } from './repository.ts';
import { movesByFetch } from './revisions.ts';
import type { Scene } from './scene.ts';
import type { Answer } from './trees.ts';

type Tree = Repository & { readonly workTree: Bytes };

/**
 * The revision from which a careful command of the line starts. Where that, or the one it goes to, is made by the line itself, which paths
 * change cannot be known before: the project is captured too.
 */
export function baseOf(scene: Scene, repo: Tree, to: Bytes): Bytes {
  const { head } = scene.state(repo);
  if (head === undefined) scene.out.opaque(scene.verb, { kind: 'known', path: repo.workTree });
  else captureIfFetched(scene, repo, to);
  return head ?? 'HEAD';
}

/** After a fetch of the same line `origin/main` is not what it is now. */
export function captureIfFetched(scene: Scene, repo: Tree, to: Bytes): void {
  if (scene.state(repo).fetched && movesByFetch(repo, to))
    scene.out.opaque(scene.verb, { kind: 'known', path: repo.workTree });
}

/** What going from one tree to another does, the commits counted that the line itself has made by then. */
export function going(scene: Scene, repo: Tree, answer: Answer, care: Care): Found {
  if (answer.kind !== 'found') return answer.kind === 'nothing' ? { kind: 'nothing' } : UNKNOWN;
  const found = carefully(repo, answer.differences, care);
  const state = scene.state(repo);
  if (!state.committed || found.kind !== 'changes') return found;
  const made = overwritten(repo, state, { from: { tree: 'HEAD' }, pathspec: everything, remove: true });
  if (made.kind !== 'changes') return UNKNOWN;
  const known = new Set((repo.index() ?? []).map((entry) => entry.path));
  const added = overGrown(repo, state.kept, everything, known).map((change): Change => ({ ...change, lost: false }));
  const mine = unharmed(made);
  return { kind: 'changes', changes: [...found.changes, ...(mine.kind === 'changes' ? mine.changes : []), ...added] };
}

/** A revision that an earlier command of the line may make: what is changed now is what can be lost by force, the rest is captured. */
export function notHereYet(scene: Scene, repo: Tree, force: boolean): void {
  const state = scene.state(repo);
  scene.out.opaque(scene.verb, { kind: 'known', path: repo.workTree });
  if (force) {
    const found = overwritten(repo, state, { from: { tree: 'HEAD' }, pathspec: everything, remove: true });
    reportChanges(scene, repo, found, ['']);
  }
  reportState(scene, repo);
  state.head = undefined;
}
