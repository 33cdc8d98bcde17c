import { isKnown } from '../words/text.ts';
import { type Builtin, splitOptions, textsOf } from './builtin.ts';

/** `trap TEXT SIGNAL…`: TEXT runs later, at the latest when the shell ends. `trap - SIGNAL` and `trap '' SIGNAL` take it back. */
export const trap: Builtin = (call) => {
  const { flags, operands } = splitOptions(textsOf(call));
  if (flags.has('l') || flags.has('p') || operands.length < 2) return 'ok';
  const [text, ...signals] = operands;
  if (text === undefined) return 'ok';
  for (const signal of signals) {
    const name = isKnown(signal) ? signal.replace(/^SIG/i, '').toUpperCase().replace(/^0$/, 'EXIT') : '?';
    // Another one for the same signal may be set in a branch that is not taken: both are kept, only `-` and `''` in the open take it back.
    if (text === '-' || text === '') {
      if (call.context.certainty === 'known') call.state.traps = call.state.traps.filter((one) => one.signal !== name);
    } else {
      const { certainty } = call.context;
      const others = call.state.traps.filter((one) => certainty === 'maybe' || one.signal !== name);
      call.state.traps = [...others, { text, signal: name }];
    }
  }
  return 'ok';
};
