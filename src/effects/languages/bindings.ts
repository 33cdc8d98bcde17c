import type { Bytes } from '../../platform/bytes.ts';
import type { Follower } from './follow.ts';
import type { Token } from './tokens.ts';
import { either, type Value } from './values.ts';

/**
 * Learns the names that a program binds before anything of it is told: imports, assignments, loop variables, functions.
 * A name bound twice may be either.
 */
export function bind(reader: Follower): void {
  const scan = SCANS[reader.dialect.language];
  for (let at = 0; at < reader.list.length; at++) scan(reader, at);
  reader.run();
}

const SCANS = { python, javascript, perl, ruby, php };

const isName = (token: Token | undefined): token is Token => token?.kind === 'name';
const isWord = (token: Token | undefined, ...words: readonly Bytes[]): boolean =>
  token?.kind === 'name' && words.includes(token.text);
const isSign = (token: Token | undefined, ...signs: readonly string[]): boolean =>
  token?.kind === 'sign' && signs.includes(token.text);

function set(reader: Follower, name: Bytes, value: Value): void {
  reader.names.set(name, either(reader.names.get(name), value));
}

const startsStatement = (before: Token | undefined): boolean =>
  before === undefined ||
  before.kind === 'line' ||
  isSign(before, ';', ':', '{', '}', '=', '(') ||
  isWord(before, 'const', 'let', 'var', 'my', 'our', 'local', 'do', 'then');

function assignment(reader: Follower, at: number): void {
  const name = reader.list[at];
  if (!isName(name) || !isSign(reader.list[at + 1], '=', ':=', '||=') || !startsStatement(reader.list[at - 1])) return;
  // a keyword argument stands in parentheses too
  if (isSign(reader.list[at - 1], '(') && isSign(reader.list[at + 1], '=')) return;
  set(reader, name.text, reader.valueAt(at + 2));
}

/** Modules whose loading does nothing to files; any other import runs code from elsewhere. */
const PYTHON_MODULES = new Set(
  (
    'abc argparse array ast base64 binascii bisect calendar codecs collections contextlib copy csv datetime decimal difflib enum fnmatch ' +
    'fractions functools getpass glob gzip hashlib heapq hmac html http importlib inspect io itertools json locale logging math ' +
    'operator os pathlib pickle platform pprint queue random re secrets select shlex shutil signal socket sqlite3 ssl stat ' +
    'statistics string struct subprocess sys sysconfig tarfile tempfile textwrap threading time timeit tomllib traceback types ' +
    'typing unicodedata urllib uuid warnings xml zipfile zlib zoneinfo site yaml requests numpy pandas __future__'
  ).split(' '),
);

function python(reader: Follower, at: number): void {
  const token = reader.list[at];
  if (isWord(token, 'import') && !isImported(reader, at)) imports(reader, at + 1, undefined);
  else if (isWord(token, 'from') && isName(reader.list[at + 1])) {
    let next = at + 1;
    let module = '';
    while ((isName(reader.list[next]) && !isWord(reader.list[next], 'import')) || isSign(reader.list[next], '.'))
      module += reader.list[next++]?.text;
    if (!isWord(reader.list[next], 'import')) return;
    if (!PYTHON_MODULES.has(module.split('.')[0] ?? '')) reader.foreign = true;
    imports(reader, next + 1, module);
  } else if (isWord(token, 'def', 'class') && isName(reader.list[at + 1]))
    reader.defined.add(reader.list[at + 1]?.text ?? '');
  else if (isWord(token, 'for') && isName(reader.list[at + 1]) && isWord(reader.list[at + 2], 'in')) {
    set(reader, reader.list[at + 1]?.text ?? '', reader.valueAt(at + 3));
  } else if (isWord(token, 'with')) managed(reader, at + 1);
  else assignment(reader, at);
}

/** `with ZipFile(a) as z:`; of other things it is not known what their methods do. */
function managed(reader: Follower, at: number): void {
  let as = at;
  while (as < reader.list.length && reader.list[as]?.kind !== 'line' && !isWord(reader.list[as], 'as')) as += 1;
  const name = reader.list[as + 1];
  const value = isWord(reader.list[as], 'as') && isName(name) ? reader.valueAt(at) : undefined;
  if (value?.kind === 'record' && isName(name)) set(reader, name.text, value);
}

const isImported = (reader: Follower, at: number): boolean => {
  for (let i = at - 1; i >= 0 && reader.list[i]?.kind !== 'line' && !isSign(reader.list[i], ';'); i--)
    if (isWord(reader.list[i], 'from')) return true;
  return false;
};

/** `a.b as c, d`: from `at` to the end of the statement. */
function imports(reader: Follower, from: number, module: Bytes | undefined): void {
  let at = from;
  while (at < reader.list.length && reader.list[at]?.kind !== 'line' && !isSign(reader.list[at], ';')) {
    let path = '';
    while ((isName(reader.list[at]) && !isWord(reader.list[at], 'as')) || isSign(reader.list[at], '.'))
      path += reader.list[at++]?.text;
    if (path !== '') {
      if (module === undefined && !PYTHON_MODULES.has(path.split('.')[0] ?? '')) reader.foreign = true;
      const full = module === undefined ? path : `${module}.${path}`;
      const renamed = isWord(reader.list[at], 'as') ? reader.list[at + 1]?.text : undefined;
      if (renamed !== undefined) reader.names.set(renamed, { kind: 'name', path: full });
      else if (module !== undefined) reader.names.set(path, { kind: 'name', path: full });
      if (renamed !== undefined) at += 2;
    }
    if (reader.list[at]?.kind !== 'line' && !isSign(reader.list[at], ';')) at += 1;
  }
}

function javascript(reader: Follower, at: number): void {
  const token = reader.list[at];
  if (isSign(token, '{') && isWord(reader.list[at - 1], 'const', 'let', 'var', 'import')) destructured(reader, at);
  else if (isWord(token, 'import') && (isName(reader.list[at + 1]) || isSign(reader.list[at + 1], '*'))) {
    const name = isSign(reader.list[at + 1], '*') ? at + 3 : at + 1;
    if (!isName(reader.list[name]) || !isWord(reader.list[name + 1], 'from')) return;
    reader.names.set(reader.list[name]?.text ?? '', moduleNamed(reader, reader.list[name + 2]?.text ?? ''));
  } else if (isWord(token, 'function') && isName(reader.list[at + 1]))
    reader.defined.add(reader.list[at + 1]?.text ?? '');
  else if (isWord(token, 'of') && isName(reader.list[at - 1]))
    set(reader, reader.list[at - 1]?.text ?? '', reader.valueAt(at + 1));
  else assignment(reader, at);
}

function moduleNamed(reader: Follower, specifier: Bytes): Value {
  const { value } = reader.dialect.call({
    name: 'require',
    receiver: { kind: 'name', path: 'require' },
    args: [{ value: { kind: 'text', text: specifier } }],
  }) ?? { value: undefined };
  if (value?.kind !== 'name') reader.foreign = true;
  return value ?? { kind: 'name', path: specifier };
}

/** `const { a, b: c } = X`, `import { a as c } from 'm'`. */
function destructured(reader: Follower, open: number): void {
  const pairs: [Bytes, Bytes][] = [];
  let at = open + 1;
  for (; at < reader.list.length && !isSign(reader.list[at], '}'); at++) {
    const name = reader.list[at];
    if (!isName(name)) continue;
    const renames = isSign(reader.list[at + 1], ':') || isWord(reader.list[at + 1], 'as');
    pairs.push([name.text, renames ? (reader.list[at + 2]?.text ?? '') : name.text]);
    if (renames) at += 2;
  }
  const source = isWord(reader.list[at + 1], 'from')
    ? moduleNamed(reader, reader.list[at + 2]?.text ?? '')
    : reader.valueAt(at + 2);
  if (source.kind !== 'name') return;
  for (const [name, local] of pairs) reader.names.set(local, { kind: 'name', path: `${source.path}.${name}` });
}

function perl(reader: Follower, at: number): void {
  const token = reader.list[at];
  if (isWord(token, 'sub') && isName(reader.list[at + 1])) reader.defined.add(reader.list[at + 1]?.text ?? '');
  else if (isWord(token, 'for', 'foreach')) {
    const next = isWord(reader.list[at + 1], 'my', 'our') ? at + 2 : at + 1;
    const named =
      isName(reader.list[next]) && reader.list[next]?.text.startsWith('$') && isSign(reader.list[next + 1], '(');
    set(reader, named ? (reader.list[next]?.text ?? '') : '$_', reader.valueAt(named ? next + 1 : next));
  } else assignment(reader, at);
}

function ruby(reader: Follower, at: number): void {
  const token = reader.list[at];
  if (isWord(token, 'def') && isName(reader.list[at + 1])) reader.defined.add(reader.list[at + 1]?.text ?? '');
  else if (isWord(token, 'for') && isName(reader.list[at + 1]) && isWord(reader.list[at + 2], 'in')) {
    set(reader, reader.list[at + 1]?.text ?? '', reader.valueAt(at + 3));
  } else assignment(reader, at);
}

function php(reader: Follower, at: number): void {
  const token = reader.list[at];
  if (isWord(token, 'function') && isName(reader.list[at + 1])) reader.defined.add(reader.list[at + 1]?.text ?? '');
  else if (isWord(token, 'foreach') && isSign(reader.list[at + 1], '(')) {
    let as = at + 2;
    while (as < reader.list.length && !isWord(reader.list[as], 'as')) as += 1;
    const name = isSign(reader.list[as + 2], '=>') ? reader.list[as + 3] : reader.list[as + 1];
    if (isName(name)) set(reader, name.text, reader.valueAt(at + 2));
  } else assignment(reader, at);
}

/** `list.forEach(f => …)`, `list.each { |f| … }`, `list.each do |f|`: the block's name for an item, `at` behind the method's name. */
export function blockParameter(list: readonly Token[], at: number): Bytes | undefined {
  let next = at;
  if (isSign(list[next], '(')) next += 1;
  if (isWord(list[next], 'function', 'fn', 'async')) next += 1;
  const opened = isSign(list[next], '{') || isWord(list[next], 'do');
  if (opened) next += 1;
  if (opened ? !isSign(list[next], '|') : !isSign(list[next], '(') && !isName(list[next])) return undefined;
  if (!isName(list[next])) next += 1;
  const after = list[next + 1];
  return isName(list[next]) && isSign(after, '=>', ')', '|', ',') ? list[next]?.text : undefined;
}
