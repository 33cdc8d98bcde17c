import { type Row, textOfArg, touch, type Use } from '../row.ts';
import { row, VIA } from './brief.ts';

/** bash(1) history: `-w` writes the file anew, `-a` adds to it. Without HISTFILE nothing is kept anywhere. */
function history(use: Use): void {
  const { words, call } = use;
  if (!words.has('w', 'a')) return;
  const file = words.operands[0] ?? call.env('HISTFILE');
  if (file !== undefined) touch(use, file, words.has('w') ? 'write-in-place' : 'append', VIA);
}

/** zshbuiltins(1) fc: `-W` writes, `-A` adds, `-P` may write, `-R` reads, `-l` lists; else lines of before are run again, which ones only the shell knows. */
function fixCommand(use: Use): void {
  const { words, call, out } = use;
  if (words.has('W', 'A', 'P')) {
    const file = words.operands[0] ?? call.env('HISTFILE');
    if (file !== undefined) touch(use, file, words.has('W', 'P') ? 'write-in-place' : 'append', VIA);
  } else if (!words.has('l', 'R', 'p')) out.unknown(use.verb, call.cwd, 'runs a line of the history again');
}

/** zshmodules(1), zsh/system: opens a file, `-w` for writing; cut to nothing with `-o trunc`, else written over. */
function systemOpen(use: Use): void {
  const { words } = use;
  const file = words.operands[0];
  if (file !== undefined && words.has('w', 'a')) touch(use, file, words.has('a') ? 'append' : 'write-in-place', VIA);
}

/** zshbuiltins(1): the file, with the suffix that it may not have yet. */
function compiled(use: Use): void {
  const [first] = use.words.operands;
  const text = textOfArg(first);
  if (first !== undefined && !use.words.has('t'))
    touch(use, text === undefined ? first : `${text.replace(/\.zwc$/, '')}.zwc`, 'replace');
}

/** The shell's own record of lines, and files that it opens by itself. */
export const histories: readonly Row[] = [
  row('history', 'bash(1)', 'with `-w`, what the history file held', 'c d= a n r w p s', history),
  row(
    'fc',
    'bash(1), zshbuiltins(1)',
    'what the line that it runs again loses; with `-W` (zsh), what the history file held',
    'e= l n r s A W R p P I L D d E f i t= m',
    fixCommand,
  ),
  row('zcompile', 'zshbuiltins(1)', 'replaces the compiled file, `FILE.zwc`', 'U z k R M c a m t', compiled),
  row('sysopen', 'zshmodules(1)', 'what a file held that it opens with `-w`', 'r w a m= o= u=', systemOpen),
];
