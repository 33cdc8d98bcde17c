import type { Bytes } from '../../platform/bytes.ts';
import { join, normalize } from '../../platform/paths.ts';
import type { Arg } from '../../shell/types.ts';
import { carefully, overwritten } from './changes.ts';
import { notIn } from './checkout.ts';
import { known, parseOptions } from './options.ts';
import { everything, readPathspec } from './pathspec.ts';
import { stdinOf, unquote } from './pathspec-file.ts';
import { reportChanges, reportState } from './report.ts';
import type { Repository } from './repository.ts';
import type { Scene } from './scene.ts';
import { statOf } from './status.ts';
import { emptyTree, parseTree, treeToIndex, treeToTree } from './trees.ts';

const READ_TREE =
  'index-output= empty v,verbose m trivial aggressive reset prefix= u i exclude-per-directory= n,dry-run sparse-checkout debug-unpack ' +
  'recurse-submodules=? q,quiet';

/** git-read-tree(1): the index only, unless `-u`; `--reset` has no care. */
export function readTree(scene: Scene): void {
  const parsed = parseOptions(READ_TREE, scene.args);
  if (parsed.help || parsed.has('dry-run')) return;
  const repo = scene.repository();
  if (!repo) return;
  const state = scene.state(repo);
  const trees = [...parsed.before, ...(parsed.after ?? [])];
  const last = trees.at(-1);
  reportState(scene, repo);
  if (last?.kind === 'unknown') {
    if (parsed.has('u')) scene.out.unknown(scene.verb, repo.workTree ?? repo.gitDir, 'the tree is not known');
    return;
  }
  const tree = last?.text ?? emptyTree(repo);
  if (!parsed.has('u') || repo.workTree === undefined) {
    if (!parsed.has('prefix')) {
      state.shrunk.push(notIn(repo, tree));
      state.indexed.push({ pathspec: everything, tree });
    }
    return;
  }
  const prefix = parsed.text('prefix');
  if (prefix !== undefined) {
    const below = parseTree(repo, tree).map((difference) => ({ ...difference, path: `${prefix}${difference.path}` }));
    reportChanges(scene, repo, carefully(repo, below, { overwriteIgnored: true }), []);
    return;
  }
  if (parsed.has('reset')) {
    reportChanges(scene, repo, overwritten(repo, state, { from: { tree }, pathspec: everything, remove: true }), ['']);
    return;
  }
  const [first] = trees;
  const answer =
    trees.length > 1 && first?.kind === 'known' ? treeToTree(repo, first.text, tree) : treeToIndex(repo, tree);
  if (answer.kind !== 'found') return;
  // one tree: from the index to the tree, so the sides are turned
  const differences =
    trees.length > 1
      ? answer.differences
      : answer.differences.map((difference) => ({ ...difference, from: difference.to, to: difference.from }));
  reportChanges(scene, repo, carefully(repo, differences, { overwriteIgnored: true }), []);
}

/** git-checkout-index(1): never over a file that is there, unless forced. */
export function checkoutIndex(scene: Scene): void {
  const parsed = parseOptions(
    'a,all f,force q,quiet n,no-create u,index z stdin temp prefix= stage= ignore-skip-worktree-bits',
    scene.args,
  );
  // files of other names, one a stage
  if (parsed.help || parsed.has('temp') || parsed.text('stage') === 'all') return;
  const repo = scene.workTree();
  if (!repo) return;
  const force = parsed.has('force');
  let names: readonly Arg[] = [...parsed.before, ...(parsed.after ?? [])];
  if (parsed.has('stdin')) {
    const text = stdinOf(scene);
    names =
      text === undefined
        ? [{ kind: 'unknown', prefix: '', suffix: '', many: true }]
        : text
            .split(parsed.has('z') ? '\0' : '\n')
            .filter(Boolean)
            .map(unquote)
            .map(known);
  }
  if (names.length === 0 && !parsed.has('all')) return;
  const literal = names.map((name) => (name.kind === 'known' ? known(`:(literal)${name.text}`) : name));
  const pathspec = readPathspec(repo, literal);
  const prefix = parsed.text('prefix');
  if (prefix !== undefined && prefix !== '') {
    elsewhere(scene, repo, pathspec.matches, prefix, force);
    return;
  }
  const found = overwritten(repo, scene.state(repo), {
    from: { index: true },
    pathspec,
    remove: false,
    ...(force ? {} : { keepExisting: true }),
  });
  reportChanges(scene, repo, found, pathspec.frames);
}

/** `--prefix=DIR/`: files come into being, or are replaced, in another folder. */
function elsewhere(
  scene: Scene,
  repo: Repository,
  matches: (path: Bytes) => boolean,
  prefix: Bytes,
  force: boolean,
): void {
  const top = repo.workTree ?? '/';
  for (const entry of repo.index() ?? []) {
    if (!matches(entry.path)) continue;
    const name = prefix + entry.path;
    const path = name.startsWith('/') ? normalize(name) : join(top, normalize(name));
    const there = statOf(path) !== undefined;
    if (there && !force) continue;
    scene.out.effect({ verb: scene.verb, path, way: there ? 'replace' : 'create', destructive: there });
  }
}

const INDEX_ONLY: ReadonlySet<Bytes> = new Set([
  '--force-remove',
  '--remove',
  '--cacheinfo',
  '--index-info',
  '--stdin',
  '--skip-worktree',
  '--assume-unchanged',
]);

/** git-update-index(1): the index only; what leaves it is untracked from then on. */
export function updateIndex(scene: Scene): void {
  const repo = scene.globals.cwd === undefined ? undefined : scene.repository();
  if (!repo) return;
  const words = scene.args.flatMap((arg) => (arg.kind === 'known' ? [arg.text] : []));
  const state = scene.state(repo);
  if (words.includes('--force-remove') || words.includes('--remove')) state.shrunk.push(() => true);
  if (words.some((word) => INDEX_ONLY.has(word))) reportState(scene, repo);
  if (words.includes('--add')) state.grown.push({ pathspec: everything, forced: true });
}
