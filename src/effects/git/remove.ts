import type { Bytes } from '../../platform/bytes.ts';
import { basename, isInside, join } from '../../platform/paths.ts';
import { type Change, overGrown } from './changes.ts';
import { losesInside } from './nested.ts';
import { parseOptions } from './options.ts';
import { readPathspec } from './pathspec.ts';
import { withPathspecFile } from './pathspec-file.ts';
import { reportChanges, reportState } from './report.ts';
import type { Repository } from './repository.ts';
import { fileOf, type Scene } from './scene.ts';
import { isGitlink, Status, statOf } from './status.ts';
import { treeToIndex } from './trees.ts';

const RM = 'n,dry-run q,quiet cached f,force r ignore-unmatch sparse pathspec-from-file= pathspec-file-nul';

/** git-rm(1): refuses what is changed unless forced. */
export function rm(scene: Scene): void {
  const parsed = parseOptions(RM, scene.args);
  if (parsed.help || parsed.has('dry-run')) return;
  const operands = withPathspecFile(scene, parsed, [...parsed.before, ...(parsed.after ?? [])]);
  if (operands.length === 0) return;
  const repo = scene.workTree();
  if (!repo) return;
  const state = scene.state(repo);
  const pathspec = readPathspec(repo, operands);
  if (parsed.has('cached')) {
    state.shrunk.push(pathspec.matches);
    reportState(scene, repo);
    return;
  }
  const folders = pathspec.frames.filter((frame) => statOf(join(repo.workTree, frame))?.isDirectory());
  const literal = operands.every((arg) => arg.kind === 'known' && !/[*?[\\]/.test(arg.text));
  if (!parsed.has('r') && literal && folders.length > 0 && !folders.some((frame) => isSubmodule(repo, frame))) return;
  const force = parsed.has('force');
  const entries = (repo.index() ?? []).filter((entry) => pathspec.matches(entry.path));
  const answer = force && entries.length > 0 ? treeToIndex(repo, 'HEAD') : undefined;
  const staged = new Set(answer?.kind === 'found' ? answer.differences.map((difference) => difference.path) : []);
  const status = new Status(repo);
  const changes: Change[] = [];
  if (entries.some(isGitlink)) changes.push(...gitmodules(repo));
  let refused = false;
  for (const entry of entries) {
    const path = join(repo.workTree, entry.path);
    if (isGitlink(entry)) {
      if (statOf(path))
        changes.push({
          path: entry.path,
          way: 'delete',
          lost: losesInside(scene, path, force),
          tracked: false,
          recursive: true,
        });
      continue;
    }
    const now = status.of(entry);
    if (now.kind === 'absent' || now.kind === 'folder') continue;
    const dirty = now.kind !== 'same' || entry.stage > 0;
    if (dirty && !force && entry.stage === 0) refused = true;
    changes.push({
      path: entry.path,
      way: 'delete',
      lost: force ? dirty || staged.has(entry.path) : entry.stage > 0,
      tracked: true,
      ...(force ? {} : { maybe: true }),
    });
  }
  if (refused && state.saved === 'nothing') return;
  if (force && state.grown.length > 0)
    changes.push(...overGrown(repo, state.grown, pathspec, new Set(entries.map((entry) => entry.path))));
  reportChanges(scene, repo, { kind: 'changes', changes }, pathspec.frames);
  reportState(scene, repo);
}

/** A submodule's section goes, or is renamed, with it. */
function gitmodules(repo: Repository): Change[] {
  if (!statOf(join(repo.workTree ?? '/', '.gitmodules'))) return [];
  const entry = repo.index()?.find((one) => one.path === '.gitmodules');
  // git refuses to touch a `.gitmodules` that is changed
  return entry && new Status(repo).of(entry).kind === 'same'
    ? [{ path: '.gitmodules', way: 'replace', lost: false, tracked: true }]
    : [];
}

const isSubmodule = (repo: Repository, path: Bytes): boolean =>
  (repo.index() ?? []).some((entry) => entry.path === path && isGitlink(entry));

/** git-mv(1): a rename in work tree and index; only `-f` replaces. */
export function mv(scene: Scene): void {
  const parsed = parseOptions('v,verbose n,dry-run f,force k sparse', scene.args);
  if (parsed.help || parsed.has('dry-run')) return;
  const operands = [...parsed.before, ...(parsed.after ?? [])];
  const last = operands.at(-1);
  if (operands.length < 2 || last === undefined) return;
  const repo = scene.workTree();
  if (!repo) return;
  const target = last.kind === 'known' ? fileOf(scene, last.text) : undefined;
  if (target === undefined) {
    scene.out.unknown(scene.verb, repo.workTree, 'where it goes is not known before the line runs');
    return;
  }
  const into = statOf(target)?.isDirectory() === true;
  for (const source of operands.slice(0, -1)) {
    const from = source.kind === 'known' ? fileOf(scene, source.text) : undefined;
    if (from === undefined) {
      scene.out.unknown(scene.verb, repo.workTree, 'what is moved is not known before the line runs');
      continue;
    }
    const to = into ? join(target, basename(from)) : target;
    const there = statOf(to);
    if (!statOf(from) || (there && !parsed.has('force')) || there?.isDirectory()) continue;
    // what git does not track stays, and without `-k` everything does
    if (!isTracked(repo, from) && scene.state(repo).grown.length === 0) continue;
    if (there) scene.out.effect({ verb: scene.verb, path: to, way: 'replace', destructive: true });
    if (holdsSubmodule(repo, from)) reportChanges(scene, repo, { kind: 'changes', changes: gitmodules(repo) }, []);
    if (!there) scene.out.effect({ verb: scene.verb, path: to, way: 'create' });
    scene.out.effect({
      verb: scene.verb,
      path: from,
      way: 'move',
      to,
      destructive: false,
      recursive: statOf(from)?.isDirectory() === true,
    });
  }
  reportState(scene, repo);
}

/** The path is in the index, or a folder with something of it; where the index cannot be read, anything may be. */
const isTracked = (repo: Repository, path: Bytes): boolean =>
  repo.index()?.some((entry) => isInside(join(repo.workTree ?? '/', entry.path), path)) ?? true;

/** The path is a submodule, or a folder with one in it. */
const holdsSubmodule = (repo: Repository, path: Bytes): boolean =>
  (repo.index() ?? []).some((entry) => isGitlink(entry) && isInside(join(repo.workTree ?? '/', entry.path), path));

const ADD =
  'n,dry-run v,verbose i,interactive p,patch e,edit f,force u,update renormalize N,intent-to-add A,all ignore-removal refresh ' +
  'ignore-errors ignore-missing sparse chmod= pathspec-from-file= pathspec-file-nul';

/** git-add(1) loses nothing, but what it adds a later `reset --hard` of the line deletes. */
export function add(scene: Scene): void {
  const parsed = parseOptions(ADD, scene.args);
  if (parsed.help || parsed.has('dry-run') || parsed.has('update') || parsed.has('refresh')) return;
  const operands = withPathspecFile(scene, parsed, [...parsed.before, ...(parsed.after ?? [])]);
  if (operands.length === 0 && !parsed.has('all')) return;
  const repo = scene.globals.cwd === undefined ? undefined : scene.workTree();
  if (repo) scene.state(repo).grown.push({ pathspec: readPathspec(repo, operands), forced: parsed.has('force') });
}
