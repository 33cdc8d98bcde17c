import { type Linked, linkedOf } from '../installs/checkout.ts';
import { inLanes } from '../installs/disk.ts';
import type { Bytes } from '../platform/bytes.ts';
import type { Config } from '../platform/config.ts';
import { lookAt } from '../platform/files.ts';
import { mountsBelow } from '../platform/mounts.ts';
import { isInside, join } from '../platform/paths.ts';
import { isOwnerDead, userOf, type Workers, workers } from './in-use.ts';
import { ownRepositories } from './own-repositories.ts';
import { type Held, heldBy, type Logged, loggedOnly } from './reflogs.ts';
import { type Repository, type Tree, treesOf } from './trees.ts';
import { ownCommits, type Trunks, trunksOf } from './trunks.ts';
import { verdictOf } from './verdict.ts';
import { hiddenFromGit, ownRefIn, type Work, workIn } from './work.ts';

/** Everything that a verdict rests on, looked at once. */
export interface Facts {
  readonly tree: Tree;
  readonly linked?: Linked;
  readonly lockIsDead: boolean;
  /** `pid 4242`, `session 2025…`. */
  readonly user?: string;
  /** `a merge`, `a rebase`, … */
  readonly underWay?: string;
  /** Something is mounted there: another file system, or a folder that is somewhere else as well. */
  readonly mounted?: Bytes;
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
  /** What takes longer to find, and is asked only where nothing else keeps the tree. */
  readonly behindGit?: BehindGit;
}

/** What a tree has that `git status` does not show. */
export interface BehindGit {
  /** Paths that git was told not to look at. */
  readonly hidden: readonly Bytes[] | 'unknown';
  /** Repositories of its own: of submodules, or in folders that can be made again. */
  readonly repositories: readonly Bytes[] | 'unknown';
  readonly logged: Logged | 'unknown';
}

/** What is asked about: a repository, under whose settings, by which belay. */
export interface Inquiry {
  readonly repository: Repository;
  readonly config: Config;
  /** belay's own home. */
  readonly belayHome: Bytes;
}

/** So many git processes at once. */
const LANES = 4;

/** The facts about some worktrees of a repository, in the order given; `tell` hears of each as it comes. */
export async function factsOf(
  trees: readonly Tree[],
  inquiry: Inquiry,
  tell: (facts: Facts, index: number) => void = () => undefined,
): Promise<Facts[]> {
  const around = await lookAround(inquiry);
  const out: Facts[] = [];
  await inLanes(trees, LANES, async (tree, i) => {
    out[i] = await factsAbout(tree, tree.path, inquiry, around);
    tell(out[i], i);
  });
  return out;
}

/** The facts about one; `place`: where its folder lies now, should it have been renamed. */
export const factsNow = async (tree: Tree, place: Bytes, inquiry: Inquiry): Promise<Facts> =>
  factsAbout(tree, place, inquiry, await lookAround(inquiry));

/** What is the same for every worktree of a look. */
interface Around {
  readonly all: readonly Tree[] | undefined;
  readonly trunks: Trunks;
  readonly held: Held;
  readonly workers: Workers;
}

async function lookAround({ repository: { commonDir }, belayHome }: Inquiry): Promise<Around> {
  const all = treesOf(commonDir);
  const trunks = await trunksOf(commonDir, all ?? []);
  return { all, trunks, held: heldBy(commonDir), workers: workers(belayHome) };
}

async function factsAbout(tree: Tree, place: Bytes, inquiry: Inquiry, around: Around): Promise<Facts> {
  const { all, trunks } = around;
  const base = {
    tree,
    lockIsDead: tree.locked !== undefined && isOwnerDead(tree.locked),
    age: Number.POSITIVE_INFINITY,
  };
  const linked = tree.main || tree.bare ? undefined : linkedOf(place);
  // Without the list nobody knows whether another worktree lies in it.
  if (all === undefined || tree.bare || (linked === undefined && !tree.main))
    return { ...base, work: 'unknown', unique: 'unknown', merged: false, pushed: false };
  const user = userOf(place, around.workers);
  const underWay = linked === undefined ? undefined : underWayIn(linked.gitDir);
  const [mounted] = mountsBelow(place);
  const inside = all.find(({ path }) => path !== tree.path && isInside(path, tree.path))?.path;
  const [work, ownRef, own] = await Promise.all([
    workIn(place, linked, inquiry.config),
    linked === undefined ? undefined : ownRefIn(linked),
    tree.main ? { unique: 0, merged: true, pushed: false } : ownCommits(inquiry.repository.commonDir, tree, trunks),
  ]);
  const track = tree.branch === undefined ? undefined : trunks.tracks.get(tree.branch);
  const facts: Facts = {
    ...base,
    ...(linked === undefined ? {} : { linked }),
    ...(user === undefined ? {} : { user }),
    ...(mounted === undefined ? {} : { mounted }),
    ...(inside === undefined ? {} : { inside }),
    ...(underWay === undefined ? {} : { underWay }),
    ...(track ?? {}),
    ...(ownRef === undefined ? {} : { ownRef }),
    work,
    ...own,
    age: ageOf(place, linked),
  };
  if (linked === undefined || work === 'unknown' || verdictOf(facts, { maxAge: 0 }).verdict === 'keep') return facts;
  return { ...facts, behindGit: await lookBehindGit(tree, place, linked, { remade: work.remade, held: around.held }) };
}

async function lookBehindGit(
  tree: Tree,
  place: Bytes,
  linked: Linked,
  { remade, held }: { readonly remade: readonly Bytes[]; readonly held: Held },
): Promise<BehindGit> {
  const modules = lookAt(join(linked.gitDir, 'modules')) === undefined ? [] : ['modules'];
  const [hidden, inFolders] = await Promise.all([hiddenFromGit(place, linked), ownRepositories(place, remade)]);
  const repositories = inFolders === 'unknown' ? inFolders : [...modules, ...inFolders];
  return { hidden, repositories, logged: loggedOnly(tree, linked, held) };
}

const OPERATIONS: readonly (readonly [Bytes, string])[] = [
  ['index.lock', 'a git command'],
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

function ageOf(place: Bytes, linked: Linked | undefined): number {
  const own = linked === undefined ? [] : ['HEAD', 'index', 'logs/HEAD'].map((name) => join(linked.gitDir, name));
  const times = [place, ...own].map((path) => Number(BigInt(lookAt(path)?.mtime ?? 0) / 1_000_000n));
  return Math.max(0, Date.now() - Math.max(...times));
}
