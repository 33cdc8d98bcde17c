import type { Bytes } from '../../../platform/bytes.ts';
import { parseOptions } from '../options.ts';
import { everything, readPathspec } from '../pathspec.ts';
import type { Teller } from '../printed.ts';
import type { Repository } from '../repository.ts';
import { changedFiles } from './changed.ts';
import { askNames, fromHere, quoted } from './names.ts';

const OPTIONS =
  's,short b,branch porcelain=? long v,verbose u,untracked-files=? ignored=? ignore-submodules=? z column=? ahead-behind renames find-renames=? show-stash';

/** `git status --porcelain`, `-s`: XY, a blank, the path (git-status(1), Short Format). */
export const status: Teller = ({ repo, args }) => {
  const parsed = parseOptions(OPTIONS, args);
  const porcelain = parsed.has('porcelain');
  const short = parsed.has('short') || (repo.config.flag('status.short') === true && parsed.get('short') !== false);
  if (parsed.bad || parsed.help || parsed.has('long') || !(porcelain || short || parsed.has('z'))) return undefined;
  const branch = parsed.has('branch') || (!porcelain && repo.config.flag('status.branch') === true);
  if (parsed.text('porcelain') === 'v2' || branch || parsed.has('show-stash')) return undefined;
  const nul = parsed.has('z');
  const operands = [...parsed.before, ...(parsed.after ?? [])];
  const pathspec = operands.length === 0 ? everything : readPathspec(repo, operands);
  const here = !porcelain && !nul && repo.config.flag('status.relativepaths') !== false;
  const rows = tracked(repo, pathspec.matches, parsed.get('renames') !== false);
  const others = untrackedOf(repo, parsed.get('untracked-files') === true ? 'all' : parsed.text('untracked-files'));
  const ignored = parsed.has('ignored') ? ignoredOf(repo) : [];
  if (!rows || !others || !ignored) return undefined;
  const name = (path: Bytes): Bytes => {
    const shown = here ? fromHere(repo, path) : path;
    return nul ? shown : quoted(repo, shown, true);
  };
  const end = nul ? '\0' : '\n';
  const lines = rows.map(({ x, y, path, from }) => {
    const renamed = from === undefined ? '' : nul ? `\0${name(from)}` : '';
    const arrow = from === undefined || nul ? '' : `${name(from)} -> `;
    return `${x}${y} ${arrow}${name(path)}${renamed}${end}`;
  });
  for (const path of others) if (pathspec.matches(path)) lines.push(`?? ${name(path)}${end}`);
  for (const path of ignored) if (pathspec.matches(path)) lines.push(`!! ${name(path)}${end}`);
  return lines.join('');
};

interface Row {
  readonly x: Bytes;
  readonly y: Bytes;
  readonly path: Bytes;
  readonly from?: Bytes;
}

function tracked(repo: Repository, matches: (path: Bytes) => boolean, renames: boolean): Row[] | undefined {
  const tree = repo.head() === undefined ? undefined : 'HEAD';
  if (tree === undefined) return undefined;
  const flags = [
    'diff-index',
    '--cached',
    '-z',
    '--name-status',
    '--ignore-submodules=none',
    renames ? '-M' : '--no-renames',
  ];
  const said = askNames(repo, [...flags, tree], []);
  const files = changedFiles(repo, () => true);
  if (!said || !files) return undefined;
  const rows = new Map<Bytes, Row>();
  for (let at = 0; at < said.length; ) {
    const x = (said[at++] ?? '').charAt(0);
    const from = /[RC]/.test(x) ? said[at++] : undefined;
    const path = said[at++] ?? '';
    rows.set(path, { x, y: ' ', path, ...(from === undefined ? {} : { from }) });
  }
  for (const { path, letter } of files) {
    const staged = rows.get(path);
    if (letter === 'U') rows.set(path, { ...conflict(repo, path), path });
    else rows.set(path, { path, x: ' ', ...staged, y: letter });
  }
  return [...rows.values()]
    .filter(({ path, from }) => matches(path) || (from !== undefined && matches(from)))
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** By the stages that there are: 1 the base, 2 ours, 3 theirs. */
const CONFLICTS: Readonly<Record<string, readonly [Bytes, Bytes]>> = {
  '1': ['D', 'D'],
  '2': ['A', 'U'],
  '3': ['U', 'A'],
  '12': ['U', 'D'],
  '13': ['D', 'U'],
  '23': ['A', 'A'],
};

function conflict(repo: Repository, path: Bytes): { readonly x: Bytes; readonly y: Bytes } {
  const stages = (repo.index() ?? []).filter((entry) => entry.path === path).map((entry) => entry.stage);
  const [x, y] = CONFLICTS[stages.join('')] ?? ['U', 'U'];
  return { x, y };
}

const OTHERS = ['ls-files', '-z', '-o', '--exclude-standard', '--full-name'];

function untrackedOf(repo: Repository, asked: Bytes | undefined): Bytes[] | undefined {
  const mode = asked ?? repo.config.text('status.showuntrackedfiles') ?? 'normal';
  if (/^(?:no|false|0|off)$/.test(mode)) return [];
  const folders = mode === 'all' ? [] : ['--directory', '--no-empty-directory'];
  return askNames(repo, [...OTHERS, ...folders], topOf(repo), false);
}

const ignoredOf = (repo: Repository): Bytes[] | undefined =>
  askNames(repo, [...OTHERS, '-i', '--directory', '--no-empty-directory'], topOf(repo), false);

const topOf = (repo: Repository) => [{ kind: 'known' as const, text: repo.workTree ?? '.' }];
