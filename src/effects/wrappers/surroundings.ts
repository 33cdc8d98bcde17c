import type { Bytes } from '../../platform/bytes.ts';
import type { Arg } from '../../shell/types.ts';
import { output, type Row, textOfArg, type Use } from '../row.ts';
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

/** A program whose operands are a command. */
const plain = (names: string, manual: string, options: string): Row => ({
  names,
  manual,
  loses: same,
  options,
  grammar: stops,
  idle: 'help h version v V',
  does: [runs()],
});

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
    does: [(use) => runs(/^\d+$/.test(textOfArg(use.words.operands[0]) ?? '') ? 1 : 0)(use)],
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
    names: 'xvfb-run',
    manual: 'xvfb-run(1)',
    loses: same,
    options:
      'a,auto-servernum,auto-display d error-file,e= f,auth-file= h,help l,listen-tcp n,server-num= p,xauth-protocol= s,server-args= w,wait=',
    grammar: stops,
    does: [output('error-file', 'append'), runs()],
  },
  {
    names:
      'chronic dbus-run-session dbus-launch eatmydata nocache torify tsocks proxychains proxychains4 catchsegv linux32 linux64 i386 x86_64 setarch pasuspender optirun primusrun prime-run gamemoderun caffeinate tini dumb-init catatonit softlimit stress heaptrack ltrace-run aa-exec setpriv prlimit ddtrace-run newrelic-admin winpty wsl',
    manual: 'chronic(1), eatmydata(1), setpriv(1), …',
    loses: same,
    options:
      'q f= l= i= s= u= b= c= e= n= N= m= p= P= t= T= w= v verbose tool= log-file= leak-check= cpunodebind= membind= interleave= reuid= regid= init-groups clear-groups keep-groups exit-with-session config-file= dbus-daemon=',
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
  plain('unbuffer', 'unbuffer(1)', 'p'),
  plain(
    'torsocks',
    'torsocks(1)',
    'u,user= p,pass= i,isolate a,address= P,port= d,debug q,quiet shell on off show h,help',
  ),
  plain('cgexec', 'cgexec(1)', 'g= sticky h,help b'),
  plain(
    'cpulimit',
    'cpulimit(1)',
    'l,limit= e,exe= p,pid= P,path= c,cpu= b,background f,foreground i,include-children k,kill m q r s= v,verbose z,lazy h,help',
  ),
  plain(
    'numactl',
    'numactl(8)',
    'a,all i,interleave= p,preferred= P,preferred-many= w,weighted-interleave= N,cpunodebind= C,physcpubind= c,cpubind= m,membind= b,balancing l,localalloc s,show H,hardware S,shm= shmkeyid= huge touch length= o,offset= M,shmmode= t,strict T f,file= h,help',
  ),
  {
    ...plain('fakeroot', 'fakeroot(1)', 'l,lib= faked= s= i= u,unknown-is-real b= h,help v,version'),
    loses: `${same}, and the file of \`-s\``,
    does: [output('s'), runs()],
  },
  {
    ...plain(
      'rlwrap',
      'rlwrap(1)',
      'a? A? b,break-chars= c C,command-name= D,history-no-dupes= e,extra-char-after-completion= f,file= g,forget-matching= h,help H,history-filename= i I l,logfile= m? M,mirror-arguments? n N o O,only-cook= p? P,pre-given= q,quote-characters= r R s,histsize= S,substitute-prompt= t,set-term-name= U u v,version w,wait-before-prompt= W? X x z,filter=',
    ),
    loses: `${same}, and the history file of \`-H\``,
    does: [output('H'), output('l', 'append'), runs()],
  },
  {
    ...plain('runcon', 'runcon(1)', 'c,compute t,type= u,user= r,role= l,range= help version'),
    // Without options its first operand is the whole context.
    does: [(use) => runs(use.words.options.length > 0 ? 0 : 1)(use)],
  },
];
