import type { Bytes } from '../../platform/bytes.ts';
import type { Arg } from '../../shell/types.ts';
import { parseWords } from '../options.ts';
import { output, type Row, textOfArg, touch, type Use } from '../row.ts';
import { runs, same, stops } from './run.ts';

/** strace(1), `-o`: a file, or a command behind `|` or `!`. */
function tracedInto(use: Use): void {
  for (const value of use.words.values('output')) {
    const command = /^[|!]([\s\S]+)/.exec(textOfArg(value) ?? '')?.[1];
    if (command !== undefined) use.call.script(command, { shell: 'sh' });
    else touch(use, value, use.words.has('output-append-mode') ? 'append' : 'write-in-place', { follows: true });
  }
}

/** perf(1): `record`, `stat` and `trace` run a command, and so do the `record`s of `mem`, `lock`, `sched` and the like. */
function perf(use: Use): void {
  const [sub, ...rest] = use.words.operands;
  const name = textOfArg(sub) ?? '';
  if (/^(mem|lock|sched|kvm|c2c|kmem|kwork|timechart)$/.test(name)) {
    const at = rest.findIndex((arg) => /^rec/.test(textOfArg(arg) ?? ''));
    if (at >= 0) perfRun(use, 'record', rest.slice(at + 1));
  } else if (/^(stat|record|trace|top|ftrace)$/.test(name)) perfRun(use, name, rest);
}

function perfRun(use: Use, name: Bytes, rest: readonly Arg[]): void {
  const words = parseWords(
    rest,
    'output,o= e,event= F,freq= g a,all-cpus p,pid= t,tid= C,cpu= c,count= r,repeat= d v B x= j call-graph= s I= D= k= G= m= N= u= M= log-fd= append',
    stops,
  );
  output('output', words.has('append') ? 'append' : 'write-in-place')({ ...use, words });
  if (name === 'record' && !words.has('output')) touch(use, 'perf.data', 'replace');
  if (words.operands.length > 0) use.call.run(words.operands);
}

/** valgrind(1): every tool has an output option of its own, `--TOOL-out-file=FILE`. */
const valgrind = output(
  'log-file xml-file callgrind-out-file cachegrind-out-file massif-out-file dhat-out-file bb-out-file pc-out-file',
);

/** gdb(1): `-ex 'shell TEXT'`, `-ex '!TEXT'`; the program may be run, and what else is typed is not known. */
function debugged(use: Use): void {
  const { call, words } = use;
  for (const value of words.values('ex', 'eval-command', 'iex', 'init-eval-command')) {
    const text = /^\s*(?:!|(?:she|shel|shell)\s)([\s\S]+)/.exec(textOfArg(value) ?? '')?.[1];
    if (text !== undefined) call.script(text, { shell: 'sh' });
  }
  if (words.has('args') && words.operands.length > 0) call.run(words.operands, { certainty: 'maybe' });
  use.out.opaque(use.verb, call.cwd);
}

/** Programs that watch another one while it runs, and write down what they see. */
export const tracers: readonly Row[] = [
  {
    names: 'strace',
    manual: 'strace(1)',
    loses: `${same}, and the file of \`-o\``,
    options:
      'a= A,output-append-mode b= c C d D e= E= f,ff F= h i,I= k l= L n N output,o= O= p,attach= P= q r s= S= t T u= U= v V w x= X= y z Z',
    grammar: stops,
    idle: 'h V',
    does: [tracedInto, runs()],
  },
  {
    names: 'ltrace',
    manual: 'ltrace(1)',
    loses: `${same}, and the file of \`-o\``,
    options: 'a= A= b c C D= e= f F= h i l= L n= output,o= p= r s= S t T u= V w= x=',
    grammar: stops,
    idle: 'h V',
    does: [output('output'), runs()],
  },
  {
    names: 'perf',
    manual: 'perf-stat(1), perf-record(1)',
    loses: `${same}, and the file of \`-o\``,
    options: 'v help version',
    grammar: stops,
    does: [perf],
  },
  {
    names: 'valgrind',
    manual: 'valgrind(1)',
    loses: `${same}, and the output files of its tools`,
    options:
      'h,help version q v tool? log-file? xml-file? callgrind-out-file? cachegrind-out-file? massif-out-file? dhat-out-file? bb-out-file? pc-out-file?',
    grammar: stops,
    does: [valgrind, runs()],
  },
  {
    names: 'gdb',
    manual: 'gdb(1)',
    loses: 'what the texts of `-ex` hand to the shell, and what the program behind `--args` loses',
    options:
      'args batch batch-silent return-child-result q quiet n nx nh nw tui write fullname ex= eval-command= iex= init-eval-command= x= command= ix= init-command= d= directory= cd= p= pid= c= core= s= symbols= e= exec= se= tty= interpreter= l= b= D=',
    grammar: { ...stops, singleDash: true },
    does: [debugged],
  },
];
