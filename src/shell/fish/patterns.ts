import type { Bytes } from '../../platform/bytes.ts';

/** Options of `string match` and `string replace` that are followed (string-match(1), string-replace(1) of fish). */
const OPTIONS: Readonly<Record<string, string>> = {
  '--regex': 'r',
  '--all': 'a',
  '--filter': 'f',
  '--invert': 'v',
  '--entire': 'e',
  '--ignore-case': 'i',
};

/** The lines that `string match` or `string replace` prints; undefined where they cannot be told. */
export function patterned(
  command: 'match' | 'replace',
  args: readonly Bytes[],
  input: readonly Bytes[] | undefined,
): readonly Bytes[] | undefined {
  let letters = '';
  let at = 0;
  for (; at < args.length && /^-./.test(args[at] ?? ''); at++) {
    const option = args[at] ?? '';
    if (option === '--') {
      at++;
      break;
    }
    letters += OPTIONS[option] ?? (option.startsWith('--') ? '?' : option.slice(1));
  }
  const operands = args.slice(at);
  const [pattern, to] = operands;
  const given = operands.slice(command === 'match' ? 1 : 2);
  const values = given.length > 0 ? given : input;
  if (pattern === undefined || values === undefined || !/^[rafvei]*$/.test(letters)) return undefined;
  const regex = expression(command, pattern, letters);
  if (regex === undefined) return undefined;
  if (command === 'replace') return to === undefined ? undefined : replaced(values, regex, to, letters);
  const whole = !letters.includes('r') || /[ev]/.test(letters);
  if (whole) return values.filter((value) => regex.test(value) !== letters.includes('v'));
  // A regular expression prints what it matched, and its groups.
  return letters.includes('a') ? undefined : values.flatMap((value) => [...(regex.exec(value) ?? [])]);
}

function replaced(values: readonly Bytes[], regex: RegExp, to: Bytes, letters: string): readonly Bytes[] | undefined {
  if (letters.includes('r') && /[\\$]\D|[\\$]$/.test(to)) return undefined;
  const by = letters.includes('r') ? to.replace(/\\(\d)/g, '$$$1') : to.replaceAll('$', '$$$$');
  const changed = values.map((value) => ({ value, now: value.replace(regex, by) }));
  return changed.filter(({ value, now }) => !letters.includes('f') || value !== now).map(({ now }) => now);
}

/** As one of JavaScript, where it reads the same; undefined for one of PCRE's own. Without `-r` a match is a glob, a replacement text. */
function expression(command: 'match' | 'replace', pattern: Bytes, letters: string): RegExp | undefined {
  if (letters.includes('r') && /\\[QEAZzGKRXhHvVNCpP]|\(\?|[+*?}]\+|\[\[:/.test(pattern)) return undefined;
  const plain = pattern.replace(command === 'match' ? /[.+^${}()|[\]\\]/g : /[.*?+^${}()|[\]\\]/g, '\\$&');
  const glob = `^${plain.replace(/\*/g, '[^]*').replace(/\?/g, '[^]')}$`;
  const source = letters.includes('r') ? pattern : command === 'match' ? glob : plain;
  const global = command === 'replace' && letters.includes('a');
  try {
    return new RegExp(source, `${letters.includes('i') ? 'i' : ''}${global ? 'g' : ''}`);
  } catch {
    return undefined; // a pattern that only fish takes
  }
}
