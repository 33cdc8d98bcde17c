import type { Bytes } from '../../platform/bytes.ts';
import { longestLine, translated } from './pattern.ts';
import type { Printer } from './table.ts';

/** Lines of standard input that a pattern matches (grep(1)); only options and patterns whose meaning is plain here. */
export const grep =
  (kind: '' | 'E' | 'F'): Printer =>
  ({ args, input }) => {
    const said = input === undefined ? undefined : readWords(args, kind);
    const tests = said && lineTests(said.patterns, said.flags);
    if (input === undefined || !said || !tests) return undefined;
    const lines = input.match(/[^\n]*\n|[^\n]+$/g) ?? [];
    const most = Math.min(...tests.map(longestLine));
    if (lines.some((line) => line.length > most)) return undefined;
    const kept = lines
      .map((line) => line.replace(/\n$/, ''))
      .filter((line) => tests.some((one) => one.test(line)) !== said.flags.has('v'));
    if (said.flags.has('c')) return { text: `${kept.length}\n`, status: kept.length > 0 ? 'ok' : 'fail' };
    const shown = said.flags.has('o') ? kept.flatMap((line) => parts(line, tests)) : kept;
    const text = said.flags.has('q') ? '' : shown.map((line) => `${line}\n`).join('');
    return { text, status: kept.length > 0 ? 'ok' : 'fail' };
  };

/** `-o`: what was matched, one a line. */
function parts(line: Bytes, tests: readonly RegExp[]): Bytes[] {
  const all = new RegExp(tests.map((one) => one.source).join('|'), `g${tests[0]?.flags ?? ''}`);
  return (line.match(all) ?? []).filter((part) => part !== '');
}

interface Words {
  readonly patterns: readonly Bytes[];
  readonly flags: ReadonlySet<string>;
}

const LONG: Readonly<Record<string, string>> = {
  '--invert-match': '-v',
  '--ignore-case': '-i',
  '--extended-regexp': '-E',
  '--fixed-strings': '-F',
  '--line-regexp': '-x',
  '--word-regexp': '-w',
  '--only-matching': '-o',
  '--quiet': '-q',
  '--silent': '-q',
  '--count': '-c',
  '--color=never': '-a',
};

/** Undefined where a word is a file or an option that is not known here. */
function readWords(args: readonly Bytes[], kind: string): Words | undefined {
  const flags = new Set<string>(kind);
  const patterns: Bytes[] = [];
  const rest: Bytes[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = LONG[args[at] ?? ''] ?? args[at] ?? '';
    if (arg === '--') {
      rest.push(...args.slice(at + 1));
      break;
    }
    if (/^-[viEFGwxqaoc]*e$/.test(arg)) {
      for (const letter of arg.slice(1, -1)) flags.add(letter);
      patterns.push(args[++at] ?? '');
    } else if (/^-e./s.test(arg)) patterns.push(arg.slice(2));
    else if (/^-[viEFGwxqaoc]+$/.test(arg)) for (const letter of arg.slice(1)) flags.add(letter);
    else if (/^-./.test(arg)) return undefined;
    else rest.push(arg);
  }
  if (patterns.length === 0) patterns.push(...rest.splice(0, 1));
  return rest.length > 0 || patterns.length === 0 ? undefined : { patterns, flags };
}

/** What a line must match one of; flags are grep's letters `i`, `E`, `F`, `w`, `x`. Undefined where a pattern's meaning is not plain here. */
export function lineTests(patterns: readonly Bytes[], flags: ReadonlySet<string>): readonly RegExp[] | undefined {
  const tests = patterns.flatMap((pattern) => pattern.split('\n')).map((one) => regExp(one, flags));
  return tests.every((one) => one !== undefined) ? tests : undefined;
}

function regExp(pattern: Bytes, flags: ReadonlySet<string>): RegExp | undefined {
  if (flags.has('i') && /[^\x20-\x7e]/.test(pattern)) return undefined;
  const source = flags.has('F')
    ? pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    : translated(pattern, flags.has('E') ? 'extended' : 'basic');
  if (source === undefined) return undefined;
  const whole = flags.has('x') ? `^(?:${source})$` : flags.has('w') ? `(?<!\\w)(?:${source})(?!\\w)` : source;
  try {
    return new RegExp(whole, flags.has('i') ? 'i' : '');
  } catch {
    return undefined; // not a pattern for JavaScript: what it matches is not known
  }
}
