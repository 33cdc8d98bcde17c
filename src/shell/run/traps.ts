import type { Bytes } from '../../platform/bytes.ts';
import { fork, type State } from '../state/state.ts';
import { isKnown, type Text, toArg } from '../words/text.ts';
import type { Context } from './context.ts';
import type { Walker } from './walker.ts';

/** Functions that zsh calls on a signal and when it ends (zshmisc(1), *Trap Functions*, *Hook Functions*). */
const ON_SIGNAL = /^(?:zshexit|TRAP[A-Z0-9]+)$/;

/**
 * At the end of a shell: what `trap … EXIT` (or a signal) will run, with what is known then. `parent`: a subshell has the
 * functions of its parent, which runs them itself.
 */
export function runTraps(walker: Walker, state: State, context: Context, parent?: State): void {
  for (const trap of state.traps.splice(0)) runTrap(trap, walker, state, context);
  if (context.shell !== 'zsh') return;
  for (const [name, bodies] of state.functions) {
    const own = parent ? parent.functions.get(name) !== bodies : !walker.line.functions.has(name);
    if (own && bodies.length > 0 && ON_SIGNAL.test(name)) runTrap({ text: name, signal: name }, walker, state, context);
  }
}

/** Calls at once the functions that wait for something that now happens (fish). */
export function raise(signal: Bytes, args: readonly Text[], { walker, state, context }: Shell): void {
  if (context.barred.has(signal)) return;
  const around: Context = { ...context, depth: context.depth + 1, barred: new Set([...context.barred, signal]) };
  for (const trap of state.traps)
    if (trap.signal === signal.toUpperCase())
      walker.command(
        [trap.text, ...args].map((text) => toArg(text)),
        state,
        around,
      );
}

interface Shell {
  readonly walker: Walker;
  readonly state: State;
  readonly context: Context;
}

/** Some time or other, perhaps. */
export function runTrap(trap: State['traps'][number], walker: Walker, state: State, context: Context): void {
  const child = { ...fork(state), flow: undefined, traps: [] };
  const around: Context = {
    ...context,
    deferred: true,
    certainty: 'maybe',
    depth: context.depth + 1,
  };
  if (isKnown(trap.text)) walker.text(trap.text, child, around);
  else walker.gap('a trap whose commands are not known', child);
}
