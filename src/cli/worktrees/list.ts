import { installKey, installsFolder } from '../../installs/layout.ts';
import type { Bytes } from '../../platform/bytes.ts';
import { entriesIn, lookAt, realAsFar } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { treesFolder } from '../../worktrees/add.ts';
import { branchName, type Facts, factsOf, type Look } from '../../worktrees/facts.ts';
import { sizesOf } from '../../worktrees/sizes.ts';
import type { Tree } from '../../worktrees/trees.ts';
import { type Verdict, verdictOf } from '../../worktrees/verdict.ts';
import { numberOf } from '../checkpoints/prune.ts';
import type { Answer, Call } from '../command.ts';
import { pathKeys, shown } from '../paths.ts';
import { ago, bytes, padLeft, padRight, styleFor, widthOf } from '../style.ts';
import { HOUR_MS, openPlace } from './open.ts';

/** `belay worktree list`. The verdict says what would be lost; how long a tree was left alone stands beside it, and counts for prune. */
export async function list(call: Call): Promise<Answer> {
  const { world, look, trees } = await openPlace(call);
  const states = trees.map(({ path }) => join(installsFolder(world.home), installKey(path)));
  const tell = (done: number): void => progress(call, `sizes: ${done} of ${trees.length * 2}`);
  const [facts, sizes] = await Promise.all([
    factsOf(trees, look),
    sizesOf(
      world.home,
      [...trees.map(({ path }) => path), ...states.filter((state) => lookAt(state) !== undefined)],
      tell,
    ),
  ]);
  progress(call, '');
  const withState = states.filter((state) => lookAt(state) !== undefined);
  const rows = facts.map((one, i) => ({
    facts: one,
    verdict: verdictOf(one, { maxAge: (numberOf(call, 'max-age-hours') ?? 0) * HOUR_MS }),
    bytes: sizes[i] ?? 0,
    installBytes: sizes[trees.length + withState.indexOf(states[i] ?? '')] ?? 0,
  }));
  const strange = strangersIn(look, trees);
  const why = 'no worktree of this repository: git does not list it';
  return {
    json: {
      worktrees: [...rows.map(document), ...strange.map((path) => ({ ...pathKeys(path), ...STRANGE, reason: why }))],
    },
    text: `${[table(rows), ...strange.map((path) => `${shown(path)}  keep: ${why}`)].join('\n')}\n`,
  };
}

const STRANGE = { branch: null, age_s: null, bytes: null, verdict: 'keep' } as const;

/** Folders in the folder of worktrees that git does not list: left over, or somebody else's. */
function strangersIn({ home, config }: Look, trees: readonly Tree[]): Bytes[] {
  const folder = realAsFar(treesFolder(home, config));
  const listed = new Set(trees.map(({ path }) => path));
  if (lookAt(folder)?.type !== 'folder' || folder === home.main) return [];
  return entriesIn(folder)
    .filter(({ type, name }) => type === 'folder' && !listed.has(join(folder, name)))
    .map(({ name }) => join(folder, name));
}

interface Row {
  readonly facts: Facts;
  readonly verdict: Verdict;
  readonly bytes: number;
  readonly installBytes: number;
}

/** Seconds, or null where nobody can tell. */
export const secondsOf = (ms: number): number | null => (Number.isFinite(ms) ? Math.floor(ms / 1000) : null);

function document({ facts, verdict, bytes: size, installBytes }: Row): object {
  const { tree, work, unique } = facts;
  return {
    ...pathKeys(tree.path),
    branch: branchName(tree),
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

function table(rows: readonly Row[]): string {
  const style = styleFor(process.stdout);
  const now = Date.now();
  const head = ['worktree', 'branch', 'size', 'touched', 'verdict'];
  const cells = rows.map(({ facts, verdict, bytes: size, installBytes }) => [
    shown(facts.tree.path),
    branchName(facts.tree) ?? facts.tree.head.slice(0, 8),
    `${bytes(size)}${installBytes > 0 ? ` + ${bytes(installBytes)}` : ''}`,
    Number.isFinite(facts.age) ? ago(now - facts.age, now) : '',
    `${verdict.verdict}: ${verdict.reason}`,
  ]);
  const widths = head.map((name, i) => Math.max(widthOf(name), ...cells.map((row) => widthOf(row[i] ?? ''))));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => (i === 2 ? padLeft : padRight)(cell, widths[i] ?? 0))
      .join('  ')
      .trimEnd();
  return [style.bold(line(head)), ...cells.map(line)].join('\n');
}

/** One line on a terminal, written over and over. */
function progress(call: Call, doing: string): void {
  if (!process.stderr.isTTY || call.json) return;
  process.stderr.write(`\r\x1b[K${doing}`);
}
