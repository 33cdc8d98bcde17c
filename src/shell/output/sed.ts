import type { Bytes } from '../../platform/bytes.ts';
import { type Grammar, longestLine, regExpOf } from './pattern.ts';

/** sed(1) as a filter of names: `s/x/y/`, `3d`, `/x/d`, `-n /x/p`, several with `-e` or semicolons. Undefined for anything else. */
export function sed(input: Bytes, args: readonly Bytes[]): Bytes | undefined {
  const scripts: Bytes[] = [];
  let grammar: Grammar = 'basic';
  let silent = false;
  const rest: Bytes[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (/^-[nErs]*e$/.test(arg)) scripts.push(args[++at] ?? '');
    if (/^-[nErse]+$/.test(arg)) {
      if (/[Er]/.test(arg)) grammar = 'extended';
      silent ||= arg.includes('n');
    } else if (arg === '--regexp-extended') grammar = 'extended';
    else if (arg === '--quiet' || arg === '--silent') silent = true;
    else if (arg.startsWith('-')) return undefined;
    else rest.push(arg);
  }
  if (scripts.length === 0) scripts.push(...rest.splice(0, 1));
  if (rest.length > 0 || scripts.length === 0) return undefined;
  const commands = commandsOf(scripts.join('\n'), grammar);
  if (!commands) return undefined;
  const lines = input.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return run(
    commands,
    lines.map((line) => line.replace(/\n$/, '')),
    silent,
  );
}

type Address = number | 'last' | RegExp;

interface Command {
  readonly from: Address | undefined;
  readonly to: Address | undefined;
  readonly not: boolean;
  readonly name: 'd' | 'p' | 'q' | 's';
  readonly pattern?: RegExp;
  readonly by?: (hit: readonly Bytes[]) => Bytes;
  readonly prints?: boolean;
}

const ADDRESS = /^(?:(\d+)|(\$)|\/((?:\\.|[^\\/\n])+)\/)/;

function commandsOf(script: Bytes, grammar: Grammar): Command[] | undefined {
  const out: Command[] = [];
  let rest = script.replace(/^[;\s]+/, '');
  const address = (): Address | undefined | 'bad' => {
    const hit = ADDRESS.exec(rest);
    if (!hit) return undefined;
    rest = rest.slice(hit[0].length);
    if (hit[1] !== undefined) return Number(hit[1]);
    return hit[2] ? 'last' : (regExpOf(hit[3] ?? '', grammar) ?? 'bad');
  };
  while (rest !== '') {
    const from = address();
    const comma = from !== undefined && rest.startsWith(',');
    if (comma) rest = rest.slice(1);
    const to = comma ? address() : undefined;
    // A range that begins or ends with a pattern remembers where it is: not followed.
    if (
      from === 'bad' ||
      to === 'bad' ||
      (comma && (typeof from !== 'number' || !(typeof to === 'number' || to === 'last')))
    )
      return undefined;
    const [, spaces = '', not = '', name] = /^(\s*)(!?)\s*([dpqs])/.exec(rest) ?? [];
    if (name === undefined) return undefined;
    rest = rest.slice(rest.indexOf(name, spaces.length + not.length) + 1);
    const base = { from, to, not: not !== '' };
    if (name === 's') {
      const made = substitution(rest, grammar);
      if (!made) return undefined;
      out.push({ ...base, name, ...made.command });
      rest = made.rest;
    } else out.push({ ...base, name: name as 'd' | 'p' | 'q' });
    const end = /^\s*(?:[;\n]\s*|$)/.exec(rest);
    if (!end) return undefined;
    rest = rest.slice(end[0].length);
  }
  return out;
}

/** `/pattern/by/flags`, with any delimiter. */
function substitution(
  text: Bytes,
  grammar: Grammar,
): { readonly command: Pick<Command, 'pattern' | 'by' | 'prints'>; readonly rest: Bytes } | undefined {
  const mark = text[0] ?? '';
  if (mark === '' || /[\\\n]/.test(mark)) return undefined;
  const parts: Bytes[] = [''];
  let at = 1;
  for (; at < text.length && parts.length < 3; at++) {
    const char = text[at] ?? '';
    if (char === mark) parts.push('');
    else if (char === '\\' && text[at + 1] === mark)
      parts[parts.length - 1] += /[\w/,;:#@!%-]/.test(text[++at] ?? '') ? mark : `\\${mark}`;
    else if (char === '\\') parts[parts.length - 1] += char + (text[++at] ?? '');
    else parts[parts.length - 1] += char;
  }
  const [pattern = '', by = ''] = parts;
  const [, flags = ''] = /^([gpiI]*)/.exec(text.slice(at)) ?? [];
  // Of several alternatives sed takes the longest, JavaScript the first.
  if (parts.length < 3 || pattern === '' || /[|\n]/.test(pattern) || /\\[^\d&\\/.nt-]/.test(by)) return undefined;
  const expression = regExpOf(pattern, grammar, `${flags.includes('g') ? 'g' : ''}${/i/i.test(flags) ? 'i' : ''}`);
  if (!expression) return undefined;
  const replace = (hit: readonly Bytes[]): Bytes =>
    by.replace(/\\([\s\S])|&/g, (whole, letter?: Bytes) => {
      if (letter === undefined) return hit[0] ?? '';
      if (/\d/.test(letter)) return hit[Number(letter)] ?? '';
      return letter === 'n' ? '\n' : letter === 't' ? '\t' : whole.slice(1);
    });
  return {
    command: { pattern: expression, by: replace, prints: flags.includes('p') },
    rest: text.slice(at + flags.length),
  };
}

function run(commands: readonly Command[], lines: readonly Bytes[], silent: boolean): Bytes | undefined {
  const patterns = commands.flatMap(({ from, pattern }) => [
    ...(from instanceof RegExp ? [from] : []),
    ...(pattern ? [pattern] : []),
  ]);
  const most = Math.min(Number.POSITIVE_INFINITY, ...patterns.map(longestLine));
  if (lines.some((line) => line.length > most)) return undefined;
  let out = '';
  for (const [at, first] of lines.entries()) {
    let line = first;
    let gone = false;
    let quits = false;
    for (const command of commands) {
      if (chosen(command, line, at + 1, at === lines.length - 1) === command.not) continue;
      if (command.name === 'd') gone = true;
      else if (command.name === 'p') out += `${line}\n`;
      else if (command.name === 'q') quits = true;
      else if (command.pattern && command.by) {
        const { by } = command;
        const before = line;
        line = line.replace(command.pattern, (...hit: unknown[]) => by(hit.filter((part) => typeof part === 'string')));
        if (command.prints && line !== before) out += `${line}\n`;
      }
      if (gone || quits) break;
    }
    if (!gone && !silent) out += `${line}\n`;
    if (quits) break;
  }
  return out;
}

function chosen({ from, to }: Command, line: Bytes, number: number, last: boolean): boolean {
  if (from === undefined) return true;
  if (from instanceof RegExp) return from.test(line);
  if (from === 'last') return last;
  if (to === undefined) return number === from;
  return number >= from && (to === 'last' || number <= (to as number) || number === from);
}
