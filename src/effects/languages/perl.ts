import type { Bytes } from '../../platform/bytes.ts';
import { type Act, commandLine, opened, perform, positional, program } from './calls.ts';
import type { Deed } from './deed.ts';
import type { Answer, Dialect, Invocation } from './dialect.ts';
import { follow } from './follow.ts';
import { listValue, pathsOf, textValue, type Value } from './values.ts';

/** perlfunc(1), File::Path(3perl), File::Copy(3perl). */
const ACTS: ReadonlyMap<Bytes, Act> = new Map<Bytes, Act>([
  ['chdir', { act: 'chdir', on: 0 }],
  ['unlink', { act: 'delete', on: 'all' }],
  ['rmdir', { act: 'delete', on: 0 }],
  ['rename', { act: 'move', from: 0, to: 1 }],
  ['move', { act: 'move', from: 0, to: 1 }],
  ['copy', { act: 'copy', from: 0, to: 1 }],
  ['truncate', { act: 'write', on: 0 }],
  ['chmod', { act: 'metadata', on: 'rest' }],
  ['rmtree', { act: 'tree', on: 'all' }],
  ['remove_tree', { act: 'tree', on: 'all' }],
  ['File::Path::rmtree', { act: 'tree', on: 'all' }],
  ['File::Path::remove_tree', { act: 'tree', on: 'all' }],
  ['File::Copy::move', { act: 'move', from: 0, to: 1 }],
  ['File::Copy::copy', { act: 'copy', from: 0, to: 1 }],
]);

const PURE = new Set(
  (
    'print printf say chomp chop split join map grep sort reverse keys values each push pop shift unshift splice length substr index rindex uc lc ucfirst ' +
    'lcfirst sprintf defined undef exists delete die warn exit return abs int sqrt rand srand time localtime gmtime hex oct ord chr close eof ' +
    'scalar ref wantarray pos quotemeta lstat stat opendir readdir closedir mkdir local my our sleep binmode seek tell read getc pack unpack ' +
    'tr y s m q qq qw strict warnings utf8 File::Basename List::Util POSIX Data::Dumper Dumper basename dirname sum max min first uniq'
  ).split(' '),
);

const KEYWORDS = new Set(
  'my our local if unless else elsif while until for foreach do sub return and or not x eq ne lt gt le ge cmp last next redo BEGIN END'.split(
    ' ',
  ),
);

const PRAGMAS =
  /^(strict|warnings|utf8|feature|integer|bytes|open|constant|vars|File::\w+|List::Util|POSIX|Data::Dumper|Time::\w+|JSON::PP|Getopt::\w+|Cwd|v?5[\d.]*)$/;

function call(invocation: Invocation): Answer | undefined {
  const { name, args } = invocation;
  const first = positional(args, 0);
  switch (name) {
    case 'open':
      return { deeds: open(positional(args, 1), positional(args, 2)) };
    case 'unlink':
      return perform(
        { act: 'delete', on: 'all' },
        args.length > 0
          ? invocation
          : { ...invocation, args: [{ value: { kind: 'unknown', prefix: '', suffix: '' } }] },
      );
    case 'glob':
      return first?.kind === 'text' ? { value: globs(first.text) } : {};
    case 'system':
    case 'exec':
      return {
        deeds:
          args.length > 1
            ? program(listValue(args.map((arg) => arg.value)))
            : first?.kind === 'list'
              ? program(first)
              : commandLine(first),
      };
    case 'use':
    case 'require':
    case 'no':
      return first === undefined || (first.kind === 'name' && PRAGMAS.test(first.path)) || first.kind === 'text'
        ? {}
        : undefined;
    case 'eval':
      return first?.kind === 'text' ? { deeds: perlDeeds(first.text) } : {};
    default: {
      const act = ACTS.get(name);
      return act && perform(act, invocation);
    }
  }
}

const globs = (patterns: Bytes): Value =>
  listValue(
    patterns
      .split(/\s+/)
      .filter((word) => word !== '')
      .map((word): Value => (/[*?[{]/.test(word) ? { kind: 'glob', pattern: word } : textValue(word))),
  );

/** Three-argument `open(FH, '>', path)` and the two-argument form with the mode in front of the path (perlfunc(1)). */
function open(mode: Value | undefined, path: Value | undefined): Deed[] {
  if (path) {
    if (mode?.kind !== 'text') return opened(path, undefined);
    if (/^\||\|$|^-\||^\|-/.test(mode.text.trim())) return commandLine(path);
    return opened(path, textValue(modeOf(mode.text)));
  }
  const text = mode?.kind === 'text' ? mode.text : mode?.kind === 'unknown' ? mode.prefix : undefined;
  if (text === undefined) return [];
  if (/^\s*\|/.test(text) || (mode?.kind === 'text' && /\|\s*$/.test(text)))
    return commandLine(textValue(text.replace(/^\s*\||\|\s*$/g, '')));
  const hit = /^\s*(\+?[<>]{1,2})\s*/.exec(text);
  if (!hit) return [];
  const rest: Value =
    mode?.kind === 'text'
      ? textValue(text.slice(hit[0].length).trim())
      : { kind: 'unknown', prefix: text.slice(hit[0].length), suffix: '' };
  if (rest.kind === 'text' && rest.text.startsWith('&')) return [];
  return pathsOf(rest).length === 0 ? [] : opened(rest, textValue(modeOf(hit[1] ?? '')));
}

const modeOf = (sign: Bytes): Bytes =>
  /^\s*\+?>>/.test(sign) ? 'a' : /^\s*\+?>/.test(sign) ? 'w' : /^\s*\+</.test(sign) ? 'r+' : 'r';

const DIALECT: Dialect = {
  language: 'perl',
  concat: ['.'],
  bare: new Set([...ACTS.keys(), ...PURE, 'open', 'glob', 'system', 'exec', 'use', 'require', 'no', 'eval']),
  keywords: KEYWORDS,
  pure: PURE,
  call,
  destroys: () => false,
};

/** `perl -e`, with `@ARGV` where its values are known. */
export const perlDeeds = (source: Bytes, argv: readonly Bytes[] = []): Deed[] =>
  follow(postfixLoops(source), DIALECT, new Map([['@ARGV', listValue(argv.map(textValue))]]));

/** `unlink for @ARGV` binds `$_` behind its use and takes it unsaid. */
const postfixLoops = (source: Bytes): Bytes =>
  source.replace(/\b(unlink|rmdir)(\s*)(?=\s(?:for|foreach|if|unless|while)\b|;|$)/g, '$1 $_$2');
