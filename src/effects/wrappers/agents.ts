import type { Arg } from '../../shell/types.ts';
import { output, type Row, textOfArg, touch, type Use } from '../row.ts';
import { rebased } from './elsewhere.ts';
import { afterDashes, runs, runsText, same, stops } from './run.ts';

const known = (text: string): Arg => ({ kind: 'known', text });

/** start-stop-daemon(8): the program of `--startas`, else of `--exec`, with the words behind `--`, in `/` when it goes to the background. */
function daemon(use: Use): void {
  const { call, out, words } = use;
  const program = words.value('startas', 'exec');
  if (words.has('stop', 'status') || program === undefined) return;
  const argv = [words.value('startas') ?? program, ...words.operands];
  const root = textOfArg(words.value('chroot'));
  if (root !== undefined) {
    rebased(call, out, root, argv);
    return;
  }
  const folder = words.value('chdir');
  const path = folder === undefined ? undefined : out.absolute(folder);
  const cwd =
    path !== undefined ? ({ kind: 'known', path } as const) : folder ? ({ kind: 'unknown' } as const) : call.cwd;
  // Without `--chdir` it goes to `/`; older ones stay.
  call.run(argv, { cwd, deferred: words.has('background') });
  if (folder === undefined) call.run(argv, { cwd: { kind: 'known', path: '/' }, deferred: words.has('background') });
}

/** capsh(1): what stands behind `--` are words for its shell, bash unless `--shell` says another. */
function capsh({ call }: Use): void {
  const at = call.argv.findIndex((arg) => /^(--|-\+)$/.test(textOfArg(arg) ?? ''));
  const texts = call.argv.map((arg) => textOfArg(arg) ?? '');
  const shell = texts.find((text) => text.startsWith('--shell='))?.slice('--shell='.length) ?? '/bin/bash';
  if (at > 0) call.run([known(shell), ...call.argv.slice(at + 1)]);
}

/** logsave(8): the log file, then the command. */
function logged(use: Use): void {
  const [file, ...argv] = use.words.operands;
  if (file !== undefined) touch(use, file, use.words.has('a') ? 'append' : 'write-in-place', { follows: true });
  if (argv.length > 0 && textOfArg(argv[0]) !== '-') use.call.run(argv);
}

/** ts(1): a format for the times of lines; task-spooler's program of that name runs its words later. */
function spooled(use: Use): void {
  const { operands } = use.words;
  if (use.verb !== 'ts' || operands.length > 1) use.call.run(operands, { deferred: true, certainty: 'maybe' });
}

/** newgrp(1): a shell that reads standard input. */
function newGroup({ call }: Use): void {
  if (call.stdin.kind !== 'terminal') call.run([known('sh')]);
}

/** asciinema(1), ttyrec(1): a recording, of the command of `-c` or `-e`. */
function recording(use: Use): void {
  const { operands, values, has } = use.words;
  const [first, second] = operands;
  const file = use.verb === 'asciinema' ? (textOfArg(first) === 'rec' ? second : undefined) : first;
  const into = file ?? (use.verb === 'ttyrec' ? known('ttyrecord') : undefined);
  if (into !== undefined && (use.verb !== 'asciinema' || has('a', 'overwrite')))
    touch(use, into, has('a') ? 'append' : 'write-in-place', { follows: true });
  for (const text of values('c', 'e')) runsText(use, [text]);
}

/** Programs that keep something going around another one: keys, a log, a lock on sleep, a recording. */
export const agents: readonly Row[] = [
  {
    names: 'ssh-agent',
    manual: 'ssh-agent(1)',
    loses: same,
    options: 'a= c D d E= k O= P= s t= T u U x',
    grammar: stops,
    idle: 'k',
    does: [runs()],
  },
  {
    names: 'gpg-agent',
    manual: 'gpg-agent(1)',
    loses: `${same}, with \`--daemon\``,
    options:
      'daemon server supervised homedir= options= log-file= debug-level= debug= pinentry-program= default-cache-ttl= max-cache-ttl= faked-system-time= display= ttyname= ttytype= lc-ctype= lc-messages= c csh s sh q v help version',
    grammar: stops,
    does: [output('log-file', 'append'), (use) => use.words.has('daemon') && runs()(use)],
  },
  {
    names: 'start-stop-daemon',
    manual: 'start-stop-daemon(8)',
    loses: 'what the program of `--exec` or `--startas` loses with the words behind `--`',
    options:
      'start,S stop,K status,T H,help V,version exec,x= startas,a= n,name= p,pidfile= u,user= c,chuid= g,group= chroot,r= chdir,d= k,umask= R,retry= s,signal= N,nicelevel= P,procsched= I,iosched= background,b notify-await notify-timeout= C,no-close O,output= m,make-pidfile remove-pidfile o,oknodo t,test q,quiet v,verbose ppid= pid=',
    idle: 'H V t',
    does: [output('O', 'append'), daemon],
  },
  {
    names: 'capsh',
    manual: 'capsh(1)',
    loses: 'what the words behind `--` tell its shell',
    options: '',
    does: [capsh],
  },
  {
    names: 'systemd-inhibit systemd-cat gnome-session-inhibit',
    manual: 'systemd-inhibit(1), systemd-cat(1)',
    loses: same,
    options:
      'what= who= why= mode= list no-pager no-legend t,identifier= p,priority= stderr-priority= level-prefix= app-id= reason= inhibit= inhibit-only h,help version',
    grammar: stops,
    idle: 'list help h version',
    does: [runs()],
  },
  {
    names: 'logsave',
    manual: 'logsave(8)',
    loses: `${same}, and the log file`,
    options: 'a s v',
    grammar: stops,
    does: [logged],
  },
  {
    names: 'ts tsp',
    manual: 'ts(1), tsp(1)',
    loses: `${same}, later, where it is the task spooler`,
    options: 'r i s m n f d B E L= N= S= D= W= p= o= c= t= k= w= u= a= q= R= U= C l h K V',
    grammar: stops,
    does: [spooled],
  },
  {
    names: 'newgrp',
    manual: 'newgrp(1)',
    loses: 'what the commands on its standard input lose',
    options: '',
    does: [newGroup],
  },
  {
    names: 'asciinema ttyrec',
    manual: 'asciinema(1), ttyrec(1)',
    loses: `${same}, and the recording`,
    options:
      'a,append u e= c,command= i,idle-time-limit= t,title= q,quiet y,yes overwrite stdin raw env= cols= rows= help h version',
    does: [recording],
  },
  {
    names: 'zellij',
    manual: 'zellij(1)',
    loses: 'what the command of `run` loses',
    options: 'help h version V',
    does: [(use) => textOfArg(use.words.operands[0]) === 'run' && afterDashes(use)],
  },
  {
    names: 'dtach abduco',
    manual: 'dtach(1), abduco(1)',
    loses: `${same}, in a window of its own, also after the line`,
    options: 'a A= c= n= N= p e= E r= R z f q v l',
    grammar: stops,
    does: [(use) => runs(use.verb === 'abduco' && !use.words.has('A', 'c', 'n') ? 1 : 0, { deferred: true })(use)],
  },
  {
    names: 'zrun',
    manual: 'zrun(1)',
    loses: same,
    options: 'help',
    grammar: stops,
    does: [runs()],
  },
];
