import type { Bytes } from '../../platform/bytes.ts';
import type { Arg, Call } from '../../shell/types.ts';
import { entriesOf, searchOf } from '../find/entries.ts';
import { parseWords, type Words } from '../options.ts';
import { textOfArg, verbOf } from '../row.ts';
import type { Out, Rule } from '../types.ts';

const OPTIONS =
  'null,0 arg-file,a= delimiter,d= E= e? eof? I= i? replace? L= l? max-lines? max-args,n= o,open-tty P,max-procs= p,interactive process-slot-var= r,no-run-if-empty s,max-chars= show-limits t,verbose x,exit help version';

/** More arguments are told as one that is not known. */
const MOST = 5_000;
/** More runs of one command are told as one with all arguments. */
const RUNS = 256;

/** What xargs reads, in items; `from`: the paths it can come from; `certain`: it is in the line itself. */
type Items =
  | { readonly kind: 'known'; readonly items: readonly Arg[]; readonly scope: readonly Bytes[] }
  | { readonly kind: 'unknown'; readonly scope: readonly Bytes[] };

const ANYWHERE: readonly Bytes[] = ['?'];

/** xargs(1): the command with what standard input says. */
export const xargsRule: Rule = (call, out) => {
  const words = parseWords(call.argv.slice(1), OPTIONS, { stopsAtOperand: true });
  if (words.has('help', 'version', 'show-limits')) return;
  const command = words.operands;
  if (command.length === 0) return;
  const input = itemsOf(call, out, words);
  const pattern = words.has('I')
    ? textOfArg(words.value('I'))
    : words.has('i', 'replace')
      ? (textOfArg(words.value('i', 'replace')) ?? '{}')
      : undefined;
  const run = (): void => {
    if (input.kind === 'unknown') {
      const prefix = input.scope.length === 1 && input.scope[0] !== '?' ? `${input.scope[0]}/` : '';
      const some: Arg = { kind: 'unknown', prefix, suffix: '', many: pattern === undefined };
      call.run(pattern === undefined ? [...command, some] : command.map((arg) => filled(arg, pattern, some)), EMPTY);
      return;
    }
    if (input.items.length === 0 && words.has('r')) return;
    if (pattern === undefined) {
      const one = words.has('L', 'l', 'max-lines', 'max-args') && needsOrder(command);
      const size = Math.max(1, Number(textOfArg(words.value('max-args')) ?? 1) || 1);
      if (one && input.items.length > RUNS * size)
        call.run([...command, { kind: 'unknown', prefix: '', suffix: '', many: true }], EMPTY);
      else if (one) {
        for (let at = 0; at < input.items.length; at += size)
          call.run([...command, ...input.items.slice(at, at + size)], EMPTY);
      } else call.run([...command, ...input.items], EMPTY);
      return;
    }
    if (input.items.length > RUNS) {
      const some: Arg = { kind: 'unknown', prefix: '', suffix: '', many: false };
      call.run(
        command.map((arg) => filled(arg, pattern, some)),
        EMPTY,
      );
    } else
      for (const item of input.items)
        call.run(
          command.map((arg) => filled(arg, pattern, item)),
          EMPTY,
        );
  };
  if (input.scope.length > 0) out.scope(verbOf(call), input.scope, run);
  else run();
};

/** The command's own standard input is `/dev/null` (xargs(1)). */
const EMPTY: Parameters<Call['run']>[1] = { stdin: { kind: 'text', text: '' } };

/** One run a few items differs from one run with all: a shell's `$0`, `mv`, `cp`. */
const needsOrder = (command: readonly Arg[]): boolean =>
  !/(^|\/)(rm|rmdir|shred|unlink|gzip|chmod)$/.test(textOfArg(command[0]) ?? '');

function filled(arg: Arg, pattern: Bytes, item: Arg): Arg {
  if (arg.kind === 'unknown' || !arg.text.includes(pattern)) return arg;
  if (item.kind === 'known') return { kind: 'known', text: arg.text.replaceAll(pattern, () => item.text) };
  const at = arg.text.indexOf(pattern);
  return {
    kind: 'unknown',
    prefix: arg.text.slice(0, at) + item.prefix,
    suffix: item.suffix + arg.text.slice(arg.text.lastIndexOf(pattern) + pattern.length),
    many: item.many,
  };
}

function itemsOf(call: Call, out: Out, words: Words): Items {
  const file = words.value('arg-file');
  if (file) {
    const text = out.textOf(file);
    return text === undefined ? { kind: 'unknown', scope: ANYWHERE } : split(text, words, ANYWHERE);
  }
  const { stdin } = call;
  if (stdin.kind === 'text' && stdin.from)
    return isFind(stdin.from)
      ? found(stdin.from.slice(1), call, out)
      : split(stdin.text, words, lists(stdin.from, call, out) ?? ANYWHERE);
  if (stdin.kind === 'text') return split(stdin.text, words, []);
  if (stdin.kind === 'file') {
    const text = out.textOf(stdin.path);
    return text === undefined ? { kind: 'unknown', scope: ANYWHERE } : split(text, words, ANYWHERE);
  }
  if (stdin.kind === 'pipe' && stdin.from)
    return fromCommand(stdin.from, call, out, words) ?? { kind: 'unknown', scope: ANYWHERE };
  return { kind: 'unknown', scope: ANYWHERE };
}

const isFind = (from: readonly Arg[]): boolean => textOfArg(from[0])?.replace(/^.*\//, '') === 'find';

/** What a command in front of the pipe prints, where that is a list of files. The list may differ when the line runs: the scope says so. */
function fromCommand(from: readonly Arg[], call: Call, out: Out, words: Words): Items | undefined {
  const name = textOfArg(from[0])?.replace(/^.*\//, '');
  if (name === 'find') return found(from.slice(1), call, out);
  if (name === 'cat') {
    const files = from.slice(1).filter((arg) => !(textOfArg(arg) ?? '').startsWith('-'));
    const texts = files.map((arg) => out.textOf(arg));
    return files.length > 0 && texts.every((text) => text !== undefined)
      ? split(texts.join(''), words, ANYWHERE)
      : undefined;
  }
  const scope = lists(from, call, out);
  return scope && { kind: 'unknown', scope };
}

/** Where a command lists files: in the folder in which it runs. */
function lists(from: readonly Arg[], call: Call, out: Out): readonly Bytes[] | undefined {
  const name = textOfArg(from[0])?.replace(/^.*\//, '');
  const here =
    (name === 'git' && from.some((arg) => /^(ls-files|status|diff|grep)$/.test(textOfArg(arg) ?? ''))) ||
    /^(ls|fd|fdfind|rg|grep|egrep|fgrep|ag|locate|du)$/.test(name ?? '')
      ? out.absolute('.', call.cwd)
      : undefined;
  return here === undefined ? undefined : [here];
}

function found(args: readonly Arg[], call: Call, out: Out): Items {
  const search = searchOf(args, call, out);
  const scope: Bytes[] = [];
  const items: Arg[] = [];
  let listed = true;
  for (const root of search.roots) {
    const real = out.absolute(root);
    scope.push(real ?? '?');
    const entries = real === undefined || root.kind === 'unknown' ? undefined : entriesOf(search, root.text, real);
    if (entries === undefined || items.length + entries.matched.length > MOST) listed = false;
    else
      for (const entry of entries.matched)
        items.push({ kind: 'known', text: entry.named, glob: `${(textOfArg(root) ?? '.').replace(/\/+$/, '')}/**` });
  }
  return listed ? { kind: 'known', items, scope } : { kind: 'unknown', scope };
}

/** Items as xargs tells them apart: blanks, quotes and backslashes; or one delimiter; or lines (`-I`). */
function split(text: Bytes, words: Words, scope: readonly Bytes[]): Items {
  const delimiter = words.has('null') ? '\0' : unescaped(textOfArg(words.value('delimiter')));
  const items: Bytes[] = [];
  if (delimiter !== undefined) {
    items.push(...text.split(delimiter));
    if (items.at(-1) === '') items.pop();
  } else if (words.has('I', 'i', 'replace')) {
    for (const line of text.split('\n')) {
      const [item = ''] = quotedWords(line.trimStart(), false);
      if (item !== '') items.push(item);
    }
  } else {
    const end = textOfArg(words.value('E', 'e', 'eof'));
    for (const item of quotedWords(text, true)) {
      if (end !== undefined && item === end) break;
      items.push(item);
    }
  }
  if (items.length > MOST) return { kind: 'unknown', scope };
  return { kind: 'known', items: items.map((item): Arg => ({ kind: 'known', text: item })), scope };
}

function unescaped(text: Bytes | undefined): Bytes | undefined {
  if (text === undefined || text.length <= 1) return text;
  const known: Record<string, Bytes> = { '\\n': '\n', '\\t': '\t', '\\0': '\0', '\\\\': '\\', '\\r': '\r' };
  return known[text] ?? text[0];
}

function quotedWords(text: Bytes, blanksSplit: boolean): Bytes[] {
  const out: Bytes[] = [];
  let now: Bytes | undefined;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? '';
    if (letter === '\n' || (blanksSplit && /[ \t\r\v\f]/.test(letter))) {
      if (now !== undefined) out.push(now);
      now = undefined;
    } else if (letter === "'" || letter === '"') {
      const end = text.indexOf(letter, at + 1);
      now = (now ?? '') + text.slice(at + 1, end < 0 ? undefined : end);
      at = end < 0 ? text.length : end;
    } else if (letter === '\\') now = (now ?? '') + (text[++at] ?? '');
    else now = (now ?? '') + letter;
  }
  if (now !== undefined) out.push(now);
  return out;
}
