import { join } from '../../platform/paths.ts';
import type { Arg } from '../../shell/types.ts';
import { noteInit } from './line-state.ts';
import { known, parseOptions } from './options.ts';
import { runShell } from './programs.ts';
import { reportFrames, reportState } from './report.ts';
import { fileOf, type Scene } from './scene.ts';
import { statOf } from './status.ts';

const FILTERS = [
  'setup',
  'subdirectory-filter',
  'env-filter',
  'tree-filter',
  'index-filter',
  'parent-filter',
  'msg-filter',
  'commit-filter',
  'tag-name-filter',
];

/** git-filter-branch(1): history is written anew and checked out; the filters run in a scratch copy of each tree. */
export function filterBranch(scene: Scene): void {
  const parsed = parseOptions(
    `${FILTERS.map((name) => `${name}=`).join(' ')} prune-empty original= d= f,force state-branch= remap-to-ancestor`,
    scene.args,
  );
  if (parsed.help) return;
  const repo = scene.repository();
  if (!repo) return;
  reportState(scene, repo, true, { note: 'branches are written anew' });
  if (repo.workTree !== undefined) {
    scene.out.unknown(scene.verb, repo.workTree, 'history is written anew and checked out');
    reportFrames(scene, repo.workTree, ['']);
  }
  const scratch = join(repo.workTree ?? repo.gitDir, '.git-rewrite/t');
  for (const name of FILTERS)
    if (name !== 'subdirectory-filter')
      for (const text of parsed.all(name)) if (text.kind === 'known') runShell(scene, text.text, { cwd: scratch });
}

/** git-filter-repo: the same without a way back: it expires reflogs and drops objects. */
export function filterRepo(scene: Scene): void {
  const words = scene.args.flatMap((arg) => (arg.kind === 'known' ? [arg.text] : []));
  if (['--analyze', '--dry-run', '--help', '-h', '--version'].some((word) => words.includes(word))) return;
  const repo = scene.repository();
  if (!repo) return;
  reportState(scene, repo, true, { note: 'history is written anew, reflogs are dropped' });
  scene.out.effect({
    verb: scene.verb,
    path: join(repo.commonDir, 'objects'),
    way: 'delete',
    recursive: true,
    certainty: 'maybe',
  });
  if (repo.workTree !== undefined)
    scene.out.unknown(scene.verb, repo.workTree, 'history is written anew and checked out');
}

/** `git init` in a folder that has none makes every file in it untracked; `--separate-git-dir` moves `.git`. */
export function init(scene: Scene): void {
  const parsed = parseOptions(
    'template= bare shared=? q,quiet separate-git-dir= b,initial-branch= object-format= ref-format=',
    scene.args,
  );
  if (parsed.help) return;
  const target = parsed.text('separate-git-dir');
  const { cwd } = scene.globals;
  if (cwd === undefined) return;
  const folder = parsed.before[0]?.kind === 'known' ? fileOf(scene, parsed.before[0].text) : cwd;
  if (folder === undefined) return;
  const dotGit = join(folder, '.git');
  if (target !== undefined && statOf(dotGit)?.isDirectory()) {
    const to = fileOf(scene, target);
    if (to !== undefined)
      scene.out.effect({ verb: scene.verb, path: dotGit, way: 'move', to, recursive: true, destructive: false });
  }
  if (!statOf(dotGit)) noteInit(scene.out, folder);
}

/** Commands nobody can look into: a capture, where there is a work tree. */
export function opaque(scene: Scene): void {
  const repo = scene.globals.cwd === undefined ? undefined : scene.workTree();
  if (!repo) return;
  scene.out.opaque(scene.verb, { kind: 'known', path: repo.workTree });
  reportState(scene, repo, false, { maybe: true });
}

/** `git for-each-repo --config=KEY -- ARGS`: git again, in every folder that the setting lists. */
export function forEachRepo(scene: Scene): void {
  const parsed = parseOptions('config= keep-going', scene.args, true);
  const key = parsed.text('config')?.toLowerCase();
  const words: readonly Arg[] = [...parsed.before, ...(parsed.after ?? [])];
  if (key === undefined || words.length === 0) return;
  for (const { name, value } of scene.config().settings)
    if (name === key && value !== true) scene.again(words.length > 0 ? words : [known('status')], value);
}
