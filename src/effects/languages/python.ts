import type { Bytes } from '../../platform/bytes.ts';
import { type Act, commandOrProgram, keyword, opened, perform, positional } from './calls.ts';
import type { Deed } from './deed.ts';
import type { Answer, Dialect, Invocation } from './dialect.ts';
import { follow } from './follow.ts';
import { concat, joinPaths, listValue, textValue, UNKNOWN, type Value } from './values.ts';

/** What functions of the standard library do to files: docs.python.org, `os`, `shutil`, `pathlib`, built-in `open`. */
const ACTS: ReadonlyMap<Bytes, Act> = new Map<Bytes, Act>([
  ['os.chdir', { act: 'chdir', on: 0 }],
  ['os.remove', { act: 'delete', on: 0 }],
  ['os.unlink', { act: 'delete', on: 0 }],
  ['os.rmdir', { act: 'delete', on: 0 }],
  ['os.removedirs', { act: 'delete', on: 0 }],
  ['shutil.rmtree', { act: 'tree', on: 0 }],
  ['os.rename', { act: 'move', from: 0, to: 1 }],
  ['os.renames', { act: 'move', from: 0, to: 1 }],
  ['os.replace', { act: 'move', from: 0, to: 1 }],
  ['shutil.move', { act: 'move', from: 0, to: 1 }],
  ['shutil.copy', { act: 'copy', from: 0, to: 1 }],
  ['shutil.copy2', { act: 'copy', from: 0, to: 1 }],
  ['shutil.copyfile', { act: 'copy', from: 0, to: 1 }],
  ['shutil.copytree', { act: 'merge-tree', from: 0, to: 1 }],
  ['shutil.copymode', { act: 'metadata', on: 1 }],
  ['os.truncate', { act: 'write', on: 0 }],
  ['os.chmod', { act: 'metadata', on: 0 }],
  ['os.chown', { act: 'metadata', on: 0 }],
  ['os.system', { act: 'shell', on: 0 }],
  ['os.popen', { act: 'shell', on: 0 }],
  ['subprocess.getoutput', { act: 'shell', on: 0 }],
  ['subprocess.getstatusoutput', { act: 'shell', on: 0 }],
  ['open', { act: 'open', on: 0, mode: 1, name: 'mode' }],
  ['io.open', { act: 'open', on: 0, mode: 1, name: 'mode' }],
  ['codecs.open', { act: 'open', on: 0, mode: 1, name: 'mode' }],
  ['gzip.open', { act: 'open', on: 0, mode: 1, name: 'mode' }],
  ['zipfile.ZipFile', { act: 'open', on: 0, mode: 1, name: 'mode' }],
  ['tarfile.open', { act: 'open', on: 0, mode: 1, name: 'mode' }],
  ['.unlink', { act: 'delete', on: 'receiver' }],
  ['.rmdir', { act: 'delete', on: 'receiver' }],
  ['.write_text', { act: 'write', on: 'receiver' }],
  ['.write_bytes', { act: 'write', on: 'receiver' }],
  ['.rename', { act: 'move', from: 'receiver', to: 0 }],
  ['.chmod', { act: 'metadata', on: 'receiver' }],
]);

const SUBPROCESS = /^subprocess\.(run|call|check_call|check_output|Popen)$/;

/** Calls that only compute, print or read. */
const PURE = new Set(
  (
    'print len range str int float bytes bytearray list dict set tuple sorted reversed enumerate zip map filter sum min max abs any all repr ' +
    'chr ord hex bin oct round type isinstance hasattr id hash input iter next format vars dir exit quit sys.exit ' +
    'os.getcwd os.listdir os.getenv os.environ.get os.getpid os.walk os.scandir os.stat os.cpu_count os.path.exists os.path.isfile ' +
    'os.path.isdir os.path.basename os.path.dirname os.path.abspath os.path.realpath os.path.getsize os.path.expanduser os.mkdir os.makedirs ' +
    'json.loads json.dumps json.load json.dump re.sub re.findall re.match re.search re.compile re.split time.time time.sleep ' +
    'datetime.datetime.now datetime.datetime.utcnow datetime.date.today random.random random.randint random.choice math.sqrt ' +
    'shutil.which shutil.disk_usage base64.b64encode base64.b64decode hashlib.sha256 hashlib.md5 hashlib.sha1 uuid.uuid4 ' +
    'sys.stdout.write sys.stderr.write sys.stdin.read sys.stdin.readline platform.system urllib.parse.quote urllib.parse.unquote ' +
    '.read .readline .readlines .write .writelines .close .flush .split .rsplit .strip .rstrip .lstrip .join .replace .format .encode .decode ' +
    '.startswith .endswith .lower .upper .title .items .keys .values .get .append .extend .pop .update .sort .count .find .index .group .groups ' +
    '.splitlines .hexdigest .digest .isdigit .exists .is_file .is_dir .read_text .read_bytes .stat .resolve .absolute .iterdir .mkdir .touch ' +
    '.isoformat .strftime .total_seconds .sub .findall .match .search .decode .zfill .ljust .rjust .now .most_common .seek .tell'
  ).split(' '),
);

const KEYWORDS = new Set(
  (
    'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal ' +
    'not or pass raise return try while with yield'
  ).split(' '),
);

const EVALUATES = /^(exec|eval|compile|__import__|getattr|setattr|globals|runpy\.\w+|importlib\.\w+)$/;

function call(call: Invocation): Answer | undefined {
  const { name, args, receiver } = call;
  const first = positional(args, 0);
  if (name === 'open' && first?.kind === 'text' && /^\/dev\//.test(first.text)) return {};
  if (name === '.replace' && args.length === 1) return perform({ act: 'move', from: 'receiver', to: 0 }, call);
  if (name === '.open' || name === 'pathlib.Path.open')
    return { deeds: opened(receiver, first ?? keyword(args, 'mode')) };
  if (name === 'shutil.copy' && first === undefined) return { deeds: [{ kind: 'unknown', note: name }] };
  if (name === 'fileinput.input') return inPlace(args);
  if (name === 'logging.FileHandler' || name === 'logging.basicConfig') return logged(call);
  if (name === 'os.open') return isReadOnly(args) ? {} : perform({ act: 'write', on: 0 }, call);
  const unpacks = UNPACKERS.get(name);
  if (unpacks && first?.kind === 'text')
    return { ...perform({ act: 'open', on: 0, mode: 1, name: 'mode' }, call), value: archive(unpacks, first.text) };
  if (name === '.extractall' && receiver.kind === 'record') return unpacked(receiver, first ?? keyword(args, 'path'));
  if (SUBPROCESS.test(name)) return { deeds: commandOrProgram(first ?? keyword(args, 'args'), keyword(args, 'shell')) };
  if (/^os\.(exec|spawn)[lv]p?e?$/.test(name)) return { deeds: [{ kind: 'opaque' }] };
  if (name === 'pathlib.Path' || name === 'Path')
    return { value: args.length === 0 ? textValue('.') : args.map((arg) => arg.value).reduce(joinPaths) };
  if (name === 'os.path.join' || name === '.joinpath')
    return { value: joined(name === '.joinpath' ? receiver : undefined, call) };
  if (name === 'os.path.expanduser' || name === '.expanduser') return { value: first ?? receiver };
  if (name === 'glob.glob' || name === 'glob.iglob')
    return { value: first?.kind === 'text' ? { kind: 'glob', pattern: first.text } : UNKNOWN };
  if ((name === '.glob' || name === '.rglob') && receiver.kind === 'text' && first?.kind === 'text') {
    const inside = receiver.text === '.' ? '' : `${receiver.text}/`;
    return { value: { kind: 'glob', pattern: `${inside}${name === '.rglob' ? '**/' : ''}${first.text}` } };
  }
  if (/^(sorted|list|reversed|set|str|tuple|os\.fspath|os\.path\.abspath)$/.test(name) && first)
    return { value: first };
  if (name === '.split' && receiver.kind === 'text' && args.length === 0) {
    return {
      value: listValue(
        receiver.text
          .split(/\s+/)
          .filter((word) => word !== '')
          .map(textValue),
      ),
    };
  }
  if (name === '.with_suffix' && receiver.kind === 'text')
    return { value: concat(textValue(receiver.text.replace(/\.[^./]*$/, '')), first ?? UNKNOWN) };
  const act = ACTS.get(name);
  if (act) return perform(act, call);
  if (EVALUATES.test(name)) return { deeds: [{ kind: 'opaque' }] };
  return undefined;
}

/** A handler appends unless `mode` says otherwise (docs.python.org, `logging`); without a file it writes to the screen. */
function logged({ name, args }: Invocation): Answer {
  const handler = name === 'logging.FileHandler';
  const path = keyword(args, 'filename') ?? (handler ? positional(args, 0) : undefined);
  const mode = keyword(args, handler ? 'mode' : 'filemode') ?? (handler ? positional(args, 1) : undefined);
  return path === undefined ? {} : { deeds: opened(path, mode ?? textValue('a')) };
}

const isReadOnly = (args: Invocation['args']): boolean => {
  const flags = positional(args, 1) ?? keyword(args, 'flags');
  return flags?.kind === 'name' && flags.path === 'os.O_RDONLY';
};

/** Classes that read an archive, and the program that unpacks one as they do. */
const UNPACKERS: ReadonlyMap<Bytes, Bytes> = new Map([
  ['zipfile.ZipFile', 'unzip'],
  ['tarfile.open', 'tar'],
]);

const archive = (program: Bytes, path: Bytes): Value => ({
  kind: 'record',
  entries: new Map([
    ['program', textValue(program)],
    ['archive', textValue(path)],
  ]),
});

/** `ZipFile(a).extractall(d)` overwrites what `unzip -o a -d d` does. */
function unpacked({ entries }: Value & { kind: 'record' }, into: Value | undefined): Answer | undefined {
  const [program, path] = [entries.get('program'), entries.get('archive')];
  if (program?.kind !== 'text' || path?.kind !== 'text' || (into !== undefined && into.kind !== 'text'))
    return undefined;
  const folder = into?.text ?? '.';
  const argv =
    program.text === 'tar' ? ['tar', '-xf', path.text, '-C', folder] : ['unzip', '-o', path.text, '-d', folder];
  return { deeds: [{ kind: 'run', argv }] };
}

const joined = (start: Value | undefined, { args }: Invocation): Value =>
  [...(start ? [start] : []), ...args.map((arg) => arg.value)].reduce(joinPaths, textValue(''));

/** `fileinput.input(files, inplace=True)` writes each of them anew. */
function inPlace(args: Invocation['args']): Answer {
  if (!keyword(args, 'inplace')) return {};
  return perform({ act: 'write', on: 0 }, { name: '', receiver: UNKNOWN, args });
}

const DIALECT: Dialect = {
  language: 'python',
  concat: ['+'],
  bare: undefined,
  keywords: KEYWORDS,
  pure: PURE,
  call: (invocation) => call(invocation),
  destroys: (name) => /^(os\.(remove|unlink|rmdir|system|truncate)|shutil\.rmtree|pathlib\.Path\.unlink)$/.test(name),
};

/** `python -c`, a script on standard input, a small script file. `argv`: what `sys.argv` holds. */
export const pythonDeeds = (source: Bytes, argv: readonly Bytes[] = []): Deed[] =>
  follow(source, DIALECT, new Map([['sys.argv', listValue(argv.map(textValue))]]));
