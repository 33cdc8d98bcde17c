import type { Bytes } from '../../platform/bytes.ts';
import { dirname } from '../../platform/paths.ts';
import { below, type Clause, textOfArg, touch, type Use } from '../row.ts';

/** The Perl `rename` takes an expression, that of util-linux two words; both rename what follows (rename(1)). */
export function renamed(use: Use): void {
  const { words, out, verb } = use;
  if (words.has('n', 'nono', 'no-act')) return;
  const [first, ...rest] = words.operands;
  const expression = textOfArg(first) ?? '';
  const isPerl = words.has('e') || /^(s|y|tr)\W|[$;(]/.test(expression) || !/^rename(\.ul)?$/.test(verb);
  const files = words.has('e') ? words.operands : isPerl ? rest : rest.slice(1);
  // `-s`: it is the text of symbolic links that is changed, not their names.
  if (!isPerl && words.has('s', 'symlink')) {
    for (const file of files) touch(use, file, 'replace');
    return;
  }
  for (const file of files) {
    const text = textOfArg(file);
    const to =
      text === undefined
        ? undefined
        : isPerl
          ? substituted(text, expression)
          : text.replace(expression, () => textOfArg(rest[0]) ?? '');
    if (to === undefined) {
      const path = text === undefined ? undefined : out.absolute(dirname(text));
      out.effect({ verb, path: file, way: 'move' });
      out.unknown(verb, path ?? below(use.call.cwd), 'renames files to names that only it knows');
      continue;
    }
    if (to === text) continue;
    out.effect({ verb, path: to, way: 'replace' });
    out.effect({ verb, path: file, way: 'move', to });
  }
}

/** `s/old/new/flags` where it reads the same in JavaScript; undefined for any other program. */
function substituted(name: Bytes, expression: Bytes): Bytes | undefined {
  const hit = /^s(\W)((?:\\.|(?!\1).)*)\1((?:\\.|(?!\1).)*)\1([gi]*)$/.exec(expression);
  if (!hit || /\\[QEULulAzZ]|\(\?|[$@]\{|\$&/.test(expression)) return undefined;
  try {
    return name.replace(
      new RegExp(hit[2] ?? '', hit[4] ?? ''),
      (hit[3] ?? '').replace(/\\(\d)/g, '$$$1').replace(/\\(.)/g, '$1'),
    );
  } catch {
    return undefined; // a pattern of Perl's own
  }
}

/** mmv(1) asks where names collide; it moves, copies (`-c`), overwrites (`-o`) by pattern. */
export const byPattern: Clause = (use) => {
  if (!use.words.has('n')) use.out.unknown(use.verb, below(use.call.cwd), 'renames files by pattern');
};

/** vidir(1): a person edits names; removed lines are removed files. */
export const editedNames: Clause = (use) => use.out.opaque(use.verb, use.call.cwd);
