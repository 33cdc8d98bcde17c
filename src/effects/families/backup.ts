import type { Bytes } from '../../platform/bytes.ts';
import { basename, dirname } from '../../platform/paths.ts';
import type { Arg } from '../../shell/types.ts';
import { textOfArg, touch, type Use } from '../row.ts';

/**
 * `--backup`, `-b`, `-S` of cp, mv, install, ln (coreutils 2.2): what was at the destination gets another name, which may
 * replace the backup made before. tar's `-b` is none (tar(1)).
 */
export function backedUp(use: Use, target: Arg | Bytes, options = 'backup b suffix'): void {
  const { words, out, call } = use;
  if (!words.has(...options.split(' '))) return;
  const path = out.absolute(target);
  if (path === undefined || out.kindOf(target) === 'absent') return;
  const control = textOfArg(words.value('backup')) ?? call.env('VERSION_CONTROL') ?? 'existing';
  if (/^(none|off)/.test(control)) return;
  const newest = Math.max(0, ...numbers(use, path));
  const numbered = /^(t$|numbered)/.test(control) || (/^(nil|existing)/.test(control) && newest > 0);
  const suffix = textOfArg(words.value('suffix')) ?? call.env('SIMPLE_BACKUP_SUFFIX') ?? '~';
  touch(use, numbered ? `${path}.~${newest + 1}~` : path + suffix, 'replace');
}

function numbers(use: Use, path: Bytes): number[] {
  const start = `${basename(path)}.~`;
  return use.out.namesIn(dirname(path)).flatMap((name) => {
    const number = name.startsWith(start) ? /^(\d+)~$/.exec(name.slice(start.length))?.[1] : undefined;
    return number === undefined ? [] : [Number(number)];
  });
}
