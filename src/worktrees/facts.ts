import type { Repository } from '../installs/checkout.ts';
import { inLanes } from '../installs/disk.ts';
import { type Bytes, fromBuffer, fromText, toText } from '../platform/bytes.ts';
import type { Config } from '../platform/config.ts';
import { lookAt } from '../platform/files.ts';
import { gitLater } from '../platform/git.ts';
import { isInside, join } from '../platform/paths.ts';
import { isOwnerDead, userOf, type Workers, workers } from './in-use.ts';
import { type Line, lineOf, ownCommits } from './line.ts';
import { adminOf, type Home, type Tree, treesOf } from './trees.ts';

/** Everything that a verdict rests on, looked at once. */
export interface Facts {
  readonly tree: Tree;
  readonly admin?: Repository;
  readonly lockIsDead: boolean;
  /** `pid 4242`, `session 2025…`. */
  readonly user?: string;
  /** `a merge`, `a rebase`, … */
  readonly underWay?: string;
  /** Another worktree lies in it. */
  readonly inside?: Bytes;
  readonly work: Work | 'unknown';
  /** Commits that no remote, no tag and no other branch has, nor the trunk under other names (squashed, picked). */
  readonly unique: number | 'unknown';
  /** In the trunk: by its commits, or by what they change. */
  readonly merged: boolean;
  readonly pushed: boolean;
  /** One of the refs that only it sees (`refs/worktree/*`), and that holds what no branch, remote or tag does. */
  readonly ownRef?: string;
  readonly ahead?: number;
  readonly behind?: number;
  /** Milliseconds since something in it was last touched, as far as its folder and git's own files tell. */
  readonly age: number;
}

/** What is in the tree and in no commit. */
export interface Work {
  /** Changed, staged or conflicting paths that git tracks. */
  readonly tracked: number;
  /** Relative; a folder that is untracked as a whole ends in a slash. */
  readonly untracked: readonly Bytes[];
  /** The same of what git ignores, but for folders that can be made again (`hold.skip`). */
  readonly ignored: readonly Bytes[];
  /** Ignored folders that can be made again, and so are not kept. */
  readonly remade: readonly Bytes[];
  /** Submodules with repositories of their own, which would go with it. */
  readonly repositories: readonly Bytes[];
}

export interface Look {
  readonly home: Home;
  readonly config: Config;
  /** belay's own home. */
  readonly belayHome: Bytes;
  /** Processes that may stand in the tree: those that asked. */
  readonly own: ReadonlySet<number>;
}

/** So many git processes at once. */
const LANES = 4;

/** The facts about some worktrees of a repository, in the order given. */
export async function factsOf(trees: readonly Tree[], look: Look): Promise<Facts[]> {
  const all = treesOf(look.home.commonDir);
  const line = await lineOf(look.home.commonDir, all);
  const at = workers(look.belayHome);
  const out: Facts[] = [];
  await inLanes(trees, LANES, async (tree, i) => {
    out[i] = await factsAbout(tree, tree.path, look, { all, line, at });
  });
  return out;
}

/** The facts about one; `place`: where its folder lies now, should it have been renamed. */
export async function factsNow(tree: Tree, place: Bytes, look: Look): Promise<Facts> {
  const all = treesOf(look.home.commonDir);
  const line = await lineOf(look.home.commonDir, all);
  return factsAbout(tree, place, look, { all, line, at: workers(look.belayHome) });
}

/** What is the same for every worktree of a look. */
interface Around {
  readonly all: readonly Tree[];
  readonly line: Line;
  readonly at: Workers;
}

async function factsAbout(tree: Tree, place: Bytes, look: Look, { all, line, at }: Around): Promise<Facts> {
  const base = {
    tree,
    lockIsDead: tree.locked !== undefined && isOwnerDead(tree.locked),
    age: Number.POSITIVE_INFINITY,
  };
  const admin = tree.main || tree.bare ? undefined : adminOf(place);
  if (tree.bare || (admin === undefined && !tree.main))
    return { ...base, work: 'unknown', unique: 'unknown', merged: false, pushed: false };
  const user = userOf(place, at, look.own);
  const underWay = admin === undefined ? undefined : underWayIn(admin.gitDir);
  const inside = all.find(({ path }) => path !== tree.path && isInside(path, tree.path))?.path;
  const [work, ownRef, own] = await Promise.all([
    workIn(place, admin, look.config),
    admin === undefined ? undefined : ownRefIn(admin),
    tree.main ? { unique: 0, merged: true, pushed: false } : ownCommits(look.home.commonDir, tree, line),
  ]);
  const track = tree.branch === undefined ? undefined : line.tracks.get(tree.branch);
  return {
    ...base,
    ...(admin === undefined ? {} : { admin }),
    ...(user === undefined ? {} : { user }),
    ...(inside === undefined ? {} : { inside }),
    ...(underWay === undefined ? {} : { underWay }),
    ...(track ?? {}),
    ...(ownRef === undefined ? {} : { ownRef }),
    work,
    ...own,
    age: ageOf(place, admin),
  };
}

const OPERATIONS: readonly (readonly [Bytes, string])[] = [
  ['MERGE_HEAD', 'a merge'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick'],
  ['REVERT_HEAD', 'a revert'],
  ['rebase-merge', 'a rebase'],
  ['rebase-apply', 'a rebase'],
  ['BISECT_LOG', 'a bisect'],
  ['sequencer', 'a sequence'],
];

const underWayIn = (gitDir: Bytes): string | undefined =>
  OPERATIONS.find(([name]) => lookAt(join(gitDir, name)) !== undefined)?.[1];

async function workIn(place: Bytes, admin: Repository | undefined, config: Config): Promise<Work | 'unknown'> {
  const where = admin === undefined ? { cwd: place } : { cwd: place, gitDir: admin.gitDir, workTree: place };
  const said = await gitLater(
    [
      'status',
      '--porcelain=v1',
      '-z',
      '--no-renames',
      '--untracked-files=normal',
      '--ignored=traditional',
      '--ignore-submodules=none',
    ],
    { ...where, timeout: 120_000 },
  );
  if (!said.ok) return 'unknown';
  const entries = fromBuffer(said.out)
    .split('\0')
    .filter((entry) => entry.length > 3);
  const of = (mark: string): Bytes[] =>
    entries.filter((entry) => entry.startsWith(mark)).map((entry) => entry.slice(3));
  const untracked = of('??');
  const all = of('!!');
  const skip = new Set(config.checkpoints.hold.skip.map(fromText));
  // a folder of that name, or a link to one; not a file
  const isRemade = (path: Bytes): boolean => {
    const names = path.replace(/\/$/, '').split('/');
    if (names.slice(0, -1).some((name) => skip.has(name))) return true;
    return skip.has(names.at(-1) ?? '') && lookAt(join(place, names.join('/')))?.type !== 'file';
  };
  const remade = all.filter(isRemade);
  const ignored = all.filter((path) => !remade.includes(path));
  const repositories = admin === undefined || lookAt(join(admin.gitDir, 'modules')) === undefined ? [] : ['modules'];
  return { tracked: entries.length - untracked.length - all.length, untracked, ignored, remade, repositories };
}

/** Refs that no other worktree sees (gitrepository-layout(5)). */
const OWN_REFS = ['refs/worktree', 'refs/bisect', 'refs/rewritten'];

async function ownRefIn({ gitDir }: Repository): Promise<string | undefined> {
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

/** Paths that `git status` does not look at, because somebody told it not to: their changes would go without a word. */
export async function hiddenFromGit(place: Bytes, admin: Repository): Promise<Bytes[] | 'unknown'> {
  const said = await gitLater(['ls-files', '-v', '-z'], {
    cwd: place,
    gitDir: admin.gitDir,
    workTree: place,
    timeout: 120_000,
  });
  if (!said.ok) return 'unknown';
  return fromBuffer(said.out)
    .split('\0')
    .filter((entry) => /^[a-zS] /.test(entry))
    .map((entry) => entry.slice(2))
    .filter((path) => lookAt(join(place, path)) !== undefined);
}

function ageOf(place: Bytes, admin: Repository | undefined): number {
  const own = admin === undefined ? [] : ['HEAD', 'index', 'logs/HEAD'].map((name) => join(admin.gitDir, name));
  const times = [place, ...own].map((path) => Number(BigInt(lookAt(path)?.mtime ?? 0) / 1_000_000n));
  return Math.max(0, Date.now() - Math.max(...times));
}

export const branchName = ({ branch }: Tree): string | null => (branch === undefined ? null : toText(branch));
