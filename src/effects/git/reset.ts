import type { Bytes } from '../../platform/bytes.ts';
import type { Arg } from '../../shell/types.ts';
import { overwritten } from './changes.ts';
import { eachSubmodule, notIn, recurses } from './checkout.ts';
import { followsGit } from './line-state.ts';
import { baseOf, captureIfFetched, going, notHereYet } from './moves.ts';
import { parseOptions } from './options.ts';
import { everything, readPathspec } from './pathspec.ts';
import { withPathspecFile } from './pathspec-file.ts';
import { reportChanges, reportState } from './report.ts';
import type { Repository } from './repository.ts';
import { isHead, revisionOf } from './revisions.ts';
import type { Scene } from './scene.ts';
import { treeToTree } from './trees.ts';

const RESET =
  'q,quiet refresh hard soft mixed merge keep recurse-submodules=? p,patch N,intent-to-add U,unified= inter-hunk-context= ' +
  'pathspec-from-file= pathspec-file-nul';

/** git-reset(1): the mode decides what becomes of the work tree; with paths only the index changes. */
export function reset(scene: Scene): void {
  const parsed = parseOptions(RESET, scene.args);
  if (parsed.help) return;
  const repo = scene.repository();
  if (!repo) return;
  const state = scene.state(repo);
  const { before, after } = parsed;
  const first: Arg | undefined = before[0];
  if (first?.kind === 'unknown') {
    // it may as well be `--hard`
    const place = repo.workTree ?? repo.gitDir;
    if (parsed.has('hard') || (first.prefix === '' && first.many))
      scene.out.unknown(scene.verb, place, 'an argument is not known');
    reportState(scene, repo);
    return;
  }
  const revision = first === undefined ? undefined : revisionOf(repo, first.text, state.head);
  const paths = withPathspecFile(scene, parsed, [
    ...(revision === undefined ? before : before.slice(1)),
    ...(after ?? []),
  ]);
  const tree = revision ?? state.head ?? 'HEAD';
  const mode = (['hard', 'merge', 'keep', 'soft', 'mixed'] as const).find((name) => parsed.has(name)) ?? 'mixed';
  if (paths.length > 0 || parsed.has('patch')) {
    // git refuses every mode but mixed here
    if (mode !== 'mixed') {
      const word = revision === undefined && paths.length === 1 && after === undefined && followsGit(scene.out);
      if (word && repo.workTree !== undefined && mode !== 'soft')
        notHereYet(scene, repo as Repository & { readonly workTree: Bytes }, mode === 'hard');
      return;
    }
    const pathspec = readPathspec(repo, paths);
    const gone = notIn(repo, tree);
    state.shrunk.push((path) => pathspec.matches(path) && gone(path));
    state.indexed.push({ pathspec, tree });
    reportState(scene, repo);
    return;
  }
  if (repo.workTree !== undefined) {
    const there = repo as Repository & { readonly workTree: Bytes };
    const base = mode === 'keep' ? baseOf(scene, there, tree) : 'HEAD';
    if (mode !== 'soft') captureIfFetched(scene, there, tree);
    if (mode === 'hard' || mode === 'merge') {
      const found = overwritten(repo, state, {
        from: { tree },
        pathspec: everything,
        remove: true,
        ...(mode === 'merge' ? { stagedOnly: true, careful: true } : {}),
      });
      if (found.kind === 'nothing') return;
      reportChanges(scene, repo, found, ['']);
      if (recurses(repo, parsed)) eachSubmodule(scene, repo, everything, { tree, force: true });
    } else if (mode === 'keep' && !isHead(repo, tree, base)) {
      const answer = treeToTree(repo, base, tree);
      if (answer.kind === 'found')
        reportChanges(scene, repo, going(scene, there, answer, { overwriteIgnored: true }), []);
    } else if (mode === 'mixed') {
      state.shrunk.push(notIn(repo, tree));
      state.indexed.push({ pathspec: everything, tree });
    }
  }
  if (mode !== 'soft' && mode !== 'mixed') state.head = revision ?? state.head;
  else if (revision !== undefined && !isHead(repo, revision, state.head)) state.head = undefined;
  reportState(scene, repo);
}
