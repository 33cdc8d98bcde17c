import type { Flow } from '../state/state.ts';
import { type Builtin, textsOf } from './builtin.ts';

/** `exit`, `return`, `break`, `continue`: what follows is not run. */
export const leave =
  (kind: Flow['kind']): Builtin =>
  (call) => {
    const [first] = textsOf(call);
    const number = typeof first === 'string' && /^\d+$/.test(first) ? Number(first) : undefined;
    const loops = kind === 'break' || kind === 'continue';
    // Where there is nothing to leave the shell complains and goes on.
    const { state } = call;
    if (loops ? state.loops === 0 : kind === 'return' && state.locals.length === 0 && state.sourced === 0)
      return loops ? 'ok' : 'fail';
    state.flow = { kind, levels: loops ? Math.min(state.loops, Math.max(1, number ?? 1)) : 1 };
    if (loops) return 'ok';
    return number === undefined ? 'unknown' : number === 0 ? 'ok' : 'fail';
  };
