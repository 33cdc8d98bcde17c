import type { Bytes } from '../../platform/bytes.ts';
import { type Act, commandLine, opened, perform, positional, program } from './calls.ts';
import type { Deed } from './deed.ts';
import type { Answer, Dialect, Invocation } from './dialect.ts';
import { follow } from './follow.ts';
import { joinPaths, listValue, textValue } from './values.ts';

/** docs.ruby-lang.org: File, Dir, IO, FileUtils, Pathname, Kernel. */
const ACTS: ReadonlyMap<Bytes, Act> = new Map<Bytes, Act>([
  ['Dir.chdir', { act: 'chdir', on: 0 }],
  ['File.delete', { act: 'delete', on: 'all' }],
  ['File.unlink', { act: 'delete', on: 'all' }],
  ['Dir.rmdir', { act: 'delete', on: 0 }],
  ['Dir.delete', { act: 'delete', on: 0 }],
  ['Dir.unlink', { act: 'delete', on: 0 }],
  ['File.rename', { act: 'move', from: 0, to: 1 }],
  ['File.truncate', { act: 'write', on: 0 }],
  ['File.chmod', { act: 'metadata', on: 'rest' }],
  ['File.write', { act: 'write', on: 0 }],
  ['IO.write', { act: 'write', on: 0 }],
  ['File.binwrite', { act: 'write', on: 0 }],
  ['File.open', { act: 'open', on: 0, mode: 1, name: 'mode' }],
  ['File.new', { act: 'open', on: 0, mode: 1, name: 'mode' }],
  ['open', { act: 'open', on: 0, mode: 1, name: 'mode' }],
  ['IO.popen', { act: 'shell', on: 0 }],
  ['.unlink', { act: 'delete', on: 'receiver' }],
  ['.rmtree', { act: 'tree', on: 'receiver' }],
]);

/** FileUtils works as a module and, included, as plain functions. */
const FILE_UTILS: ReadonlyMap<Bytes, Act> = new Map<Bytes, Act>([
  ...['rm', 'rm_f', 'remove', 'safe_unlink'].map((name): [Bytes, Act] => [name, { act: 'delete', on: 0 }]),
  ...['rm_r', 'rm_rf', 'rmtree', 'remove_dir', 'remove_entry', 'remove_entry_secure', 'rmdir'].map(
    (name): [Bytes, Act] => [name, { act: 'tree', on: 0 }],
  ),
  ...['mv', 'move'].map((name): [Bytes, Act] => [name, { act: 'move', from: 0, to: 1 }]),
  ...['cp', 'copy', 'copy_file', 'install', 'ln_sf'].map((name): [Bytes, Act] => [
    name,
    { act: 'copy', from: 0, to: 1 },
  ]),
  ['cp_r', { act: 'copy-tree', from: 0, to: 1 }],
]);

const PURE = new Set(
  (
    'puts print p pp printf sprintf format require require_relative gsub gsub! sub sub! chomp split gets exit sleep rand raise loop Integer Float String Array ' +
    'File.read File.readlines File.exist? File.join File.basename File.dirname File.expand_path File.file? File.directory? File.size Dir.pwd Dir.exist? Dir.mkdir Dir.entries ' +
    'Dir.children FileUtils.mkdir_p FileUtils.touch FileUtils.pwd Time.now JSON.parse JSON.generate ENV.fetch Regexp.new ' +
    '.each .map .select .reject .sort .join .split .strip .chomp .gsub .sub .to_s .to_i .to_f .to_a .to_json .length .size .first .last .upcase .downcase ' +
    '.reverse .include? .start_with? .end_with? .match .match? .inject .reduce .sum .min .max .uniq .compact .flatten .each_with_index .read .write .puts ' +
    '.close .lines .chars .times .upto .keys .values .empty? .nil? .format .capitalize .tr .scan .each_line .print .new .strftime .push .zip .exist?'
  ).split(' '),
);

const KEYWORDS = new Set(
  'if unless else elsif while until for in do end def class module return and or not begin rescue ensure yield then case when next break self true false nil BEGIN END'.split(
    ' ',
  ),
);

function call(invocation: Invocation): Answer | undefined {
  const { name, args, receiver } = invocation;
  const first = positional(args, 0);
  if (name === 'system' || name === 'exec' || name === 'spawn')
    return { deeds: args.length > 1 ? program(listValue(args.map((arg) => arg.value))) : commandLine(first) };
  if (name === 'open' && first?.kind === 'text' && first.text.startsWith('|'))
    return { deeds: commandLine(textValue(first.text.slice(1))) };
  if (name === 'Dir.glob' || name === 'Dir.[]')
    return first?.kind === 'text' ? { value: { kind: 'glob', pattern: first.text } } : {};
  if (name === 'File.join') return { value: args.map((arg) => arg.value).reduce(joinPaths) };
  if (name === 'Pathname.new' || name === 'Pathname') return first ? { value: first } : {};
  if (name === '.delete' && receiver.kind === 'text')
    return args.length === 0 ? perform({ act: 'delete', on: 'receiver' }, invocation) : {};
  if (name === 'File.open' && positional(args, 1)?.kind === 'record') return { deeds: opened(first, undefined) };
  if (/^(eval|instance_eval|load|send|public_send)$/.test(name)) return { deeds: [{ kind: 'opaque' }] };
  const act = ACTS.get(name) ?? FILE_UTILS.get(name.replace(/^FileUtils\./, ''));
  return act && perform(act, invocation);
}

const DIALECT: Dialect = {
  language: 'ruby',
  concat: ['+'],
  bare: new Set([
    'system',
    'exec',
    'spawn',
    'open',
    'eval',
    'load',
    ...FILE_UTILS.keys(),
    ...[...PURE].filter((name) => !name.includes('.')),
  ]),
  keywords: KEYWORDS,
  pure: PURE,
  call,
  destroys: () => false,
};

/** `ruby -e`, with `ARGV` where its values are known. */
export const rubyDeeds = (source: Bytes, argv: readonly Bytes[] = []): Deed[] =>
  follow(
    source.replace(/\bDir\[/g, 'Dir.glob(').replace(/(Dir\.glob\([^\]]*)\]/g, '$1)'),
    DIALECT,
    new Map([['ARGV', listValue(argv.map(textValue))]]),
  );
