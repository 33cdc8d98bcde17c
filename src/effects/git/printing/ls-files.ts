import { type Bytes, toText } from '../../../platform/bytes.ts';
import { parseOptions } from '../options.ts';
import { readPathspec } from '../pathspec.ts';
import type { Teller } from '../printed.ts';
import { Status } from '../status.ts';
import { askNames, fromHere, listed } from './names.ts';

const OPTIONS =
  'z t v f c,cached d,deleted m,modified o,others i,ignored s,stage u,unmerged k,killed directory empty-directory eol x,exclude= ' +
  'X,exclude-from= exclude-per-directory= exclude-standard full-name recurse-submodules error-unmatch with-tree= abbrev=? deduplicate ' +
  'debug sparse format= resolve-undo';

/** Other formats than a name a line, or other trees. */
const OTHERWISE = 't v f s u k stage unmerged killed eol recurse-submodules with-tree debug format resolve-undo'.split(
  ' ',
);

/** git-ls-files(1). What `-m` and `-d` list is looked at here: git would run the repository's clean filters. */
export const lsFiles: Teller = ({ repo, args }) => {
  const parsed = parseOptions(OPTIONS, args);
  if (parsed.bad || parsed.help || OTHERWISE.some((name) => parsed.has(name))) return undefined;
  const operands = [...parsed.before, ...(parsed.after ?? [])];
  const looks = parsed.has('modified') || parsed.has('deleted');
  const cached = parsed.has('cached') || !(looks || parsed.has('others'));
  const names: Bytes[] = [];
  const choices = ['-z', ...(parsed.has('full-name') ? ['--full-name'] : []), ...excludes(parsed)];
  const add = (more: readonly Bytes[] | undefined): boolean => more !== undefined && names.push(...more) >= 0;
  if (parsed.has('others') && !add(askNames(repo, ['ls-files', '-o', ...choices], operands))) return undefined;
  if (!looks) {
    if (cached && !add(askNames(repo, ['ls-files', '-c', ...choices.filter(notOfFolders)], operands))) return undefined;
  } else {
    const entries = repo.index();
    if (entries === undefined || parsed.has('ignored')) return undefined;
    const pathspec = readPathspec(repo, operands);
    const status = new Status(repo);
    for (const entry of entries) {
      if (operands.length > 0 ? !pathspec.matches(entry.path) : !entry.path.startsWith(repo.prefix)) continue;
      const name = parsed.has('full-name') ? entry.path : fromHere(repo, entry.path);
      if (cached) names.push(name);
      if (entry.skipWorktree) continue;
      const { kind } = status.of(entry);
      const gone = kind === 'absent';
      if (parsed.has('deleted') && gone) names.push(name);
      if (parsed.has('modified') && (gone || kind === 'changed' || kind === 'mode' || kind === 'folder'))
        names.push(name);
    }
  }
  return listed(repo, parsed.has('deduplicate') ? [...new Set(names)] : names, parsed.has('z'));
};

const notOfFolders = (choice: string): boolean => !/directory$/.test(choice);

function excludes(parsed: ReturnType<typeof parseOptions>): string[] {
  const out: string[] = [];
  for (const name of ['ignored', 'directory', 'exclude-standard']) if (parsed.has(name)) out.push(`--${name}`);
  if (parsed.get('empty-directory') === false) out.push('--no-empty-directory');
  for (const name of ['exclude', 'exclude-from', 'exclude-per-directory'])
    for (const value of parsed.all(name)) if (value.kind === 'known') out.push(`--${name}=${toText(value.text)}`);
  return out;
}
