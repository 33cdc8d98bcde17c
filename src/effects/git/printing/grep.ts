import { toText } from '../../../platform/bytes.ts';
import { parseOptions } from '../options.ts';
import type { Teller } from '../printed.ts';
import { askNames, listed } from './names.ts';

const GREP =
  'l,files-with-matches name-only L,files-without-match i,ignore-case w,word-regexp v,invert-match E,extended-regexp F,fixed-strings ' +
  'G,basic-regexp P,perl-regexp e= z,null cached untracked I a,text exclude-standard full-name max-depth= r,recursive q,quiet';

const PASSED = 'i w v E F G P I a cached untracked exclude-standard full-name r'.split(' ');
const LONG: Readonly<Record<string, string>> = {
  i: 'ignore-case',
  w: 'word-regexp',
  v: 'invert-match',
  E: 'extended-regexp',
  F: 'fixed-strings',
  G: 'basic-regexp',
  P: 'perl-regexp',
  a: 'text',
  r: 'recursive',
};

/** `git grep -l`: it reads files as they are, and runs nothing. */
export const grep: Teller = ({ repo, args }) => {
  const parsed = parseOptions(GREP, args);
  const lists = parsed.has('files-with-matches') || parsed.has('name-only');
  const lacks = parsed.has('files-without-match');
  if (parsed.bad || parsed.help || parsed.has('quiet') || lists === lacks) return undefined;
  const patterns = parsed.all('e');
  const [first, ...others] = parsed.before;
  const flags = PASSED.filter((name) => parsed.has(LONG[name] ?? name)).map((name) =>
    name.length === 1 ? `-${name}` : `--${name}`,
  );
  const asked = patterns.length > 0 ? patterns : first ? [first] : [];
  const words = asked.flatMap((arg) => (arg.kind === 'known' ? ['-e', toText(arg.text)] : []));
  const operands = [...(patterns.length > 0 ? parsed.before : others), ...(parsed.after ?? [])];
  // A revision in front of the paths: what is printed begins with it.
  if (parsed.after && operands.length > parsed.after.length) return undefined;
  const names = askNames(repo, ['grep', '-z', lacks ? '-L' : '-l', '--no-color', ...flags, ...words], operands);
  return names && listed(repo, names, parsed.has('null'));
};

/** `git ls-tree --name-only`: trees are read, no file. */
export const lsTree: Teller = ({ repo, args }) => {
  const parsed = parseOptions(
    'd r t z name-only name-status full-name full-tree l,long abbrev=? format= object-only',
    args,
  );
  const [tree, ...operands] = [...parsed.before, ...(parsed.after ?? [])];
  const names = parsed.has('name-only') || parsed.has('name-status');
  if (parsed.bad || parsed.help || !names || tree?.kind !== 'known' || operands.length > 0) return undefined;
  const flags = ['d', 'r', 't', 'full-name', 'full-tree'].filter((name) => parsed.has(name));
  const words = flags.map((name) => (name.length === 1 ? `-${name}` : `--${name}`));
  const answer = repo.ask(['ls-tree', '-z', '--name-only', ...words, '--end-of-options', toText(tree.text)]);
  if (!answer.ok) return undefined;
  return listed(repo, answer.out.toString('latin1').split('\0').filter(Boolean), parsed.has('z'));
};
