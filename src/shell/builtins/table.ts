import type { Bytes } from '../../platform/bytes.ts';
import { emulate, setopt } from '../zsh/options.ts';
import { alias, unalias } from './alias.ts';
import { autoload } from './autoload.ts';
import type { Builtin } from './builtin.ts';
import { cd, dirs, popd, pushd, pwd } from './cd.ts';
import { command, evaluate, exec, execute, source } from './commands.ts';
import { compgen } from './compgen.ts';
import { leave } from './flow.ts';
import { getopts } from './getopts.ts';
import { history } from './history.ts';
import { jobs } from './jobs.ts';
import { printing } from './printing.ts';
import { mapfile, read } from './read.ts';
import { set, shift, shopt } from './set.ts';
import { trap } from './trap.ts';
import { declare, hash, letExpression, unset } from './variables.ts';
import { again, sched, zpty, zstyle } from './zsh.ts';

/**
 * Builtins that the walk carries out itself: what they change is the shell, and they are not reported. All others are reported
 * as programs are.
 */
export const BUILTINS: ReadonlyMap<Bytes, Builtin> = new Map<Bytes, Builtin>([
  ['setopt', setopt(true)],
  ['unsetopt', setopt(false)],
  ['emulate', emulate],
  ['integer', declare],
  ['float', declare],
  ['print', printing],
  ['cd', cd],
  ['chdir', cd],
  ['pushd', pushd],
  ['popd', popd],
  ['dirs', dirs],
  ['pwd', pwd],
  ['export', declare],
  ['declare', declare],
  ['typeset', declare],
  ['local', declare],
  ['readonly', declare],
  ['unset', unset],
  ['let', letExpression],
  ['getopts', getopts],
  ['hash', hash],
  ['set', set],
  ['shift', shift],
  ['shopt', shopt],
  ['eval', evaluate],
  ['source', source],
  ['.', source],
  ['command', command],
  ['builtin', execute],
  ['exec', exec],
  ['exit', leave('exit')],
  ['return', leave('return')],
  ['break', leave('break')],
  ['continue', leave('continue')],
  ['compgen', compgen],
  ['jobs', jobs],
  ['zstyle', zstyle],
  ['r', again],
  ['sched', sched],
  ['zpty', zpty],
  ['autoload', autoload],
  ['history', history],
  ['fc', history],
  ['trap', trap],
  ['alias', alias],
  ['unalias', unalias],
  ['read', read],
  ['mapfile', mapfile],
  ['readarray', mapfile],
  ['echo', printing],
  ['printf', printing],
  ['test', printing],
  ['[', printing],
  ['true', printing],
  ['false', printing],
  [':', printing],
]);
