import { parseWords } from '../options.ts';
import { type Row, textOfArg, type Use } from '../row.ts';
import { mounted, rebased } from './elsewhere.ts';
import { runs, same, stops } from './run.ts';

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

/** Programs that run another one in other name spaces of the same machine. */
export const boxes: readonly Row[] = [
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
    names: 'nsenter',
    manual: 'nsenter(1)',
    loses: `${same}; \`-m\` and \`-r\` may show it other files`,
    options:
      'a,all t,target= m,mount? u,uts? i,ipc? n,net? p,pid? C,cgroup? U,user? T,time? S,setuid= G,setgid= preserve-credentials r,root? w,wd? W,wdns= e,env F,no-fork Z,follow-context help,h version,V',
    grammar: stops,
    does: [(use) => use.out.blind(() => runs()(use))],
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
];
