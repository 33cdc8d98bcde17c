import type { Bytes } from '../../platform/bytes.ts';
import { namesVisible } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import type { Arg } from '../../shell/types.ts';
import type { Way } from '../types.ts';
import { parseOptions } from './options.ts';
import { rememberSetting, runShell } from './programs.ts';
import { fileOf, type Scene } from './scene.ts';
import { statOf } from './status.ts';

/** Commands that write files which are named on the command line, whatever a repository says about them. */

/** How a command names the files it writes. */
interface Row {
  readonly options: string;
  /** Options whose value is a file. */
  readonly files?: readonly string[];
  /** Operands that are files. */
  readonly operands?: (operands: readonly Arg[]) => readonly Arg[];
  /** Only where one of these options is given. */
  readonly needs?: string;
  /** Not where one of these is given. */
  readonly unless?: string;
  readonly way: Way;
}

const DIFF =
  'output= output-indicator-new= output-indicator-old= output-indicator-context= O= S= G= U,unified= diff-filter= stat=? p u,patch raw z ' +
  'name-only name-status ext-diff textconv n= L= format= pretty=? since= until= author= grep= no-index cached staged';

const ROWS: Record<string, Row> = {
  archive: {
    options:
      'format= prefix= add-file= add-virtual-file= v,verbose l,list o,output= remote= exec= worktree-attributes mtime=',
    files: ['output'],
    way: 'replace',
  },
  'interpret-trailers': {
    options: 'in-place trim-empty where= if-exists= if-missing= only-trailers only-input unfold parse divider trailer=',
    needs: 'in-place',
    operands: (all) => all,
    way: 'replace',
  },
  'merge-file': {
    options: 'p,stdout object-id L= q,quiet ours theirs union diff3 zdiff3 marker-size= diff-algorithm=',
    unless: 'stdout',
    operands: (all) => all.slice(0, 1),
    way: 'write-in-place',
  },
  mailinfo: {
    options: 'k b u m,message-id scissors encoding= n quoted-cr=',
    operands: (all) => all.slice(0, 2),
    way: 'write-in-place',
  },
  'fast-export': { options: 'export-marks= import-marks= all', files: ['export-marks'], way: 'replace' },
  'fast-import': { options: 'export-marks= import-marks= force quiet done', files: ['export-marks'], way: 'replace' },
  'index-pack': { options: 'o= v stdin fix-thin keep=?', files: ['o'], way: 'replace' },
};

export function outputFiles(scene: Scene): void {
  const row: Row = ROWS[scene.name] ?? { options: DIFF, files: ['output'], way: 'write-in-place' };
  const parsed = parseOptions(row.options, scene.args);
  if ((row.needs && !parsed.has(row.needs)) || (row.unless && parsed.has(row.unless))) return;
  const operands = [...parsed.before, ...(parsed.after ?? [])];
  const named = [
    ...(row.files ?? []).flatMap((name) => parsed.all(name).slice(-1)),
    ...(row.operands?.(operands) ?? []),
  ];
  for (const file of named) writeFile(scene, file, row.way);
}

/** git-bundle(1): `create FILE`. */
export function bundle(scene: Scene): void {
  const [first, ...rest] = scene.args;
  if (first?.kind !== 'known' || first.text !== 'create') return;
  const [file] = parseOptions('q,quiet progress all-progress all-progress-implied version=', rest).before;
  if (file && !(file.kind === 'known' && file.text === '-')) writeFile(scene, file, 'replace');
}

/** Writes a file that the line names. */
export function writeFile(scene: Scene, file: Arg, way: Way): void {
  const { cwd } = scene.globals;
  scene.out.effect({
    verb: scene.verb,
    path: file,
    way,
    follows: way === 'write-in-place',
    from: cwd === undefined ? { kind: 'unknown' } : { kind: 'known', path: cwd },
  });
}

/** git-mailsplit(1): numbered files in a folder. */
export function mailsplit(scene: Scene): void {
  const word = scene.args.find((arg) => arg.kind === 'known' && arg.text.startsWith('-o'));
  const folder = word?.kind === 'known' ? fileOf(scene, word.text.slice(2)) : undefined;
  if (folder === undefined) return;
  for (const name of namesVisible(folder))
    if (/^\d+$/.test(name))
      scene.out.effect({ verb: scene.verb, path: join(folder, name), way: 'replace', certainty: 'maybe' });
}

/** `git grep -O[pager]`, `git difftool -x CMD`: a program of the line's own choice runs on files of the work tree. */
export function grep(scene: Scene): void {
  const parsed = parseOptions('O,open-files-in-pager=? e= f= m= A= B= C= i v w n l L c q r E F P G', scene.args);
  const pager = parsed.text('open-files-in-pager');
  if (pager === undefined) return;
  const cwd = scene.globals.cwd;
  scene.call.run([...pager.split(/\s+/).map((text): Arg => ({ kind: 'known', text })), ANY], {
    cwd: cwd === undefined ? { kind: 'unknown' } : { kind: 'known', path: cwd },
  });
}

const ANY: Arg = { kind: 'unknown', prefix: '', suffix: '', many: true };

export function difftool(scene: Scene): void {
  const parsed = parseOptions(
    'd,dir-diff y,no-prompt prompt t,tool= tool-help trust-exit-code x,extcmd= g,gui symlinks',
    scene.args,
  );
  const command = parsed.text('extcmd');
  if (command !== undefined) runShell(scene, command, { sure: true });
}

/** An alias or a program that the line itself sets is one for the rest of the line. */
function remember(scene: Scene, [key, value]: readonly Arg[]): void {
  const name = key?.kind === 'known' ? /^alias\.(.+)$/i.exec(key.text)?.[1] : undefined;
  if (name !== undefined && value?.kind === 'known') scene.out.memory.set(aliasKey(name), value.text);
  if (key?.kind === 'known' && value?.kind === 'known') rememberSetting(scene, key.text, value.text);
}

/** Where the line's own aliases are kept. */
export const aliasKey = (name: Bytes): string => `git:alias ${name.toLowerCase()}`;

/** git-config(1): a value that is there is replaced or removed. A repository's own file is git's, kept but not counted as a loss. */
export function config(scene: Scene): void {
  const words = ['unset', 'set', 'rename-section', 'remove-section', 'edit', 'get', 'list'];
  const first = scene.args[0];
  const sub = first?.kind === 'known' && words.includes(first.text) ? first.text : undefined;
  const parsed = parseOptions(
    'global system local worktree f,file= blob= get get-all get-regexp get-urlmatch replace-all add unset unset-all rename-section ' +
      'remove-section l,list fixed-value e,edit get-color get-colorbool t,type= bool int bool-or-int bool-or-str path expiry-date z,null ' +
      'name-only includes show-origin show-scope default= all value= regexp url= comment= append show-names',
    sub === undefined ? scene.args : scene.args.slice(1),
  );
  if (parsed.help || sub === 'get' || sub === 'list') return;
  if (
    ['get', 'get-all', 'get-regexp', 'get-urlmatch', 'list', 'get-color', 'get-colorbool', 'blob'].some((name) =>
      parsed.has(name),
    )
  )
    return;
  const operands = [...parsed.before, ...(parsed.after ?? [])];
  const takes = ['unset', 'unset-all', 'rename-section', 'remove-section', 'replace-all', 'edit'].some((name) =>
    parsed.has(name),
  );
  const drops = takes || (sub !== undefined && sub !== 'set');
  // one operand alone is a question
  if (!drops && operands.length < 2) return;
  remember(scene, operands);
  const path = configFile(scene, parsed.has('global'), parsed.has('system'), parsed.text('file'));
  if (path === undefined) return;
  if (!statOf(path.file)) {
    if (!drops) scene.out.effect({ verb: scene.verb, path: path.file, way: 'create' });
    return;
  }
  const key = operands[0];
  const there = key?.kind !== 'known' || scene.config().get(canonicalKey(key.text)) !== undefined;
  const lost = !path.own && !parsed.has('add') && !parsed.has('append') && (drops || there);
  scene.out.effect({ verb: scene.verb, path: path.file, way: 'replace', destructive: lost });
}

const canonicalKey = (name: Bytes): Bytes =>
  name.replace(/^[^.]*/, (text) => text.toLowerCase()).replace(/[^.]*$/, (text) => text.toLowerCase());

function configFile(
  scene: Scene,
  global: boolean,
  system: boolean,
  file: Bytes | undefined,
): { readonly file: Bytes; readonly own: boolean } | undefined {
  const { env } = scene.call;
  if (file !== undefined) {
    const path = fileOf(scene, file);
    return path === undefined ? undefined : { file: path, own: false };
  }
  if (system) return { file: env('GIT_CONFIG_SYSTEM') ?? '/etc/gitconfig', own: false };
  if (global) {
    const set = env('GIT_CONFIG_GLOBAL');
    const home = env('HOME');
    if (set !== undefined) return { file: set, own: false };
    return home === undefined ? undefined : { file: join(home, '.gitconfig'), own: false };
  }
  const repo = scene.globals.cwd === undefined ? undefined : scene.repository();
  return repo ? { file: join(repo.commonDir, 'config'), own: true } : undefined;
}

/** git-credential-store(1): a file in the home folder; `erase` takes lines out of it. */
export function credentialStore(scene: Scene): void {
  const parsed = parseOptions('file=', scene.args);
  const word = parsed.before[0];
  if (word?.kind !== 'known' || !['erase', 'store'].includes(word.text)) return;
  const home = scene.call.env('HOME');
  const named = parsed.text('file');
  const path =
    named === undefined ? (home === undefined ? undefined : join(home, '.git-credentials')) : fileOf(scene, named);
  if (path !== undefined && statOf(path))
    scene.out.effect({
      verb: scene.verb,
      path,
      way: 'replace',
      destructive: word.text === 'erase',
      certainty: 'maybe',
    });
}
