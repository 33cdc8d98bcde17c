import type { Bytes } from '../../platform/bytes.ts';
import { basename } from '../../platform/paths.ts';
import { definitionsIn } from '../../shell/definitions.ts';
import type { Arg, Call, ShellName } from '../../shell/types.ts';
import { verbOf } from '../row.ts';
import type { Out, Rule } from '../types.ts';

const SHELLS: ReadonlyMap<string, ShellName> = new Map([
  ['bash', 'bash'],
  ['rbash', 'bash'],
  ['sh', 'sh'],
  ['dash', 'sh'],
  ['ash', 'sh'],
  ['ksh', 'bash'],
  ['ksh93', 'bash'],
  ['mksh', 'bash'],
  ['zsh', 'zsh'],
  ['fish', 'fish'],
]);

export const shellNames = [...SHELLS.keys()];

/** What stands on a shell's command line: text to run, a script, or nothing (standard input). */
interface Invocation {
  readonly text: Arg | undefined;
  readonly wantsText: boolean;
  readonly stdin: boolean;
  readonly rest: readonly Arg[];
  readonly noexec: boolean;
  readonly interactive: boolean;
  readonly options: readonly Bytes[];
  /** The file that an interactive bash reads first, where it is named. */
  readonly startup: Arg | undefined;
  readonly login: boolean;
  /** `--norc`, `--posix`, `-p`: no start-up file. */
  readonly bare: boolean;
}

/** bash(1) OPTIONS, dash(1), zsh(1), fish(1): `-c`, `-s`, options with a value, long options, `--`. */
function invocation(argv: readonly Arg[], shell: ShellName): Invocation {
  const options: Bytes[] = [];
  let wantsText = false;
  let stdin = false;
  let noexec = false;
  let interactive = false;
  let login = false;
  let bare = false;
  let attached: Arg | undefined;
  let startup: Arg | undefined;
  let at = 1;
  for (; at < argv.length; at++) {
    const arg = argv[at];
    if (arg?.kind !== 'known') break;
    const text = arg.text;
    if (text === '--' || (text === '-' && shell !== 'fish')) {
      at++;
      break;
    }
    if (text.startsWith('--')) {
      if (/^--(rcfile|init-file)$/.test(text)) startup = argv[++at];
      if (/^--(norc|posix)$/.test(text)) bare = true;
      if (text === '--login') login = true;
      if (shell === 'fish' && /^--(init-command|debug|debug-output|profile|features)$/.test(text)) at++;
      if (text === '--no-execute') noexec = true;
      if (text === '--version' || text === '--help') noexec = true;
      if (shell === 'fish' && text.startsWith('--command=')) {
        wantsText = true;
        attached = { kind: 'known', text: text.slice(10) };
      } else if (shell === 'fish' && text === '--command') {
        wantsText = true;
        attached = argv[++at];
      }
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
      else if (letter === 'p' && on) bare = true;
      else if (letter === 'o' || letter === 'O') {
        const value = argv[at + 1];
        if (value?.kind === 'known' && on) options.push(value.text);
        at++;
      } else if (letter === 'C' && shell === 'fish') at++;
    }
    if (shell === 'fish' && wantsText && attached === undefined) attached = argv[++at];
  }
  const rest = argv.slice(at);
  const text = attached ?? (wantsText ? rest[0] : undefined);
  return {
    text,
    wantsText,
    stdin,
    noexec,
    interactive,
    options,
    startup: interactive ? startup : undefined,
    login,
    bare,
    rest: wantsText && attached === undefined ? rest.slice(1) : rest,
  };
}

/** `bash -c TEXT NAME ARG…`, `bash FILE ARG…`, `… | bash`. */
export const shellRule: Rule = (call, out) => {
  const verb = verbOf(call);
  const shell = SHELLS.get(verb.replace(/^-/, '')) ?? 'sh';
  const said = invocation(call.argv, shell);
  if (said.noexec) return;
  if (said.startup) sourced(call, out, said.startup, shell);
  const prelude = said.options.map((name) => setting(name)).join('') + startUp(call, out, said, shell);
  if (said.wantsText) {
    if (said.text === undefined) return;
    if (said.text.kind === 'unknown') out.unknown(verb, call.cwd, 'the text that the shell runs cannot be known');
    else call.script(prelude + said.text.text, { shell, positional: said.rest });
    return;
  }
  const file = said.stdin ? undefined : said.rest[0];
  if (file === undefined) {
    fromStdin(call, out, verb, shell, said.rest, prelude);
    return;
  }
  scriptFile(call, out, verb, file, shell, said.rest, prelude);
};

/** Longer start-up files than this are not read, bytes. */
const LONGEST_STARTUP = 256 << 10;

/** What bash reads by itself before its text: `$BASH_ENV` whole, of the person's own files what they define. */
function startUp(call: Call, out: Out, said: Invocation, shell: ShellName): Bytes {
  if (shell !== 'bash' || said.bare) return '';
  if (!said.interactive) {
    const file = call.env('BASH_ENV');
    // belay's own, which reads the person's
    if (file === undefined || file === '' || file.endsWith('/shims/env.bash')) return '';
    const text = out.textOf(file);
    return text === undefined ? '' : `${text}\n`;
  }
  const home = call.env('HOME');
  if (home === undefined || said.startup) return '';
  const files = said.login ? ['.bash_profile', '.bash_login', '.profile', '.bashrc'] : ['.bashrc'];
  const texts = files
    .map((name) => out.textOf(`${home}/${name}`) ?? '')
    .filter((text) => text.length < LONGEST_STARTUP);
  const defined = texts.map(definitionsIn).join('');
  return defined === '' ? '' : `shopt -s expand_aliases\n${defined}`;
}

/** A file that a shell reads when it starts. */
function sourced(call: Call, out: Out, file: Arg, shell: ShellName): void {
  const text = out.textOf(file);
  if (text !== undefined) call.script(text, { shell });
}

/** `bash -O extglob`, `bash -o noglob`: as the first command of the text. */
const setting = (name: Bytes): Bytes =>
  /^[a-z_]+$/.test(name) ? `shopt -s ${name} 2>/dev/null || shopt -so ${name} 2>/dev/null;\n` : '';

function fromStdin(
  call: Call,
  out: Out,
  verb: Bytes,
  shell: ShellName,
  positional: readonly Arg[],
  prelude: Bytes,
): void {
  const { stdin } = call;
  if (stdin.kind === 'text')
    call.script(prelude + stdin.text, { shell, positional: [{ kind: 'known', text: verb }, ...positional] });
  else if (stdin.kind === 'file') {
    const text = out.textOf(stdin.path);
    if (text === undefined) {
      if (out.kindOf(stdin.path) !== 'file') return;
      out.unknown(verb, call.cwd, 'the script on standard input could not be read');
    } else call.script(prelude + text, { shell });
  } else if (stdin.kind === 'pipe') out.unknown(verb, call.cwd, 'the script on standard input cannot be known');
}

function scriptFile(
  call: Call,
  out: Out,
  verb: Bytes,
  file: Arg,
  shell: ShellName,
  positional: readonly Arg[],
  prelude: Bytes,
): void {
  const text = out.textOf(file);
  if (text !== undefined) {
    call.script(prelude + text, { shell, positional });
    return;
  }
  const kind = out.kindOf(file);
  if (kind === 'absent' || kind === 'folder') return;
  out.unknown(verb, call.cwd, 'the script could not be read');
}

/** A program by path: a shell script is walked, anything else is opaque. Nothing there: nothing runs. */
export function runFile(call: Call, out: Out, path: Bytes): void {
  const name = basename(path);
  const kind = out.kindOf(path);
  if (kind === 'absent' || kind === 'folder') {
    out.remark(`${name}: no such program here`);
    return;
  }
  const head = out.headOf(path);
  const shebang = head === undefined ? undefined : /^#!\s*(\S+)[ \t]*(.*)/.exec(head);
  const words = shebang
    ? [shebang[1] ?? '', ...(shebang[2] ?? '').trim().split(/\s+/)].filter((word) => word !== '')
    : [];
  if (basename(words[0] ?? '') === 'env') words.splice(0, words[1] === '-S' ? 2 : 1);
  const interpreter = basename(words[0] ?? '');
  const shell = SHELLS.get(interpreter);
  if (shell !== undefined) {
    scriptFile(call, out, name, { kind: 'known', text: path }, shell, call.argv, '');
    return;
  }
  // execve(2) fails with ENOEXEC for text without `#!`: the shell then reads it itself.
  if (head !== undefined && !shebang && !/[\0\x7f-\x9f]/.test(head)) {
    scriptFile(
      call,
      out,
      name,
      { kind: 'known', text: path },
      call.shell === 'fish' ? 'sh' : call.shell,
      call.argv,
      '',
    );
    return;
  }
  if (interpreter !== '') {
    call.run([
      ...words.map((text): Arg => ({ kind: 'known', text })),
      { kind: 'known', text: path },
      ...call.argv.slice(1),
    ]);
    return;
  }
  out.opaque(name, call.cwd);
}
