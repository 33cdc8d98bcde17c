import type { Bytes } from '../../platform/bytes.ts';
import { resolve } from '../../platform/paths.ts';
import type { Arg, Call } from '../../shell/types.ts';
import { settingOf } from './config.ts';
import type { Setting } from './config-file.ts';
import type { Globals } from './scene.ts';

export type Head =
  | { readonly kind: 'command'; readonly globals: Globals; readonly name: Arg; readonly args: readonly Arg[] }
  /** No subcommand, or one that only prints (`--version`, `--exec-path`). */
  | { readonly kind: 'nothing' };

/** What git's own options (git(1), OPTIONS) make of a call; they never abbreviate. */
export function readGlobals(call: Call, argv: readonly Arg[], start: Globals | undefined): Head {
  let cwd = start ? start.cwd : call.cwd.kind === 'known' ? call.cwd.path : undefined;
  let gitDir = start?.where.gitDir;
  let workTree = start?.where.workTree;
  let bare = start?.where.bare;
  const command: Setting[] = [...(start?.where.command ?? [])];
  const env = call.env;
  const on = (name: Bytes): boolean => /^(1|true|yes|on)$/i.test(env(name) ?? '');
  const pathspecs = start?.where.pathspecs ?? {
    literal: on('GIT_LITERAL_PATHSPECS'),
    glob: on('GIT_GLOB_PATHSPECS'),
    noglob: on('GIT_NOGLOB_PATHSPECS'),
    icase: on('GIT_ICASE_PATHSPECS'),
  };
  let magic = pathspecs;
  const enter = (value: Arg | undefined): void => {
    if (value === undefined || (value.kind === 'known' && value.text === '')) return;
    if (value.kind === 'unknown') cwd = undefined;
    else if (value.text.startsWith('/')) cwd = resolve('/', value.text);
    else if (cwd !== undefined) cwd = resolve(cwd, value.text);
  };
  const text = (value: Arg | undefined): Bytes | undefined => {
    if (value?.kind === 'known') return value.text;
    cwd = undefined; // a repository nobody can name before the line runs
    return undefined;
  };
  let at = 0;
  for (; at < argv.length; at++) {
    const arg = argv[at];
    if (arg === undefined) break;
    const word = arg.kind === 'known' ? arg.text : arg.prefix;
    if (!word.startsWith('-') || word === '-') break;
    const equals = word.indexOf('=');
    const name = equals < 0 ? word : word.slice(0, equals);
    const glued: Arg | undefined =
      equals < 0
        ? undefined
        : arg.kind === 'known'
          ? { kind: 'known', text: word.slice(equals + 1) }
          : { ...arg, prefix: word.slice(equals + 1) };
    switch (name) {
      case '-C':
        enter(argv[++at]);
        break;
      case '-c': {
        const setting = argv[++at];
        if (setting?.kind === 'known') command.push(settingOf(setting.text));
        break;
      }
      case '--config-env': {
        const value = text(glued ?? argv[++at]) ?? '';
        const last = value.lastIndexOf('=');
        command.push(settingOf(`${value.slice(0, last)}=${env(value.slice(last + 1)) ?? ''}`));
        break;
      }
      case '--git-dir':
        gitDir = text(glued ?? argv[++at]);
        break;
      case '--work-tree':
        workTree = text(glued ?? argv[++at]);
        break;
      case '--namespace':
      case '--super-prefix':
      case '--attr-source':
        if (!glued) at++;
        break;
      case '--bare':
        bare = true;
        break;
      case '--literal-pathspecs':
        magic = { ...magic, literal: true };
        break;
      case '--glob-pathspecs':
        magic = { ...magic, glob: true };
        break;
      case '--noglob-pathspecs':
        magic = { ...magic, noglob: true };
        break;
      case '--icase-pathspecs':
        magic = { ...magic, icase: true };
        break;
      case '--version':
      case '-v':
      case '--help':
      case '-h':
      case '--html-path':
      case '--man-path':
      case '--info-path':
      case '--list-cmds':
        return { kind: 'nothing' };
      case '--exec-path':
        if (!glued) return { kind: 'nothing' };
        break;
      default:
        break; // pager, replace objects, optional locks, advice: nothing that moves data; unknown ones git refuses
    }
  }
  const name = argv[at];
  if (name === undefined) return { kind: 'nothing' };
  const where = {
    env,
    command,
    pathspecs: magic,
    ...(gitDir === undefined ? {} : { gitDir }),
    ...(workTree === undefined ? {} : { workTree }),
    ...(bare ? { bare } : {}),
    ...(bare && gitDir === undefined && cwd !== undefined ? { gitDir: cwd } : {}),
  };
  return { kind: 'command', globals: { where, cwd }, name, args: argv.slice(at + 1) };
}

/** Words of an alias (git's `split_cmdline`); undefined where a quote is left open. */
export function splitWords(text: Bytes): Bytes[] | undefined {
  const out: Bytes[] = [];
  let word: Bytes | undefined;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (quote === '' && /\s/.test(char)) {
      if (word !== undefined) out.push(word);
      word = undefined;
    } else if (quote === '' && (char === "'" || char === '"')) {
      quote = char;
      word ??= '';
    } else if (char === quote) quote = '';
    else if (char === '\\' && quote !== "'") word = (word ?? '') + (text[++at] ?? '');
    else word = (word ?? '') + char;
  }
  if (quote !== '') return undefined;
  if (word !== undefined) out.push(word);
  return out;
}
