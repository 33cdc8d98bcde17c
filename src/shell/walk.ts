import { withGlobalAliases } from '#zsh';
import type { Bytes } from '../platform/bytes.ts';
import { hasComments, parse } from './parse.ts';
import { globalAliases } from './run/alias.ts';
import { runArgv } from './run/argv.ts';
import { Budget, Exhausted } from './run/budget.ts';
import { type Context, Sink } from './run/context.ts';
import { runLater } from './run/later.ts';
import { inSubshell, runList } from './run/list.ts';
import { runTraps } from './run/traps.ts';
import type { Walker } from './run/walker.ts';
import { scan } from './scan.ts';
import { initialState } from './state/initial.ts';
import type { State } from './state/state.ts';
import type { Line, Visitor } from './types.ts';
import { isUtf8 } from './words/locale.ts';

/**
 * Walks a line as its shell would run it and reports every simple command and output redirection, in the order of running, with
 * words expanded as far as they can be known. Runs nothing, changes nothing, looks only at the file system. `parsed`: the whole
 * text was understood; otherwise gaps have been reported for the rest. `steps`: what it cost.
 */
export function walk(line: Line, visitor: Visitor): { readonly parsed: boolean; readonly steps: number } {
  const state = initialState(line);
  const walker = makeWalker(line, visitor);
  try {
    walker.text(line.text, state, topContext(line));
    runTraps(walker, state, topContext(line));
    runLater(walker, state, topContext(line));
  } catch (error) {
    if (!(error instanceof Exhausted)) throw error;
    walker.gap('the line takes too many steps to follow', state, true);
    scanText(line.text, walker, state);
  }
  return { parsed: walker.parsed, steps: walker.budget.spent };
}

const topContext = (line: Line): Context => ({
  certainty: 'known',
  deferred: false,
  repeated: false,
  stdin: { kind: 'terminal' },
  out: undefined,
  depth: 0,
  shell: line.shell,
  source: line.text,
  inLine: true,
  barred: new Set(),
});

function makeWalker(line: Line, visitor: Visitor): Walker {
  const gaps = new Set<string>();
  const walker: Walker = {
    line,
    visitor,
    budget: new Budget(),
    utf8: isUtf8(line.variables),
    parsed: true,
    pipes: 0,
    script(script, state, context) {
      if (script.errors?.length) scanText(context.source, walker, state);
      return runList(script.commands, walker, state, context);
    },
    text: (text, state, context) => runText(text, walker, state, context),
    capture(script, state, context) {
      const out = new Sink();
      const run = (child: State, around: Context) => walker.script(script, child, around);
      const status = inSubshell(walker, state, { ...context, out }, run);
      const [program] = out.from;
      if (program?.kind === 'known' && typeof out.text === 'string') visitor.foretold?.(program.text, false);
      return { status, output: out.text };
    },
    command: (argv, state, context) => runArgv(argv, walker, state, context),
    gap(reason, state, cap = false) {
      if (cap) walker.parsed = false;
      const place = state.places[0];
      const said = `${reason}\0${place?.kind === 'known' ? place.path : ''}`;
      if (gaps.has(said)) return;
      gaps.add(said);
      visitor.gap({ reason, kind: 'program', cwd: state.places[0] ?? { kind: 'unknown' } });
    },
  };
  return walker;
}

/** A longer text is scanned, or it is one plain command: parsing is not what that costs. */
const MOST_TEXT = 65_536;

function runText(source: Bytes, walker: Walker, state: State, context: Context): ReturnType<Walker['text']> {
  if (state.comingAliases.length > 0) takeAliases(state, walker, context);
  // Shells drop NUL.
  const bare = source.replaceAll('\0', '');
  const globals = context.shell === 'zsh' && state.aliases.size > 0 ? globalAliases(state) : undefined;
  // zsh: what is evaluated or sourced has comments, whatever the prompt has.
  const options =
    context.shell !== 'zsh' || source === walker.line.text
      ? state.options
      : new Set([...state.options, 'interactivecomments']);
  const text = globals?.size ? withGlobalAliases(bare, globals, hasComments(options)) : bare;
  walker.budget.step(1 + Math.min(text.length, MOST_TEXT) / 64);
  const parsed = parse(text, { shell: context.shell, options });
  if (parsed.kind === 'too much') {
    walker.gap(parsed.reason, state, true);
    scanText(text, walker, state);
    return 'unknown';
  }
  const { source: own } = parsed;
  const around: Context = { ...context, source: own, inLine: context.inLine && own === source };
  if (parsed.script.errors?.length) scanText(text, walker, state);
  let status: ReturnType<Walker['text']> = 'ok';
  let end = 0;
  for (const statement of parsed.script.commands) {
    if (state.flow) break;
    if (state.comingAliases.length > 0 && own.slice(end, statement.pos).includes('\n'))
      takeAliases(state, walker, context);
    status = runList([statement], walker, state, around);
    end = statement.end;
  }
  return status;
}

/** Aliases hold from the line after the one that makes them, in shells that expand any. */
function takeAliases(state: State, walker: Walker, { shell }: Context): void {
  if (shell !== 'zsh' && !state.options.has('expand_aliases') && walker.line.aliases.size === 0) return;
  for (const [name, value] of state.comingAliases) state.aliases.set(name, value);
  state.comingAliases = [];
}

/** A text that could not be parsed, or not wholly: what its words say. */
function scanText(text: Bytes, walker: Walker, state: State): void {
  walker.parsed = false;
  const cwd = state.places[0] ?? { kind: 'unknown' as const };
  for (const verb of scan(text))
    walker.visitor.gap({ reason: 'a text that cannot be parsed', kind: 'scan', cwd, verb });
}
