import type { Bytes } from '../../platform/bytes.ts';
import { basename, dirname, normalize } from '../../platform/paths.ts';
import {
  below,
  type Clause,
  operand,
  operands,
  output,
  type Row,
  textOfArg,
  touch,
  type Use,
  unless,
  when,
} from '../row.ts';
import { homeOf } from '../wrappers/users.ts';
import { row } from './brief.ts';
import { byPattern, editedNames, renamed } from './renames.ts';

/** crontab(1): the table lies in the spool folder, which only the system's user reads; so it is named whether seen or not. */
function crontab(use: Use): void {
  const { words, out, verb, call } = use;
  const user = textOfArg(words.value('u')) ?? call.env('USER') ?? call.env('LOGNAME') ?? 'root';
  const spool = out.kindOf('/var/spool/cron/crontabs') === 'absent' ? '/var/spool/cron' : '/var/spool/cron/crontabs';
  const path = `${spool}/${user}`;
  if (words.has('l')) return;
  if (words.has('r')) out.effect({ verb, path, way: 'delete', blind: true });
  else if (words.has('e')) out.effect({ verb, path, way: 'replace', certainty: 'maybe' });
  else if (words.operands.length > 0 || call.stdin.kind !== 'terminal')
    out.effect({ verb, path, way: 'replace', blind: true });
}

/** userdel(8) -r, deluser --remove-home. */
function userdel(use: Use): void {
  const { words, out, verb } = use;
  const name = textOfArg(words.operands[0]);
  if (!words.has('r', 'remove-home', 'remove-all-files') || name === undefined) return;
  for (const path of [homeOf(name), `/var/mail/${name}`, `/var/spool/mail/${name}`])
    out.effect({ verb, path, way: 'delete', recursive: true });
}

/** logrotate(8): the patterns of its configuration name the files that are moved, cut and deleted. */
function logrotate(use: Use): void {
  const { words, out, verb, call } = use;
  if (words.has('d')) return;
  const state = words.value('s');
  if (state) touch(use, state, 'replace');
  const log = words.value('l');
  if (log) touch(use, log, 'append');
  for (const file of words.operands) {
    const text = out.textOf(file);
    if (text === undefined) {
      out.unknown(verb, call.cwd, 'rotates the logs that its configuration names');
      continue;
    }
    const folders = new Set<Bytes>();
    for (const line of text.replace(/#.*/g, '').split('\n')) {
      for (const hit of line.matchAll(/(?:^|\s)"?(\/[^\s"{]+)"?(?=.*\{|\s*$)/g))
        folders.add(dirname((hit[1] ?? '').replace(/[*?[].*$/, 'x')));
    }
    for (const folder of folders) out.unknown(verb, folder, 'rotates logs: they move, are cut or deleted');
  }
}

/** sponge(1): reads all, then writes; through a link. */
const soaked: Clause = (use) => operand(0, use.words.has('a') ? 'append' : 'write-in-place', { follows: true })(use);

const home = (use: Use, rest: Bytes): Bytes | undefined => {
  const folder = use.call.env('HOME');
  return folder === undefined ? undefined : `${folder}/${rest}`;
};

/** What was put into the trash goes for good (trash-empty(1)). */
const emptied: Clause = (use) => {
  const path = home(use, '.local/share/Trash');
  if (use.verb === 'gio' && textOfArg(use.words.operands[0]) !== 'trash') {
    if (/^(remove)$/.test(textOfArg(use.words.operands[0]) ?? '')) operands('delete', { skip: 1 })(use);
    return;
  }
  if (use.verb === 'gio' && !use.words.has('empty'))
    return trashed({ ...use, words: { ...use.words, operands: use.words.operands.slice(1) } });
  if (path !== undefined) use.out.effect({ verb: use.verb, path, way: 'delete', recursive: true });
};

/** A file moves to the trash folder: nothing is lost, and it can be renamed back. */
const trashed: Clause = (use) => {
  for (const path of use.words.operands)
    use.out.effect({
      verb: use.verb,
      path,
      way: 'delete',
      recursive: true,
      destructive: false,
      note: 'goes to the trash',
    });
};

/** fdupes(1), jdupes(1), rdfind(1): deletes all but one of equal files. */
const duplicates: Clause = (use) => {
  const { words, out, verb } = use;
  const deletes =
    words.has('d', 'delete', 'L', 'linkhard', 'l', 'linksoft', 'B') ||
    /^(true)$/.test(textOfArg(words.value('deleteduplicates', 'makehardlinks', 'makesymlinks')) ?? '');
  if (!deletes || words.has('dry-run') || textOfArg(words.value('dryrun')) === 'true') return;
  for (const folder of words.operands) {
    const path = out.absolute(folder);
    out.unknown(verb, path ?? below(use.call.cwd), 'deletes all but one of equal files');
  }
};

const inFolders =
  (note: string): Clause =>
  (use) => {
    for (const folder of use.words.operands) {
      const path = use.out.absolute(folder);
      if (path !== undefined && use.out.kindOf(folder) === 'folder') use.out.unknown(use.verb, path, note);
    }
  };

/** stow(1) makes and deletes links in the target folder. */
const stowed: Clause = (use) => {
  const { words, out, verb, call } = use;
  if (words.has('n')) return;
  const target = words.value('t');
  const path = out.absolute(target ?? '..');
  if (words.has('D', 'R', 'adopt')) out.unknown(verb, path ?? below(call.cwd), 'deletes or replaces links');
};

/** savelog(8): `log` becomes `log.0`, each `log.N` the next, the last goes; most are packed by then. */
const rotated: Clause = (use) => {
  const { out } = use;
  for (const file of use.words.operands) {
    touch(use, file, 'delete');
    const path = out.absolute(file);
    if (path === undefined) continue;
    const start = `${basename(path)}.`;
    const folder = textOfArg(use.words.value('r')) ?? '.';
    const inside = normalize(folder.startsWith('/') ? folder : `${dirname(path)}/${folder}`);
    for (const name of out.namesIn(inside))
      if (name.startsWith(start) && /^(\d+(\.\w+)?|old|new)$/.test(name.slice(start.length)))
        touch(use, `${inside}/${name}`, 'replace');
    touch(use, `${inside}/${start}0`, 'replace');
  }
};

/** gzexe(1) keeps what it replaces as `file~`. */
const selfPacked: Clause = (use) => {
  for (const file of use.words.operands) {
    touch(use, file, 'replace');
    const text = textOfArg(file);
    if (text !== undefined) touch(use, `${text}~`, 'replace');
  }
};

/** znew(1) packs `.Z` anew as `.gz`; zforce(1) gives packed files the name `.gz`. */
const repacked: Clause = (use) => {
  for (const file of use.words.operands) {
    const text = textOfArg(file);
    const to = text === undefined ? undefined : `${use.verb === 'znew' ? text.replace(/\.Z$/, '') : text}.gz`;
    if (use.verb === 'zforce' && text?.endsWith('.gz')) continue;
    if (to !== undefined) touch(use, to, 'replace');
    use.out.effect({ verb: use.verb, path: file, way: 'move', ...(to === undefined ? {} : { to }) });
  }
};

/** Tools that keep house: names, trash, logs, users, duplicates. */
export const housekeeping: readonly Row[] = [
  row('sponge', 'sponge(1)', 'overwrites its operand; `-a` appends', 'a', soaked),
  row('vidir vimv qmv qcp imv massren', 'vidir(1)', 'what a person removes from the list', 'v verbose', editedNames),
  row(
    'savelog',
    'savelog(8)',
    'moves its operands to `.0` and what has such a name on; the oldest goes',
    'm= u= g= t p c= n l j C d D= r= q x',
    rotated,
  ),
  row('gzexe bzexe', 'gzexe(1)', 'replaces its operands, and what is called `file~`', 'd', selfPacked),
  row('znew zforce', 'znew(1), zforce(1)', 'packs or renames its operands', 'f t v 9 P K', repacked),
  row('vipe', 'vipe(1)', 'nothing', 'suffix='),
  row(
    'rename rename.ul prename file-rename perl-rename',
    'rename(1)',
    'renames files, over files of the new names',
    'v,verbose n,nono,no-act,just-print f,force e= E= d,filename,nopath,nofullpath fullpath,path 0,null s,symlink i,interactive o,no-overwrite a,all l,last u,unicode?',
    renamed,
  ),
  row(
    'mmv mcp mad mln zmv',
    'mmv(1)',
    'renames or copies files over files of the new names',
    'm x r c o a l s h d p g t v n',
    byPattern,
  ),
  row(
    'detox convmv',
    'detox(1), convmv(1)',
    'renames files',
    'r,recursive n,dry-run v s= f= t= notest nfc nfd lower upper unescape',
    (use) =>
      use.verb === 'convmv'
        ? when('notest', inFolders('renames files'))(use)
        : unless('n', operands('move'), inFolders('renames files'))(use),
  ),
  row(
    'srm wipe scrub sfill',
    'srm(1), wipe(1)',
    'deletes its operands, their content overwritten',
    'r,R,recursive f,force i d s v z q Q= k c p=',
    operands('delete', { recursive: 'r' }),
  ),
  row(
    'trash-put trash rmtrash trash-cli kioclient',
    'trash-put(1)',
    'nothing: files go to the trash',
    'd r f i v trash-dir=',
    trashed,
  ),
  row(
    'trash-empty trash-rm',
    'trash-empty(1)',
    'empties the trash',
    'f trash-dir= dry-run',
    unless('dry-run', emptied),
  ),
  row(
    'gio gvfs-trash',
    'gio(1)',
    '`trash` moves to the trash, `trash --empty` empties it, `remove` deletes',
    'f,force empty list restore',
    emptied,
  ),
  row(
    'fdupes jdupes rdfind rmlint',
    'fdupes(1)',
    'with `-d`, deletes all but one of equal files',
    'd,delete N,noprompt r,recurse s,symlinks n,noempty L,linkhard l,linksoft B,dedupe deleteduplicates= makehardlinks= makesymlinks= dryrun= A 1 I q v o= S',
    duplicates,
  ),
  row(
    'tmpreaper tmpwatch',
    'tmpreaper(8)',
    'deletes old files below its operands',
    't,test a,all m,mtime c,ctime f,force d,nodirs s v protect= showdeleted',
    unless('t', (use) =>
      inFolders('deletes old files')({ ...use, words: { ...use.words, operands: use.words.operands.slice(1) } }),
    ),
  ),
  row(
    'crontab',
    'crontab(1)',
    'the table of a user: `-r` deletes it, a file replaces it',
    'u= e l r i s n= c',
    crontab,
  ),
  row(
    'userdel deluser',
    'userdel(8)',
    "with `-r`, the user's home folder",
    'f r R= P= Z remove-home remove-all-files backup system quiet',
    userdel,
  ),
  row(
    'logrotate',
    'logrotate(8)',
    'moves, cuts and deletes logs',
    'd,debug f,force m,mail= s,state= l,log= v,verbose skip-state-lock wait-for-state-lock',
    logrotate,
  ),
  row(
    'stow xstow',
    'stow(8)',
    'with `-D` or `-R`, deletes links in the target folder',
    't,target= d,dir= S D,delete R,restow n,no,simulate v? adopt',
    stowed,
  ),
  row('multitail termtosvg tlog-rec', 'each manual', 'overwrites the recording', 'a e= u o,output=', output('o')),
];
