import type { Arg, Place } from '../../shell/types.ts';
import { parseWords } from '../options.ts';
import { type Row, textOfArg, type Use } from '../row.ts';
import { same, stops } from './run.ts';

/** Commands of tmux(1) that start a program, by their names and aliases, with their options. */
const STARTS: readonly (readonly [names: RegExp, options: string])[] = [
  [/^(new-s\w*|new)$/, 'A d D E P X c= e= f= F= n= s= t= x= y='],
  [/^(new-w\w*|neww)$/, 'a b d k P S c= e= F= n= t='],
  [/^(split-w\w*|splitw)$/, 'b d f h I v P Z c= e= F= l= p= t='],
  [/^(respawn-\w+|respawn[pw])$/, 'k c= e= t='],
  [/^(run-shell|run|display-popup|popup)$/, 'b C B E c= d= e= h= s= S= t= T= w= x= y='],
  [/^(if-shell|if|pipe-pane|pipep)$/, 'b F I O o t='],
];

/** `tmux new -d 'TEXT'`, `tmux splitw rm x`: one word is a text for the shell, several are a command; it goes on after the line. */
function tmux(use: Use): void {
  let rest = use.words.operands;
  while (rest.length > 0) {
    const end = rest.findIndex((arg) => textOfArg(arg) === ';');
    started(use, end < 0 ? rest : rest.slice(0, end));
    rest = end < 0 ? [] : rest.slice(end + 1);
  }
}

function started(use: Use, [command, ...rest]: readonly Arg[]): void {
  const { call, out } = use;
  const name = textOfArg(command) ?? '';
  const options = STARTS.find(([names]) => names.test(name))?.[1];
  if (options === undefined) return;
  const words = parseWords(rest, options, { stopsAtOperand: true });
  const folder = words.value('c');
  const path = folder === undefined ? undefined : out.absolute(folder);
  const cwd: Place = path !== undefined ? { kind: 'known', path } : folder ? { kind: 'unknown' } : call.cwd;
  const argv = words.operands;
  const texts = /^(if|run)/.test(name) ? argv : argv.slice(0, argv.length === 1 ? 1 : 0);
  for (const text of texts) {
    if (text.kind === 'known') call.script(text.text, { shell: 'sh', cwd, deferred: true });
    else out.unknown(use.verb, cwd, 'the text that the shell runs cannot be known');
  }
  if (texts.length === 0 && argv.length > 0) call.run(argv, { cwd, deferred: true });
}

/** `screen -dm CMD ARG…`. */
function screen(use: Use): void {
  const { words, call } = use;
  if (words.operands.length > 0 && !words.has('X', 'r', 'R', 'x', 'ls', 'list', 'wipe'))
    call.run(words.operands, { deferred: true });
}

/** Terminals within a terminal: what is started in them outlives the line. */
export const terminals: readonly Row[] = [
  {
    names: 'tmux',
    manual: 'tmux(1)',
    loses: `${same}, in a window of its own, also after the line`,
    options: '2 C D l N u v V L= f= S= c= T=',
    grammar: stops,
    idle: 'V',
    does: [tmux],
  },
  {
    names: 'screen',
    manual: 'screen(1)',
    loses: `${same}, in a window of its own, also after the line`,
    options: 'a A d D i l L m O q Q r R U v x X c= e= h= p= s= S= t= T= ls list wipe help version',
    grammar: stops,
    does: [screen],
  },
];
