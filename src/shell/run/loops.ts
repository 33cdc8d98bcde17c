import type { ArithmeticFor, For, Select, While } from 'unbash';
import { assign } from '../state/assign.ts';
import { sameBody } from '../state/functions.ts';
import { fork, join, type State, samePlaces } from '../state/state.ts';
import { sameVariable, scalar } from '../state/variables.ts';
import { arithmetic } from '../words/arithmetic.ts';
import { expandWord } from '../words/expand.ts';
import { isKnown, type Text, toText, UNKNOWN, UNKNOWN_WORDS } from '../words/text.ts';
import type { Context, Status } from './context.ts';
import { mayRun, runList } from './list.ts';
import type { Walker } from './walker.ts';

/** A loop with more rounds is not followed round by round. */
const MOST_ROUNDS = 2_000;

/** The same of loops whose condition is decided anew in each round. */
const MOST_DECIDED_ROUNDS = 200;

/** `for` without a condition: so many rounds tell enough. */
const ENDLESS_ROUNDS = 64;

type Loop = For | Select | While | ArithmeticFor;

/** One round of a loop: its body, and what belongs to it. True when the loop ends with it. */
type Round = (state: State, context: Context) => boolean;

/** `for`, `while`, `until`, `select` (bash(1), *Compound Commands*). */
export function runLoop(node: Loop, walker: Walker, state: State, context: Context): Status {
  state.loops++;
  const status = runKind(node, walker, state, context);
  // `break` and `continue` that may have been met lead here; those that mean a loop further out go on to it.
  takeEscaped(state, (one) => one.flow?.kind === 'break' || one.flow?.kind === 'continue');
  state.loops--;
  // The loop may have ended in its condition: its status is not that of the last command.
  state.mayStay = undefined;
  return status;
}

function runKind(node: Loop, walker: Walker, state: State, context: Context): Status {
  switch (node.type) {
    case 'While':
      return runWhile(node, walker, state, context);
    case 'ArithmeticFor':
      return runArithmeticFor(node, walker, state, context);
    default:
      return runFor(node, walker, state, context);
  }
}

function runFor(node: For | Select, walker: Walker, state: State, context: Context): Status {
  const scene = { walker, state, context };
  const words: Text[] = node.wordlist
    ? node.wordlist.flatMap((word) => expandWord(word, scene)).map(toText)
    : [...state.positional];
  const name = node.name.value;
  const body: Round = (one, around) => {
    runList(node.body.commands, walker, one, around);
    return endRound(one);
  };
  const chosen = (one: State, around: Context, word: Text): Status => {
    assign(one, name, word);
    body(one, around);
    return 'unknown';
  };
  if (node.type === 'Select' && words.length <= MOST_ROUNDS && words.every(isKnown)) {
    // Whoever answers chooses one of them, or none.
    for (const word of words) mayRun(state, { ...context, repeated: true }, (one, around) => chosen(one, around, word));
    return 'unknown';
  }
  if (node.type === 'Select' || words.length > MOST_ROUNDS || words.some((word) => !isKnown(word) && word.many)) {
    const [only] = words;
    const value = words.length === 1 && only !== undefined && !isKnown(only) ? { ...only, many: false } : UNKNOWN;
    assign(state, name, value);
    return runAnyRounds(walker, state, context, body);
  }
  for (const word of words) {
    walker.budget.step();
    assign(state, name, word);
    if (body(state, context)) break;
  }
  return 'unknown';
}

function runArithmeticFor(node: ArithmeticFor, walker: Walker, state: State, context: Context): Status {
  const body: Round = (one, around) => {
    runList(node.body.commands, walker, one, around);
    if (endRound(one)) return true;
    arithmetic(node.update, { walker, state: one, context: around });
    return false;
  };
  arithmetic(node.initialize, { walker, state, context });
  for (let round = 0; ; round++) {
    const test = node.test ? arithmetic(node.test, { walker, state, context }) : 1n;
    if (test === 0n) return 'unknown';
    const most = node.test ? MOST_ROUNDS : ENDLESS_ROUNDS;
    if (test === undefined || round >= most) return runAnyRounds(walker, state, context, body);
    walker.budget.step();
    if (body(state, context)) return 'unknown';
  }
}

function runWhile(node: While, walker: Walker, state: State, context: Context): Status {
  const go: Status = node.kind === 'while' ? 'ok' : 'fail';
  const clause = (one: State, around: Context): Status => runList(node.clause.commands, walker, one, around);
  const body: Round = (one, around) => {
    runList(node.body.commands, walker, one, around);
    return endRound(one);
  };
  let before = fork(state);
  for (let round = 0; ; round++) {
    walker.budget.step();
    const still = round > 2 && unchanged(before, state);
    before = fork(state);
    const status = clause(state, context);
    if (state.flow) {
      endRound(state);
      return 'unknown';
    }
    if (status !== 'unknown' && status !== go) return 'unknown';
    if (status === 'unknown' || round >= MOST_DECIDED_ROUNDS || still) {
      const more: Round = (one, around) => {
        if (body(one, around)) return true;
        clause(one, around);
        return endRound(one);
      };
      return runAnyRounds(walker, state, context, more);
    }
    if (body(state, context)) return 'unknown';
  }
}

/** Nothing that a condition could see has changed: it goes on for ever, as far as is known. */
function unchanged(before: State, state: State): boolean {
  for (const [name, variable] of state.variables) if (before.variables.get(name) !== variable) return false;
  return samePlaces(before.places, state.places);
}

/** So many times a loop's body is walked while it still changes what is known. */
const MOST_WALKS = 4;

/**
 * Any number of rounds, none included: one as things stand; as long as that changed what is known, one more with everything that
 * changed unknown, which then stands for all others.
 */
function runAnyRounds(walker: Walker, state: State, context: Context, round: Round): Status {
  const around: Context = { ...context, certainty: 'maybe', repeated: true };
  return mayRun(state, around, (one) => {
    for (let walks = 0; ; walks++) {
      walker.budget.step();
      const before = fork(one);
      if (round(one, around)) return 'unknown';
      if (!forgetChanges(before, one)) return 'unknown';
      if (walks >= MOST_WALKS) walker.gap('a loop that changes too much', one, true);
      if (walks >= MOST_WALKS) return 'unknown';
    }
  });
}

/** Makes unknown what differs from `before`; false where nothing does. */
function forgetChanges(before: State, state: State): boolean {
  let changed = false;
  for (const [name, variable] of state.variables) {
    if (sameVariable(before.variables.get(name), variable)) continue;
    changed = true;
    const forgotten = variable.items
      ? { ...variable, items: new Map(), open: true }
      : scalar(UNKNOWN, variable.exported);
    state.variables.set(name, forgotten);
  }
  if (!samePlaces(before.places, state.places)) {
    changed = true;
    state.places = [{ kind: 'unknown' }];
  }
  if (before.positional !== state.positional && !isForgotten(before.positional)) {
    changed = true;
    state.positional = [UNKNOWN_WORDS];
  }
  if (!samePlaces(before.stack, state.stack)) {
    changed = true;
    state.stack = [{ kind: 'unknown' }];
  }
  return eitherFunction(before, state) || changed;
}

/** A function that a round defined anew may be the old or the new one. True where another body is among them now. */
function eitherFunction(before: State, state: State): boolean {
  let changed = false;
  for (const [name, bodies] of state.functions) {
    const old = before.functions.get(name) ?? ['program' as const];
    const fresh = bodies.filter((body) => !old.some((one) => sameBody(one, body)));
    if (fresh.length > 0) changed = true;
    state.functions.set(name, [...old, ...fresh]);
  }
  return changed;
}

const isForgotten = (texts: readonly Text[]): boolean => texts.length === 1 && texts[0] === UNKNOWN_WORDS;

/** After a round: takes up a `break` or `continue` that reached its loop. True when the loop ends. */
function endRound(state: State): boolean {
  takeEscaped(state, (one) => one.flow?.kind === 'continue' && one.flow.levels === 1);
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

/** Joins the histories in which a `break` or `continue` that may have been met was met. */
function takeEscaped(state: State, wanted: (one: State) => boolean): void {
  const mine = state.escaped.filter(wanted);
  if (mine.length === 0) return;
  state.escaped = state.escaped.filter((one) => !mine.includes(one));
  for (const one of mine) {
    const levels = one.flow?.levels ?? 1;
    if (levels > 1 && one.flow)
      state.escaped = [...state.escaped, { ...one, flow: { ...one.flow, levels: levels - 1 } }];
    else join(state, { ...one, flow: undefined, escaped: [] });
  }
}
