import type { Bytes } from '../../platform/bytes.ts';
import type { Look } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { isFolder, linkAt, lookUp, namesIn } from '../disk.ts';
import type { State } from '../state/state.ts';
import { plainValue } from '../state/variables.ts';
import { absolute } from './looks.ts';
import type { Printer } from './table.ts';

interface Item {
  readonly name: Bytes;
  readonly look: Look;
  /** Where a link leads, for `-l`. */
  readonly path: Bytes;
}

/**
 * `ls` of names that exist, one a line as in a pipe: the names of files, the entries of a single folder, in the order asked for
 * (ls(1)). Names in another order than that of their bytes (`LC_COLLATE`) come in no certain one.
 */
export const ls: Printer = ({ args, state }) => {
  const options = args.filter((arg) => /^-./.test(arg) && arg !== '--');
  if (options.some((option) => !/^-[1AadtrSUlhpFgoGN]+$/.test(option)) || state.changed) return undefined;
  const flags = options.join('');
  const operands = args.filter((arg) => !/^-./.test(arg));
  const paths = operands.length > 0 ? operands : ['.'];
  const looks = paths.map((name) => ({ name, path: absolute(name, state) }));
  const [first] = looks;
  const there: Item[] = [];
  let missing = false;
  const add = (name: Bytes, path: Bytes): void => {
    const look = lookUp(path, false);
    if (typeof look === 'string') missing = true;
    else there.push({ name, look, path });
  };
  const folder = first?.path !== undefined && looks.length === 1 && !flags.includes('d') && isFolder(first.path);
  if (folder && first.path !== undefined) {
    for (const name of flags.includes('a') ? ['.', '..'] : []) add(name, join(first.path, name));
    for (const name of namesIn(first.path))
      if (/[aA]/.test(flags) || !name.startsWith('.')) add(name, join(first.path, name));
  } else {
    for (const { name, path } of looks) {
      if (path === undefined || (!flags.includes('d') && isFolder(path))) return undefined;
      add(name, path);
    }
  }
  const sorted = putInOrder(there, flags);
  const certain = there.length < 2 || sorted === 'by key' || (sorted === 'by name' && isBytewise(state));
  const long = /[lgo]/.test(flags);
  const lines = there.map((item) => `${long ? columns(item, flags) : ''}${item.name}${mark(item, flags, long)}\n`);
  return {
    text: `${long && folder ? 'total 0\n' : ''}${lines.join('')}`,
    status: missing ? 'fail' : 'ok',
    ...(certain ? {} : { unordered: true }),
  };
};

/** Names are compared byte by byte. */
function isBytewise(state: State): boolean {
  for (const name of ['LC_ALL', 'LC_COLLATE', 'LANG']) {
    const variable = state.variables.get(name);
    const value = variable && plainValue(variable);
    if (value === undefined || value === '') continue;
    return typeof value === 'string' && /^(?:C|POSIX)(?:\.|$)/.test(value);
  }
  return true;
}

/** `by key`: no two have the same time, or size. */
function putInOrder(items: Item[], flags: string): 'by key' | 'by name' | 'as it comes' {
  if (flags.includes('U')) return 'as it comes';
  const key = flags.includes('S') ? (look: Look) => BigInt(look.size) : (look: Look) => BigInt(look.mtime);
  const keyed = /[tS]/.test(flags);
  items.sort((a, b) => {
    const [one, other] = keyed ? [key(a.look), key(b.look)] : [0n, 0n];
    return one !== other ? (one < other ? 1 : -1) : a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
  });
  if (flags.includes('r')) items.reverse();
  return keyed && new Set(items.map(({ look }) => key(look))).size === items.length ? 'by key' : 'by name';
}

const MARKS: Partial<Record<Look['type'], Bytes>> = { folder: '/', link: '@', fifo: '|', socket: '=' };

function mark({ look, path }: Item, flags: string, long: boolean): Bytes {
  const arrow = long && look.type === 'link' ? ` -> ${linkAt(path) ?? ''}` : '';
  if (arrow !== '' || !/[pF]/.test(flags)) return arrow;
  if (!flags.includes('F')) return look.type === 'folder' ? '/' : '';
  return MARKS[look.type] ?? (look.type === 'file' && (look.mode & 0o111) !== 0 ? '*' : '');
}

const TYPES: Readonly<Record<Look['type'], Bytes>> = {
  file: '-',
  folder: 'd',
  link: 'l',
  fifo: 'p',
  socket: 's',
  device: 'c',
};

/** What stands in front of the name with `-l`; the owner as a number, the date as something of three words. */
function columns({ look }: Item, flags: string): Bytes {
  const rights = [...'rwxrwxrwx'].map((letter, at) => ((look.mode >> (8 - at)) & 1 ? letter : '-')).join('');
  const owners = [...(flags.includes('g') ? [] : [look.uid]), ...(/[oG]/.test(flags) ? [] : [look.uid])];
  return `${[`${TYPES[look.type]}${rights}`, look.nlink, ...owners, look.size, 'Jan', 1, '00:00'].join(' ')} `;
}
