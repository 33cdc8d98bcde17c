import type { Bytes } from '../../platform/bytes.ts';
import type { Printer } from './table.ts';

/** Lines of standard input that a pattern matches (grep(1)); only options and patterns whose meaning is plain here. */
export const grep =
  (kind: '' | 'E' | 'F'): Printer =>
  ({ args, input }) => {
    const said = input === undefined ? undefined : readWords(args, kind);
    const patterns = said?.patterns.flatMap((pattern) => pattern.split('\n')).map((one) => regExp(one, said.flags));
    if (input === undefined || !said || !patterns?.every((one) => one !== undefined)) return undefined;
    const lines = input.match(/[^\n]*\n|[^\n]+$/g) ?? [];
    const kept = lines
      .map((line) => line.replace(/\n$/, ''))
      .filter((line) => patterns.some((one) => one.test(line)) !== said.flags.has('v'));
    const text = said.flags.has('q') ? '' : kept.map((line) => `${line}\n`).join('');
    return { text, status: kept.length > 0 ? 'ok' : 'fail' };
  };

interface Words {
  readonly patterns: readonly Bytes[];
  readonly flags: ReadonlySet<string>;
}

/** Undefined where a word is a file or an option that is not known here. */
function readWords(args: readonly Bytes[], kind: string): Words | undefined {
  const flags = new Set<string>(kind);
  const patterns: Bytes[] = [];
  const rest: Bytes[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') {
      rest.push(...args.slice(at + 1));
      break;
    }
    if (arg === '-e') patterns.push(args[++at] ?? '');
    else if (/^-[viEFGwxqa]+$/.test(arg)) for (const letter of arg.slice(1)) flags.add(letter);
    else if (/^-./.test(arg)) return undefined;
    else rest.push(arg);
  }
  if (patterns.length === 0) patterns.push(...rest.splice(0, 1));
  return rest.length > 0 || patterns.length === 0 ? undefined : { patterns, flags };
}

/** Pieces of a pattern that mean the same in POSIX and in JavaScript, or that are written otherwise there (regex(7)). */
const PIECE = /\\[.*/^$[\]-]|\[\^?\]?[^[\]\\]*\]|[\s\S]/g;

function regExp(pattern: Bytes, flags: ReadonlySet<string>): RegExp | undefined {
  if (flags.has('i') && /[^\x20-\x7e]/.test(pattern)) return undefined;
  const source = flags.has('F') ? pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') : translated(pattern, flags.has('E'));
  if (source === undefined) return undefined;
  const whole = flags.has('x') ? `^(?:${source})$` : flags.has('w') ? `(?<!\\w)(?:${source})(?!\\w)` : source;
  try {
    return new RegExp(whole, flags.has('i') ? 'i' : '');
  } catch {
    return undefined; // not a pattern for JavaScript: what it matches is not known
  }
}

function translated(pattern: Bytes, extended: boolean): Bytes | undefined {
  const pieces = pattern.match(PIECE) ?? [];
  const out: Bytes[] = [];
  for (const [i, piece] of pieces.entries()) {
    if (piece === '\\' || piece === '[' || piece === '{') return undefined;
    if (piece === '^' && i > 0 && !extended) return undefined;
    if (piece === '$' && i < pieces.length - 1 && !extended) return undefined;
    if (piece === '*' && (i === 0 || pieces[i - 1] === '^')) return undefined;
    if (/^\[\^?\]/.test(piece) || /^\[.*\[[:.=]/.test(piece)) return undefined;
    out.push(!extended && /^[+?()|}]$/.test(piece) ? `\\${piece}` : piece);
  }
  return out.join('');
}
