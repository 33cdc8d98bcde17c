import { type Bytes, fromBuffer, isText, toText } from '../platform/bytes.ts';
import { git, gitLater } from '../platform/git.ts';
import type { Tree } from './trees.ts';

/** The refs of a repository, as they matter to what only one worktree has. */
export interface Trunks {
  /** The branches that work ends in: the remote's default, `main` or `master`, what the main worktree is on. */
  readonly names: readonly Bytes[];
  /** Branches whose every commit is in a trunk. */
  readonly merged: ReadonlySet<Bytes>;
  /** How a branch stands to its upstream. */
  readonly tracks: ReadonlyMap<Bytes, { readonly ahead: number; readonly behind: number }>;
}

export async function trunksOf(commonDir: Bytes, trees: readonly Tree[]): Promise<Trunks> {
  const all = await gitLater(
    ['for-each-ref', '--format=%(refname)%09%(symref)%09%(upstream:track,nobracket)', 'refs/heads', 'refs/remotes'],
    { gitDir: commonDir, timeout: 60_000 },
  );
  const rows = all.ok
    ? fromBuffer(all.out)
        .split('\n')
        .map((row) => row.split('\t'))
    : [];
  const names = new Set(rows.map(([name]) => name));
  const main = trees.find((tree) => tree.main)?.branch;
  const wanted = [
    rows.find(([name]) => name === 'refs/remotes/origin/HEAD')?.[1],
    'refs/heads/main',
    'refs/heads/master',
    main === undefined ? undefined : `refs/heads/${main}`,
  ];
  const trunks = [...new Set(wanted)].filter((name): name is Bytes => name !== undefined && names.has(name));
  const tracks = new Map(
    rows.flatMap(([name = '', , track = '']) =>
      /ahead|behind/.test(track)
        ? [
            [
              name.slice('refs/heads/'.length),
              { ahead: numberIn(track, 'ahead'), behind: numberIn(track, 'behind') },
            ] as const,
          ]
        : [],
    ),
  );
  return { names: trunks, merged: await mergedInto(commonDir, trunks), tracks };
}

const numberIn = (track: Bytes, word: string): number => Number(new RegExp(`${word} (\\d+)`).exec(track)?.[1] ?? 0);

async function mergedInto(commonDir: Bytes, trunks: readonly Bytes[]): Promise<ReadonlySet<Bytes>> {
  if (trunks.length === 0) return new Set();
  const said = await gitLater(
    [
      'for-each-ref',
      '--format=%(refname:lstrip=2)',
      ...trunks.map((trunk) => `--merged=${toText(trunk)}`),
      'refs/heads',
    ],
    { gitDir: commonDir, timeout: 60_000 },
  );
  return new Set(
    said.ok
      ? fromBuffer(said.out)
          .split('\n')
          .filter((name) => name !== '')
      : [],
  );
}

export interface Own {
  readonly unique: number | 'unknown';
  readonly merged: boolean;
  readonly pushed: boolean;
}

/** Which commits of a worktree's HEAD would be nowhere else if it and its branch went. */
export async function ownCommits(commonDir: Bytes, tree: Tree, { names, merged }: Trunks): Promise<Own> {
  if (tree.head === '') return { unique: 0, merged: true, pushed: false };
  const { branch } = tree;
  // A name that is no text cannot be handed to git whole: nothing would be left out of the count by it.
  if (branch !== undefined && !isText(branch)) return { unique: 'unknown', merged: false, pushed: false };
  const trunks = names.filter((trunk) => trunk !== `refs/heads/${branch ?? ''}`);
  const isTrunk = trunks.length < names.length;
  if (branch !== undefined && !isTrunk && merged.has(branch)) return { unique: 0, merged: true, pushed: false };
  const own = branch === undefined ? [] : [`--exclude=${toText(branch)}`];
  const [unique, unpushed, outside] = await Promise.all([
    countOf(commonDir, [tree.head, '--not', ...own, '--branches', '--remotes', '--tags']),
    countOf(commonDir, [tree.head, '--not', '--remotes']),
    trunks.length === 0 ? 'unknown' : countOf(commonDir, [tree.head, '--not', ...trunks.map(toText)]),
  ]);
  const pushed = unpushed === 0;
  if (outside === 0) return { unique: 0, merged: true, pushed };
  // The branch would go with the tree, so it is asked of the trunk as well when another branch has the commits.
  if (outside !== 'unknown' && !pushed && isInTrunk(commonDir, tree.head, trunks.map(toText)))
    return { unique: 0, merged: true, pushed };
  return { unique, merged: false, pushed };
}

async function countOf(commonDir: Bytes, args: readonly string[]): Promise<number | 'unknown'> {
  const said = await gitLater(['rev-list', '--count', ...args], { gitDir: commonDir, timeout: 60_000 });
  return said.ok ? Number(fromBuffer(said.out).trim()) : 'unknown';
}

/** Commits of a trunk that are looked through for a squash. */
const LOOKED_AT = '1000';

/** Whether what the commits change is in a trunk: each by itself (picked, rebased), or all together as one (squashed). */
function isInTrunk(commonDir: Bytes, head: string, trunks: readonly string[]): boolean {
  return trunks.some((trunk) => {
    const cherry = git(['cherry', trunk, head], { gitDir: commonDir, timeout: 60_000 });
    if (
      cherry.ok &&
      !fromBuffer(cherry.out)
        .split('\n')
        .some((line) => line.startsWith('+'))
    )
      return true;
    const base = git(['merge-base', trunk, head], { gitDir: commonDir });
    if (!base.ok) return false;
    const from = fromBuffer(base.out).trim();
    const whole = patchIds(commonDir, ['diff-tree', '-p', from, head])[0];
    return (
      whole !== undefined &&
      patchIds(commonDir, ['log', '-p', '-n', LOOKED_AT, '--no-merges', `${from}..${trunk}`]).includes(whole)
    );
  });
}

/** git-patch-id(1): the same for the same change, wherever it was applied. */
function patchIds(commonDir: Bytes, args: readonly string[]): Bytes[] {
  const patch = git([...args, '--no-ext-diff', '--no-textconv', '--full-index', '--binary'], {
    gitDir: commonDir,
    timeout: 120_000,
  });
  if (!patch.ok || patch.out.length === 0) return [];
  const said = git(['patch-id', '--stable'], { gitDir: commonDir, input: patch.out, timeout: 60_000 });
  return said.ok
    ? fromBuffer(said.out)
        .split('\n')
        .flatMap((line) => line.split(' ')[0] || [])
    : [];
}
