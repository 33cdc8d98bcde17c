import { type Bytes, fromBuffer, isText, toText } from '../../platform/bytes.ts';
import { join, normalize } from '../../platform/paths.ts';
import type { Change, Found } from './changes.ts';
import { parseOptions } from './options.ts';
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
  if (!parsed.has('force') && !interactive && needed) return;
  const operands = [...parsed.before, ...(parsed.after ?? [])];
  // an operand that argv cannot carry, or that nobody knows yet: everything below here
  const speakable = operands.every((arg) => arg.kind === 'known' && isText(arg.text));
  const args = ['-c', 'clean.requireForce=false', 'clean', '-n'];
  if (parsed.has('d')) args.push('-d');
  if (parsed.has('x')) args.push('-x');
  if (parsed.has('X')) args.push('-X');
  for (let n = 0; n < parsed.count('force'); n++) args.push('-f');
  for (const pattern of parsed.all('exclude')) if (pattern.kind === 'known') args.push('-e', toText(pattern.text));
  args.push('--');
  if (speakable) for (const arg of operands) if (arg.kind === 'known') args.push(toText(arg.text));
  const answer = repo.ask(args, { magic: true });
  const pathspec = readPathspec(repo, operands);
  const removed = answer.ok ? wouldRemove(repo, answer.out) : undefined;
  if (!removed && !answer.ok && answer.code === 128) return;
  const kept = speakable ? removed : removed?.filter((path) => pathspec.unknown || pathspec.matches(path));
  const changes = kept?.map(
    (path): Change => ({
      path,
      way: 'delete',
      lost: true,
      tracked: false,
      recursive: statOf(join(repo.workTree, path))?.isDirectory() === true,
      ...(interactive ? { maybe: true } : {}),
    }),
  );
  const found: Found = changes
    ? { kind: 'changes', changes: [...changes, ...unstaged(scene, repo, pathspec)] }
    : { kind: 'unknown' };
  // without operands clean works from its folder down
  const frames = operands.length === 0 ? [repo.prefix.replace(/\/$/, '')] : pathspec.frames;
  reportChanges(scene, repo, found, frames);
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
