import type { Bytes } from '../../platform/bytes.ts';
import type { Arg } from '../../shell/types.ts';
import { arMembers } from '../archives/ar.ts';
import { extract } from '../archives/extract.ts';
import type { Member } from '../archives/tar.ts';
import { zipMembers } from '../archives/zip.ts';
import { knownArg } from '../languages/deed.ts';
import { type Row, textOfArg, touch, type Use } from '../row.ts';
import { tarRow } from './tar.ts';

const argText = (arg: Arg | undefined): Bytes =>
  arg === undefined ? '' : arg.kind === 'known' ? arg.text : arg.prefix;

const has = (members: readonly Bytes[], name: Bytes): boolean =>
  members.length === 0 ||
  members.some((wanted) => /[*?[]/.test(wanted) || name === wanted || name.startsWith(`${wanted}/`));

/** unzip(1): asks before it overwrites, unless `-o`; `-n` never does. */
function unzipped(use: Use): void {
  const { words } = use;
  if (words.has('l', 't', 'v', 'z', 'Z', 'p', 'c', 'h')) return;
  const [archive, ...wanted] = words.operands;
  if (archive === undefined) return;
  const text = textOfArg(archive);
  const named = wanted.map(argText);
  const excluded = words.values('x').map(argText);
  extract(use, {
    archive: text !== undefined && use.out.kindOf(archive) === 'absent' ? knownArg(`${text}.zip`) : archive,
    into: words.value('d'),
    members: zipMembers,
    named: ({ name }) => {
      if (!has(named, name) || excluded.includes(name)) return undefined;
      return words.has('j') ? name.slice(name.lastIndexOf('/') + 1) : name;
    },
    way: words.has('n') ? 'create' : 'replace',
    ...(words.has('o') ? {} : { certainty: 'maybe' as const }),
  });
}

/** zip(1): the archive is written anew beside and renamed over; `-m` moves files into it. */
function zipped(use: Use): void {
  const { words, out, verb } = use;
  if (use.call.argv.some((arg) => /^(-sf|--show-files)$/.test(argText(arg)))) return;
  const [archive, ...files] = words.operands;
  const to = words.value('O') ?? archive;
  if (to !== undefined && textOfArg(to) !== '-') {
    const suffixed = to.kind === 'known' && !/\.[^/]*$/.test(to.text) ? knownArg(`${to.text}.zip`) : to;
    touch(use, suffixed, 'replace');
  }
  // -TT: the command that tests the archive, in place of `unzip -tqq`.
  const at = use.call.argv.findIndex((arg) => /^(?:-TT|--unzip-command)$/.test(argText(arg)));
  const tester = at < 0 ? undefined : textOfArg(use.call.argv[at + 1]);
  if (tester !== undefined) use.call.script(tester, { shell: 'sh', certainty: 'maybe' });
  if (!words.has('m')) return;
  const path = to === undefined ? undefined : out.absolute(to);
  for (const file of files)
    out.effect({
      verb,
      path: file,
      way: 'delete',
      ...(words.has('r', 'R') ? { recursive: true } : {}),
      ...(path === undefined ? {} : { to: path }),
    });
  if (words.has('@')) out.unknown(verb, use.call.cwd, 'moves files into the archive whose names come from its input');
}

/** 7z(1): a command, an archive, then files; switches carry their value (`-oDIR`, `-aos`). */
function sevenZip(use: Use): void {
  const { out, verb, call } = use;
  const all = call.argv.slice(1);
  const end = all.findIndex((arg) => textOfArg(arg) === '--');
  const isSwitch = (arg: Arg, at: number): boolean => (end < 0 || at < end) && argText(arg).startsWith('-');
  const [command, archive, ...files] = all.filter((arg, at) => !isSwitch(arg, at) && at !== end);
  const switches = all.filter(isSwitch).map(argText);
  const into = all.find((arg, at) => isSwitch(arg, at) && argText(arg).startsWith('-o'));
  const letter = textOfArg(command);
  if (switches.includes('-so') || archive === undefined) return;
  if (letter === 'x' || letter === 'e') {
    const folder: Arg | undefined =
      into?.kind === 'known'
        ? { ...into, text: into.text.slice(2) }
        : into && { ...into, prefix: into.prefix.slice(2) };
    extract(use, {
      archive,
      into: folder,
      members: () => undefined,
      way: switches.includes('-aos') ? 'create' : 'replace',
    });
  } else if (/^(a|u|d|rn)$/.test(letter ?? '')) {
    touch(
      use,
      archive.kind === 'known' && !/\.[^/]*$/.test(archive.text) ? knownArg(`${archive.text}.7z`) : archive,
      'replace',
    );
    if (switches.includes('-sdel'))
      for (const file of files) out.effect({ verb, path: file, way: 'delete', recursive: true });
  }
}

/** cpio(1): `-i` extracts names from its input, `-p` copies them to a folder, `-o` writes an archive. */
function cpio(use: Use): void {
  const { words, out, verb, call } = use;
  if (words.has('t', 'list', 'to-stdout')) return;
  const archive = words.value('O') ?? words.value('F');
  if (words.has('o') && archive !== undefined)
    touch(use, archive, words.has('A') ? 'append' : 'write-in-place', { follows: true });
  const folder = words.has('p')
    ? words.operands.at(-1)
    : words.has('i')
      ? (words.value('D') ?? knownArg('.'))
      : undefined;
  if (folder === undefined) return;
  const path = out.absolute(folder);
  if (path !== undefined && out.kindOf(path) === 'absent') return;
  out.unknown(
    verb,
    path ?? call.cwd,
    'what the archive holds is not known: anything in the folder it goes to may be overwritten',
  );
}

/** ar(1): the first word is the operation, with or without a dash. */
function library(use: Use): void {
  const { call, out, verb } = use;
  const rest = call.argv.slice(1).filter((arg) => !/^--?(plugin|target|output)\b/.test(argText(arg)));
  const operation = argText(rest[0]).replace(/^-/, '');
  const archive = operation.match(/[abi]/) ? rest[2] : rest[1];
  if (archive === undefined || operation.startsWith('-')) return;
  if (/^[rqdms]/.test(operation) || (/s/.test(operation) && !/^[xtp]/.test(operation)))
    touch(use, archive, 'replace', { follows: true });
  else if (/^x/.test(operation)) {
    const wanted = rest.slice(2).map(argText);
    extract(use, {
      archive,
      into: undefined,
      members: arMembers,
      named: ({ name }) => (has(wanted, name) ? name : undefined),
      way: 'replace',
    });
  } else if (operation === '' || !/^[tp]/.test(operation)) out.remark(`${verb}: no operation that writes`);
}

/** jar(1): `c`, `u`, `i` write the archive, `x` extracts over what is there; letters as for tar, or long options. */
function jar(use: Use): void {
  const { words } = use;
  const first = use.call.argv[1];
  const bundle = argText(first).replace(/^-+/, '');
  const isLong = argText(first).startsWith('--');
  const mode = isLong
    ? words.has('create')
      ? 'c'
      : words.has('update')
        ? 'u'
        : words.has('extract')
          ? 'x'
          : ''
    : bundle.replace(/[^cuxti]/g, '')[0];
  const archive = isLong
    ? words.value('file')
    : /[fi]/.test(bundle)
      ? use.call.argv[/^[^f]*m[^f]*f/.test(bundle) ? 3 : 2]
      : undefined;
  if (archive === undefined) return;
  if (mode === 'x')
    extract(use, { archive, into: words.value('dir') ?? words.value('C'), members: zipMembers, way: 'write-in-place' });
  else if (mode === 'c' || mode === 'u' || mode === 'i') touch(use, archive, 'replace');
}

/** unrar(1), unar(1), bsdtar through other names: extraction that is not looked into. */
function blindly(use: Use): void {
  const { words } = use;
  const extracts = use.verb === 'unar' || /^[xe]$/.test(argText(words.operands[0]));
  if (!extracts) return;
  const archive = use.verb === 'unar' ? words.operands[0] : words.operands[1];
  const into =
    use.verb === 'unar' ? words.value('o') : words.operands.find((arg, at) => at > 1 && argText(arg).endsWith('/'));
  extract(use, {
    archive,
    into,
    members: (): Member[] | undefined => undefined,
    way: words.has('s') ? 'create' : 'replace',
  });
}

export const archives: readonly Row[] = [
  tarRow,
  {
    names: 'unzip',
    manual: 'unzip(1)',
    loses: 'overwrites files that the archive has too; `-n` keeps them',
    options: 'A B C D DD F K L M N O= P= T U V W X Y Z= a aa b c d= f h j l n o p q qq t u v x= z s : ^',
    grammar: { singleDash: false },
    idle: 'help version h',
    does: [unzipped],
  },
  {
    names: 'zip',
    manual: 'zip(1)',
    loses: 'rewrites the archive; `-m` removes the files that went into it',
    options:
      'A b= c D d e E F FF f,freshen g h i= j J k l L m,move n= o O,output-file,out= P= q r,recurse-paths R S s= t= tt= T TT= u,update v V x= X y z Z= @ sf ll db dc dd ds= du dv fz FI fd nw 0 1 2 3 4 5 6 7 8 9',
    idle: 'help version h L sf show-files',
    does: [zipped],
  },
  {
    names: '7z 7za 7zr 7zz',
    manual: '7z(1)',
    loses: 'overwrites what it extracts over, rewrites the archive; `-sdel` deletes what went into it',
    options: '',
    idle: 'help version',
    does: [sevenZip],
  },
  {
    names: 'cpio',
    manual: 'cpio(1)',
    loses: 'overwrites files that it extracts or copies over, and the archive of `-O`',
    options:
      'i,extract o,create p,pass-through A,append a d,make-directories f force-local F,file= H,format= I= m,preserve-modification-time no-absolute-filenames n O= D,directory= R,owner= r,rename s S t,list to-stdout u,unconditional v,verbose V dot E,pattern-file= 0,null B b c C,io-size= l,link L M= quiet rsh-command= sparse',
    does: [cpio],
  },
  {
    names: 'ar llvm-ar gcc-ar',
    manual: 'ar(1)',
    loses: 'rewrites the archive; `x` overwrites files that it extracts over',
    options: '',
    idle: 'help version',
    does: [library],
  },
  {
    names: 'ranlib',
    manual: 'ranlib(1)',
    loses: 'rewrites the index of its operand',
    options: 'D U t h H v V',
    idle: 'help version h v V',
    does: [(use) => use.words.operands.forEach((arg) => void touch(use, arg, 'replace', { follows: true }))],
  },
  {
    names: 'jar',
    manual: 'jar(1)',
    loses: 'rewrites the archive; `x` overwrites files that it extracts over',
    options: 'create update extract list file= dir= C= c u x t f v 0 M m e=',
    does: [jar],
  },
  {
    names: 'unrar rar unar',
    manual: 'unrar(1), unar(1)',
    loses: 'overwrites files that it extracts over',
    options: 'o= s f q D d',
    does: [blindly],
  },
];
