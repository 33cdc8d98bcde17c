import type { Bytes } from '../../platform/bytes.ts';
import type { Arg } from '../../shell/types.ts';
import { extract } from '../archives/extract.ts';
import { type Member, tarMembers } from '../archives/tar.ts';
import { knownArg } from '../languages/deed.ts';
import { parseWords, type Words } from '../options.ts';
import { type Row, textOfArg, touch, type Use } from '../row.ts';
import { backedUp } from './backup.ts';

const OPTIONS =
  'A,catenate,concatenate create,c d,diff,compare delete append,r list,t test-label update,u extract,x,get check-device g,listed-incremental= G,incremental ' +
  'hole-detection= ignore-failed-read level= n,seek no-check-device no-seek occurrence? sparse-version= S,sparse add-file= C,directory= exclude= ' +
  'exclude-backups exclude-caches exclude-caches-all exclude-vcs exclude-vcs-ignores exclude-ignore= no-null no-recursion no-unquote no-verbatim-files-from null recursion ' +
  'files-from,T= unquote verbatim-files-from X,exclude-from= anchored ignore-case no-anchored no-ignore-case no-wildcards no-wildcards-match-slash wildcards ' +
  'wildcards-match-slash keep-directory-symlink keep-newer-files keep-old-files,k no-overwrite-dir one-top-level? overwrite overwrite-dir ' +
  'recursive-unlink remove-files skip-old-files U,unlink-first W,verify ignore-command-error no-ignore-command-error O,to-stdout to-command= atime-preserve? ' +
  'clamp-mtime delay-directory-restore group= group-map= mode= mtime= m,touch no-delay-directory-restore no-same-owner no-same-permissions numeric-owner owner= ' +
  'owner-map= p,preserve-permissions,same-permissions same-owner s,preserve-order,same-order sort= acls no-acls selinux no-selinux xattrs no-xattrs ' +
  'xattrs-exclude= xattrs-include= f,file= force-local F,info-script,new-volume-script= L,tape-length= M,multi-volume rmt-command= rsh-command= volno-file= ' +
  'b,blocking-factor= B,read-full-records i,ignore-zeros record-size= H,format= old-archive,portability posix V,label= a,auto-compress I,use-compress-program= ' +
  'j,bzip2 J,xz lzip lzma lzop no-auto-compress z,gzip,gunzip,ungzip Z,compress,uncompress zstd backup? h,dereference hard-dereference K,starting-file= ' +
  'N,newer,after-date= newer-mtime= one-file-system P,absolute-names S suffix= strip-components= transform,xform= checkpoint? checkpoint-action= full-time ' +
  'index-file= l no-quote-chars= quote-chars= quoting-style= R,block-number show-defaults show-omitted-dirs show-snapshot-field-ranges show-transformed-names ' +
  'totals? utc v,verbose warning= w,interactive,confirmation o help ? usage version';

const BACKUP = 'backup suffix';

/** Letters of the old style (`tar xzf a.tgz`) that take the following words, in their order (tar(1), "Traditional usage"). */
const WITH_VALUE = /[fCTXgIbLHKNVF]/;

function modern(argv: readonly Arg[]): Arg[] {
  const [first, ...rest] = argv;
  const bundle = textOfArg(first);
  if (first === undefined || bundle === undefined || bundle.startsWith('-') || bundle === '') return [...argv];
  const out: Arg[] = [];
  for (const letter of bundle) {
    out.push(knownArg(`-${letter}`));
    if (!WITH_VALUE.test(letter)) continue;
    const value = rest.shift();
    if (value) out.push(value);
  }
  return [...out, ...rest];
}

function tar(use: Use): void {
  const { call, out, verb } = use;
  const words = parseWords(modern(call.argv.slice(1)), OPTIONS, { env: call.env });
  if (words.has('help', '?', 'usage', 'version')) return;
  const archive = words.value('f') ?? tape(call.env('TAPE'));
  const writesArchive = words.has('create', 'append', 'update', 'A', 'delete');
  const inner: Use = { ...use, words };
  if (words.has('d', 'list', 'test-label') && !writesArchive) {
    programs(inner);
    return;
  }
  if (writesArchive && archive !== undefined && !isRemote(textOfArg(archive))) {
    if (words.has('create')) backedUp(inner, archive, BACKUP);
    touch(inner, archive, words.has('append', 'update', 'A') ? 'append' : 'write-in-place', { follows: true });
  }
  for (const name of ['g', 'index-file'])
    for (const file of words.values(name)) touch(inner, file, 'write-in-place', { follows: true });
  if (writesArchive && words.has('remove-files')) removed(inner, archive);
  if (words.has('extract')) extracted(inner, archive);
  programs(inner);
  const command = words.value('to-command');
  if (command !== undefined) {
    if (command.kind === 'known') call.script(command.text);
    else out.unknown(verb, call.cwd, 'runs a command for each member');
  }
}

/** What it runs whatever it does with the archive. */
function programs({ call, words }: Use): void {
  for (const action of words.values('checkpoint-action')) {
    const text = textOfArg(action);
    if (text === undefined || text.startsWith('exec=')) call.run(['sh', '-c', text?.slice(5) ?? ''].map(knownArg));
  }
  const filter = words.value('I');
  if (filter?.kind === 'known' && /\s/.test(filter.text)) call.script(filter.text);
  // At the end of each volume; `exec` of what connects to a tape elsewhere.
  for (const command of [...words.values('F'), ...words.values('rsh-command')])
    if (command.kind === 'known') call.script(command.text, { shell: 'sh', certainty: 'maybe' });
}

const tape = (name: Bytes | undefined): Arg | undefined => (name === undefined ? undefined : knownArg(name));

/** `host:file` is on another machine (tar(1), `--force-local`). */
const isRemote = (text: Bytes | undefined): boolean => text !== undefined && /^[^/]+:/.test(text);

/** Operands with the folder that the `-C` before them says. */
function removed(use: Use, archive: Arg | undefined): void {
  const to = archive === undefined ? undefined : use.out.absolute(archive);
  const folder = use.words.value('C');
  const from = folder === undefined ? use.call.cwd : place(use, folder);
  for (const arg of use.words.operands)
    use.out.effect({
      verb: use.verb,
      path: arg,
      way: 'delete',
      recursive: true,
      from,
      ...(to === undefined ? {} : { to }),
    });
  if (use.words.has('files-from')) use.out.unknown(use.verb, from, 'removes the files that a list names');
}

function place(use: Use, folder: Arg): Use['call']['cwd'] {
  const path = use.out.absolute(folder);
  return path === undefined ? { kind: 'unknown' } : { kind: 'known', path };
}

function extracted(use: Use, archive: Arg | undefined): void {
  const { words } = use;
  if (words.has('O', 'to-command')) return;
  const keeps = words.has('keep-old-files', 'skip-old-files');
  const top = words.has('one-top-level') ? topLevel(words, textOfArg(archive)) : undefined;
  const folder = words.value('C');
  const into =
    top === undefined ? folder : folder === undefined ? knownArg(top) : knownArg(`${textOfArg(folder) ?? ''}/${top}`);
  const source = isRemote(textOfArg(archive)) ? undefined : archive;
  const plain = !words.has('transform', 'recursive-unlink', 'files-from', 'X');
  extract(use, {
    archive: source ?? fedArchive(use, archive),
    into,
    members: plain ? tarMembers : () => undefined,
    // A member whose name begins with the top folder's already lies in it (tar(1), `--one-top-level`).
    named: (member) => {
      const path = memberPath(words, member);
      return top !== undefined && path?.startsWith(`${top}/`) ? path.slice(top.length + 1) : path;
    },
    way: keeps ? 'create' : words.has('overwrite') ? 'write-in-place' : 'replace',
    ...(words.has('keep-newer-files') ? { certainty: 'maybe' as const } : {}),
    replacesLinks: !words.has('keep-directory-symlink'),
    absolute: words.has('P'),
    replaced: (path) => backedUp(use, path, BACKUP),
  });
}

/** `tar x < a.tar`, `tar xf - < a.tar`. */
function fedArchive(use: Use, archive: Arg | undefined): Arg | undefined {
  const fromInput = archive === undefined || textOfArg(archive) === '-';
  return fromInput && use.call.stdin.kind === 'file' ? knownArg(use.call.stdin.path) : undefined;
}

/** `--one-top-level` without a name: the archive's, without its suffix. */
function topLevel(words: Words, archive: Bytes | undefined): Bytes {
  const given = textOfArg(words.value('one-top-level'));
  if (given !== undefined && given !== '') return given;
  return (archive ?? '').replace(/^.*\//, '').replace(/\.(tar(\.\w+)?|t\w?z\w*|taz)$/, '');
}

/** The path of a member after `--strip-components`; undefined where it is not wanted. */
function memberPath(words: Words, member: Member): Bytes | undefined {
  const wanted = words.operands.map((arg) => (arg.kind === 'known' ? arg.text.replace(/\/+$/, '') : undefined));
  const bare = member.name.replace(/\/+$/, '');
  const named = (name: Bytes | undefined): boolean =>
    name === undefined || /[*?[]/.test(name) || bare === name || bare.startsWith(`${name}/`);
  if (wanted.length > 0 && !wanted.some(named)) return undefined;
  const strip = Number.parseInt(textOfArg(words.value('strip-components')) ?? '0', 10) || 0;
  if (strip === 0) return member.name;
  const rest = bare.replace(/^\.\//, '').split('/').slice(strip).join('/');
  return rest === '' ? undefined : rest;
}

export const tarRow: Row = {
  names: 'tar bsdtar gtar star',
  manual: 'tar(1)',
  loses:
    'overwrites the archive it creates, and files that it extracts over; `--remove-files` deletes what went into the archive',
  options: '',
  idle: 'help version usage',
  does: [tar],
};
