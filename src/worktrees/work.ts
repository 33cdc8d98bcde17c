import type { Linked } from '../installs/checkout.ts';
import { type Bytes, fromBuffer, fromText, toText } from '../platform/bytes.ts';
import type { Config } from '../platform/config.ts';
import { lookAt } from '../platform/files.ts';
import { gitLater } from '../platform/git.ts';
import { join } from '../platform/paths.ts';

/** What is in a tree and in no commit. */
export interface Work {
  /** Changed, staged or conflicting paths that git tracks. */
  readonly tracked: number;
  /** Relative; a folder that is untracked as a whole ends in a slash. */
  readonly untracked: readonly Bytes[];
  /** The same of what git ignores, but for folders that can be made again (`hold.skip`). */
  readonly ignored: readonly Bytes[];
  /** Ignored folders that can be made again, and so are not kept. */
  readonly remade: readonly Bytes[];
}

/** So long may git look at one tree, ms. */
const LOOK_MS = 120_000;

/** `place`: where the tree's folder lies now, should it have been renamed; without `linked` it is the main worktree. */
export async function workIn(place: Bytes, linked: Linked | undefined, config: Config): Promise<Work | 'unknown'> {
  const where = linked === undefined ? { cwd: place } : { cwd: place, gitDir: linked.gitDir, workTree: place };
  const all = ['--no-renames', '--untracked-files=normal', '--ignored=traditional', '--ignore-submodules=none'];
  const said = await gitLater(['status', '--porcelain=v1', '-z', ...all], { ...where, timeout: LOOK_MS });
  if (!said.ok) return 'unknown';
  const entries = fromBuffer(said.out)
    .split('\0')
    .filter((entry) => entry.length > 3);
  const of = (mark: string): Bytes[] =>
    entries.filter((entry) => entry.startsWith(mark)).map((entry) => entry.slice(3));
  const untracked = of('??');
  const ignoredByGit = of('!!');
  const skip = new Set(config.checkpoints.hold.skip.map(fromText));
  // a folder of that name, or a link to one; not a file
  const isRemade = (path: Bytes): boolean => {
    const names = path.replace(/\/$/, '').split('/');
    if (names.slice(0, -1).some((name) => skip.has(name))) return true;
    return skip.has(names.at(-1) ?? '') && lookAt(join(place, names.join('/')))?.type !== 'file';
  };
  const remade = ignoredByGit.filter(isRemade);
  const ignored = ignoredByGit.filter((path) => !remade.includes(path));
  return { tracked: entries.length - untracked.length - ignoredByGit.length, untracked, ignored, remade };
}

/** Paths that `git status` does not look at, because somebody told it not to: their changes would go without a word. */
export async function hiddenFromGit(place: Bytes, { gitDir }: Linked): Promise<Bytes[] | 'unknown'> {
  const where = { cwd: place, gitDir, workTree: place };
  const said = await gitLater(['ls-files', '-v', '-z'], { ...where, timeout: LOOK_MS });
  if (!said.ok) return 'unknown';
  return fromBuffer(said.out)
    .split('\0')
    .filter((entry) => /^[a-zS] /.test(entry))
    .map((entry) => entry.slice(2))
    .filter((path) => lookAt(join(place, path)) !== undefined);
}

/** Refs that no other worktree sees (gitrepository-layout(5)). */
const OWN_REFS = ['refs/worktree', 'refs/bisect', 'refs/rewritten'];

/** One of them that holds what no branch, remote or tag does. */
export async function ownRefIn({ gitDir }: Linked): Promise<string | undefined> {
  if (!OWN_REFS.some((name) => lookAt(join(gitDir, name)) !== undefined)) return undefined;
  const refs = await gitLater(['for-each-ref', '--format=%(refname)', ...OWN_REFS], { gitDir });
  if (!refs.ok) return OWN_REFS[0];
  for (const ref of fromBuffer(refs.out).split('\n').filter(Boolean)) {
    const words = ['rev-list', '--objects', '--max-count=1', toText(ref), '--not', '--branches', '--remotes', '--tags'];
    const only = await gitLater(words, { gitDir, timeout: 60_000 });
    if (!only.ok || only.out.length > 0) return toText(ref);
  }
  return undefined;
}
