import type { Bytes } from '../../platform/bytes.ts';
import type { Arg, Call } from '../../shell/types.ts';
import type { Out, Rule } from '../types.ts';
import { COMMANDS, HARMLESS } from './commands.ts';
import { everywhere } from './everywhere.ts';
import { readGlobals, splitWords } from './globals.ts';
import { runHooks } from './hooks.ts';
import { noteGit } from './line-state.ts';
import { known } from './options.ts';
import { aliasKey, outputFiles } from './outputs.ts';
import { runEditors, runSettings } from './programs.ts';
import { type Globals, sceneOf } from './scene.ts';
import { runOtherEnd } from './transport.ts';

/** Aliases may name aliases; git stops at a loop, and so do we. */
const ALIAS_DEPTH = 10;

/** For a whole line: an alias may run shells that run aliases. */
const ALIASES = 60;
const EXPANDED = 'git:aliases';

/** What one call of git destroys, by the real state of the repository it works in. */
export const gitRule: Rule = (call, out) => {
  runGit(call, out, call.argv.slice(1), undefined, 0);
};

function runGit(call: Call, out: Out, argv: readonly Arg[], start: Globals | undefined, depth: number): void {
  const head = readGlobals(call, argv, start);
  if (head.kind === 'nothing') return;
  const { globals, name: word, args } = head;
  if (word.kind === 'unknown') {
    const place = globals.cwd === undefined ? call.cwd : globals.cwd;
    out.unknown('git', place, 'which git command runs is not known before the line runs');
    return;
  }
  const name = word.text;
  const scene = sceneOf(call, out, globals, name, args, (words, cwd) => {
    if (depth < ALIAS_DEPTH) runGit(call, out, words, cwd === undefined ? globals : { ...globals, cwd }, depth + 1);
  });
  if (globals.where.command !== start?.where.command) runSettings(scene);
  runOtherEnd(scene);
  const command = COMMANDS.get(name);
  if (command) {
    if (!isHelp(args)) {
      command(scene);
      runHooks(scene);
      runEditors(scene);
      if (globals.cwd === undefined && depth === 0) everywhere(call, out, name, args);
      if (command !== outputFiles) noteGit(out);
    }
    return;
  }
  if (HARMLESS.has(name)) return;
  const made = out.memory.get(aliasKey(name));
  const alias =
    (typeof made === 'string' ? made : undefined) ??
    scene.config().text(`alias.${name}`) ??
    scene.config().text(`alias.${name.toLowerCase()}`);
  if (alias !== undefined) {
    const times = Number(out.memory.get(EXPANDED) ?? 0);
    out.memory.set(EXPANDED, times + 1);
    if (times >= ALIASES) {
      if (times === ALIASES) out.unknown('git', call.cwd, 'aliases without end');
      return;
    }
    if (depth < ALIAS_DEPTH) runAlias(call, out, alias, args, globals, scene.repository.bind(scene), depth);
    return;
  }
  call.run([known(`git-${name}`), ...args]);
}

/** `git x -h`, `git x --help`: a page, nothing else. */
const isHelp = (args: readonly Arg[]): boolean => {
  const first = args[0];
  return first?.kind === 'known' && (first.text === '--help' || (first.text === '-h' && args.length === 1));
};

function runAlias(
  call: Call,
  out: Out,
  alias: Bytes,
  args: readonly Arg[],
  globals: Globals,
  repository: () => { readonly workTree: Bytes | undefined } | undefined,
  depth: number,
): void {
  if (!alias.startsWith('!')) {
    const words = splitWords(alias);
    if (words) runGit(call, out, [...words.map(known), ...args], globals, depth + 1);
    return;
  }
  // git runs a shell alias from the top of the work tree (git-config(1), `alias.*`)
  const top = globals.cwd === undefined ? undefined : (repository()?.workTree ?? globals.cwd);
  const text = alias.slice(1);
  call.script(args.length === 0 ? text : `${text} "$@"`, {
    shell: 'sh',
    cwd: top === undefined ? { kind: 'unknown' } : { kind: 'known', path: top },
    positional: [known(text), ...args],
  });
}
