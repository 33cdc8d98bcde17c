import { fork, type State } from '../state/state.ts';
import { isKnown } from '../words/text.ts';
import type { Context } from './context.ts';
import type { Walker } from './walker.ts';

/** At the end of a shell: what `trap … EXIT` (or a signal) will run, with what is known then. */
export function runTraps(walker: Walker, state: State, context: Context): void {
  for (const trap of state.traps.splice(0)) runTrap(trap, walker, state, context);
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
