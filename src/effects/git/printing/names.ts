import { type Bytes, fromBuffer, isText, toText } from '../../../platform/bytes.ts';
import type { Arg } from '../../../shell/types.ts';
import type { Repository } from '../repository.ts';

/** More names are not told one by one. */
const MOST = 5_000;

const ESCAPES: Readonly<Record<Bytes, Bytes>> = {
  '\x07': 'a',
  '\b': 'b',
  '\f': 'f',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
  '\v': 'v',
  '"': '"',
  '\\': '\\',
};

/** A name as git prints it (git-config(1), `core.quotePath`); `blanks`: `git status` quotes for a blank, too. */
export function quoted(repo: Repository, name: Bytes, blanks = false): Bytes {
  const high = repo.config.flag('core.quotepath') !== false;
  const special = high ? /["\\]|[^\x20-\x7e]/g : /["\\]|[\0-\x1f\x7f]/g;
  if (!special.test(name)) return blanks && name.includes(' ') ? `"${name}"` : name;
  const octal = (char: Bytes): Bytes => char.charCodeAt(0).toString(8).padStart(3, '0');
  return `"${name.replace(special, (char) => `\\${ESCAPES[char] ?? octal(char)}`)}"`;
}

/** A path from the top of the work tree, as seen from the folder in which git runs. */
export function fromHere(repo: Repository, path: Bytes): Bytes {
  const { prefix } = repo;
  if (path.startsWith(prefix)) return path.slice(prefix.length) || './';
  const here = prefix.split('/').slice(0, -1);
  const there = path.split('/');
  let same = 0;
  while (same < here.length && here[same] === there[same]) same++;
  return `${'../'.repeat(here.length - same)}${there.slice(same).join('/')}`;
}

/** A list as git prints it: quoted lines, or plain names with `-z`. */
export function listed(repo: Repository, names: readonly Bytes[], nul: boolean): Bytes | undefined {
  if (names.length > MOST) return undefined;
  return names.map((name) => (nul ? `${name}\0` : `${quoted(repo, name)}\n`)).join('');
}

/** The names that git itself gives, asked with `-z`, by pathspecs as the user's command takes them; undefined where it cannot say. */
export function askNames(
  repo: Repository,
  args: readonly string[],
  operands: readonly Arg[],
  magic = true,
): Bytes[] | undefined {
  const words = operands.map((arg) => (arg.kind === 'known' && isText(arg.text) ? toText(arg.text) : undefined));
  if (!words.every((word) => word !== undefined)) return undefined;
  const answer = repo.ask([...args, '--', ...words], { magic });
  if (!answer.ok) return answer.code === 1 || answer.code === 128 ? [] : undefined;
  return fromBuffer(answer.out)
    .split('\0')
    .filter((name) => name !== '');
}
