import type { Bytes } from '../../platform/bytes.ts';
import { basename, dirname, isAbsolute } from '../../platform/paths.ts';
import type { Arg } from '../../shell/types.ts';
import { knownArg } from '../languages/deed.ts';
import { merged } from '../merge.ts';
import { type Row, textOfArg, touch, type Use } from '../row.ts';
import type { Way } from '../types.ts';
import { runConnector, runRemoteShell } from './connections.ts';

/** `host:path`, `user@host:path`, `rsync://…`, `scp://…`: another machine (rsync(1), scp(1)). A colon behind a slash is part of a name. */
export const isRemote = (arg: Arg | undefined): boolean =>
  arg !== undefined && /^([^/:]+:|\w+:\/\/)/.test(arg.kind === 'known' ? arg.text : arg.prefix);

export const REMOTE = 'the other machine keeps no copy here: what changes there is not saved';

/** The name that something gets in a folder. */
function inside(folder: Arg, name: Bytes): Arg {
  if (folder.kind === 'unknown') return { ...folder, suffix: '', many: false };
  return knownArg(`${folder.text.replace(/\/+$/, '') || (folder.text === '' ? '.' : '')}/${name}`);
}

const nameOf = (source: Arg): Bytes | undefined => {
  const text = textOfArg(source)
    ?.replace(/^[^/]*:/, '')
    .replace(/\/+$/, '');
  return text === undefined || text === '' || text === '.' || /[*?[{]/.test(isRemote(source) ? text : '')
    ? undefined
    : basename(text);
};

/** rsync(1): a source that ends in a slash means what is in it. */
function synchronised(use: Use): void {
  const { words, out, verb } = use;
  for (const file of [...words.values('write-batch'), ...words.values('only-write-batch')])
    for (const one of file.kind === 'known' ? [file, knownArg(`${file.text}.sh`)] : [file])
      touch(use, one, 'write-in-place', { follows: true });
  for (const file of words.values('log-file')) touch(use, file, 'append', { follows: true });
  const to = words.operands.at(-1);
  const sources = words.operands.slice(0, -1);
  if (to === undefined || (sources.length === 0 && !words.has('files-from', 'read-batch'))) return;
  if (words.has('remove-source-files')) {
    for (const source of sources)
      if (!isRemote(source))
        out.effect({ verb, path: source, way: 'delete', recursive: true, note: 'sent files are removed' });
  }
  if (isRemote(to)) {
    out.remark(REMOTE);
    return;
  }
  const way: Way = words.has('inplace', 'append', 'append-verify') ? 'write-in-place' : 'replace';
  const deletes = words.has('delete') || words.options.some(({ name }) => /^(delete|del)/.test(name));
  const plain = !words.has('files-from', 'read-batch', 'relative', 'R', 'include-from');
  if (deletes || !plain) {
    if (!deletes && words.has('ignore-existing')) return;
    for (const source of sources.length > 0 ? sources : [to]) {
      const name =
        plain && !textOfArg(source)?.endsWith('/') && !isRemote(source) && out.kindOf(source) === 'folder'
          ? nameOf(source)
          : undefined;
      out.effect({
        verb,
        path: name === undefined ? to : inside(to, name),
        way: deletes ? 'delete' : way,
        recursive: true,
      });
    }
    return;
  }
  const recursive = words.has('archive', 'recursive');
  const kept = words.has('ignore-existing') ? 'create' : way;
  for (const source of sources) oneSource(use, source, to, kept, recursive, sources.length > 1);
}

function oneSource(use: Use, source: Arg, to: Arg, way: Way, recursive: boolean, many: boolean): void {
  const { out, verb } = use;
  const text = textOfArg(source);
  const name = nameOf(source);
  const intoFolder =
    many || textOfArg(to)?.endsWith('/') === true || out.kindOf(to) === 'folder' || out.kindOf(to) === 'unknown';
  if (isRemote(source)) {
    const path = intoFolder && name !== undefined && text?.endsWith('/') === false ? inside(to, name) : to;
    out.effect({
      verb,
      path,
      way,
      ...(recursive || name === undefined ? { recursive: true } : {}),
      certainty: 'maybe',
    });
    return;
  }
  const kind = out.kindOf(source);
  if (kind === 'folder' && !recursive) return;
  if (kind === 'folder') {
    const onto =
      text?.endsWith('/') || name === undefined || (!intoFolder && out.kindOf(to) === 'absent' && text?.endsWith('/'))
        ? to
        : inside(to, name);
    tree(use, source, onto, to, way);
  } else if (kind === 'unknown') out.effect({ verb, path: to, way, recursive: true, certainty: 'maybe' });
  else if (kind !== 'absent') {
    const path = intoFolder && name !== undefined ? inside(to, name) : to;
    setAside(use, path, to);
    touch(use, path, way);
  }
}

/** `-b`: what is overwritten is kept beside it or in a folder, over what an earlier run kept there (rsync(1), `--backup`). */
function setAside({ words, out, verb }: Use, file: Arg, told: Arg): void {
  if (!words.has('backup', 'backup-dir', 'suffix')) return;
  const folder = words.value('backup-dir');
  const text = textOfArg(told);
  if (folder?.kind === 'known' && text !== undefined) {
    const base = out.kindOf(told) === 'folder' ? text : dirname(out.absolute(told) ?? text);
    const path = isAbsolute(folder.text) ? folder.text : `${base}/${folder.text}`;
    out.effect({ verb, path, way: 'create', recursive: true });
    return;
  }
  const path = textOfArg(file);
  if (!words.has('backup') || path === undefined || out.kindOf(file) !== 'file') return;
  const suffix = textOfArg(words.value('suffix')) ?? '~';
  out.effect({ verb, path: path + suffix, way: 'replace', certainty: 'maybe' });
}

/** What exists on both sides is overwritten where it differs; told as the folder it goes to. */
function tree(use: Use, source: Arg, onto: Arg, told: Arg, way: Way): void {
  const from = use.out.absolute(
    source.kind === 'known' ? knownArg(`${source.text.replace(/\/+$/, '') || '/'}/`) : source,
  );
  const target = use.out.absolute(onto.kind === 'known' ? knownArg(`${onto.text.replace(/\/+$/, '') || '/'}/`) : onto);
  const parts = from === undefined || target === undefined ? undefined : merged(from, target);
  for (const part of parts ?? []) setAside(use, knownArg(part), told);
  use.out.effect({ verb: use.verb, path: told, way, recursive: true, ...(parts ? { parts } : {}) });
}

/** scp(1): writes the destination in place. */
function copied(use: Use): void {
  const { words, out, verb } = use;
  const to = words.operands.at(-1);
  const sources = words.operands.slice(0, -1);
  if (to === undefined || sources.length === 0) return;
  if (isRemote(to)) {
    out.remark(REMOTE);
    return;
  }
  const intoFolder = sources.length > 1 || textOfArg(to)?.endsWith('/') === true || out.kindOf(to) === 'folder';
  for (const source of sources) {
    const name = nameOf(source);
    const path = !intoFolder ? to : name === undefined ? to : inside(to, name);
    const whole = words.has('r') || name === undefined;
    out.effect({
      verb,
      path,
      way: 'write-in-place',
      follows: true,
      ...(whole ? { recursive: true, certainty: 'maybe' as const } : {}),
    });
  }
}

/** sftp(1): `sftp host:file [local]` fetches; commands on its input are not followed. */
function fetchedBySftp(use: Use): void {
  const [from, to] = use.words.operands;
  if (from !== undefined && /:./.test(textOfArg(from) ?? '')) {
    const name = nameOf(from);
    if (name !== undefined)
      touch(
        use,
        to === undefined ? knownArg(name) : use.out.kindOf(to) === 'folder' ? inside(to, name) : to,
        'write-in-place',
        { follows: true },
      );
  } else use.out.opaque(use.verb, use.call.cwd);
}

const isS3 = (arg: Arg | undefined): boolean => /^(s3|gs|b2|az|https?):\/\//.test(textOfArg(arg) ?? '');

/** `aws s3 cp|mv|sync FROM TO`, `gsutil cp|mv|rsync` (their reference pages): only a local end is ours. */
function cloud(use: Use): void {
  const { words, out, verb } = use;
  if (words.has('dryrun', 'n')) return;
  const texts = words.operands.map((arg) => textOfArg(arg) ?? '?');
  const at = texts.findIndex((text) => /^(cp|mv|sync|rsync|rm)$/.test(text));
  const action = texts[at];
  const paths = words.operands.slice(at + 1);
  if (at < 0 || action === 'rm') {
    out.remark(REMOTE);
    return;
  }
  const [from, to] = [paths[0], paths.at(-1)];
  if (action === 'mv' && from !== undefined && !isS3(from))
    out.effect({ verb, path: from, way: 'delete', ...(words.has('recursive', 'r') ? { recursive: true } : {}) });
  if (to === undefined || paths.length < 2 || isS3(to)) {
    out.remark(REMOTE);
    return;
  }
  if (textOfArg(to) === '-') return;
  const tree = /sync/.test(action ?? '') || words.has('recursive', 'r', 'R');
  const name = from === undefined ? undefined : nameOf(from);
  const path =
    !tree && name !== undefined && (out.kindOf(to) === 'folder' || textOfArg(to)?.endsWith('/'))
      ? inside(to, name)
      : to;
  out.effect({
    verb,
    path,
    way: words.has('delete', 'd') ? 'delete' : 'write-in-place',
    ...(tree ? { recursive: true } : {}),
    follows: true,
  });
}

/** rclone(1): `sync` deletes at the destination, `move` at the source, `copy` overwrites. */
function rclone(use: Use): void {
  const { words, out, verb } = use;
  const [action, from, to] = words.operands;
  const said = textOfArg(action) ?? '';
  const local = (arg: Arg | undefined): arg is Arg => arg !== undefined && !isRemote(arg);
  if (/^(sync|copy|move|copyto|moveto|bisync)$/.test(said)) {
    if (/^move/.test(said) && local(from)) out.effect({ verb, path: from, way: 'delete', recursive: true });
    if (local(to))
      out.effect({ verb, path: to, way: said === 'sync' || said === 'bisync' ? 'delete' : 'replace', recursive: true });
    else out.remark(REMOTE);
  } else if (/^(delete|purge|rmdirs|cleanup|deletefile)$/.test(said)) {
    if (local(from)) out.effect({ verb, path: from, way: 'delete', recursive: true });
    else out.remark(REMOTE);
  }
}

export const transfer: readonly Row[] = [
  {
    names: 'rsync',
    manual: 'rsync(1)',
    loses:
      'overwrites files at the destination; `--delete` also deletes what the source lacks, `--remove-source-files` what was sent',
    options:
      'verbose,v quiet,q no-motd checksum,c archive,a recursive,r relative,R no-implied-dirs backup,b backup-dir= suffix= update,u inplace append append-verify dirs,d ' +
      'old-dirs mkpath links,l copy-links,L copy-unsafe-links safe-links munge-links copy-dirlinks,k keep-dirlinks,K hard-links,H perms,p executability,E chmod= acls,A ' +
      'xattrs,X owner,o group,g devices copy-devices write-devices specials D times,t atimes,U open-noatime crtimes,N omit-dir-times,O omit-link-times,J super ' +
      'fake-super sparse,S preallocate dry-run,n whole-file,W checksum-choice= one-file-system,x block-size,B= rsh,e= rsync-path= existing ignore-existing ' +
      'remove-source-files delete,del delete-before delete-during delete-delay delete-after delete-excluded ignore-missing-args delete-missing-args ignore-errors ' +
      'force max-delete= max-size= min-size= max-alloc= partial partial-dir= delay-updates prune-empty-dirs,m numeric-ids usermap= groupmap= chown= timeout= ' +
      'contimeout= ignore-times,I size-only modify-window,@= temp-dir,T= fuzzy,y compare-dest= copy-dest= link-dest= compress,z compress-choice= compress-level= ' +
      'skip-compress= cvs-exclude,C filter,f= F exclude= exclude-from= include= include-from= files-from= from0,0 old-args secluded-args,s,protect-args trust-sender ' +
      'copy-as= address= port= sockopts= blocking-io outbuf= stats 8-bit-output,8 human-readable,h progress P itemize-changes,i remote-option,M= out-format= log-file= ' +
      'log-file-format= password-file= early-input= list-only bwlimit= stop-after= stop-at= fsync write-batch= only-write-batch= read-batch= protocol= iconv= ' +
      'checksum-seed= ipv4,4 ipv6,6 version,V help info= debug= stderr= msgs2stderr no-perms no-owner no-group no-times',
    idle: 'help version dry-run list-only',
    does: [runRemoteShell, synchronised],
  },
  {
    names: 'scp',
    manual: 'scp(1)',
    loses: 'overwrites the local files that it copies to',
    options: '3 4 6 A B C O p q R r s T v c= D= F= i= J= l= o= P= S= X=',
    does: [runConnector, copied],
  },
  {
    names: 'sftp',
    manual: 'sftp(1)',
    loses: 'overwrites the local files that it fetches',
    options: '4 6 A a C f N p q r v B= b= c= D= F= i= J= l= o= P= R= S= s= X=',
    does: [runConnector, fetchedBySftp],
  },
  {
    names: 'aws gsutil s3cmd',
    manual: 'the reference pages of `aws s3`, `gsutil`',
    loses: 'local files that it copies, moves or synchronises to; what lies in the cloud is elsewhere',
    options:
      'dryrun n delete,delete-removed d recursive,r R quiet m exclude= include= profile= region= endpoint-url= acl= storage-class= output= query= o=',
    does: [cloud],
  },
  {
    names: 'rclone',
    manual: 'rclone(1)',
    loses: 'local files: `sync` deletes at the destination, `move` at the source',
    options: 'n,dry-run v P,progress i,interactive config= transfers= filter= exclude= include=',
    idle: 'n help version',
    does: [rclone],
  },
];
