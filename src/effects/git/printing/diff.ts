import { type Bytes, toText } from '../../../platform/bytes.ts';
import { join } from '../../../platform/paths.ts';
import type { Arg } from '../../../shell/types.ts';
import { type Parsed, parseOptions } from '../options.ts';
import { readPathspec } from '../pathspec.ts';
import type { Question, Teller } from '../printed.ts';
import { statOf } from '../status.ts';
import { treeToIndex } from '../trees.ts';
import { changedFiles } from './changed.ts';
import { askNames, listed, quoted } from './names.ts';

const OPTIONS =
  'name-only name-status z cached staged diff-filter= relative=? M,find-renames=? C,find-copies=? renames ignore-submodules=? R r ' +
  'a,text exit-code quiet ext-diff textconv color=? commit-id root m pretty=? format= merge-base w b ignore-space-change ignore-all-space';

/** `git diff --name-only`. A comparison with files is made here, one of trees and the index by git, which then reads no file. */
export const diff: Teller = (question) => {
  const { repo } = question;
  const parsed = parseOptions(OPTIONS, question.args);
  if (!tellable(parsed)) return undefined;
  const { revisions, paths } = told(question, parsed);
  const staged = parsed.has('cached') || parsed.has('staged');
  const ranges = revisions.some((word) => word.text.includes('..'));
  if (staged || ranges || revisions.length > 1) return ask('diff', question, parsed, revisions, paths);
  const [tree] = revisions;
  const pathspec = readPathspec(repo, paths);
  const found = changedFiles(repo, pathspec.matches);
  if (!found) return undefined;
  const letters = new Map<Bytes, Bytes>(found.map(({ path, letter }) => [path, letter]));
  if (tree) {
    const answer = treeToIndex(repo, tree.text);
    if (answer.kind !== 'found') return undefined;
    for (const { path, from, to } of answer.differences) {
      if (!pathspec.matches(path) || letters.get(path) === 'U') continue;
      const there = statOf(join(repo.workTree, path)) !== undefined;
      if (from === undefined && !there) letters.delete(path);
      else letters.set(path, from === undefined ? 'A' : to === undefined || !there ? 'D' : (letters.get(path) ?? 'M'));
    }
  }
  const wanted = filterOf(parsed.text('diff-filter'));
  const below = parsed.has('relative') || repo.config.flag('diff.relative') === true ? repo.prefix : '';
  if (parsed.text('relative') !== undefined) return undefined;
  const rows = [...letters].filter(([path, letter]) => wanted(letter) && path.startsWith(below));
  rows.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const names = rows.map(([path]) => path.slice(below.length));
  if (!parsed.has('name-status')) return listed(repo, names, parsed.has('z'));
  return rows
    .map(([, letter], at) => [letter, names[at] ?? ''] as const)
    .map(([letter, name]) => (parsed.has('z') ? `${letter}\0${name}\0` : `${letter}\t${quoted(repo, name)}\n`))
    .join('');
};

/** `git diff-tree`, `git show`: the paths of commits. */
export const askedDiff =
  (name: 'diff-tree' | 'show'): Teller =>
  (question) => {
    const parsed = parseOptions(OPTIONS, question.args);
    if (!tellable(parsed)) return undefined;
    const silent = parsed.text('format') === '' || parsed.text('pretty') === '' || parsed.get('commit-id') === false;
    const { revisions, paths } = told(question, parsed);
    if (!silent && (name === 'show' || revisions.length === 1)) return undefined;
    return ask(name, question, parsed, revisions, paths);
  };

/** A list of names, and no option that lets git run a program or read files otherwise. */
const tellable = (parsed: Parsed): boolean =>
  !parsed.bad &&
  !parsed.help &&
  parsed.has('name-only') !== parsed.has('name-status') &&
  !['R', 'quiet', 'ext-diff', 'textconv', 'm', 'color', 'find-copies'].some((name) => parsed.has(name));

type Word = Arg & { readonly kind: 'known' };

/** Words in front of `--` are revisions as long as they name one (gitcli(7)). */
function told(
  { repo }: Question,
  parsed: Parsed,
): { readonly revisions: readonly Word[]; readonly paths: readonly Arg[] } {
  const words = parsed.before as readonly Word[];
  if (parsed.after) return { revisions: words, paths: parsed.after };
  const isRevision = (word: Word): boolean =>
    /^[^:/]*\.\./.test(word.text) || (repo.named(word.text) ?? repo.resolve(toText(word.text))) !== undefined;
  const at = words.findIndex((word) => !isRevision(word));
  return at < 0 ? { revisions: words, paths: [] } : { revisions: words.slice(0, at), paths: words.slice(at) };
}

function ask(
  name: string,
  { repo }: Question,
  parsed: Parsed,
  revisions: readonly Word[],
  paths: readonly Arg[],
): Bytes | undefined {
  const flags = ['cached', 'staged', 'relative', 'root', 'merge-base']
    .filter((one) => parsed.has(one))
    .map((one) => `--${one}`);
  if (parsed.has('r')) flags.push('-r');
  if (name !== 'diff') flags.push(name === 'show' ? '--format=' : '--no-commit-id');
  const filter = parsed.text('diff-filter');
  if (filter !== undefined) flags.push(`--diff-filter=${filter}`);
  const renames = parsed.get('renames') === false ? false : repo.config.flag('diff.renames');
  if (renames === false) flags.push('--no-renames');
  const kind = parsed.has('name-status') ? '--name-status' : '--name-only';
  const words = revisions.map((word) => toText(word.text));
  const common = ['-c', 'log.showSignature=false', name, '-z', kind, '--ignore-submodules=none', '--no-ext-diff'];
  const names = askNames(repo, [...common, ...flags, ...words], paths);
  if (!names) return undefined;
  if (!parsed.has('name-status')) return listed(repo, names, parsed.has('z'));
  if (parsed.has('z')) return names.map((one) => `${one}\0`).join('');
  const lines: Bytes[] = [];
  for (let at = 0; at < names.length; ) {
    const letter = names[at++] ?? '';
    const of = names.slice(at, at + (/^[RC]/.test(letter) ? 2 : 1));
    at += of.length || 1;
    lines.push(`${[letter, ...of.map((one) => quoted(repo, one))].join('\t')}\n`);
  }
  return lines.join('');
}

/** `--diff-filter`: capitals choose, small letters leave out (git-diff(1)). */
function filterOf(text: Bytes | undefined): (letter: Bytes) => boolean {
  if (text === undefined) return () => true;
  const chosen = text.replace(/[^A-Z]/g, '');
  return (letter) => (chosen === '' || chosen.includes(letter)) && !text.includes(letter.toLowerCase());
}
