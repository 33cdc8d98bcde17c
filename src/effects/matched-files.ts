import fs from 'node:fs';
import { type Bytes, fromBuffer, toBuffer } from '../platform/bytes.ts';
import { codeOf, isAbsentError, namesVisible } from '../platform/files.ts';
import { basename, join } from '../platform/paths.ts';
import { wild } from '../platform/wild.ts';
import { lineTests } from '../shell/output/grep.ts';
import { longestLine } from '../shell/output/pattern.ts';
import type { Call, Foretold } from '../shell/types.ts';
import { parseWords, type Words } from './options.ts';
import { textOfArg } from './row.ts';
import type { Out } from './types.ts';

const OPTIONS =
  'E,extended-regexp F,fixed-strings G,basic-regexp P,perl-regexp e,regexp= f,file= i,ignore-case y no-ignore-case v,invert-match ' +
  'w,word-regexp x,line-regexp c,count color? colour? L,files-without-match l,files-with-matches m,max-count= o,only-matching q,quiet,silent ' +
  's,no-messages b,byte-offset H,with-filename h,no-filename label= n,line-number T,initial-tab Z,null A,after-context= B,before-context= ' +
  'C,context= a,text binary-files= D,devices= d,directories= exclude= exclude-from= exclude-dir= I include= r,recursive ' +
  'R,dereference-recursive line-buffered U,binary z,null-data V,version help';

const NOT_FOLLOWED = 'P f m q c z binary-files D d exclude-from V help'.split(' ');

/** Bytes read, files looked at: for more, what will be printed is not told. */
const MOST_BYTES = 16 << 20;
const MOST_FILES = 2_000;

/** `grep -l`, `-L`, `-rl`: the files that the pattern matches as they are now (grep(1)). */
export function printedByGrep(call: Call, out: Out): Foretold | undefined {
  const words = parseWords(call.argv.slice(1), OPTIONS, { env: call.env });
  const lists = words.has('l');
  if (lists === words.has('L') || words.has(...NOT_FOLLOWED) || words.mayHaveMore) return undefined;
  if (words.options.some((option) => !option.known) || call.cwd.kind === 'unknown') return undefined;
  const given = words.values('e').map(textOfArg);
  const operands = words.operands.map(textOfArg);
  const patterns = given.length > 0 ? given : operands.splice(0, 1);
  const tests = patterns.every((one) => one !== undefined) ? lineTests(patterns, flagsOf(call, words)) : undefined;
  const recursive = words.has('r', 'R');
  if (!tests || patterns.length === 0 || !operands.every((one) => one !== undefined)) return undefined;
  if (operands.length === 0 && !recursive) return undefined;
  const search = new Search(words, (path) => out.absolute(path));
  if (operands.length === 0) search.folder('', '.');
  else for (const operand of operands) search.operand(operand, recursive);
  if (search.files === undefined) return undefined;
  const end = words.has('Z') ? '\0' : '\n';
  let left = MOST_BYTES;
  let text = '';
  let certain = true;
  for (const { named, path } of search.files) {
    const content = contentOf(path, left);
    if (content === 'too much') return undefined;
    if (content === undefined) continue;
    left -= content.length;
    const binary = words.has('I') && content.includes('\0');
    const matched = binary ? false : matches(content, tests, words.has('v'));
    if (matched === 'maybe') certain = false;
    if (matched === 'maybe' || matched === lists) text += `${named}${end}`;
  }
  return { text, ordered: certain && !recursive };
}

function flagsOf(call: Call, words: Words): ReadonlySet<string> {
  const flags = new Set<string>();
  for (const { name } of words.options) {
    if (name === 'E' || name === 'F') flags.add(name);
    if (name === 'i' || name === 'y') flags.add('i');
    if (name === 'w' || name === 'x') flags.add(name);
  }
  const program = textOfArg(call.argv[0]) ?? '';
  if (program.endsWith('egrep')) flags.add('E');
  if (program.endsWith('fgrep')) flags.add('F');
  return flags;
}

/** `maybe`: a line is too long for the pattern. */
function matches(content: Bytes, tests: readonly RegExp[], inverted: boolean): boolean | 'maybe' {
  const lines = content.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const most = Math.min(...tests.map(longestLine));
  const plain = lines.filter((line) => line.length <= most);
  if (plain.some((line) => tests.some((test) => test.test(line)) !== inverted)) return true;
  return plain.length < lines.length ? 'maybe' : false;
}

interface Found {
  readonly named: Bytes;
  readonly path: Bytes;
}

/** The files that grep would open, in its order but for that of a folder's entries. */
class Search {
  files: Found[] | undefined = [];
  readonly #words: Words;
  readonly #absolute: (path: Bytes) => Bytes | undefined;

  constructor(words: Words, absolute: (path: Bytes) => Bytes | undefined) {
    this.#words = words;
    this.#absolute = absolute;
  }

  operand(named: Bytes, recursive: boolean): void {
    const path = this.#absolute(named);
    const stat = path === undefined ? undefined : statOf(path, true);
    if (path === undefined || named === '-') this.files = undefined;
    else if (stat?.isDirectory()) {
      if (recursive) this.folder(named.endsWith('/') ? named : `${named}/`, named);
    } else if (stat?.isFile() && this.#included(basename(named))) this.#add(named, path);
  }

  /** `prefix`: what stands in front of each name that is printed. */
  folder(prefix: Bytes, named: Bytes): void {
    const folder = this.#absolute(named);
    if (folder === undefined) return;
    const follows = this.#words.has('R');
    for (const name of namesVisible(folder)) {
      if (this.files === undefined) return;
      const path = join(folder, name);
      const stat = statOf(path, follows);
      if (stat?.isDirectory()) {
        if (!this.#matchesAny('exclude-dir', name)) this.folder(`${prefix}${name}/`, `${prefix}${name}`);
      } else if (stat?.isFile() && this.#included(name)) this.#add(`${prefix}${name}`, path);
    }
  }

  #included(name: Bytes): boolean {
    const only = this.#words.has('include');
    return !this.#matchesAny('exclude', name) && (!only || this.#matchesAny('include', name));
  }

  #matchesAny(option: string, name: Bytes): boolean {
    return this.#words
      .values(option)
      .some((value) => wild((textOfArg(value) ?? '').replace(/\/+$/, ''), {}).test(name));
  }

  #add(named: Bytes, path: Bytes): void {
    this.files?.push({ named, path });
    if ((this.files?.length ?? 0) > MOST_FILES) this.files = undefined;
  }
}

function statOf(path: Bytes, follows: boolean): fs.Stats | undefined {
  try {
    return (follows ? fs.statSync : fs.lstatSync)(toBuffer(path), { throwIfNoEntry: false });
  } catch (error) {
    if (isAbsentError(error) || ['EACCES', 'ELOOP', 'ENAMETOOLONG'].includes(codeOf(error))) return undefined;
    throw error;
  }
}

function contentOf(path: Bytes, most: number): Bytes | 'too much' | undefined {
  const stat = statOf(path, true);
  if (stat === undefined || !stat.isFile()) return undefined;
  if (stat.size > most) return 'too much';
  try {
    return fromBuffer(fs.readFileSync(toBuffer(path)));
  } catch (error) {
    if (isAbsentError(error) || codeOf(error) === 'EACCES') return undefined;
    throw error;
  }
}
