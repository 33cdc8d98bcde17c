import { type Bytes, fromBuffer, toText } from '../../platform/bytes.ts';
import type { Repository } from './repository.ts';

/** One path that differs between two states; an oid of undefined: not there. */
export interface Difference {
  readonly path: Bytes;
  readonly from: { readonly mode: number; readonly oid: string } | undefined;
  readonly to: { readonly mode: number; readonly oid: string } | undefined;
  readonly unmerged: boolean;
}

/** git's raw format with `-z`: `:100644 100755 <oid> <oid> M NUL path NUL`, the lines of several commits one after the other. */
export function parseRaw(out: Buffer): Difference[] {
  const found: Difference[] = [];
  const parts = fromBuffer(out).split('\0');
  for (let at = 0; at + 1 < parts.length; at++) {
    const hit = /^\n*:(\d+) (\d+) ([0-9a-f]+)(?:\.\.\.)? ([0-9a-f]+)(?:\.\.\.)? ([A-Z])/.exec(parts[at] ?? '');
    if (!hit) continue;
    const side = (mode: string, oid: string): Difference['from'] =>
      Number(mode) === 0 ? undefined : { mode: Number.parseInt(mode, 8), oid };
    found.push({
      path: parts[++at] ?? '',
      from: side(hit[1] ?? '0', hit[3] ?? ''),
      to: side(hit[2] ?? '0', hit[4] ?? ''),
      unmerged: hit[5] === 'U',
    });
  }
  return found;
}

const RAW = ['-r', '-z', '--raw', '--no-renames', '--full-index', '--no-abbrev', '--ignore-submodules=none'];

export const emptyTree = (repo: Repository): string =>
  repo.oidBytes === 32
    ? '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321'
    : '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

export type Answer =
  | { readonly kind: 'found'; readonly differences: readonly Difference[] }
  /** The revision names nothing that git knows. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'failed' };

function answer(repo: Repository, args: readonly string[]): Answer {
  const said = repo.ask(args);
  if (said.ok) return { kind: 'found', differences: parseRaw(said.out) };
  return said.code === 128 ? { kind: 'nothing' } : { kind: 'failed' };
}

/** From a tree to the index. Reads no file of the work tree. `HEAD` of an unborn branch is the empty tree. */
export function treeToIndex(repo: Repository, tree: Bytes): Answer {
  const name = tree === 'HEAD' && repo.head() === undefined ? emptyTree(repo) : toText(tree);
  return answer(repo, ['diff-index', '--cached', ...RAW, '--end-of-options', name, '--']);
}

/** From one tree to another. */
export function treeToTree(repo: Repository, from: Bytes, to: Bytes): Answer {
  const name = from === 'HEAD' && repo.head() === undefined ? emptyTree(repo) : toText(from);
  return answer(repo, ['diff-tree', ...RAW, '--end-of-options', name, toText(to), '--']);
}

/** What the other side changed since the histories parted. */
export function sinceMergeBase(repo: Repository, from: Bytes, to: Bytes): Answer {
  const direct = from === 'HEAD' && repo.head() === undefined ? emptyTree(repo) : undefined;
  return direct === undefined
    ? answer(repo, ['diff-tree', '--merge-base', ...RAW, toText(from), toText(to), '--'])
    : answer(repo, ['diff-tree', ...RAW, direct, toText(to), '--']);
}

/** What each of these commits changed against its first parent (gitrevisions(7): single ones, ranges). `walk`: as `git rev-list` walks. */
export function ofCommits(repo: Repository, revisions: readonly Bytes[], walk: boolean): Answer {
  let names = revisions.map(toText);
  if (walk || names.some((name) => name.includes('..') || name.startsWith('^'))) {
    const list = repo.ask(['rev-list', '--end-of-options', ...names, '--']);
    if (!list.ok) return { kind: list.code === 128 ? 'nothing' : 'failed' };
    names = list.out.toString('latin1').split('\n').filter(Boolean);
  } else {
    const list = repo.ask(['rev-parse', '--end-of-options', ...names.map((name) => `${name}^{commit}`)]);
    if (!list.ok) return { kind: list.code === 128 ? 'nothing' : 'failed' };
    names = list.out
      .toString('latin1')
      .split('\n')
      .filter((line) => /^[0-9a-f]{40,}$/.test(line));
  }
  const said = repo.ask(['diff-tree', '--stdin', '--root', '--no-commit-id', '-m', ...RAW], {
    input: `${names.join('\n')}\n`,
  });
  return said.ok ? { kind: 'found', differences: parseRaw(said.out) } : { kind: 'failed' };
}

/** Every file of a tree, as if it came into being; none where there is no such tree. */
export function parseTree(repo: Repository, tree: Bytes): Difference[] {
  const said = repo.ask(['ls-tree', '-r', '-z', '--full-tree', toText(tree)]);
  if (!said.ok) return [];
  return fromBuffer(said.out)
    .split('\0')
    .flatMap((line): Difference[] => {
      const hit = /^(\d+) \w+ ([0-9a-f]+)\t([\s\S]+)$/.exec(line);
      if (!hit) return [];
      const to = { mode: Number.parseInt(hit[1] ?? '0', 8), oid: hit[2] ?? '' };
      return [{ path: hit[3] ?? '', from: undefined, to, unmerged: false }];
    });
}

/** Untracked paths below the whole work tree, from the top; `ignored` files among them only where asked for. */
export function untracked(repo: Repository, which: 'untracked' | 'ignored' | 'both'): Bytes[] | undefined {
  const args = ['ls-files', '-o', '-z', '--full-name'];
  if (which !== 'both') args.push('--exclude-standard');
  if (which === 'ignored') args.push('-i');
  const said = repo.ask([...args, '--', toText(repo.workTree ?? '.')]);
  if (!said.ok) return undefined;
  return fromBuffer(said.out)
    .split('\0')
    .filter((path) => path !== '');
}

/** Those of the paths (from the top) that git ignores. */
export function ignored(repo: Repository, paths: readonly Bytes[]): Set<Bytes> | undefined {
  if (paths.length === 0) return new Set();
  const said = repo.ask(['check-ignore', '-z', '--stdin', '--no-index'], {
    input: paths.map((path) => `${repo.workTree ?? ''}/${path}\0`).join(''),
    plain: true,
  });
  if (!said.ok && said.code !== 1) return undefined;
  const top = `${repo.workTree ?? ''}/`;
  return new Set(
    fromBuffer(said.out)
      .split('\0')
      .filter((path) => path.startsWith(top))
      .map((path) => path.slice(top.length)),
  );
}
