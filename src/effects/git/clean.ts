import { type Bytes, fromBuffer, isText, toText } from '../../platform/bytes.ts';
import { join, normalize } from '../../platform/paths.ts';
import type { Arg } from '../../shell/types.ts';
import type { Change, Found } from './changes.ts';
import { mayBeOptions, parseOptions } from './options.ts';
import { readPathspec } from './pathspec.ts';
import { unquote } from './pathspec-file.ts';
import { reportChanges } from './report.ts';
import type { Repository } from './repository.ts';
import type { Scene } from './scene.ts';
import { isGitlink, statOf } from './status.ts';

const CLEAN = 'q,quiet n,dry-run f,force i,interactive d e,exclude= x X';

/**
 * git-clean(1). git itself is asked, by a dry run with the same choices: its rules for ignored folders, nested repositories and
 * pathspecs are its own (`-X -- ignored/file` removes the whole folder).
 */
export function clean(scene: Scene): void {
  const parsed = parseOptions(CLEAN, scene.args);
  if (parsed.help || parsed.bad) return;
  if (parsed.has('dry-run') || (parsed.has('x') && parsed.has('X'))) return;
  const repo = scene.workTree();
  if (!repo) return;
  const interactive = parsed.has('interactive');
  const needed = repo.config.flag('clean.requireforce') !== false;
  const unsure = mayBeOptions(parsed.before);
  if (!parsed.has('force') && !interactive && needed && !unsure) return;
  const operands = [...parsed.before, ...(parsed.after ?? [])];
  // an unknown word may stand for any of them
  const flags = unsure
    ? ['-d', '-x', '-ff']
    : ['d', 'x', 'X'].filter((name) => parsed.has(name)).map((name) => `-${name}`);
  for (let n = 0; n < parsed.count('force'); n++) flags.push('-f');
  for (const pattern of parsed.all('exclude')) if (pattern.kind === 'known') flags.push('-e', toText(pattern.text));
  const removed = cleanable(repo, flags, operands);
  if (removed === 'refused') return;
  const pathspec = readPathspec(repo, operands);
  const changes = removed?.map(
    (path): Change => ({
      path,
      way: 'delete',
      lost: true,
      tracked: false,
      recursive: statOf(join(repo.workTree, path))?.isDirectory() === true,
      ...(interactive || unsure ? { maybe: true } : {}),
    }),
  );
  const found: Found = changes
    ? { kind: 'changes', changes: [...changes, ...unstaged(scene, repo, pathspec)] }
    : { kind: 'unknown' };
  // without operands clean works from its folder down
  const frames =
    operands.length === 0
      ? [repo.prefix.replace(/\/$/, '')]
      : pathspec.frames.flatMap((frame) => [frame, ...untrackedFolder(repo, frame)]);
  reportChanges(scene, repo, found, frames);
}

/** The folder of a named file, where git tracks nothing in it: by some choices the whole folder goes. */
function untrackedFolder(repo: Repository, frame: Bytes): Bytes[] {
  const at = frame.lastIndexOf('/');
  if (at < 0 || statOf(join(repo.workTree ?? '/', frame))?.isDirectory()) return [];
  const folder = frame.slice(0, at);
  return repo.index()?.some((entry) => entry.path.startsWith(`${folder}/`)) ? [] : [folder];
}

/** What `git clean` with these flags would remove, from the top; undefined where git could not say. */
export function cleanable(
  repo: Repository,
  flags: readonly string[],
  operands: readonly Arg[],
): readonly Bytes[] | 'refused' | undefined {
  // an operand that argv cannot carry, or that nobody knows yet: everything below here
  const speakable = operands.every((arg) => arg.kind === 'known' && isText(arg.text));
  const words = speakable ? operands.flatMap((arg) => (arg.kind === 'known' ? [toText(arg.text)] : [])) : [];
  const answer = repo.ask(['-c', 'clean.requireForce=false', 'clean', '-n', ...flags, '--', ...words], { magic: true });
  if (!answer.ok) return answer.code === 128 ? 'refused' : undefined;
  const removed = wouldRemove(repo, answer.out);
  if (speakable) return removed;
  const pathspec = readPathspec(repo, operands);
  return removed.filter((path) => pathspec.unknown || pathspec.matches(path));
}

/** `Would remove sub/x`, seen from the folder in which git ran. */
function wouldRemove(repo: Repository, out: Buffer): Bytes[] {
  const paths: Bytes[] = [];
  for (const line of fromBuffer(out).split('\n')) {
    const hit = /^Would remove (.+)$/s.exec(line);
    if (!hit) continue;
    const path = normalize(`${repo.prefix}${unquote(hit[1] ?? '')}`);
    paths.push(path);
  }
  return paths;
}

/** Tracked files that an earlier command of the line takes out of the index: by now they are untracked. */
function unstaged(scene: Scene, repo: Repository, pathspec: { readonly matches: (path: Bytes) => boolean }): Change[] {
  const { shrunk } = scene.state(repo);
  if (shrunk.length === 0) return [];
  const out: Change[] = [];
  for (const entry of repo.index() ?? []) {
    if (isGitlink(entry) || !entry.path.startsWith(repo.prefix) || !pathspec.matches(entry.path)) continue;
    if (!shrunk.some((left) => left(entry.path)) || !statOf(join(repo.workTree ?? '/', entry.path))) continue;
    out.push({ path: entry.path, way: 'delete', lost: true, tracked: true });
  }
  return out;
}
