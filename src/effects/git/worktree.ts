import type { Bytes } from '../../platform/bytes.ts';
import { namesVisible, realAsFar } from '../../platform/files.ts';
import { dirname, join } from '../../platform/paths.ts';
import { losesInside } from './nested.ts';
import { mayBeOptions, parseOptions } from './options.ts';
import { contentOf } from './pathspec-file.ts';
import { reportState } from './report.ts';
import type { Repository } from './repository.ts';
import { fileOf, type Scene } from './scene.ts';
import { statOf } from './status.ts';

interface Linked {
  readonly path: Bytes;
  /** Its folder below `.git/worktrees`: HEAD, index, reflog. */
  readonly gitDir: Bytes;
}

/** git-worktree(1). */
export function worktree(scene: Scene): void {
  const [first, ...rest] = scene.args;
  const word = first?.kind === 'known' ? first.text : '';
  if (word === 'remove') remove(scene, rest);
  else if (first?.kind === 'unknown') remove(scene, scene.args);
  else if (word === 'prune') prune(scene, rest);
  else if (word === 'move') move(scene, rest);
  else if (word === 'add') {
    const parsed = parseOptions('f,force checkout lock reason= b= B= d,detach guess-remote orphan track q,quiet', rest);
    const name = parsed.text('B');
    const repo = name === undefined ? undefined : scene.repository();
    if (repo && repo.ref(`refs/heads/${name ?? ''}`) !== undefined) reportState(scene, repo);
  }
}

export function linked(repo: Repository): Linked[] {
  const folder = join(repo.commonDir, 'worktrees');
  return namesVisible(folder).flatMap((name) => {
    const gitDir = join(folder, name);
    const dotGit = contentOf(join(gitDir, 'gitdir'))?.trim();
    return dotGit ? [{ gitDir, path: realAsFar(dirname(dotGit)) }] : [];
  });
}

/** By path, or by the end of its path where that is unique. */
function find(scene: Scene, repo: Repository, name: Bytes): Linked | undefined {
  const all = linked(repo);
  const path = fileOf(scene, name);
  const exact = path === undefined ? undefined : all.find((one) => one.path === realAsFar(path));
  const suffix = all.filter((one) => one.path.endsWith(`/${name.replace(/\/$/, '')}`));
  return exact ?? (suffix.length === 1 ? suffix[0] : undefined);
}

/** Refuses changed and untracked files unless forced, and deletes ignored ones either way (git-worktree(1), remove). */
function remove(scene: Scene, args: Scene['args']): void {
  const parsed = parseOptions('f,force', args);
  const operand = parsed.before[0] ?? parsed.after?.[0];
  if (parsed.help || operand === undefined) return;
  const repo = scene.repository();
  if (!repo) return;
  // nobody knows which one is meant: each of them may go, wherever it lies
  const unsure = operand.kind === 'unknown';
  const found = unsure ? linked(repo) : [find(scene, repo, operand.text)];
  const force = parsed.has('force') || mayBeOptions(args);
  let any = false;
  for (const one of found) {
    if (!one || !statOf(one.path)) continue;
    any = true;
    scene.out.effect({
      verb: scene.verb,
      path: one.path,
      way: 'delete',
      recursive: true,
      destructive: losesInside(scene, one.path, force),
      ...(unsure ? MAYBE : {}),
    });
    scene.out.effect({
      verb: scene.verb,
      path: one.gitDir,
      way: 'delete',
      recursive: true,
      destructive: false,
      ...(unsure ? MAYBE : {}),
    });
  }
  if (any) reportState(scene, repo, false, { maybe: unsure });
}

const MAYBE = { certainty: 'maybe' } as const;

/** Only folders of git's own whose work tree is gone. */
function prune(scene: Scene, args: Scene['args']): void {
  const parsed = parseOptions('n,dry-run v,verbose expire=', args);
  if (parsed.help || parsed.has('dry-run')) return;
  const repo = scene.repository();
  if (!repo) return;
  const gone = linked(repo).filter((one) => !statOf(join(one.path, '.git')) && !statOf(join(one.gitDir, 'locked')));
  for (const { gitDir } of gone)
    scene.out.effect({ verb: scene.verb, path: gitDir, way: 'delete', recursive: true, destructive: false });
  if (gone.length > 0) reportState(scene, repo);
}

function move(scene: Scene, args: Scene['args']): void {
  const parsed = parseOptions('f,force', args);
  const [from, to] = [...parsed.before, ...(parsed.after ?? [])];
  if (parsed.help || from === undefined) return;
  const repo = scene.repository();
  if (repo && (from.kind === 'unknown' || to?.kind !== 'known')) {
    // nothing is lost; held, they are back at their places after an undo
    const moved = from.kind === 'unknown' ? linked(repo) : [find(scene, repo, from.text)];
    for (const one of moved)
      if (one && statOf(one.path))
        scene.out.effect({
          verb: scene.verb,
          path: one.path,
          way: 'delete',
          recursive: true,
          destructive: false,
          ...MAYBE,
        });
    return;
  }
  if (from.kind !== 'known' || to?.kind !== 'known') return;
  const found = repo && find(scene, repo, from.text);
  const target = fileOf(scene, to.text);
  if (!found || target === undefined) return;
  const inside = statOf(target)?.isDirectory()
    ? join(target, found.path.slice(dirname(found.path).length + 1))
    : target;
  scene.out.effect({
    verb: scene.verb,
    path: found.path,
    way: 'move',
    to: inside,
    recursive: true,
    destructive: false,
  });
  scene.out.effect({ verb: scene.verb, path: join(found.gitDir, 'gitdir'), way: 'replace', destructive: false });
}
