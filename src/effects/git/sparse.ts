import type { Bytes } from '../../platform/bytes.ts';
import { dirname, join, normalize } from '../../platform/paths.ts';
import type { Change } from './changes.ts';
import { known, parseOptions } from './options.ts';
import { stdinOf, unquote } from './pathspec-file.ts';
import { readText } from './read.ts';
import { reportChanges, reportState } from './report.ts';
import type { Repository } from './repository.ts';
import type { Scene } from './scene.ts';
import { isGitlink, Status, statOf } from './status.ts';
import { untracked } from './trees.ts';

/** git-sparse-checkout(1): clean files outside the set go from the work tree and stay in the index. */
export function sparseCheckout(scene: Scene): void {
  const [first, ...rest] = scene.args;
  const word = first?.kind === 'known' ? first.text : '';
  if (!['set', 'add', 'reapply', 'disable', 'init', 'clean'].includes(word)) return;
  const parsed = parseOptions('cone sparse-index skip-checks stdin end-of-options f,force v', rest);
  if (parsed.help) return;
  const repo = scene.workTree();
  if (!repo) return;
  reportState(scene, repo);
  const cone = parsed.get('cone') !== false && repo.config.flag('core.sparsecheckoutcone') !== false;
  if (word === 'clean') {
    scene.out.unknown(scene.verb, repo.workTree, 'untracked files outside the sparse set go');
    return;
  }
  const text = parsed.has('stdin') ? stdinOf(scene) : undefined;
  const names = parsed.has('stdin')
    ? (text ?? '').split('\n').filter(Boolean).map(known)
    : [...parsed.before, ...(parsed.after ?? [])];
  const folders = names.flatMap((arg) => (arg.kind === 'known' ? [normalize(`${repo.prefix}${arg.text}`)] : []));
  if (word === 'disable') {
    reportChanges(scene, repo, { kind: 'changes', changes: coming(repo, () => true) }, []);
    return;
  }
  const set = word === 'set' ? [] : coneOf(repo);
  if (!cone || !set || folders.length < names.length || (parsed.has('stdin') && text === undefined)) {
    scene.out.opaque(scene.verb, { kind: 'known', path: repo.workTree });
    return;
  }
  const outside = outsideOf([...set, ...folders]);
  const inside = (path: Bytes): boolean => outside(path) === undefined;
  const going = (repo.index() ?? [])
    .filter((entry) => !inside(entry.path) && statOf(join(repo.workTree, entry.path))?.isDirectory() === false)
    .map((entry): Change => ({ path: entry.path, way: 'delete', lost: false, tracked: true, maybe: true }));
  const changes = [...going, ...ignoredOf(repo, outside), ...coming(repo, inside)];
  reportChanges(scene, repo, { kind: 'changes', changes }, []);
}

const coming = (repo: Repository, inside: (path: Bytes) => boolean): Change[] =>
  (repo.index() ?? [])
    .filter((entry) => entry.skipWorktree && inside(entry.path) && !statOf(join(repo.workTree ?? '/', entry.path)))
    .map((entry) => ({ path: entry.path, way: 'create', lost: false, tracked: true }));

/** The folder by which a path lies outside of a cone: every file in the set's folders, and those beside them, lies inside. */
const outsideOf =
  (set: readonly Bytes[]) =>
  (path: Bytes): Bytes | undefined => {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      const folder = path.slice(0, at);
      if (set.includes(folder)) return undefined;
      if (!set.some((one) => one.startsWith(`${folder}/`))) return folder;
    }
    return undefined;
  };

/** The folders of the set that stands now (git-sparse-checkout(1), "Internals: cone mode pattern set"); undefined for other patterns. */
function coneOf(repo: Repository): Bytes[] | undefined {
  const lines = (readText(join(repo.gitDir, 'info/sparse-checkout')) ?? '').split('\n').filter(Boolean);
  const parents = new Set<Bytes>();
  const folders: Bytes[] = [];
  for (const line of lines) {
    if (line === '/*' || line === '!/*/') continue;
    const [, not, name] = /^(!?)\/(.+?)\/(?:\*\/)?$/.exec(line) ?? [];
    if (name === undefined) return undefined;
    if (not) parents.add(unquote(name));
    else folders.push(unquote(name));
  }
  return folders.filter((folder) => !parents.has(folder));
}

/**
 * A folder that leaves the cone goes with what git ignores in it, unless a file stays there that is changed, or neither tracked nor
 * ignored.
 */
function ignoredOf(repo: Repository, outside: (path: Bytes) => Bytes | undefined): Change[] {
  const byFolder = new Map<Bytes, Bytes[]>();
  for (const path of untracked(repo, 'ignored') ?? []) {
    const folder = outside(path);
    if (folder !== undefined) byFolder.set(folder, [...(byFolder.get(folder) ?? []), path]);
  }
  if (byFolder.size === 0) return [];
  const stays = new Set((untracked(repo, 'untracked') ?? []).map((path) => outside(path) ?? dirname(path)));
  const trackedIn = new Set<Bytes>();
  const status = new Status(repo);
  for (const entry of repo.index() ?? []) {
    const folder = outside(entry.path);
    if (folder === undefined || !byFolder.has(folder)) continue;
    trackedIn.add(folder);
    if (isGitlink(entry) || entry.stage > 0 || status.of(entry).kind === 'changed') stays.add(folder);
  }
  return [...byFolder].flatMap(([folder, paths]) =>
    !trackedIn.has(folder) || stays.has(folder)
      ? []
      : paths.map((path): Change => ({ path, way: 'delete', lost: true, tracked: false })),
  );
}
