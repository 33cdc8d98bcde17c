import type { Bytes } from '../../platform/bytes.ts';
import { basename, dirname, join } from '../../platform/paths.ts';
import type { Arg } from '../../shell/types.ts';
import { report } from '../languages/deed.ts';
import { sedDeeds } from '../languages/sed.ts';
import { type Row, textOfArg, touch, type Use } from '../row.ts';

/**
 * The name that `-i SUFFIX` keeps the old content under: `*` stands for the file's name, a slash for another folder
 * (sed(1), perlrun(1), gawk's `inplace`). Undefined: none is kept.
 */
export function backupName(file: Bytes, suffix: Bytes | undefined): Bytes | undefined {
  if (suffix === undefined || suffix === '') return undefined;
  const base = basename(file);
  const name = suffix.includes('*') ? suffix.replaceAll('*', base) : base + suffix;
  return name.includes('/') || !file.includes('/') ? name : join(dirname(file), name);
}

/** A file edited by `-i`: written anew beside and renamed over, so a link itself is replaced. */
export function editedInPlace(use: Use, file: Arg, suffix: Bytes | undefined, follows = false): void {
  touch(use, file, 'replace', follows ? { follows } : {});
  const backup = file.kind === 'known' ? backupName(file.text, suffix) : undefined;
  if (backup !== undefined) touch(use, backup, 'replace');
}

/** Scripts in the order of `-e` and `-f`; without either the first operand is the script (sed(1)). */
function sed(use: Use): void {
  const { words, call, out } = use;
  const chunks: Bytes[] = [];
  for (const option of words.options) {
    if (option.name === 'e') chunks.push(scriptText(option.value));
    else if (option.name === 'f' && option.value) chunks.push(scriptFile(use, option.value));
  }
  const given = words.has('e', 'f');
  if (!given) chunks.push(scriptText(words.operands[0]));
  if (!words.has('sandbox')) report(sedDeeds(chunks.join('\n')), call, out, { verb: use.verb });
  if (!words.has('i')) return;
  const suffix = textOfArg(words.value('i'));
  // `sed -i '' s/a/b/ f` is the BSD form: here the empty word is the script, and the next one a file that is not there.
  for (const file of given ? words.operands : words.operands.slice(1)) {
    editedInPlace(use, file, suffix, words.has('follow-symlinks'));
  }
}

/** Of a script that is not known whole, what is known in front. */
const scriptText = (arg: Arg | undefined): Bytes =>
  arg === undefined ? '' : arg.kind === 'known' ? arg.text : arg.prefix;

function scriptFile(use: Use, file: Arg): Bytes {
  const { stdin } = use.call;
  if (/^(-|\/dev\/stdin)$/.test(textOfArg(file) ?? '')) {
    if (stdin.kind === 'text') return stdin.text;
    if (stdin.kind === 'file') return use.out.textOf(stdin.path) ?? '';
  }
  return use.out.textOf(file) ?? '';
}

export const sedRow: Row = {
  names: 'sed gsed ssed',
  manual: 'sed(1)',
  loses: 'with `-i`, replaces its files; `w`, `W`, `s///w` in a script truncate files, `e` runs commands',
  options:
    'n,quiet,silent debug e,expression= f,file= E,r,regexp-extended i,in-place? l,line-length= posix s,separate sandbox u,unbuffered z,null-data follow-symlinks b,binary help version',
  does: [sed],
};
