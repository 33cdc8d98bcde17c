import type { Case, CommandNode, CompoundList, Coproc, If, Redirected } from 'unbash';
import { matchesText } from '../glob/match.ts';
import { exportedAs } from '../state/functions.ts';
import { assume, fork, join, type State } from '../state/state.ts';
import { arithmetic } from '../words/arithmetic.ts';
import { expandPattern, expandText } from '../words/expand.ts';
import { matching } from '../words/locale.ts';
import { isKnown, type Text } from '../words/text.ts';
import { type Context, Sink, type Status } from './context.ts';
import { inSubshell, mayRun, runCommand, runList } from './list.ts';
import { runLoop } from './loops.ts';
import { redirect, settleOutput } from './redirect.ts';
import { testExpression } from './test-expression.ts';
import type { Walker } from './walker.ts';

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
    case 'For':
    case 'Select':
    case 'ArithmeticFor':
      return runLoop(node, walker, state, context);
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
      if (state.options.has('allexport'))
        state.variables.set(exportedAs(node.name.value), { value: '', exported: true });
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
    else {
      scene.walker.budget.step((pattern.length * subject.length) / 4096);
      if (matchesText(pattern, subject, how)) return true;
    }
  }
  return unknown ? undefined : false;
}
