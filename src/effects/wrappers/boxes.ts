import type { Bytes } from '../../platform/bytes.ts';
import { type Row, textOfArg, type Use } from '../row.ts';
import { homeward, type Mount, mounted, rebased } from './elsewhere.ts';
import { runs, same, stops } from './run.ts';

/** chroot(8): absolute paths count from the new root, and so does the command's folder. */
function inRoot(use: Use): void {
  const [root, ...argv] = use.words.operands;
  const path = root ? use.out.absolute(root) : undefined;
  if (path === '/' && use.words.has('skip-chdir')) runs(1)(use);
  else if (path !== undefined && argv.length > 0) rebased(use.call, use.out, path, argv);
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

/** firejail, proot, nsenter: the same files, perhaps under other names. */
const boxed = (use: Use): void => {
  if (use.words.operands.length > 0) use.call.run(use.words.operands);
};

/** Options of bwrap(1) with two values and with none; all others have one. */
const TWO = /^--(?:(?:ro-|dev-)?bind(?:-try)?|(?:ro-)?bind-(?:data|fd)|file|symlink|setenv|chmod)$/;
const NONE =
  /^--(?:help|version|unshare-.*|share-net|new-session|die-with-parent|as-pid-1|clearenv|disable-userns|assert-userns-disabled)$/;

/** bwrap(1): the command sees what is bound, under other names; relative paths start from `--chdir`. */
function bubbled({ call, out }: Use): void {
  const texts = call.argv.map((arg) => textOfArg(arg) ?? '');
  const mounts: Mount[] = [];
  let folder: Bytes | undefined;
  let at = 1;
  while (/^--./.test(texts[at] ?? '')) {
    const [option = '', first = '/', second = '/'] = texts.slice(at);
    if (/^--(dev-)?bind(-try)?$/.test(option)) {
      const here = out.absolute(first);
      if (here !== undefined) mounts.push({ here, there: out.absolute(second) ?? '/' });
    } else if (option === '--chdir') folder = first;
    at += TWO.test(option) ? 3 : NONE.test(option) ? 1 : 2;
  }
  const argv = call.argv.slice(texts[at] === '--' ? at + 1 : at);
  const inside =
    folder === undefined
      ? undefined
      : homeward(mounts, folder.startsWith('/') ? folder : (out.absolute(folder) ?? '/'));
  mounted(call, out, mounts, argv, inside === undefined ? call.cwd : { kind: 'known', path: inside });
}

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
    names: 'proot firejail',
    manual: 'proot(1), firejail(1)',
    loses: `${same}, in the folders that are bound`,
    options: 'help version b= r= R= S= w= q= k= 0 i=',
    grammar: stops,
    does: [boxed],
  },
  {
    names: 'bwrap',
    manual: 'bwrap(1)',
    loses: `${same}, in the folders that are bound for writing`,
    options: '',
    does: [bubbled],
  },
];
