import type { Bytes } from '../../platform/bytes.ts';
import type { Arg, Call, Place } from '../../shell/types.ts';
import { runConnecting } from '../families/connections.ts';
import { parseWords, type Words } from '../options.ts';
import { textOfArg, verbOf } from '../row.ts';
import type { Out, Rule } from '../types.ts';
import { homeward, type Mount, mounted } from './elsewhere.ts';

const GLOBAL =
  'config= c,context= D,debug H,host= l,log-level= tls tlscacert= tlscert= tlskey= tlsverify v,version help h f,file= p,project-name= profile= project-directory= env-file= ansi= compatibility progress= parallel= dry-run';
const RUN =
  'a,attach= add-host= annotation= blkio-weight= cap-add= cap-drop= cgroup-parent= cgroupns= cidfile= cpu-count= cpu-percent= cpu-period= cpu-quota= cpu-rt-period= cpu-rt-runtime= c,cpu-shares= cpus= cpuset-cpus= cpuset-mems= d,detach detach-keys= device= device-cgroup-rule= device-read-bps= device-read-iops= device-write-bps= device-write-iops= disable-content-trust? dns= dns-option= dns-search= domainname= entrypoint= e,env= env-file= expose= gpus= group-add= health-cmd= health-interval= health-retries= health-start-interval= health-start-period= health-timeout= h,hostname= init i,interactive ip= ip6= ipc= isolation= kernel-memory= l,label= label-file= link= link-local-ip= log-driver= log-opt= mac-address= m,memory= memory-reservation= memory-swap= memory-swappiness= mount= name= network,net= network-alias= no-healthcheck oom-kill-disable oom-score-adj= pid= pids-limit= platform= privileged p,publish= P,publish-all pull= q,quiet read-only restart= rm runtime= security-opt= shm-size= sig-proxy? stop-signal= stop-timeout= storage-opt= sysctl= tmpfs= t,tty ulimit= u,user= userns= uts= v,volume= volume-driver= volumes-from= w,workdir= help';

/**
 * docker, podman, nerdctl: what runs in a container is not on this machine, except in folders that the line binds into it (`-v`,
 * `--mount`); `cp` out of a container writes here.
 */
export const containerRule: Rule = (call, out) => {
  const words = parseWords(call.argv.slice(1), GLOBAL, { stopsAtOperand: true });
  let rest = words.operands;
  let sub = textOfArg(rest[0]);
  if (sub === 'container' || sub === 'compose' || sub === 'image' || sub === 'buildx') {
    rest = parseWords(rest.slice(1), GLOBAL, { stopsAtOperand: true }).operands;
    sub = textOfArg(rest[0]);
  }
  const args = rest.slice(1);
  if (sub === 'run' || sub === 'create') started(call, out, args);
  else if (sub === 'cp') copied(call, out, args);
  else if (sub === 'save' || sub === 'export') {
    const file = parseWords(args, 'o,output= platform= help').value('o');
    if (file) out.effect({ verb: verbOf(call), path: file, way: 'write-in-place', follows: true });
  } else if (sub === 'build' || sub === 'up')
    out.remark('builds and starts containers; files of this machine are only read');
  else out.remark('runs in a container: nothing of this machine to save');
};

/** `-v HOST:THERE[:OPTIONS]`, `--mount type=bind,source=…,target=…[,readonly]`. */
function mountsOf(words: Words, out: Out): Mount[] {
  const mounts: Mount[] = [];
  for (const value of words.values('v')) {
    const [here = '', there = '', options = ''] = (textOfArg(value) ?? '').split(':');
    if (!/^[./~]/.test(here) || there === '' || options.split(',').includes('ro')) continue;
    const path = out.absolute(`${here}/.`);
    if (path !== undefined) mounts.push({ here: path, there });
  }
  for (const value of words.values('mount')) {
    const fields = new Map(
      (textOfArg(value) ?? '').split(',').map((field) => {
        const at = field.indexOf('=');
        return at < 0 ? ([field, ''] as const) : ([field.slice(0, at), field.slice(at + 1)] as const);
      }),
    );
    const here = fields.get('source') ?? fields.get('src');
    const there = fields.get('target') ?? fields.get('destination') ?? fields.get('dst');
    if (fields.get('type') !== 'bind' || fields.has('readonly') || fields.has('ro') || !here || !there) continue;
    const path = out.absolute(`${here}/.`);
    if (path !== undefined) mounts.push({ here: path, there });
  }
  return mounts;
}

function started(call: Call, out: Out, args: readonly Arg[]): void {
  const words = parseWords(args, RUN, { stopsAtOperand: true });
  const unsure = [...words.values('v', 'mount')].some((value) => value.kind === 'unknown');
  const mounts = mountsOf(words, out);
  for (const file of words.values('cidfile')) out.effect({ verb: verbOf(call), path: file, way: 'create' });
  if (unsure) {
    out.unknown(verbOf(call), call.cwd, 'which folder the container may write cannot be known');
    return;
  }
  if (mounts.length === 0) {
    out.remark('runs in a container: nothing of this machine to save');
    return;
  }
  const entry = words.value('entrypoint');
  const command = [...(entry ? [entry] : []), ...words.operands.slice(1)];
  const folder = textOfArg(words.value('w'));
  const path = folder === undefined ? undefined : homeward(mounts, folder);
  // A relative path in the image's own working directory may be in a bound folder or not: it is taken as unknown.
  const cwd: Place = path === undefined ? { kind: 'unknown' } : { kind: 'known', path };
  if (command.length === 0) for (const mount of mounts) out.opaque(verbOf(call), { kind: 'known', path: mount.here });
  else mounted(call, out, mounts, command, cwd);
}

const inContainer = (arg: Arg): boolean => /^[^/.][^/]*:/.test(arg.kind === 'known' ? arg.text : arg.prefix);

/** `docker cp C:/path HERE`, `kubectl cp POD:/path HERE`. */
function copied(call: Call, out: Out, args: readonly Arg[]): void {
  const words = parseWords(
    args,
    'a,archive L,follow-link q,quiet c,container= n,namespace= no-preserve retries= index= all help',
  );
  const [from, to] = words.operands;
  if (!from || !to || inContainer(to) || textOfArg(to) === '-' || !inContainer(from)) return;
  const name = (textOfArg(from) ?? '').replace(/\/+\.?$/, '').replace(/^.*[/:]/, '');
  const into = out.kindOf(to) === 'folder' && name !== '';
  const text = textOfArg(to);
  const path: Arg = into && text !== undefined ? { kind: 'known', text: `${text.replace(/\/+$/, '')}/${name}` } : to;
  out.effect({ verb: verbOf(call), path, way: 'write-in-place', follows: true, recursive: true, blind: true });
}

/** kubectl(1), oc(1): the cluster; `cp` out of a pod writes here. */
export const clusterRule: Rule = (call, out) => {
  const words = parseWords(call.argv.slice(1), 'n,namespace= context= kubeconfig= s,server= v= help h', {
    stopsAtOperand: true,
  });
  if (textOfArg(words.operands[0]) === 'cp') copied(call, out, words.operands.slice(1));
  else out.remark('runs in the cluster: nothing of this machine to save');
};

const SSH = 'b= B= c= D= e= E= F= i= I= J= l= L= m= o= O= p= P= Q= R= S= w= W=';

/** ssh(1) and its kin: the command runs on another machine. */
export const remoteRule: Rule = (call, out) => {
  if (verbOf(call) === 'ssh') {
    const words = parseWords(call.argv.slice(1), SSH, { stopsAtOperand: true });
    for (const file of words.values('E')) out.effect({ verb: 'ssh', path: file, way: 'append', follows: true });
    runConnecting({ words, call });
  }
  out.remark('runs on another machine: nothing of this one to save');
};

export const remoteNames: readonly Bytes[] = [
  'ssh',
  'mosh',
  'rsh',
  'rlogin',
  'telnet',
  'ftp',
  'sshpass',
  'vagrant',
  'heroku',
  'flyctl',
  'fly',
  'lxc',
  'incus',
  'multipass',
  'adb',
  'machinectl',
  'virsh',
  'wsl.exe',
  'helm',
  'k9s',
  'stern',
  'doctl',
  'linode-cli',
  'ibmcloud',
  'gcloud',
  'az',
  'terraform-cloud',
];
