import type { AndOr, CommandNode, Pipeline, PipelineNode, Statement } from 'unbash';
import { assume, fork, join, type State } from '../state/state.ts';
import { runCompound } from './compound.ts';
import { type Context, type Input, Sink, type Status } from './context.ts';
import { runSimple } from './simple.ts';
import { runTraps } from './traps.ts';
import type { Walker } from './walker.ts';

/** Runs statements one after the other, until one says that the rest is not reached. */
export function runList(statements: readonly Statement[], walker: Walker, state: State, context: Context): Status {
  let status: Status = 'ok';
  for (const statement of statements) {
    if (state.flow) break;
    status = runStatement(statement, walker, state, context);
  }
  return status;
}

function runStatement(statement: Statement, walker: Walker, state: State, context: Context): Status {
  walker.budget.step();
  if (!statement.background) return runAndOr(statement.command, walker, state, context);
  inSubshell(walker, state, { ...context, deferred: true }, (child, around) =>
    runAndOr(statement.command, walker, child, around),
  );
  return 'ok';
}

/** Runs something in a shell of its own: only what it does to files remains, and its `EXIT` traps run at its end. */
export function inSubshell(
  walker: Walker,
  state: State,
  context: Context,
  run: (state: State, context: Context) => Status,
): Status {
  walker.budget.step(2);
  // bash counts loops anew in a subshell: `break` in it does nothing.
  const child: State = { ...fork(state), traps: [], loops: 0 };
  const status = run(child, context);
  runTraps(walker, child, context, state);
  keepFiles(state, child);
  return status;
}

/** What a subshell did to files outlives it, its variables do not. */
export function keepFiles(state: State, child: State): void {
  state.written = child.written;
  state.made = child.made;
  state.gone = child.gone;
  state.changed ||= child.changed;
}

function runAndOr(node: PipelineNode | AndOr, walker: Walker, state: State, context: Context): Status {
  if (node.type !== 'AndOr') return runPipelineNode(node, walker, state, context);
  const histories: Histories = { ok: [], fail: [] };
  for (const [i, command] of node.commands.entries()) {
    const operator = node.operators[i - 1];
    const wanted = operator === '||' ? 'fail' : 'ok';
    const [from] = i === 0 ? [state] : histories[wanted].splice(0);
    if (!from) continue;
    const around: Context =
      histories.ok.length + histories.fail.length > 0 ? { ...context, certainty: 'maybe' } : context;
    const writes = context.out?.writes;
    split(histories, from, runPipelineNode(command, walker, from, around));
    if (around !== context && context.out?.writes !== writes) context.out?.spoil();
  }
  const all = [...histories.ok, ...histories.fail];
  const status: Status = histories.ok.length === 0 ? 'fail' : histories.fail.length === 0 ? 'ok' : 'unknown';
  const [first, ...others] = all;
  if (first) for (const other of others) join(first, other);
  if (first && first !== state) Object.assign(state, first);
  return status;
}

/** In `a && b || c`: what is known where the command so far succeeded, and where it failed. At most one state each. */
interface Histories {
  readonly ok: State[];
  readonly fail: State[];
}

function split(histories: Histories, state: State, status: Status): void {
  const add = (where: State[], one: State): void => {
    const [other] = where;
    if (other) join(other, one);
    else where.push(one);
  };
  if (status === 'unknown') {
    // A shell that ended goes nowhere: one history is enough.
    const failed = state.flow ? undefined : assume(fork(state), false);
    add(histories.ok, assume(state, true));
    if (failed) add(histories.fail, failed);
  } else add(histories[status], state);
}

/**
 * Runs something that may not be run: afterwards the state is what both histories have in common. `after`: it is run if the last
 * command succeeded (or failed).
 */
export function mayRun(
  state: State,
  context: Context,
  run: (state: State, context: Context) => Status,
  after = true,
): Status {
  const skipped = assume(fork(state), !after);
  assume(state, after);
  const writes = context.out?.writes;
  run(state, { ...context, certainty: 'maybe' });
  if (context.out && context.out.writes !== writes) context.out.spoil();
  join(state, skipped);
  return 'unknown';
}

function runPipelineNode(node: PipelineNode, walker: Walker, state: State, context: Context): Status {
  return node.type === 'Pipeline'
    ? runPipeline(node, walker, state, context)
    : runCommand(node, walker, state, context);
}

function runPipeline(node: Pipeline, walker: Walker, state: State, context: Context): Status {
  const negated = node.prefixes.filter((prefix) => prefix.type === 'Negation').length % 2 === 1;
  const status =
    node.commands.length === 1 && node.commands[0]
      ? runCommand(node.commands[0], walker, state, context)
      : runPipe(node.commands, walker, state, context);
  if (!negated) return status;
  const { mayStay } = state;
  if (mayStay) state.mayStay = { before: mayStay.after, after: mayStay.before };
  if (status === 'unknown') return status;
  return status === 'ok' ? 'fail' : 'ok';
}

/** Each command of a pipe is a subshell that reads what the one before it prints (the last one too, without `lastpipe`). */
function runPipe(commands: readonly CommandNode[], walker: Walker, state: State, context: Context): Status {
  let { stdin } = context;
  let status: Status = 'ok';
  const statuses: Status[] = [];
  for (const [i, command] of commands.entries()) {
    const last = i === commands.length - 1;
    const out = last ? context.out : new Sink();
    const around: Context = { ...context, stdin, out };
    const run = (one: State, inside: Context): Status => runCommand(command, walker, one, inside);
    if (last && (state.options.has('lastpipe') || context.shell === 'zsh' || context.shell === 'fish'))
      status = run(state, around);
    else status = inSubshell(walker, state, around, run);
    statuses.push(status);
    if (out && !last) stdin = inputFrom(out);
  }
  if (!state.options.has('pipefail')) return status;
  return statuses.includes('fail') ? 'fail' : statuses.includes('unknown') ? 'unknown' : 'ok';
}

function inputFrom(out: Sink): Input {
  if (typeof out.text !== 'string') return { kind: 'pipe', from: out.from };
  return {
    kind: 'text',
    text: out.text,
    ...(out.from.length > 0 ? { from: out.from } : {}),
    ...(out.unordered ? { unordered: true } : {}),
  };
}

export function runCommand(node: CommandNode, walker: Walker, state: State, context: Context): Status {
  // What is known of a `cd` that may have failed holds for the command right after it.
  state.mayStay = undefined;
  return node.type === 'Command'
    ? runEverywhere(state, context, (one, around) => runSimple(node, walker, one, around))
    : runCompound(node, walker, state, context);
}

/** Where the working directory is one of several, a command is run in each of them: really it runs once, in one of them. */
export function runEverywhere(state: State, context: Context, run: (state: State, context: Context) => Status): Status {
  if (state.places.length === 1) return run(state, context);
  const [first, ...others] = state.places.map((place) => ({ ...fork(state), places: [place] }));
  if (!first) return 'unknown';
  const runs = [first, ...others].map((one) => {
    const own: Context = {
      ...context,
      certainty: 'maybe',
      stdin: { ...context.stdin },
      out: context.out && new Sink(),
    };
    const status = run(one, own);
    if (status === 'ok') one.mayStay = { before: [], after: one.places };
    else if (status === 'fail') one.mayStay = { before: one.places, after: [] };
    return { status, own };
  });
  printOnce(
    context,
    runs.map(({ own }) => own),
  );
  for (const other of others) join(first, other);
  Object.assign(state, first);
  const [one] = runs;
  return one && runs.every(({ status }) => status === one.status) ? one.status : 'unknown';
}

/** What was printed and read by a command that was followed in several places, of which one is the real one. */
function printOnce(context: Context, runs: readonly Context[]): void {
  const inputs = runs.map(({ stdin }) => (stdin.kind === 'text' ? stdin.text : ''));
  if (context.stdin.kind === 'text') context.stdin.text = inputs[0] ?? '';
  const sinks = runs.flatMap(({ out }) => out ?? []);
  if (!context.out || sinks.every((sink) => sink.writes === 0)) return;
  const [text] = sinks.map((sink) => sink.text);
  const same = sinks.every((sink) => sink.text === text && sink.writes > 0);
  context.out.write(
    same ? text : undefined,
    sinks.flatMap((sink) => sink.from),
  );
}
