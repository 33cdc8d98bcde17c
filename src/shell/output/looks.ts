import type { Bytes } from '../../platform/bytes.ts';
import { dirname, join, normalize, resolve as resolvePath } from '../../platform/paths.ts';
import { exists, isFolder, linkAt, lookUp, real } from '../disk.ts';
import type { State } from '../state/state.ts';
import { plainValue } from '../state/variables.ts';
import type { Printer, Program } from './table.ts';

const ok = (text: Bytes) => ({ text, status: 'ok' as const });

/** Programs that print nothing unless they are asked to; how they end is not known. */
const SILENT = ['rm', 'rmdir', 'mv', 'cp', 'ln', 'touch', 'chmod', 'chown', 'sleep', 'truncate', 'unlink'];

const silent: Printer = ({ args }) =>
  args.some((arg) => arg.startsWith('-') && /^-[^-]*[viI]|^--[vih]/.test(arg))
    ? undefined
    : { text: '', status: 'unknown' };

/** Programs that print what a look at the file system says. */
export const LOOKS: readonly (readonly [Bytes, Printer])[] = [
  ['pwd', ({ args, state }) => pwd(args, state)],
  ['realpath', (program) => realpath(program)],
  ['readlink', (program) => readlink(program)],
  ['which', ({ args, state }) => which(args, state)],
  ['git', ({ args, state }) => git(args, state)],
  ['mkdir', (program) => mkdir(program)],
  ...SILENT.map((name) => [name, silent] as const),
  ['mktemp', ({ args, state, walker }) => mktemp(args, state, walker.pipes++)],
];

const cwdOf = (state: State): Bytes | undefined => {
  const place = state.places[0];
  return place?.kind === 'known' ? place.path : undefined;
};

function pwd(args: readonly Bytes[], state: State): ReturnType<Printer> {
  const place = state.places[0];
  if (place?.kind !== 'known') return undefined;
  return ok(`${args.includes('-P') ? place.path : (place.logical ?? place.path)}\n`);
}

function realpath({ args, state }: Program): ReturnType<Printer> {
  const options = args.filter((arg) => arg.startsWith('-'));
  if (options.some((option) => !/^(?:-[emq]+|--)$/.test(option))) return undefined;
  const paths = args.filter((arg) => !arg.startsWith('-')).map((arg) => absolute(arg, state));
  if (state.changed || !paths.every((path): path is Bytes => path !== undefined)) return undefined;
  return ok(paths.map((path) => `${real(path)}\n`).join(''));
}

function readlink({ args, state }: Program): ReturnType<Printer> {
  const options = args.filter((arg) => arg.startsWith('-'));
  const paths = args.filter((arg) => !arg.startsWith('-')).map((arg) => absolute(arg, state));
  const [path] = paths;
  if (state.changed || paths.length !== 1 || path === undefined) return undefined;
  if (options.length === 1 && /^-[fem]$|^--canonicalize/.test(options[0] ?? '')) return ok(`${real(path)}\n`);
  if (options.length > 0) return undefined;
  const target = linkAt(path);
  return target === undefined ? { text: '', status: 'fail' } : ok(`${target}\n`);
}

export function absolute(path: Bytes, state: State): Bytes | undefined {
  if (path.startsWith('/')) return path;
  const cwd = cwdOf(state);
  return cwd === undefined ? undefined : `${cwd}/${path}`;
}

/** `which`, `command -v`, `type -p`: the first file of that name in `PATH`. */
export function findProgram(name: Bytes, state: State): Bytes | undefined {
  if (name.includes('/')) return name;
  const variable = state.variables.get('PATH');
  const path = variable && plainValue(variable);
  if (typeof path !== 'string') return undefined;
  for (const folder of path.split(':')) {
    const file = join(folder || '.', name);
    const look = lookUp(file, true);
    if (typeof look !== 'string' && look.type === 'file' && (look.mode & 0o111) !== 0) return file;
  }
  return undefined;
}

function which(args: readonly Bytes[], state: State): ReturnType<Printer> {
  if (args.some((arg) => arg.startsWith('-'))) return undefined;
  const found = args.map((arg) => findProgram(arg, state));
  return found.every((file) => file !== undefined) ? ok(found.map((file) => `${file}\n`).join('')) : undefined;
}

/** `git rev-parse --show-toplevel` and its kin, by looking for the repository as git does. */
function git(args: readonly Bytes[], state: State): ReturnType<Printer> {
  let cwd = cwdOf(state);
  let rest = args;
  while (rest[0] === '-C' && rest[1] !== undefined && cwd !== undefined) {
    cwd = resolvePath(cwd, rest[1]);
    rest = rest.slice(2);
  }
  const steered = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_CEILING_DIRECTORIES'].some((name) => state.variables.has(name));
  if (cwd === undefined || steered || rest[0] !== 'rev-parse' || rest.length !== 2) return undefined;
  const top = workTree(real(cwd));
  if (top === undefined) return { text: '', status: 'fail' };
  if (rest[1] === '--show-toplevel') return ok(`${top}\n`);
  if (rest[1] === '--show-prefix') return ok(`${real(cwd) === top ? '' : `${real(cwd).slice(top.length + 1)}/`}\n`);
  return undefined;
}

function workTree(start: Bytes): Bytes | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    if (exists(join(folder, '.git'))) return real(folder);
    if (folder === '/') return undefined;
  }
}

/** A name that nothing has yet: what happens to it loses nothing. */
function mktemp(args: readonly Bytes[], state: State, number: number): ReturnType<Printer> {
  if (args.some((arg) => !/^-(?:d|t|q|-directory)$/.test(arg) && arg.startsWith('-'))) return undefined;
  const [template] = args.filter((arg) => !arg.startsWith('-'));
  const tmp = state.variables.get('TMPDIR');
  const base = (tmp && plainValue(tmp)) ?? '/tmp';
  if (typeof base !== 'string') return undefined;
  const name = (template ?? 'tmp.XXXXXXXXXX').replace(/X{3,}/, (run) => `belay${number}`.padEnd(run.length, 'X'));
  const path = template === undefined || args.includes('-t') ? join(base, name) : name;
  const made = absolute(path, state);
  if (made === undefined) return undefined;
  if (args.includes('-d') || args.includes('--directory')) state.made.add(normalize(made));
  return ok(`${path}\n`);
}

/** Folders that nothing stands in the way of are made: what is said after `&&` then runs. */
function mkdir({ args, state }: Program): ReturnType<Printer> {
  const parents = args.some((arg) => /^-[a-z]*p|^--parents$/.test(arg));
  const paths = args.filter((arg) => !arg.startsWith('-')).map((arg) => absolute(arg, state));
  if (state.changed || paths.length === 0) return undefined;
  const free = (path: Bytes | undefined): boolean => {
    if (path === undefined) return false;
    const look = lookUp(path, true);
    if (look !== 'absent') return parents && typeof look !== 'string' && look.type === 'folder';
    const above = normalize(dirname(path.replace(/\/+$/, '')));
    return isFolder(above) || state.made.has(above) || (parents && above !== '/' && free(above));
  };
  return paths.every(free) ? { text: '', status: 'ok' } : undefined;
}
