import type { Bytes } from '../../platform/bytes.ts';
import type { Arg } from '../../shell/types.ts';
import { parseWords } from '../options.ts';
import { output, type Row, textOfArg, touch, type Use } from '../row.ts';
import { quoted } from './quoted.ts';
import { runs, same, stops } from './run.ts';

/** env(1): assignments, `-C`, `-S`. */
function inEnvironment(use: Use): void {
  const { call, out, words } = use;
  const folder = words.value('chdir');
  const path = folder ? out.absolute(folder) : undefined;
  const change = folder
    ? { cwd: path === undefined ? ({ kind: 'unknown' } as const) : ({ kind: 'known', path } as const) }
    : {};
  const split = words.value('split-string');
  let at = 0;
  while (at < words.operands.length && /^(-$|[^=]+=)/.test(textOfArg(words.operands[at]) ?? '')) at++;
  const argv = words.operands.slice(at);
  const variables = new Map<Bytes, Arg | undefined>();
  for (const name of words.values('u')) if (name.kind === 'known') variables.set(name.text, undefined);
  for (const arg of words.operands.slice(0, at)) assigned(arg, variables);
  if (split?.kind === 'known')
    call.script(split.text.replace(/\\c[\s\S]*$/, '') + argv.map((arg) => ` ${quoted(arg)}`).join(''), {
      shell: 'sh',
      ...change,
    });
  else if (split) out.unknown(use.verb, call.cwd, 'the command that env splits cannot be known');
  else if (argv.length > 0) call.run(argv, { ...change, variables });
}

/** `NAME=value` in front of a command. */
export function assigned(arg: Arg, into: Map<Bytes, Arg | undefined>): void {
  const [, name, value = ''] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(arg.kind === 'known' ? arg.text : arg.prefix) ?? [];
  if (name === undefined) return;
  into.set(name, arg.kind === 'known' ? { kind: 'known', text: value } : { ...arg, prefix: value, many: false });
}

/** Programs that run another one in changed surroundings: environment, priority, limits, tracing. */
export const surroundings: readonly Row[] = [
  {
    names: 'env',
    manual: 'env(1)',
    loses: same,
    options:
      'i,ignore-environment 0,null u,unset= chdir,C= split-string,S= v,debug block-signal? default-signal? ignore-signal? list-signal-handling help version',
    grammar: stops,
    does: [inEnvironment],
  },
  {
    names: 'nice',
    manual: 'nice(1)',
    loses: same,
    options: 'n,adjustment= 0 1 2 3 4 5 6 7 8 9 - help version',
    grammar: stops,
    does: [runs()],
  },
  {
    names: 'ionice',
    manual: 'ionice(1)',
    loses: same,
    options: 'c,class= n,classdata= pid,p= P,pgid= t,ignore u,uid= help,h version,V',
    grammar: stops,
    idle: 'help version pid P u',
    does: [runs()],
  },
  {
    names: 'chrt',
    manual: 'chrt(1)',
    loses: same,
    options:
      'a,all-tasks b,batch d,deadline f,fifo i,idle m,max o,other p,pid r,rr R,reset-on-fork T,sched-runtime= P,sched-period= D,sched-deadline= v,verbose help,h version,V',
    grammar: stops,
    idle: 'help version m p',
    does: [runs(1)],
  },
  {
    names: 'taskset',
    manual: 'taskset(1)',
    loses: same,
    options: 'a,all-tasks p,pid c,cpu-list help,h version,V',
    grammar: stops,
    idle: 'help version p',
    does: [runs(1)],
  },
  {
    names: 'timeout',
    manual: 'timeout(1)',
    loses: same,
    options: 'f,foreground k,kill-after= p,preserve-status s,signal= v,verbose help version',
    grammar: stops,
    does: [runs(1)],
  },
  {
    names: 'stdbuf',
    manual: 'stdbuf(1)',
    loses: same,
    options: 'i,input= o,output= e,error= help version',
    grammar: stops,
    does: [runs()],
  },
  {
    names: 'time',
    manual: 'time(1)',
    loses: `${same}, and the file of \`-o\``,
    options: 'f,format= output,o= append,a p,portability v,verbose q,quiet help,h version,V',
    grammar: stops,
    does: [(use) => output('output', use.words.has('append') ? 'append' : 'write-in-place')(use), runs()],
  },
  {
    names: 'command builtin exec noglob nocorrect - then do else',
    manual: 'bash(1), zshmisc(1)',
    loses: same,
    options: 'v V p c l a=',
    grammar: stops,
    idle: 'v V',
    does: [runs()],
  },
  {
    names: 'strace ltrace',
    manual: 'strace(1), ltrace(1)',
    loses: `${same}, and the file of \`-o\``,
    options:
      'a= A,output-append-mode b= c C d D e= E= f,ff F= h i,I= k l= L n N output,o= O= p,attach= P= q r s= S= t T u= U= v V w x= X= y z Z',
    grammar: stops,
    idle: 'h V',
    does: [output('output'), runs()],
  },
  {
    names: 'perf',
    manual: 'perf-stat(1), perf-record(1)',
    loses: `${same}, and the file of \`-o\``,
    options: 'o,output= e,event= F,freq= g a p= t= C= c= r,repeat= d v B x= j,json',
    grammar: stops,
    does: [
      (use) => {
        const [sub, ...rest] = use.words.operands;
        if (!['stat', 'record', 'trace'].includes(textOfArg(sub) ?? '')) return;
        const words = parseWords(
          rest,
          'output,o= e,event= F,freq= g a,all-cpus p,pid= t,tid= C,cpu= c,count= r,repeat= d v B x= j call-graph= s',
          stops,
        );
        output('output')({ ...use, words });
        if (textOfArg(sub) === 'record' && !words.has('output')) touch(use, 'perf.data', 'replace');
        if (words.operands.length > 0) use.call.run(words.operands);
      },
    ],
  },
  {
    names: 'xvfb-run',
    manual: 'xvfb-run(1)',
    loses: same,
    options:
      'a,auto-servernum,auto-display d e,error-file= f,auth-file= h,help l,listen-tcp n,server-num= p,xauth-protocol= s,server-args= w,wait=',
    grammar: stops,
    does: [runs()],
  },
  {
    names:
      'chronic unbuffer rlwrap dbus-run-session dbus-launch fakeroot eatmydata nocache torsocks torify tsocks proxychains proxychains4 catchsegv linux32 linux64 i386 x86_64 setarch cgexec pasuspender optirun primusrun prime-run gamemoderun caffeinate tini dumb-init catatonit softlimit stress cpulimit numactl valgrind heaptrack ltrace-run aa-exec runcon setpriv prlimit capsh ddtrace-run newrelic-admin winpty wsl',
    manual: 'chronic(1), unbuffer(1), fakeroot(1), setpriv(1), …',
    loses: same,
    options:
      'q f= l= i= s= u= b= c= e= n= N= m= p= P= t= T= w= v verbose tool= log-file= leak-check= cpunodebind= membind= interleave= reuid= regid= init-groups clear-groups keep-groups exit-with-session',
    grammar: stops,
    does: [runs()],
  },
  {
    names: 'choom',
    manual: 'choom(1)',
    loses: same,
    options: 'n,adjust= p,pid= help,h version,V',
    grammar: stops,
    idle: 'help version p',
    does: [runs()],
  },
  {
    names: 'uclampset',
    manual: 'uclampset(1)',
    loses: same,
    options: 'm= M= a,all-tasks p,pid= s,system R,reset-on-fork v,verbose help,h version,V',
    grammar: stops,
    idle: 'help version p s',
    does: [runs()],
  },
  {
    names: 'faketime',
    manual: 'faketime(1)',
    loses: same,
    options: 'm f help,h version',
    grammar: stops,
    does: [runs(1)],
  },
];
