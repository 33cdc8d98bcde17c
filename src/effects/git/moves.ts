import type { Bytes } from '../../platform/bytes.ts';
import { type Care, type Change, carefully, type Found, overGrown, overwritten, UNKNOWN, unharmed } from './changes.ts';
import { everything } from './pathspec.ts';
import { reportChanges, reportState } from './report.ts';
import type { Repository } from './repository.ts';
import { movesByFetch } from './revisions.ts';
import type { Scene } from './scene.ts';
import type { Answer, Difference } from './trees.ts';

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

/**
 * A three-way merge writes elsewhere than the other side did where the paths themselves moved: into what a file was renamed to here, or
 * beside a folder that has its name (`sub~HEAD`). Which, only git's merge itself finds out: the project is captured too.
 */
export function captureIfTangled(scene: Scene, repo: Tree, answer: Answer): void {
  if (answer.kind !== 'found') return;
  const kept = new Set((repo.index() ?? []).map((entry) => entry.path));
  const tangled = answer.differences.some(
    ({ path, from, to }) => from !== undefined && to !== undefined && !kept.has(path),
  );
  if (tangled || clashes(answer.differences, kept))
    scene.out.opaque(scene.verb, { kind: 'known', path: repo.workTree });
}

/** A file comes where a folder is, or below a file: what is deleted there may stay, as a conflict. */
function clashes(differences: readonly Difference[], kept: ReadonlySet<Bytes>): boolean {
  const folders = new Set<Bytes>();
  for (const path of kept) for (const folder of foldersAbove(path)) folders.add(folder);
  return differences.some(
    ({ path, to }) => to !== undefined && (folders.has(path) || foldersAbove(path).some((folder) => kept.has(folder))),
  );
}

const foldersAbove = (path: Bytes): Bytes[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, at, names) => names.slice(0, at + 1).join('/'));

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
