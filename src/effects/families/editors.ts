import type { Bytes } from '../../platform/bytes.ts';
import type { Arg } from '../../shell/types.ts';
import { type Deed, report } from '../languages/deed.ts';
import { edDeeds } from '../languages/ed.ts';
import { exDeeds } from '../languages/ex.ts';
import { type Row, textOfArg, touch, type Use } from '../row.ts';

/** A person (or a script that nobody can read) edits: what is opened may be written. */
function edited(use: Use, files: readonly Arg[]): void {
  for (const path of files) {
    if (textOfArg(path) === '-') continue;
    use.out.effect({ verb: use.verb, path, way: 'write-in-place', follows: true, certainty: 'maybe' });
  }
}

function inputOf({ call, out }: Use): Bytes | undefined {
  if (call.stdin.kind === 'text') return call.stdin.text;
  return call.stdin.kind === 'file' ? out.textOf(call.stdin.path) : undefined;
}

/** ed(1): its commands are its input. */
function ed(use: Use): void {
  const { call, out, verb, words } = use;
  const script = inputOf(use);
  const file = words.operands[0];
  if (script === undefined) {
    edited(use, words.operands);
    if (call.stdin.kind === 'pipe') out.opaque(verb, call.cwd);
    return;
  }
  const deeds = edDeeds(script, file === undefined ? undefined : textOfArg(file));
  report(words.has('r') ? deeds.filter((deed) => deed.kind === 'shell') : deeds, call, out, { verb });
}

/** What ex and vim run before anybody types: `-c`, `+CMD`, `-S`, and the input in silent mode. */
interface Session {
  readonly script: Bytes;
  readonly opaque: boolean;
  readonly files: readonly Arg[];
}

/** vim(1): options and files mixed; `+CMD` is a command. */
function session(use: Use): Session {
  const { words, out } = use;
  const chunks: Bytes[] = [];
  let opaque = false;
  const files: Arg[] = [];
  for (const { name, value } of words.options) {
    if ((name === 'c' || name === 'cmd') && value) {
      if (value.kind === 'known') chunks.push(value.text);
      else opaque = true;
    } else if (name === 'S' && value) {
      const text = out.textOf(value);
      if (text === undefined) opaque = true;
      else chunks.push(text);
    }
  }
  for (const arg of words.operands) {
    const text = textOfArg(arg);
    if (text?.startsWith('+')) chunks.push(text === '+' ? '$' : text.slice(1));
    else files.push(arg);
  }
  // Options and operands are told apart, not in their order: what ends the session comes last.
  const ends = (chunk: Bytes): number => (QUITS.test(chunk) ? 1 : 0);
  return { script: chunks.sort((left, right) => ends(left) - ends(right)).join('\n'), opaque, files };
}

const QUITS =
  /(^|[|:\n])\s*(silent!?\s+)?(wqa?(ll)?|xa?(ll)?|xit|exit|qa?(ll)?|quit|cq(uit)?|normal? ZZ)!?\s*(\||\n|$)/m;

function ex(use: Use): void {
  const { call, out, verb, words } = use;
  const { script, opaque, files } = session(use);
  for (const file of words.values('w', 'W')) touch(use, file, 'append', { follows: true });
  const silent = words.has('s') && (words.has('e', 'E') || /^(ex|exim)$/.test(verb));
  const input = silent ? inputOf(use) : undefined;
  const all = input === undefined ? script : `${script}\n${input}`;
  const names = files.map((arg) => textOfArg(arg) ?? '').filter((name) => name !== '');
  const deeds: Deed[] = exDeeds(all, names);
  const batch = QUITS.test(all) || (silent && call.stdin.kind !== 'terminal');
  const readOnly = words.has('R', 'M') || /^(view|rview|gview|vimdiff)$/.test(verb);
  report(deeds, call, out, { verb });
  if (opaque || (silent && input === undefined && call.stdin.kind === 'pipe')) out.opaque(verb, call.cwd);
  else if (batch || readOnly) return;
  edited(use, files);
}

const editsOperands = (use: Use): void =>
  edited(
    use,
    use.words.operands.filter((arg) => !textOfArg(arg)?.startsWith('+')),
  );

/** emacs(1): in batch mode Lisp runs, which nobody follows. */
function emacs(use: Use): void {
  const { words, call, out, verb } = use;
  if (words.has('batch', 'script', 'eval', 'execute', 'f', 'funcall', 'l', 'load')) out.opaque(verb, call.cwd);
  edited(
    use,
    words.operands.filter((arg) => !textOfArg(arg)?.startsWith('+')),
  );
}

const VIM =
  'A b C c,cmd= D d e E F f g h H i= L l M m N n nb? o? O? p? P= q? r R s S= t= T= u= U= v V? w= W= x X y Z clean literal noplugin not-a-term nofork servername= remote remote-silent remote-wait startuptime= ttyfail help version';

/** Editors: commands in batch mode are followed; files opened by a person are held. */
export const editors: readonly Row[] = [
  {
    names: 'ed red',
    manual: 'ed(1)',
    loses: 'what `w` and `wq` of its script write; its operand, where a person types the commands',
    options:
      'E,extended-regexp G,traditional l,loose-exit-status p,prompt= r,restricted s,quiet,silent,script v,verbose strip-trailing-cr h,help V,version',
    idle: 'h V',
    does: [ed],
  },
  {
    names: 'vim vi ex nvim vim.tiny rvim gvim view rview evim exim vimdiff nvi elvis',
    manual: 'vim(1), ex(1)',
    loses: 'what `:w`, `:wq`, `:x` of its commands write; its operands, where a person edits',
    options: VIM,
    does: [ex],
  },
  {
    names: 'nano pico micro joe jed mcedit ne kak hx helix code codium subl gedit kate kwrite mousepad xed leafpad',
    manual: 'nano(1), micro(1), …',
    loses: 'its operands, as far as a person saves them',
    options: 'n w W wait r= T= s= o= Y= g,goto v,view h,help V,version',
    idle: 'help version v',
    does: [editsOperands],
  },
  {
    names: 'emacs emacsclient mg zile',
    manual: 'emacs(1)',
    loses: 'its operands, as far as a person saves them; what Lisp in batch mode does is not known',
    options: 'batch script= eval= execute= f,funcall= l,load= nw q,no-init-file Q,quick u= t= c a= s= n e help version',
    grammar: { singleDash: true },
    does: [emacs],
  },
];
