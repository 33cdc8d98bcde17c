import type { Bytes } from '../../platform/bytes.ts';
import type { Arg, ShellName } from '../../shell/types.ts';
import { parseWords } from '../options.ts';

/** What stands on a shell's command line: text to run, a script, or nothing (standard input). */
export interface Invocation {
  readonly text: Arg | undefined;
  readonly wantsText: boolean;
  readonly stdin: boolean;
  /** `$0` and the operands of a text; a script's name and its operands. */
  readonly positional: readonly Arg[];
  readonly noexec: boolean;
  readonly interactive: boolean;
  readonly options: readonly Bytes[];
  /** The file that an interactive bash reads first, where it is named. */
  readonly startup: Arg | undefined;
  readonly login: boolean;
  /** `bash -p`, `zsh -f`, `fish -N`: no start-up file. */
  readonly bare: boolean;
  /** `--norc`: an interactive bash reads none. */
  readonly noRc: boolean;
  readonly posix: boolean;
  /** `fish -C TEXT`: what runs before all else. */
  readonly first: readonly Arg[];
  /** `fish -p FILE`, `fish -o FILE`: what the shell itself writes. */
  readonly written: readonly Arg[];
}

/** bash(1) OPTIONS, dash(1), zsh(1): `-c`, `-s`, options with a value, long options, `--`. */
export function invocation(argv: readonly Arg[], shell: ShellName): Invocation {
  if (shell === 'fish') return ofFish(argv);
  const options: Bytes[] = [];
  let wantsText = false;
  let stdin = false;
  let noexec = false;
  let interactive = false;
  let login = false;
  let bare = false;
  let noRc = false;
  let posix = false;
  let startup: Arg | undefined;
  let at = 1;
  for (; at < argv.length; at++) {
    const arg = argv[at];
    if (arg?.kind !== 'known') break;
    const text = arg.text;
    if (text === '--' || text === '-') {
      at++;
      break;
    }
    if (text.startsWith('--')) {
      if (/^--(rcfile|init-file)$/.test(text)) startup = argv[++at];
      if (text === '--no-rcs') bare = true;
      if (text === '--norc') noRc = true;
      if (text === '--posix') posix = true;
      if (text === '--login') login = true;
      if (text === '--version' || text === '--help') noexec = true;
      continue;
    }
    if (!/^[-+][A-Za-z]/.test(text)) break;
    for (const letter of text.slice(1)) {
      const on = text.startsWith('-');
      if (letter === 'c' && on) wantsText = true;
      else if (letter === 's' && on) stdin = true;
      else if (letter === 'n' && on) noexec = true;
      else if (letter === 'i' && on) interactive = true;
      else if (letter === 'l' && on) login = true;
      else if (letter === (shell === 'zsh' ? 'f' : 'p') && on) bare = true;
      else if (letter === 'o' || letter === 'O') {
        const value = argv[at + 1];
        if (value?.kind === 'known' && on) options.push(value.text);
        at++;
      }
    }
  }
  const rest = argv.slice(at);
  return {
    text: wantsText ? rest[0] : undefined,
    wantsText,
    stdin,
    noexec,
    interactive,
    options,
    startup: interactive ? startup : undefined,
    login,
    bare,
    noRc,
    posix: posix || options.includes('posix'),
    first: [],
    written: [],
    positional: wantsText ? rest.slice(1) : rest,
  };
}

/** fish(1), OPTIONS. */
const FISH =
  'c,command= C,init-command= d,debug= o,debug-output= D,debug-stack-frames= f,features= p,profile= profile-startup= ' +
  'i,interactive l,login N,no-config n,no-execute P,private h,help v,version print-rusage-self print-debug-categories';

/**
 * A fish takes its options as getopt_long(3) does, and every text of a `-c`, one after the other. What follows is `$argv` from
 * its first word on: none of it is the name that other shells have as `$0`.
 */
function ofFish(argv: readonly Arg[]): Invocation {
  const { has, values, operands } = parseWords(argv.slice(1), FISH, { stopsAtOperand: true });
  const texts = values('c');
  const wantsText = has('c');
  const text = texts.find(({ kind }) => kind === 'unknown') ?? texts[0];
  return {
    text:
      text?.kind === 'known'
        ? { ...text, text: texts.map((one) => (one.kind === 'known' ? one.text : '')).join('\n') }
        : text,
    wantsText,
    stdin: false,
    noexec: has('n', 'h', 'v', 'print-debug-categories'),
    interactive: has('i'),
    options: [],
    startup: undefined,
    login: has('l'),
    bare: has('N'),
    noRc: false,
    posix: false,
    first: values('C'),
    written: values('o', 'p', 'profile-startup'),
    positional: wantsText ? [...argv.slice(0, 1), ...operands] : operands,
  };
}
