import type { Bytes } from '../../platform/bytes.ts';
import type { Arg } from '../../shell/types.ts';
import { parseWords } from '../options.ts';
import { output, type Row, textOfArg, touch, type Use } from '../row.ts';
import { mounted, rebased } from './elsewhere.ts';
import { quoted } from './quoted.ts';

const known = (text: Bytes): Arg => ({ kind: 'known', text });

/** Runs what is left after some operands of its own. */
const runs =
  (skip = 0, change: Parameters<Use['call']['run']>[1] = {}) =>
  (use: Use): void => {
    const argv = use.words.operands.slice(skip);
    if (argv.length > 0) use.call.run(argv, change);
  };

/** The words as `sh -c` gets them: joined by blanks. Undefined when one of them cannot be known. */
export function joined(words: readonly Arg[]): Bytes | undefined {
  const texts = words.map(textOfArg);
  return texts.every((text) => text !== undefined) ? texts.join(' ') : undefined;
}

/** Runs words as `sh -c` text. */
export function runsText(use: Use, words: readonly Arg[], change: { readonly deferred?: boolean } = {}): void {
  if (words.length === 0) return;
  const text = joined(words);
  if (text !== undefined) use.call.script(text, { shell: 'sh', ...change });
  else use.call.run(words, change);
}

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
  if (split?.kind === 'known')
    call.script(split.text.replace(/\\c[\s\S]*$/, '') + argv.map((arg) => ` ${quoted(arg)}`).join(''), {
      shell: 'sh',
      ...change,
    });
  else if (split) out.unknown(use.verb, call.cwd, 'the command that env splits cannot be known');
  else if (argv.length > 0) call.run(argv, change);
}

/** flock(1): a lock file, then a command or `-c TEXT`. */
function locked(use: Use): void {
  const [lock, ...rest] = use.words.operands;
  if (lock === undefined) return;
  if (!/^\d+$/.test(textOfArg(lock) ?? ''))
    use.out.effect({ verb: use.verb, path: lock, way: 'create', follows: true });
  const first = textOfArg(rest[0]);
  const text = use.words.value('command') ?? (first === '-c' || first === '--command' ? rest[1] : undefined);
  if (text) runsText(use, [text]);
  else if (rest.length > 0) use.call.run(rest);
}

/** script(1): the typescript is overwritten; `-c TEXT` runs. */
function recorded(use: Use): void {
  const { words } = use;
  const file = words.operands[0] ?? known('typescript');
  if (!words.has('log-out', 'log-io') || words.operands.length > 0)
    touch(use, file, words.has('append') ? 'append' : 'write-in-place', { follows: true });
  output('log-out log-io log-in log-timing timing')(use);
  const text = words.value('command');
  if (text) runsText(use, [text]);
}

/** watch(1) joins its words into `sh -c`, again and again; `-x` runs them as they are. */
function watched(use: Use): void {
  if (use.words.has('exec')) use.call.run(use.words.operands);
  else runsText(use, use.words.operands);
}

/** systemd-run(1), at(1), batch(1): later, in the user's home or `/` unless told otherwise. */
function later(use: Use): void {
  const { words, out, call } = use;
  if (words.operands.length === 0) return;
  const folder = words.value('working-directory');
  const path = folder ? out.absolute(folder) : undefined;
  const here = words.has('same-dir', 'scope', 'shell') ? call.cwd : ({ kind: 'known', path: '/' } as const);
  call.run(words.operands, {
    cwd: path === undefined ? here : { kind: 'known', path },
    deferred: !words.has('wait', 'scope', 'pty', 'pipe', 'shell'),
  });
}

function queued(use: Use): void {
  const { call, out, words } = use;
  if (words.has('q_list', 'l', 'r', 'd', 'c', 'V')) return;
  const file = words.value('f');
  const text = file ? out.textOf(file) : call.stdin.kind === 'text' ? call.stdin.text : undefined;
  if (text !== undefined) call.script(text, { shell: 'sh', deferred: true });
  else if (file || call.stdin.kind !== 'terminal') out.unknown(use.verb, call.cwd, 'the job cannot be known');
}

/** chroot(8): absolute paths count from the new root, and so does the command's folder. */
function inRoot(use: Use): void {
  const [root, ...argv] = use.words.operands;
  const path = root ? use.out.absolute(root) : undefined;
  if (path !== undefined && argv.length > 0) rebased(use.call, use.out, path, argv);
  else if (argv.length > 0) use.out.unknown(use.verb, use.call.cwd, 'the new root cannot be known');
}

function unshared(use: Use): void {
  const { words, call, out } = use;
  const argv = words.operands;
  if (argv.length === 0) return;
  const root = words.value('root');
  const folder = words.value('wd');
  const path = root ? out.absolute(root) : undefined;
  if (path !== undefined) rebased(call, out, path, argv);
  else {
    const place = folder ? out.absolute(folder) : undefined;
    call.run(argv, place === undefined ? {} : { cwd: { kind: 'known', path: place } });
  }
}

/** firejail, bwrap, proot, nsenter: the same files, perhaps under other names; what is bound is what is said. */
function boxed(use: Use): void {
  const { call, out, words } = use;
  const mounts = [];
  const options = use.call.argv.map(textOfArg);
  for (let at = 0; at < options.length; at++)
    if (/^--(dev-)?bind(-try)?$/.test(options[at] ?? '')) {
      const here = out.absolute(options[at + 1] ?? '/');
      if (here !== undefined) mounts.push({ here, there: options[at + 2] ?? '/' });
    }
  const parsed = parseWords(call.argv.slice(1), BWRAP, { stopsAtOperand: true });
  const argv = mounts.length > 0 ? parsed.operands : words.operands;
  if (argv.length === 0) return;
  if (mounts.length > 0) mounted(call, out, mounts, argv, call.cwd);
  else call.run(argv);
}
const BWRAP =
  'chdir= setenv= unsetenv= proc= dev= tmpfs= uid= gid= hostname= perms= size= dir= lock-file= sync-fd= seccomp= exec-label= file-label= args= userns=';

/** `hyperfine 'a' 'b'`, `mispipe a b`, `pee a b`: each operand is `sh -c` text. */
function eachText(use: Use): void {
  for (const arg of use.words.operands) runsText(use, [arg]);
}

/** A command after `--`, or from the first word that is no option of it: programs with too many options to list. */
const afterDashes = (use: Use): void => {
  const at = use.call.argv.findIndex((arg) => textOfArg(arg) === '--');
  if (at > 0) use.call.run(use.call.argv.slice(at + 1));
  else use.out.opaque(use.verb, use.call.cwd);
};

const stops = { stopsAtOperand: true } as const;
const same = 'what the command it runs loses';

/** The program need not be on the PATH: it is fetched, or lies in an environment of its own. */
function brings(use: Use, program: Arg | undefined): void {
  if (program?.kind === 'known') use.out.memory.set(`brought ${program.text}`, true);
}

/** Programs that run another program: what counts is that one. */
export const wrappers: readonly Row[] = [
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
    names: 'nohup',
    manual: 'nohup(1)',
    loses: `${same}, perhaps later`,
    options: 'help version',
    grammar: stops,
    does: [runs(0, { deferred: true })],
  },
  {
    names: 'setsid',
    manual: 'setsid(1)',
    loses: `${same}, perhaps later`,
    options: 'c,ctty f,fork w,wait help version h V',
    grammar: stops,
    idle: 'help version h V',
    does: [runs(0, { deferred: true })],
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
    names: 'watch',
    manual: 'watch(1)',
    loses: `${same}, again and again`,
    options:
      'b,beep c,color d,differences? e,errexit g,chgexit n,interval= p,precise q,equexit= r,no-rerun t,no-title w,no-wrap exec,x help,h version,v',
    grammar: stops,
    does: [watched],
  },
  {
    names: 'flock',
    manual: 'flock(1)',
    loses: same,
    options:
      's,shared x,e,exclusive u,unlock n,nonblock,nb w,wait,timeout= o,close E,conflict-exit-code= command,c= F,no-fork verbose help,h version,V',
    grammar: stops,
    does: [locked],
  },
  {
    names: 'script',
    manual: 'script(1)',
    loses: 'the typescript file, and what the command of `-c` loses',
    options:
      'append,a command,c= e,return E,echo= f,flush force log-io,B= log-in,I= log-out,O= m,logging-format= o,output-limit= q,quiet timing,t? log-timing,T= help,h version,V',
    does: [recorded],
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
    names: 'unshare',
    manual: 'unshare(1)',
    loses: same,
    options:
      'm,mount? u,uts? i,ipc? n,net? p,pid? U,user? C,cgroup? T,time? f,fork map-user= map-group= r,map-root-user c,map-current-user map-auto map-users= map-groups= propagation= setgroups= mount-proc? kill-child? keep-caps root,R= wd,w= S,setuid= G,setgid= monotonic= boottime= help,h version,V',
    grammar: stops,
    does: [unshared],
  },
  {
    names: 'chroot',
    manual: 'chroot(8)',
    loses: 'what the command it runs loses below the new root',
    options: 'groups= userspec= skip-chdir help version',
    grammar: stops,
    does: [inRoot],
  },
  {
    names: 'bwrap proot firejail',
    manual: 'bwrap(1), proot(1), firejail(1)',
    loses: `${same}, in the folders that are bound`,
    options: 'help version b= r= R= S= w= q= k= 0 i=',
    grammar: stops,
    does: [boxed],
  },
  {
    names: 'systemd-run',
    manual: 'systemd-run(1)',
    loses: `${same}, later, in \`/\` unless told otherwise`,
    options:
      'user system H,host= M,machine= scope u,unit= p,property= description= slice= slice-inherit r,remain-after-exit send-sighup service-type= uid= gid= nice= working-directory= same-dir,d E,setenv= pty,t pipe,P q,quiet on-active= on-boot= on-startup= on-unit-active= on-unit-inactive= on-calendar= on-clock-change on-timezone-change path-property= socket-property= timer-property= no-block wait G,collect shell,S help,h version',
    grammar: stops,
    does: [later],
  },
  {
    names: 'at batch',
    manual: 'at(1)',
    loses: 'what the job loses, later',
    options: 'V q= f= M l r d b v c m u= t=',
    does: [queued],
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
    names: 'faketime',
    manual: 'faketime(1)',
    loses: same,
    options: 'm f help,h version',
    grammar: stops,
    does: [runs(1)],
  },
  {
    names: 'entr',
    manual: 'entr(1)',
    loses: `${same}, at every change of the files`,
    options: 'a c d n p r s x z',
    grammar: stops,
    does: [(use) => (use.words.has('s') ? runsText(use, use.words.operands.slice(0, 1)) : runs()(use))],
  },
  {
    names: 'ifne lckdo',
    manual: 'ifne(1), lckdo(1)',
    loses: same,
    options: 'n w e E q W= s',
    grammar: stops,
    does: [(use) => runs(use.verb === 'lckdo' ? 1 : 0)(use)],
  },
  {
    names: 'hyperfine mispipe pee',
    manual: 'hyperfine(1), mispipe(1), pee(1)',
    loses: 'what the texts it runs lose',
    options:
      'w,warmup= r,runs= m,min-runs= M,max-runs= setup,s= prepare,p= cleanup,c= conclude,C= P,parameter-scan= L,parameter-list= S,shell= N i,ignore-failure style= export-json= export-csv= export-markdown= n,command-name= u,time-unit= z,debug-mode ignore-sigpipe no-ignore-sigpipe',
    does: [
      eachText,
      (use) => {
        for (const arg of use.words.values('setup', 'prepare', 'cleanup', 'conclude')) runsText(use, [arg]);
        output('export-json export-csv export-markdown')(use);
      },
    ],
  },
  {
    names: 'sg',
    manual: 'sg(1)',
    loses: same,
    options: 'help',
    does: [
      (use) =>
        runsText(
          use,
          (use.words.value('c')
            ? [use.words.value('c')]
            : use.words.operands.slice(1).filter((arg) => textOfArg(arg) !== '-c')
          ).flatMap((arg) => (arg ? [arg] : [])),
        ),
    ],
  },
  {
    names: 'npx bunx pnpx uvx pipx',
    manual: 'npx(1)',
    loses: same,
    options: 'y,yes no package,p= call,c= q,quiet w,workspace= ws from= with= python= spec= help h',
    grammar: stops,
    does: [
      (use) => {
        const text = use.words.value('call');
        const argv = use.words.operands.slice(
          use.verb === 'pipx' && textOfArg(use.words.operands[0]) === 'run' ? 1 : 0,
        );
        if (text) runsText(use, [text]);
        else if (argv.length > 0) {
          const plain = argv.map((arg, at) =>
            at === 0 && arg.kind === 'known' ? known(arg.text.replace(/(?<=.)@[^/]*$/, '')) : arg,
          );
          brings(use, plain[0]);
          use.call.run(plain);
        }
      },
    ],
  },
  {
    names: 'direnv',
    manual: 'direnv(1)',
    loses: same,
    options: 'help',
    grammar: stops,
    does: [
      (use) => {
        if (textOfArg(use.words.operands[0]) === 'exec') runs(2)(use);
      },
    ],
  },
  {
    names: 'busybox toybox',
    manual: 'busybox(1)',
    loses: 'what the applet loses',
    options: 'help list list-full install',
    grammar: stops,
    idle: 'help list list-full',
    does: [runs()],
  },
  {
    names:
      'mise asdf rtx nix nix-shell conda mamba micromamba dotenv doppler op aws-vault infisical vault chamber sops gdb rr start-stop-daemon',
    manual: 'each program’s own',
    loses: 'what the command after `--` loses',
    options: 'help',
    does: [afterDashes],
  },
  {
    names: 'poetry pipenv uv bundle hatch pdm rye rbenv pyenv',
    manual: 'each program’s own',
    loses: 'what the command of `run` or `exec` loses',
    options: 'help version C,directory= project=',
    grammar: stops,
    does: [
      (use) => {
        const first = textOfArg(use.words.operands[0]);
        if (first === 'run' || first === 'exec') {
          const rest = parseWords(
            use.words.operands.slice(1),
            'with= python= p= extra= group= package= isolated no-sync',
            stops,
          ).operands;
          brings(use, rest[0]);
          if (rest.length > 0) use.call.run(rest);
        } else use.out.opaque(use.verb, use.call.cwd);
      },
    ],
  },
];
