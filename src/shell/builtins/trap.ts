import type { Bytes } from '../../platform/bytes.ts';
import { runTrap } from '../run/traps.ts';
import { isKnown } from '../words/text.ts';
import { type Builtin, type BuiltinCall, splitOptions, textsOf } from './builtin.ts';

/**
 * `trap TEXT SIGNAL…`: TEXT runs later, at the latest when the shell ends. `trap - SIGNAL` and `trap '' SIGNAL` take it back; the
 * signal may have come before (`kill -USR1 $$`), the end has not.
 */
export const trap: Builtin = (call) => {
  const { flags, operands } = splitOptions(textsOf(call));
  if (flags.has('l') || flags.has('p') || operands.length < 2) return 'ok';
  const [text, ...signals] = operands;
  if (text === undefined) return 'ok';
  for (const signal of signals) {
    const name = isKnown(signal) ? signal.replace(/^SIG/i, '').toUpperCase().replace(/^0$/, 'EXIT') : '?';
    // Another one for the same signal may be set in a branch that is not taken: both are kept, only `-` and `''` in the open take it back.
    if (text === '-' || text === '') {
      if (call.context.certainty === 'known') takeBack(name, call);
    } else {
      if (call.context.certainty === 'known') takeBack(name, call);
      call.state.traps = [...call.state.traps, { text, signal: name }];
    }
  }
  return 'ok';
};

function takeBack(signal: Bytes, { walker, state, context }: BuiltinCall): void {
  const gone = state.traps.filter((one) => one.signal === signal);
  state.traps = state.traps.filter((one) => one.signal !== signal);
  if (signal !== 'EXIT') for (const one of gone) runTrap(one, walker, state, context);
}
