import { installKey, installsFolder } from '../../installs/layout.ts';
import { type Bytes, toText } from '../../platform/bytes.ts';
import { entriesIn, lookAt, realAsFar } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { treesFolder } from '../../worktrees/add.ts';
import { type Facts, factsOf, type Inquiry } from '../../worktrees/facts.ts';
import { sizesOf } from '../../worktrees/sizes.ts';
import type { Tree } from '../../worktrees/trees.ts';
import { type Verdict, verdictOf } from '../../worktrees/verdict.ts';
import { numberOf } from '../checkpoints/prune.ts';
import { columns } from '../columns.ts';
import type { Answer, Call } from '../command.ts';
import { pathKeys, shown, shownText } from '../paths.ts';
import { ago, bytes, styleFor } from '../style.ts';
import { HOUR_MS, openPlace } from './open.ts';

interface Row {
  readonly facts: Facts;
  readonly verdict: Verdict;
  readonly bytes: number;
  readonly installBytes: number;
}

/**
 * `belay worktree list`. The verdict says what would be lost; how long a tree was left alone stands beside it, and counts for prune. On a
 * terminal each row is written as soon as it is known and those before it are.
 */
export async function list(call: Call): Promise<Answer | number> {
  const { world, inquiry, trees } = await openPlace(call);
  const maxAge = (numberOf(call, 'max-age-hours') ?? 0) * HOUR_MS;
  const stateOf = (path: Bytes): Bytes => join(installsFolder(world.home), installKey(path));
  const states = new Map(trees.map(({ path }) => [path, stateOf(path)]));
  const line = layout(
    trees,
    [...states.values()].some((state) => lookAt(state) !== undefined),
  );
  const facts = new Map<Bytes, Facts>();
  const sizes = new Map<Bytes, number>();
  const rows: Row[] = [];
  const isLive = process.stdout.isTTY === true && !call.json;
  const next = (): void => {
    for (let tree = trees[rows.length]; tree !== undefined; tree = trees[rows.length]) {
      const one = facts.get(tree.path);
      const [size, installBytes] = [sizes.get(tree.path), sizes.get(states.get(tree.path) ?? '')];
      if (one === undefined || size === undefined || installBytes === undefined) return;
      const row = { facts: one, verdict: verdictOf(one, { maxAge }), bytes: size, installBytes };
      rows.push(row);
      if (isLive) process.stdout.write(`${line(cellsOf(row))}\n`);
    }
  };
  if (isLive) process.stdout.write(`${styleFor(process.stdout).bold(line(HEAD))}\n`);
  await Promise.all([
    factsOf(trees, inquiry, (one) => {
      facts.set(one.tree.path, one);
      next();
    }),
    sizesOf(world.home, [...states].flat(), (folder, size) => {
      sizes.set(folder, size);
      next();
    }),
  ]);
  const strange = strangersIn(inquiry, trees);
  const strangers = strange.map((path) => `${shown(path)}  keep: ${NOT_LISTED}\n`);
  if (isLive) {
    process.stdout.write(strangers.join(''));
    return 0;
  }
  return {
    json: {
      worktrees: [...rows.map(document), ...strange.map((path) => ({ ...pathKeys(path), ...STRANGE }))],
    },
    text: [HEAD, ...rows.map(cellsOf)].map((cells) => `${line(cells)}\n`).join('') + strangers.join(''),
  };
}

const NOT_LISTED = 'no worktree of this repository: git does not list it';

const STRANGE = { branch: null, age_s: null, bytes: null, verdict: 'keep', reason: NOT_LISTED } as const;

/** Folders in the folder of worktrees that git does not list: left over, or somebody else's. */
function strangersIn({ repository, config }: Inquiry, trees: readonly Tree[]): Bytes[] {
  const folder = realAsFar(treesFolder(repository, config));
  const listed = new Set(trees.map(({ path }) => path));
  if (lookAt(folder)?.type !== 'folder' || folder === repository.main) return [];
  return entriesIn(folder)
    .filter(({ type, name }) => type === 'folder' && !listed.has(join(folder, name)))
    .map(({ name }) => join(folder, name));
}

/** Seconds, or null where nobody can tell. */
const secondsOf = (ms: number): number | null => (Number.isFinite(ms) ? Math.floor(ms / 1000) : null);

function document({ facts, verdict, bytes: size, installBytes }: Row): object {
  const { tree, work, unique } = facts;
  return {
    ...pathKeys(tree.path),
    branch: tree.branch === undefined ? null : toText(tree.branch),
    head: tree.head,
    main: tree.main,
    age_s: secondsOf(facts.age),
    bytes: size,
    install_bytes: installBytes,
    dirty: work === 'unknown' ? null : work.tracked > 0,
    untracked: work === 'unknown' ? null : work.untracked.length,
    unpushed: unique === 'unknown' ? null : unique,
    ahead: facts.ahead ?? null,
    behind: facts.behind ?? null,
    merged: facts.merged,
    in_use: facts.user ?? null,
    locked: tree.locked !== undefined,
    ...verdict,
  };
}

const HEAD = ['worktree', 'branch', 'size', 'touched', 'verdict'];

/** Wide enough for what is not known yet. */
function layout(trees: readonly Tree[], withStates: boolean): (cells: readonly string[]) => string {
  const size = withStates ? '999 MB + 999 MB' : '999 MB';
  return columns(
    HEAD,
    trees.map((tree) => [shown(tree.path), `${nameOf(tree)}${tree.main ? '' : ' +99 -99'}`, size, 'just now']),
    [2],
  );
}

const nameOf = ({ branch, head }: Tree): string => (branch === undefined ? head.slice(0, 8) : shown(branch));

function cellsOf({ facts, verdict, bytes: size, installBytes }: Row): string[] {
  const { tree, ahead = 0, behind = 0, age } = facts;
  const now = Date.now();
  return [
    shown(tree.path),
    `${nameOf(tree)}${ahead > 0 ? ` +${ahead}` : ''}${behind > 0 ? ` -${behind}` : ''}`,
    `${bytes(size)}${installBytes > 0 ? ` + ${bytes(installBytes)}` : ''}`,
    Number.isFinite(age) ? ago(now - age, now) : '',
    `${verdict.verdict}: ${shownText(verdict.reason)}`,
  ];
}
