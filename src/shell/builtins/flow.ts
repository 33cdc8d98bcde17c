import type { Flow } from '../state/state.ts';
import { type Builtin, textsOf } from './builtin.ts';

/** `exit`, `return`, `break`, `continue`: what follows is not run. */
export const leave =
  (kind: Flow['kind']): Builtin =>
  (call) => {
    const [first] = textsOf(call);
    const number = typeof first === 'string' && /^\d+$/.test(first) ? Number(first) : undefined;
    const loops = kind === 'break' || kind === 'continue';
    call.state.flow = { kind, levels: loops ? Math.max(1, number ?? 1) : 1 };
    if (loops) return 'ok';
    return number === undefined ? 'unknown' : number === 0 ? 'ok' : 'fail';
  };
