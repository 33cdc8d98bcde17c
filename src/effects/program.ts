import { furtherRule } from '#further-rules';
import { type Bytes, toText } from '../platform/bytes.ts';
import { lookThrough, realAsFar } from '../platform/files.ts';
import { basename, dirname, isAbsolute, isInside, normalize } from '../platform/paths.ts';
import type { Call } from '../shell/types.ts';
import { coreRule } from './core.ts';
import { isHarmless } from './harmless.ts';
import type { Out, Rule } from './types.ts';
import { runFile } from './wrappers/shells.ts';

/** Folders of programs: a name in one of them is the program of that name. */
const PROGRAMS = /(^|\/)(s?bin|\.bin|libexec|games|shims|scripts)$/;

/** Folders whose programs the system or a package manager put there. */
const INSTALLED =
  /^\/(usr|bin|sbin|opt|nix|snap|gnu)(\/|$)|(^|\/)(\.bin|shims|\.local\/bin|\.cargo\/bin|go\/bin|linuxbrew\/.*)$/;

/** `./bin/install`, `scripts/patch`: a script of the project's own, whatever its name; not one of a Python environment. */
function isOwnScript(path: Bytes, out: Out): boolean {
  const folder = dirname(normalize(path));
  if (INSTALLED.test(folder) || out.kindOf(`${folder}/../pyvenv.cfg`) === 'file') return false;
  return out.headOf(path)?.startsWith('#!') === true;
}

/** What bin/belay says of itself. */
const LAUNCHER = '\n# Starts belay with node, ';

/** belay by its path: its launcher is no script of a project's own. */
const isBelay = (path: Bytes, out: Out): boolean =>
  basename(path) === 'belay' && out.headOf(path)?.includes(LAUNCHER) === true;

/** `python3.11` is python3, `gcc-12` is gcc, `vim.basic` is vim, `gsed` is sed. */
function plainName(name: Bytes): Bytes {
  const bare = name
    .replace(/^(x86_64|i686|aarch64|arm|riscv64)[\w-]*-(linux|none|elf|mingw32)(-?\w+)?-(?=[a-z])/, '')
    .replace(/\.(exe|basic|tiny|nox|gtk3|athena)$/, '')
    // zshmodules(1), zsh/files: `rm` and the like as builtins.
    .replace(/^zf_(?=(chmod|chown|chgrp|ln|mkdir|mv|rm|rmdir|sync)$)/, '')
    .replace(/(?<=[a-z])-?\d+(\.\d+)*$/, '');
  return /^g(rm|cp|mv|ln|dd|sed|tar|tee|sort|split|csplit|shred|truncate|install|touch|chmod|chown|find|xargs|env|timeout|nice|rmdir|unlink|mkdir|shuf|uniq)$/.test(
    bare,
  )
    ? bare.slice(1)
    : bare;
}

/** What one simple command destroys: its rule, nothing for a harmless program, or opaque. */
export function runProgram(call: Call, out: Out): void {
  const word = call.argv[0];
  if (word === undefined) return;
  if (word.kind === 'unknown') {
    // `$X rm`, `/usr/bin/$X`: any program at all.
    out.unknown('?', call.cwd, 'which program runs cannot be known');
    return;
  }
  if (word.text === '') return;
  const name = basename(word.text);
  const isPath = word.text.includes('/') && !isBelay(word.text, out);
  if (isPath && (!PROGRAMS.test(dirname(normalize(word.text))) || isOwnScript(word.text, out))) {
    // /usr/lib/command-not-found: what the system brings is what its name says.
    if (!(INSTALLED.test(dirname(normalize(word.text))) && isHarmless(name))) runFile(call, out, word.text);
    return;
  }
  const own = isPath ? undefined : ownOnPath(call, out, name);
  if (own !== undefined) {
    runFile(call, out, own);
    return;
  }
  const rule = ruleFor(name) ?? ruleFor(plainName(name));
  if (rule === 'harmless') return;
  if (rule !== undefined) rule(call, out);
  else if (isPath) runFile(call, out, word.text);
  else unknownProgram(call, out, name);
}

/** In the order of what has to be loaded for it. */
const ruleFor = (name: Bytes): Rule | 'harmless' | undefined =>
  coreRule(name) ?? (isHarmless(name) ? 'harmless' : furtherRule(name));

/** The end of the remark on a name that leads nowhere in PATH. */
export const NO_SUCH_PROGRAM = 'no such program here';

function unknownProgram(call: Call, out: Out, name: Bytes): void {
  const found = onPath(call, name);
  if (found === 'nowhere') {
    if (out.memory.has(`brought ${name}`)) out.opaque(name, call.cwd);
    else out.remark(`${toText(name)}: ${NO_SUCH_PROGRAM}`);
    return;
  }
  // A version manager's shim (pyenv, rbenv, asdf) is a script that finds the program: nothing to read in it.
  const isShim = /\/shims\/[^/]+$/.test(found);
  if (found !== 'unknown' && !isShim && !/^\/(usr\/)?(local\/)?s?bin\//.test(found)) runFile(call, out, found);
  else out.opaque(name, call.cwd);
}

/** Folders of the system's own programs: what comes behind them in PATH stands for none of these. */
const SYSTEM = /^\/(usr\/)?(local\/)?s?bin\/?$/;

/**
 * What a bare name runs where PATH leads to a folder of the project, of the working directory or of the person first: that is no
 * program of the name. What was installed there (an environment of Python, conda, nix; for what has rules also below hidden folders) is.
 */
function ownOnPath(call: Call, out: Out, name: Bytes): Bytes | undefined {
  if (call.cwd.kind === 'unknown') return undefined;
  const cwd = call.cwd.path;
  const entries = entriesOf(call, call.env('PATH') ?? '');
  const end = entries.findIndex((entry) => SYSTEM.test(entry));
  let top: Bytes | undefined;
  for (const entry of end < 0 ? entries : entries.slice(0, end)) {
    const folder = normalize(isAbsolute(entry) ? entry : `${cwd}/${entry}`);
    const file = `${folder}/${name}`;
    // belay's wrappers stand for the programs of their names, wherever they lie.
    if (INSTALLED.test(folder) || out.kindOf(file) !== 'file' || out.kindOf(`${folder}/.belay`) === 'file') continue;
    top ??= topOf(cwd, out);
    if (!isInside(realAsFar(folder), top)) return isPersons(folder, file, call, out) ? file : undefined;
    const below = realAsFar(file).slice(top.length);
    const hidden = /\/\./.test(below) && ruleFor(name) !== 'harmless';
    const environment =
      out.kindOf(`${folder}/../pyvenv.cfg`) === 'file' || out.kindOf(`${folder}/../conda-meta`) === 'folder';
    return hidden || environment || !isInside(realAsFar(file), top) ? undefined : file;
  }
  return undefined;
}

/** The folders of PATH; a bash takes `~` in one for the home folder (not in posix mode), no other shell does. */
function entriesOf(call: Call, path: Bytes): Bytes[] {
  const home = call.shell === 'bash' ? call.env('HOME') : undefined;
  return path
    .split(':')
    .map((entry) => (home !== undefined && /^~(?:\/|$)/.test(entry) ? home + entry.slice(1) : entry));
}

/** `~/bin/sh1`, `~/bin/trash`: a script of the person's own, no program of that name. */
function isPersons(folder: Bytes, file: Bytes, call: Call, out: Out): boolean {
  const home = call.env('HOME');
  if (home === undefined || home === '/' || !isInside(folder, home) || folder.slice(home.length).includes('/.'))
    return false;
  return out.headOf(file)?.startsWith('#!') === true && isProgram(file);
}

/** The project that a folder is in; without one the folder. */
function topOf(folder: Bytes, out: Out): Bytes {
  for (let at = folder; at !== '/'; at = dirname(at)) if (out.kindOf(`${at}/.git`) !== 'absent') return at;
  return folder;
}

/** The file that a bare name runs (POSIX XBD 8.3, PATH). */
function onPath(call: Call, name: Bytes): Bytes | 'nowhere' | 'unknown' {
  const path = call.env('PATH');
  if (path === undefined) return 'unknown';
  for (const folder of entriesOf(call, path)) {
    if (!isAbsolute(folder)) {
      if (call.cwd.kind === 'unknown') return 'unknown';
      const here = `${call.cwd.path}/${folder === '' ? '.' : folder}/${name}`;
      if (isProgram(here)) return normalize(here);
    } else if (isProgram(`${folder}/${name}`)) return `${folder}/${name}`;
  }
  return 'nowhere';
}

function isProgram(path: Bytes): boolean {
  try {
    const look = lookThrough(path);
    return look?.type === 'file' && (look.mode & 0o111) !== 0;
  } catch {
    return true; // it may not be looked at: something may be there
  }
}
