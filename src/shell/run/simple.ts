import type { Assignment, Command, Redirection, Word, WordPart } from 'unbash';
import type { Bytes } from '../../platform/bytes.ts';
import { inputText } from '../builtins/read.ts';
import { declareName } from '../builtins/variables.ts';
import { fork, type State } from '../state/state.ts';
import type { Variable } from '../state/variables.ts';
import type { Arg } from '../types.ts';
import { expandWord } from '../words/expand.ts';
import { isKnown, UNKNOWN } from '../words/text.ts';
import { expandAlias, standsApart } from './alias.ts';
import { runArgv } from './argv.ts';
import { runAssignment } from './assignments.ts';
import { MOST_DEPTH } from './budget.ts';
import type { Context, Status } from './context.ts';
import { redirect, settleOutput } from './redirect.ts';
import type { Walker } from './walker.ts';

/** A simple command with what the parser split joined again. */
export interface Simple {
  readonly assignments: readonly Assignment[];
  readonly words: readonly (Word | Assignment)[];
  readonly redirects: readonly Redirection[];
}

/** Builtins whose arguments that look like assignments are some (bash(1), *Assignments*). */
const DECLARES = /^(?:export|declare|typeset|local|readonly|alias)$/;

export function runSimple(node: Command, walker: Walker, state: State, context: Context): Status {
  const alias = expandAlias(node, walker, state, context);
  if (alias) return alias();
  const simple = regroup(node);
  const scene = { walker, state, context };
  walker.budget.step();
  const first = simple.words[0];
  if (context.shell === 'zsh' && first?.type === 'Word' && first.text === 'noglob' && !state.options.has('noglob')) {
    state.options.add('noglob');
    const status = runSimple({ ...node, name: undefined, suffix: node.suffix }, walker, state, context);
    state.options.delete('noglob');
    return status;
  }
  const declares = first?.type === 'Word' && DECLARES.test(first.value);
  if (declares) declareArrays(simple.words, scene.state);
  const before = new Map(simple.assignments.map(({ name }) => [name, state.variables.get(name)]));
  // In fish the command's own words have the new values already.
  const isFish = context.shell === 'fish';
  if (isFish) for (const assignment of simple.assignments) runAssignment(assignment, scene, true);
  const argv: Arg[] = [];
  for (const word of simple.words) for (const arg of argumentOf(word, scene, declares)) argv.push(arg);
  const saved: ReadonlyMap<Bytes, Variable | undefined> = argv.length > 0 ? before : new Map();
  const redirected = redirect(simple.redirects, scene);
  if (!isFish) for (const assignment of simple.assignments) runAssignment(assignment, scene, argv.length > 0);
  if (argv.length === 0) {
    if (simple.assignments.length === 0 && simple.redirects.some((part) => isRead(part, context)))
      printFile({ walker, state, context: { ...redirected.context, out: context.out } });
    settleOutput(redirected, state);
    return simple.words.length > 0 || simple.assignments.some(hasSubstitution) ? 'unknown' : 'ok';
  }
  const status = runArgv(argv, walker, state, redirected.context, {
    redirections: simple.redirects.length > 0,
    assigned: saved,
  });
  runAssigned([...saved.keys()], argv, walker, state, redirected.context);
  settleOutput(redirected, state);
  // `exec > file` goes on writing there.
  if (argv.length === 1 && isWord(argv[0], 'exec') && redirected.output)
    state.written.set(redirected.output.path, UNKNOWN);
  state.last = argv.at(-1) ?? state.last;
  for (const [name, variable] of saved) {
    if (variable) state.variables.set(name, variable);
    else state.variables.delete(name);
  }
  return status;
}

/** Programs that other programs call by a variable: less(1), man(1), crontab(1) hand the text to a shell. */
const CALLED = /^(?:LESSOPEN|LESSCLOSE|PAGER|MANPAGER|EDITOR|VISUAL|SUDO_EDITOR|BROWSER)$/;

/** `LESSOPEN='|rm x' less f`; which of them git calls is known to its own rules. */
function runAssigned(
  names: readonly Bytes[],
  argv: readonly Arg[],
  walker: Walker,
  state: State,
  context: Context,
): void {
  if (isWord(argv[0], 'git') || context.depth >= MOST_DEPTH) return;
  const around: Context = { ...context, certainty: 'maybe', depth: context.depth + 1, inLine: false, shell: 'sh' };
  for (const name of names) {
    const text = CALLED.test(name) ? state.variables.get(name)?.value : undefined;
    if (isKnown(text)) walker.text(text.replace(/^\|?[|-]/, ''), fork(state), around);
  }
}

/** zsh runs NULLCMD, `cat`, where redirections stand alone. */
const isRead = (part: Redirection, { shell }: Context): boolean =>
  (part.type === 'Redirect' && part.operator === '<') || (shell === 'zsh' && part.type !== 'Redirect');

/** `$(< file)` is what the file holds (bash(1), *Command Substitution*). */
function printFile(scene: Parameters<typeof inputText>[0]): void {
  scene.context.out?.write(inputText(scene)?.text);
}

/** `declare -A m=(…)`: what kind of array it is has to be known before its items are read. */
function declareArrays(words: readonly (Word | Assignment)[], state: State): void {
  const options = words.flatMap((word) => (word.type === 'Word' && /^-[A-Za-z]/.test(word.text) ? [word.text] : []));
  const [first] = words;
  for (const word of words) {
    if (word.type === 'Assignment' && word.value.type === 'ArrayValue')
      declareName(word.name, state, first?.type === 'Word' ? first.value : '', options);
  }
}

const isWord = (arg: Arg | undefined, text: Bytes): boolean => arg?.kind === 'known' && arg.text === text;

const hasSubstitution = (assignment: Assignment): boolean => /\$\(|`/.test(assignment.text);

function argumentOf(word: Word | Assignment, scene: Parameters<typeof expandWord>[1], declares: boolean): Arg[] {
  if (word.type === 'Word')
    return expandWord(word, scene, declares && /^[A-Za-z_]\w*\+?=/.test(word.text) ? { assignmentTilde: true } : {});
  return [runAssignment(word, scene, false, true)];
}

/**
 * The words of a command. The parser splits a word before and after a process substitution (`--from=<(x)`, `a=<(x) rm y`): what
 * stands together without a blank is one word.
 */
export function regroup(node: Command): Simple {
  const parts = [...node.prefix, ...(node.name ? [node.name] : []), ...node.suffix];
  if (!parts.some((part, i) => i > 0 && part.pos === parts[i - 1]?.end && part.type === 'Word' && !standsApart(part))) {
    const words: (Word | Assignment)[] = node.name ? [node.name] : [];
    for (const part of node.suffix) if (part.type === 'Word' || part.type === 'Assignment') words.push(part);
    return {
      assignments: node.prefix.filter((part): part is Assignment => part.type === 'Assignment'),
      words,
      redirects: parts.filter(isRedirection),
    };
  }
  const joined: (Word | Assignment | Redirection)[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    const glued =
      part.type === 'Word' && before && before.end === part.pos && !standsApart(part) ? glue(before, part) : undefined;
    if (glued) joined[joined.length - 1] = glued;
    else joined.push(part);
  }
  const start = joined.findIndex((part) => part.type === 'Word');
  const head = start < 0 ? joined : joined.slice(0, start);
  return {
    assignments: head.filter((part): part is Assignment => part.type === 'Assignment'),
    words: start < 0 ? [] : joined.slice(start).filter((part): part is Word | Assignment => !isRedirection(part)),
    redirects: joined.filter(isRedirection),
  };
}

const isRedirection = (part: Word | Assignment | Redirection): part is Redirection =>
  part.type === 'Redirect' || part.type === 'HereDoc' || part.type === 'HereString';

function glue(before: Word | Assignment | Redirection, word: Word): Word | Assignment | Redirection | undefined {
  if (before.type === 'Word') return glueWords(before, word);
  if (before.type === 'Assignment') {
    if (before.value.type !== 'Word') return undefined;
    const value = glueWords(before.value, word);
    const { name, append, index } = before;
    return {
      type: 'Assignment',
      pos: before.pos,
      end: word.end,
      text: before.text + word.text,
      name,
      append,
      index,
      value,
    };
  }
  if (before.type !== 'Redirect' || !before.target) return undefined;
  return { ...before, end: word.end, target: glueWords(before.target, word) };
}

function glueWords(left: Word, right: Word): Word {
  return {
    type: 'Word',
    pos: left.pos,
    end: right.end,
    text: left.text + right.text,
    value: left.value + right.value,
    parts: [...partsOf(left), ...partsOf(right)],
  };
}

const partsOf = (word: Word): readonly WordPart[] =>
  word.parts ?? [{ type: 'Literal', pos: word.pos, end: word.end, value: word.value, text: word.text }];
