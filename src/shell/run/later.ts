import type { Bytes } from '../../platform/bytes.ts';
import { fork, type State } from '../state/state.ts';
import type { Variable } from '../state/variables.ts';
import { isKnown, type Text, toArg } from '../words/text.ts';
import { runArgv } from './argv.ts';
import type { Context } from './context.ts';
import { runWithin } from './subscripts.ts';
import type { Walker } from './walker.ts';

/** Variables whose text is run at the next prompt, and those that are expanded with the substitutions in them (bash(1), *PROMPTING*). */
const RUN = ['PROMPT_COMMAND', 'LESSOPEN', 'LESSCLOSE'];
const EXPANDED = ['PS0', 'PS1', 'PS2', 'PS3', 'PS4', 'PROMPT', 'RPROMPT', 'RPS1', 'PROMPT2', 'PROMPT4'];

/** Functions that a shell calls by itself (zshmisc(1), *Hook Functions*; fish(1)). */
const HOOKS: Readonly<Record<string, RegExp>> = {
  zsh: /^(?:precmd|preexec|chpwd|periodic|zshaddhistory)$/,
  fish: /^fish_(?:prompt|right_prompt|title|postexec|preexec|cancel)$/,
};

/** What the line leaves behind for its shell to run: at the next prompt, on a signal, when a folder is changed. */
export function runLater(walker: Walker, state: State, context: Context): void {
  const around: Context = { ...context, certainty: 'maybe', deferred: true, depth: context.depth + 1, inLine: false };
  for (const name of context.shell === 'zsh' || context.shell === 'fish' ? RUN.slice(1) : RUN)
    for (const text of textsNow(name, walker, state)) {
      // What is added to a text that nobody handed over is added to nothing.
      const added = isKnown(text) ? text : text.prefix === '' ? text.suffix.replace(/^[;\s]+/, '') : '';
      if (added !== '') walker.text(added.replace(/^\|?[|-]/, ''), fork(state), around);
      else if (!isKnown(text)) walker.gap(`${name} is not known`, state);
    }
  for (const name of EXPANDED)
    for (const text of textsNow(name, walker, state)) runWithin(text, walker, fork(state), around);
  const hooks = HOOKS[context.shell];
  if (hooks === undefined) return;
  for (const [name, bodies] of state.functions)
    if (hooks.test(name) && !walker.line.functions.has(name) && bodies.length > 0)
      runArgv([toArg(name)], walker, fork(state), around);
  for (const [name, variable] of state.variables)
    if (/^(?:precmd|preexec|chpwd|periodic|zshexit)_functions$/.test(name))
      for (const hook of hooksIn(variable, walker, state)) runArgv([toArg(hook)], walker, fork(state), around);
}

/** Added to a list that nobody knows, it may be any function that the line names. */
const hooksIn = (variable: Variable, walker: Walker, state: State): readonly Text[] =>
  variable.open
    ? [...state.functions.keys()].filter((name) => walker.line.text.includes(name))
    : valuesOf(variable).filter((text) => isKnown(text) && !walker.line.functions.has(text));

const valuesOf = (variable: Variable | undefined): readonly Text[] =>
  variable?.items ? [...variable.items.values()] : variable?.value === undefined ? [] : [variable.value];

/** The texts of a variable, where the line changed it. */
function textsNow(name: Bytes, walker: Walker, state: State): readonly Text[] {
  const { variables, arrays } = walker.line;
  const before = new Set<Text>([...(arrays?.get(name)?.values() ?? []), variables.get(name) ?? '']);
  return valuesOf(state.variables.get(name)).filter((text) => !before.has(text));
}
