import type {
  ArithmeticFor,
  Case,
  CommandNode,
  CompoundList,
  Coproc,
  For,
  If,
  Redirected,
  Select,
  While,
} from 'unbash';
import { matchesText } from '../glob/match.ts';
import { assign } from '../state/assign.ts';
import { assume, fork, join, type State, samePlaces } from '../state/state.ts';
import { sameVariable, scalar } from '../state/variables.ts';
import { arithmetic } from '../words/arithmetic.ts';
import { expandPattern, expandText, expandWord } from '../words/expand.ts';
import { matching } from '../words/locale.ts';
import { isKnown, type Text, toText, UNKNOWN } from '../words/text.ts';
import { type Context, Sink, type Status } from './context.ts';
import { inSubshell, mayRun, runCommand, runList } from './list.ts';
import { redirect, settleOutput } from './redirect.ts';
import { testExpression } from './test-expression.ts';
import type { Walker } from './walker.ts';

/** A loop whose list is longer is not followed round by round. */
const MOST_ROUNDS = 2_000;

export function runCompound(
  node: Exclude<CommandNode, { type: 'Command' }> | CompoundList,
  walker: Walker,
  state: State,
  context: Context,
): Status {
  walker.budget.step();
  switch (node.type) {
    case 'CompoundList':
      return runList(node.commands, walker, state, context);
    case 'BraceGroup':
      return runList(node.body.commands, walker, state, context);
    case 'Subshell':
      return inSubshell(walker, state, context, (child, around) => runList(node.body.commands, walker, child, around));
    case 'Redirected':
      return runRedirected(node, walker, state, context);
    case 'If':
      return runIf(node, walker, state, context);
    case 'While':
      return runWhile(node, walker, state, context);
    case 'For':
    case 'Select':
      return runFor(node, walker, state, context);
    case 'ArithmeticFor':
      return runArithmeticFor(node, walker, state, context);
    case 'Case':
      return runCase(node, walker, state, context);
    case 'TestCommand':
      return testExpression(node.expression, { walker, state, context });
    case 'ArithmeticCommand': {
      const value = arithmetic(node.expression, { walker, state, context });
      return value === undefined ? 'unknown' : value === 0n ? 'fail' : 'ok';
    }
    case 'Function':
      state.functions.set(node.name.value, [{ body: node.body, source: context.source, inLine: context.inLine }]);
      return 'ok';
    case 'Coproc':
      return runCoproc(node, walker, state, context);
  }
}

function runRedirected(node: Redirected, walker: Walker, state: State, context: Context): Status {
  const redirected = redirect(node.redirects, { walker, state, context });
  const status = runCommand(node.command, walker, state, redirected.context);
  settleOutput(redirected, state);
  return status;
}

function runCoproc(node: Coproc, walker: Walker, state: State, context: Context): Status {
  const { body } = node;
  const around: Context = { ...context, deferred: true, stdin: { kind: 'pipe', from: [] }, out: new Sink() };
  inSubshell(walker, state, around, (child, inside) =>
    body.type === 'CompoundList'
      ? runList(body.commands, walker, child, inside)
      : runCommand(body, walker, child, inside),
  );
  return 'ok';
}

function runIf(node: If, walker: Walker, state: State, context: Context): Status {
  return branches(
    [{ clause: node.clause, body: node.then }, ...node.elif.map(({ clause, then: body }) => ({ clause, body }))],
    node.else,
    walker,
    state,
    context,
  );
}

function branches(
  arms: readonly { readonly clause: CompoundList; readonly body: CompoundList }[],
  otherwise: CompoundList | undefined,
  walker: Walker,
  state: State,
  context: Context,
): Status {
  const [arm, ...rest] = arms;
  if (!arm) return otherwise ? runList(otherwise.commands, walker, state, context) : 'ok';
  const status = runList(arm.clause.commands, walker, state, context);
  if (state.flow) return status;
  if (status === 'ok') return runList(arm.body.commands, walker, state, context);
  if (status === 'fail') return branches(rest, otherwise, walker, state, context);
  const other = assume(fork(state), false);
  assume(state, true);
  const maybe: Context = { ...context, certainty: 'maybe' };
  const writes = context.out?.writes;
  runList(arm.body.commands, walker, state, maybe);
  branches(rest, otherwise, walker, other, maybe);
  if (context.out && context.out.writes !== writes) context.out.spoil();
  join(state, other);
  return 'unknown';
}

function runCase(node: Case, walker: Walker, state: State, context: Context): Status {
  const scene = { walker, state, context };
  const subject = expandText(node.word, scene);
  const how = matching(walker.utf8, state.options.has('nocasematch'), true);
  let falling = false;
  let undecided = false;
  let status: Status = 'ok';
  for (const item of node.items) {
    walker.budget.step(0.5);
    if (state.flow) break;
    const hit = falling ? true : caseHit(item.pattern, subject, { walker, state, context }, how);
    if (hit === false) continue;
    if (hit === undefined || undecided) {
      undecided = true;
      status = mayRun(state, context, (branch, around) => runList(item.body.commands, walker, branch, around));
      falling = false;
      continue;
    }
    status = runList(item.body.commands, walker, state, context);
    if (item.terminator === ';&') falling = true;
    else if (item.terminator === ';;&') falling = false;
    else return status;
  }
  return status;
}

function caseHit(
  patterns: Case['items'][number]['pattern'],
  subject: Text,
  scene: Parameters<typeof expandPattern>[1],
  how: ReturnType<typeof matching>,
): boolean | undefined {
  let unknown = false;
  for (const word of patterns) {
    const pattern = expandPattern(word, scene);
    if (pattern === '*') return true;
    if (pattern === undefined || !isKnown(subject)) unknown = true;
    else if (matchesText(pattern, subject, how)) return true;
  }
  return unknown ? undefined : false;
}

function runFor(node: For | Select, walker: Walker, state: State, context: Context): Status {
  const scene = { walker, state, context };
  const words: Text[] = node.wordlist
    ? node.wordlist.flatMap((word) => expandWord(word, scene)).map(toText)
    : [...state.positional];
  const name = node.name.value;
  if (node.type === 'Select' || words.length > MOST_ROUNDS || words.some((word) => !isKnown(word) && word.many)) {
    const set = (one: State): void =>
      assign(
        one,
        name,
        node.type === 'Select' || words.length !== 1 ? UNKNOWN : ({ ...(words[0] as object), many: false } as Text),
      );
    return runUnknownRounds(walker, state, context, set, (one, around) =>
      runList(node.body.commands, walker, one, around),
    );
  }
  let status: Status = 'ok';
  for (const word of words) {
    walker.budget.step();
    assign(state, name, word);
    status = runList(node.body.commands, walker, state, context);
    if (leavesLoop(state)) break;
  }
  joinEscaped(state);
  return status;
}

function runArithmeticFor(node: ArithmeticFor, walker: Walker, state: State, context: Context): Status {
  arithmetic(node.initialize, { walker, state, context });
  for (let round = 0; ; round++) {
    const test = node.test ? arithmetic(node.test, { walker, state, context }) : 1n;
    if (test === 0n) break;
    const body = (one: State, around: Context): Status => {
      const status = runList(node.body.commands, walker, one, around);
      if (!one.flow) arithmetic(node.update, { walker, state: one, context: around });
      return status;
    };
    if (test === undefined || round >= MOST_ROUNDS) {
      runUnknownRounds(walker, state, context, () => {}, body);
      break;
    }
    walker.budget.step();
    body(state, context);
    if (leavesLoop(state)) break;
    if (node.test === undefined && round > 64) {
      runUnknownRounds(walker, state, context, () => {}, body);
      break;
    }
  }
  joinEscaped(state);
  return 'unknown';
}

/** More decided rounds than this and the loop is treated as one that nobody can count. */
const MOST_DECIDED_ROUNDS = 200;

function runWhile(node: While, walker: Walker, state: State, context: Context): Status {
  const go: Status = node.kind === 'while' ? 'ok' : 'fail';
  const clause = (one: State, around: Context): Status => runList(node.clause.commands, walker, one, around);
  const body = (one: State, around: Context): Status => runList(node.body.commands, walker, one, around);
  let before = fork(state);
  for (let round = 0; ; round++) {
    walker.budget.step();
    const still = round > 2 && unchanged(before, state);
    before = fork(state);
    const status = clause(state, context);
    if (state.flow) break;
    if (status !== 'unknown' && status !== go) break;
    if (status === 'unknown' || round >= MOST_DECIDED_ROUNDS || still) {
      runUnknownRounds(
        walker,
        state,
        context,
        () => {},
        (one, around) => {
          const last = body(one, around);
          if (!one.flow) clause(one, around);
          return last;
        },
      );
      break;
    }
    body(state, context);
    if (leavesLoop(state)) break;
  }
  joinEscaped(state);
  return 'unknown';
}

/** Nothing that a condition could see has changed: it goes on for ever, as far as is known. */
function unchanged(before: State, state: State): boolean {
  for (const [name, variable] of state.variables) if (before.variables.get(name) !== variable) return false;
  return samePlaces(before.places, state.places);
}

/**
 * Any number of rounds, none included: one as things stand; where it changed what is known, one more with everything that
 * changed unknown, which stands for all others.
 */
function runUnknownRounds(
  walker: Walker,
  state: State,
  context: Context,
  set: (state: State) => void,
  body: (state: State, context: Context) => Status,
): Status {
  const around: Context = { ...context, certainty: 'maybe', repeated: true };
  return mayRun(state, around, (one) => {
    set(one);
    const before = fork(one);
    body(one, around);
    if (leavesLoop(one)) return 'unknown';
    const moved = forgetChanges(before, one);
    if (moved) {
      walker.budget.step();
      set(one);
      body(one, around);
      forgetChanges(before, one);
      leavesLoop(one);
    }
    return 'unknown';
  });
}

/** Makes unknown what differs from `before`; false where nothing does. */
function forgetChanges(before: State, state: State): boolean {
  let changed = false;
  for (const [name, variable] of state.variables) {
    if (sameVariable(before.variables.get(name), variable)) continue;
    changed = true;
    state.variables.set(
      name,
      variable.items ? { ...variable, items: new Map(), open: true } : scalar(UNKNOWN, variable.exported),
    );
  }
  if (!samePlaces(before.places, state.places)) {
    changed = true;
    state.places = [{ kind: 'unknown' }];
  }
  if (before.positional !== state.positional) {
    changed = true;
    state.positional = [{ prefix: '', suffix: '', many: true }];
  }
  if (!samePlaces(before.stack, state.stack)) {
    changed = true;
    state.stack = [{ kind: 'unknown' }];
  }
  return changed;
}

/** Takes up a `break` or `continue` that reached its loop; true when the loop ends. */
function leavesLoop(state: State): boolean {
  const { flow } = state;
  if (!flow) return false;
  if (flow.kind === 'return' || flow.kind === 'exit') return true;
  if (flow.levels > 1) {
    state.flow = { ...flow, levels: flow.levels - 1 };
    return true;
  }
  state.flow = undefined;
  return flow.kind === 'break';
}

/** After a loop: the histories in which a `break` or `continue` that may have been met was met. */
function joinEscaped(state: State): void {
  const mine = state.escaped.filter((one) => one.flow?.kind === 'break' || one.flow?.kind === 'continue');
  if (mine.length === 0) return;
  state.escaped = state.escaped.filter((one) => !mine.includes(one));
  for (const one of mine) join(state, { ...one, flow: undefined, escaped: [] });
}
