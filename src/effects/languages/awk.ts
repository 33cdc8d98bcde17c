import type { Bytes } from '../../platform/bytes.ts';
import type { Arg } from '../../shell/types.ts';
import { type AwkToken, awkTokens } from './awk-tokens.ts';
import { type Deed, knownArg, unknownArg } from './deed.ts';

/** What an awk program knows before it runs. */
export interface AwkWorld {
  /** `-v NAME=VALUE` and `NAME=VALUE` operands. */
  readonly variables: ReadonlyMap<Bytes, Bytes>;
  readonly env: (name: Bytes) => Bytes | undefined;
  /** File operands: what `FILENAME` can be. */
  readonly files: readonly Bytes[];
}

/**
 * What an awk program writes and runs: `print > f`, `print >> f`, `print | "cmd"`, `"cmd" | getline`, `system("…")`
 * (POSIX XCU awk, "Output Statements"). A `>` outside `print` and inside its parentheses compares.
 */
export function awkDeeds(program: Bytes, world: AwkWorld): Deed[] {
  const tokens = awkTokens(program);
  const known = constants(tokens, world);
  const usesFilename = tokens.some((token) => token.kind === 'name' && token.text === 'FILENAME');
  if (!usesFilename || world.files.length === 0) return deedsWith(tokens, known, world);
  return world.files.flatMap((file) => deedsWith(tokens, new Map([...known, ['FILENAME', file]]), world));
}

type Known = ReadonlyMap<Bytes, Bytes>;

/** Names that the program sets once, to a literal, beside those given on the command line. */
function constants(tokens: readonly AwkToken[], world: AwkWorld): Map<Bytes, Bytes> {
  const known = new Map(world.variables);
  const seen = new Set<Bytes>();
  for (let i = 0; i + 1 < tokens.length; i++) {
    const name = tokens[i];
    const sign = tokens[i + 1]?.text;
    if (name?.kind !== 'name' || !/^([-+*/%^]?=|\+\+|--|in)$/.test(sign ?? '')) continue;
    const value = tokens[i + 2];
    const after = tokens[i + 3];
    const literal = sign === '=' && value?.kind === 'string' && (!after || /^[;\n})]$/.test(after.text));
    if (literal && !seen.has(name.text)) known.set(name.text, value.text);
    else known.delete(name.text);
    seen.add(name.text);
  }
  return known;
}

function deedsWith(tokens: readonly AwkToken[], known: Known, world: AwkWorld): Deed[] {
  const deeds: Deed[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as AwkToken;
    if (token.kind === 'name' && (token.text === 'print' || token.text === 'printf')) {
      i = output(tokens, i + 1, known, world, deeds) - 1;
    } else if (token.kind === 'name' && token.text === 'system' && tokens[i + 1]?.text === '(') {
      const end = closing(tokens, i + 1);
      runs(value(tokens.slice(i + 2, end), known, world), deeds);
      i = end;
    } else if (token.text === '|' || token.text === '|&') {
      if (tokens[i + 1]?.text !== 'getline') continue;
      let start = i;
      while (start > 0 && isOperand(tokens[start - 1])) start -= 1;
      runs(value(tokens.slice(start, i), known, world), deeds);
    }
  }
  return deeds;
}

const isOperand = (token: AwkToken | undefined): boolean =>
  token !== undefined &&
  (token.kind === 'string' || token.kind === 'number' || token.kind === 'name') &&
  token.text !== 'print';

function closing(tokens: readonly AwkToken[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    if (/^[([{]$/.test(tokens[i]?.text ?? '') && tokens[i]?.kind === 'sign') depth += 1;
    if (/^[)\]}]$/.test(tokens[i]?.text ?? '') && tokens[i]?.kind === 'sign') depth -= 1;
    if (depth === 0) return i;
  }
  return tokens.length;
}

const ends = (token: AwkToken | undefined): boolean =>
  token === undefined || (token.kind === 'sign' && /^[;\n}]$/.test(token.text));

/** One `print` statement, from the token after the word to its end. */
function output(tokens: readonly AwkToken[], from: number, known: Known, world: AwkWorld, deeds: Deed[]): number {
  let i = from;
  while (!ends(tokens[i])) {
    const token = tokens[i] as AwkToken;
    if (token.kind === 'sign' && /^[([]$/.test(token.text)) {
      i = closing(tokens, i) + 1;
      continue;
    }
    if (token.kind === 'sign' && /^(>>?|\|&?)$/.test(token.text) && tokens[i + 1]?.text !== 'getline') break;
    i += 1;
  }
  const sign = ends(tokens[i]) ? undefined : tokens[i]?.text;
  if (!sign) return i;
  let end = i + 1;
  while (!ends(tokens[end])) end = /^[([]$/.test(tokens[end]?.text ?? '') ? closing(tokens, end) + 1 : end + 1;
  const where = value(tokens.slice(i + 1, end), known, world);
  if (sign === '>') writes(where, 'write-in-place', deeds);
  else if (sign === '>>') writes(where, 'append', deeds);
  else runs(where, deeds, printed(tokens.slice(from, i), known, world));
  return end;
}

/** What a `print` of literals says, for a shell that reads it. */
function printed(tokens: readonly AwkToken[], known: Known, world: AwkWorld): Bytes | undefined {
  const said = value(tokens, known, world);
  return said.kind === 'known' && tokens.length > 0 ? `${said.text}\n` : undefined;
}

const STREAMS = /^(-|\/dev\/(stdout|stderr|tty|null|fd\/\d+)|\/inet.*)$/;

function writes(where: Arg, way: 'write-in-place' | 'append', deeds: Deed[]): void {
  if (where.kind === 'known' && (STREAMS.test(where.text) || where.text === '')) return;
  deeds.push({ kind: 'file', path: where, way, follows: true });
}

function runs(what: Arg, deeds: Deed[], stdin?: Bytes): void {
  if (what.kind === 'unknown') deeds.push({ kind: 'unknown', note: 'awk runs a command that it makes up' });
  else
    deeds.push({
      kind: 'shell',
      text: what.text,
      stdin: stdin === undefined ? { kind: 'pipe' } : { kind: 'text', text: stdin },
    });
}

/** A concatenation; unknown from the first part on that is not known, with what is known around it. */
function value(tokens: readonly AwkToken[], known: Known, world: AwkWorld): Arg {
  let prefix: Bytes = '';
  let suffix: Bytes = '';
  let unknown = false;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as AwkToken;
    if (token.kind === 'sign' && (token.text === '(' || token.text === ')')) continue;
    let text: Bytes | undefined;
    if (token.text === '$' && token.kind === 'sign') i += 1;
    else if (token.kind === 'string' || token.kind === 'number') text = token.text;
    else if (token.text === 'ENVIRON' && tokens[i + 2]?.kind === 'string') {
      text = world.env(tokens[i + 2]?.text ?? '');
      i += 3;
    } else if (token.kind === 'name') text = known.get(token.text);
    if (text === undefined) {
      unknown = true;
      suffix = '';
    } else if (unknown) suffix += text;
    else prefix += text;
  }
  return unknown || tokens.length === 0 ? unknownArg(prefix, suffix) : knownArg(prefix);
}
