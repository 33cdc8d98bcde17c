import type { Bytes } from '../../platform/bytes.ts';
import { basename } from '../../platform/paths.ts';
import type { Arg, Call, ScriptChange, ShellName } from '../../shell/types.ts';
import { textOfArg, verbOf } from '../row.ts';
import type { Out, Rule } from '../types.ts';
import { type Invocation, invocation } from './invocation.ts';

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

/** `bash -c TEXT NAME ARG…`, `bash FILE ARG…`, `… | bash`. */
export const shellRule: Rule = (call, out) => {
  const verb = verbOf(call);
  const shell = SHELLS.get(verb.replace(/^-/, '')) ?? 'sh';
  const said = invocation(call.argv, shell);
  for (const path of said.written) out.effect({ verb, path, way: 'write-in-place', follows: true });
  if (said.noexec) return;
  const start = startUp(call, out, said, shell);
  for (const text of said.first)
    if (text.kind === 'unknown') out.unknown(verb, call.cwd, 'the text that the shell runs cannot be known');
  const first = said.first.map((text) => `${textOfArg(text) ?? ''}\n`).join('');
  const run: Run = {
    call,
    out,
    verb,
    shell,
    prelude: said.options.map((name) => setting(name)).join('') + start.prelude + first,
    change: { shell, ...start.change },
  };
  if (said.wantsText) {
    if (said.text === undefined) return;
    if (said.text.kind === 'unknown') out.unknown(verb, call.cwd, 'the text that the shell runs cannot be known');
    else call.script(run.prelude + said.text.text, { ...run.change, positional: said.positional });
    return;
  }
  const file = said.stdin ? undefined : said.positional[0];
  if (file === undefined) fromStdin(run, said.positional);
  else scriptFile(run, file, said.positional);
};

/** A shell that is about to run something, with what it reads first. */
interface Run {
  readonly call: Call;
  readonly out: Out;
  readonly verb: Bytes;
  readonly shell: ShellName;
  readonly prelude: Bytes;
  readonly change: ScriptChange;
}

interface Start {
  readonly prelude: Bytes;
  readonly change: ScriptChange;
}

const NO_START: Start = { prelude: '', change: {} };

/** Longer start-up files than this are not read, bytes. */
const LONGEST_STARTUP = 256 << 10;

/** What a shell reads by itself before its text: a file that the line names whole, of the person's own files what they define. */
function startUp(call: Call, out: Out, said: Invocation, shell: ShellName): Start {
  if (said.bare) return NO_START;
  const isPosix = shell === 'sh' || (shell === 'bash' && said.posix);
  const whole: Bytes[] = [];
  const files: Bytes[] = [];
  if (said.startup && !isPosix && !said.noRc) {
    const text = out.textOf(said.startup);
    if (text !== undefined) whole.push(text);
    else if (out.kindOf(said.startup) !== 'absent')
      out.unknown(verbOf(call), call.cwd, 'what the shell reads first cannot be known');
  }
  const variable = byVariable(said, shell, isPosix);
  const given = variable && call.env(variable);
  if (given) whole.push(...(given.endsWith(OWN_START) ? [] : [out.textOf(given) ?? '']));
  // What a shell has in its environment is kept from belay-snap, and handed over under this name.
  else if (variable && given === undefined) files.push(call.env(`BELAY_THEIR_${variable}`) ?? '');
  const home = call.env('HOME');
  let functionPath: readonly Bytes[] | undefined;
  if (home !== undefined && isPosix) files.push(...(said.login ? [`${home}/.profile`] : []));
  else if (home !== undefined && shell !== 'sh') {
    const more = STARTS[shell]({ home, env: call.env, out, said });
    files.push(...more.files);
    functionPath = more.functionPath;
  }
  const texts = files
    .filter((file) => file !== '' && !file.endsWith(OWN_START))
    .map((file) => out.textOf(file) ?? '')
    .filter((text) => text.length < LONGEST_STARTUP);
  const isSome = [...texts, ...whole].some((text) => text !== '');
  return {
    prelude:
      (shell === 'bash' && isSome ? 'shopt -s expand_aliases\n' : '') + whole.map((text) => `${text}\n`).join(''),
    change: { startUp: [...texts, ...whole], ...(functionPath ? { functionPath } : {}) },
  };
}

/** Belay's own, which reads the person's. */
const OWN_START = '/shims/env.bash';

/** The variable that names what is read first (bash(1), INVOCATION; dash(1), *Invocation*). */
function byVariable(said: Invocation, shell: ShellName, isPosix: boolean): 'ENV' | 'BASH_ENV' | undefined {
  if (isPosix) return said.interactive ? 'ENV' : undefined;
  return shell === 'bash' && !said.interactive ? 'BASH_ENV' : undefined;
}

interface Reader {
  readonly home: Bytes;
  readonly env: Call['env'];
  readonly out: Out;
  readonly said: Invocation;
}

/** The files that a shell reads when it starts (bash(1), INVOCATION; zsh(1), STARTUP/SHUTDOWN FILES; fish(1)). */
const STARTS: Readonly<
  Record<
    Exclude<ShellName, 'sh'>,
    (reader: Reader) => { readonly files: readonly Bytes[]; readonly functionPath?: readonly Bytes[] }
  >
> = {
  bash: ({ home, said }) => {
    const own = said.interactive && !said.noRc && !said.startup ? ['.bashrc'] : [];
    return {
      files: (said.login ? ['.bash_profile', '.bash_login', '.profile', '.bashrc'] : own).map(
        (name) => `${home}/${name}`,
      ),
    };
  },
  zsh: ({ home, env, said }) => ({
    files: ['.zshenv', ...(said.login ? ['.zprofile'] : []), ...(said.interactive ? ['.zshrc'] : [])].map(
      (name) => `${env('ZDOTDIR') || home}/${name}`,
    ),
  }),
  fish: ({ home, env, out }) => {
    const folder = `${env('XDG_CONFIG_HOME') || `${home}/.config`}/fish`;
    const parts = out.kindOf(`${folder}/conf.d`) === 'folder' ? out.namesIn(`${folder}/conf.d`) : [];
    return {
      files: [
        ...parts.filter((name) => name.endsWith('.fish')).map((name) => `${folder}/conf.d/${name}`),
        `${folder}/config.fish`,
      ],
      functionPath: [`${folder}/functions`],
    };
  },
};

/** `bash -O extglob`, `bash -o noglob`: as the first command of the text. */
const setting = (name: Bytes): Bytes =>
  /^[a-z_]+$/.test(name) ? `shopt -s ${name} 2>/dev/null || shopt -so ${name} 2>/dev/null;\n` : '';

function fromStdin({ call, out, verb, prelude, change }: Run, positional: readonly Arg[]): void {
  const { stdin } = call;
  if (stdin.kind === 'text')
    call.script(prelude + stdin.text, { ...change, positional: [{ kind: 'known', text: verb }, ...positional] });
  else if (stdin.kind === 'file') {
    const text = out.textOf(stdin.path);
    if (text === undefined) {
      if (out.kindOf(stdin.path) !== 'file') return;
      out.unknown(verb, call.cwd, 'the script on standard input could not be read');
    } else call.script(prelude + text, change);
  } else if (stdin.kind === 'pipe') out.unknown(verb, call.cwd, 'the script on standard input cannot be known');
}

function scriptFile({ call, out, verb, prelude, change }: Run, file: Arg, positional: readonly Arg[]): void {
  const text = out.textOf(file);
  if (text !== undefined) {
    call.script(prelude + text, { ...change, positional });
    return;
  }
  const kind = out.kindOf(file);
  if (kind === 'absent' || kind === 'folder') return;
  out.unknown(verb, call.cwd, 'the script could not be read');
}

/** A script that names its shell, or none. */
function readBy(shell: ShellName, call: Call, out: Out, verb: Bytes, words: readonly Bytes[] = []): Run {
  const said = invocation(
    words.map((text): Arg => ({ kind: 'known', text })),
    shell,
  );
  const { prelude, change } = startUp(call, out, said, shell);
  return { call, out, verb, shell, prelude, change: { shell, ...change } };
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
    scriptFile(readBy(shell, call, out, name, words), { kind: 'known', text: path }, call.argv);
    return;
  }
  // execve(2) fails with ENOEXEC for text without `#!`: the shell then reads it itself.
  if (head !== undefined && !shebang && !/[\0\x7f-\x9f]/.test(head)) {
    const shell = call.shell === 'fish' ? 'sh' : call.shell;
    scriptFile(readBy(shell, call, out, name), { kind: 'known', text: path }, call.argv);
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
