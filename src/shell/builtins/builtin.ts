import type { Bytes } from '../../platform/bytes.ts';
import type { HowRun } from '../run/argv.ts';
import type { Context, Status } from '../run/context.ts';
import type { Walker } from '../run/walker.ts';
import type { State } from '../state/state.ts';
import type { Arg } from '../types.ts';
import { type Text, toText } from '../words/text.ts';

/** A builtin command as it is about to run. */
export interface BuiltinCall {
  readonly argv: readonly Arg[];
  readonly walker: Walker;
  readonly state: State;
  readonly context: Context;
  readonly how: HowRun;
}

export type Builtin = (call: BuiltinCall) => Status;

export const textsOf = (call: BuiltinCall): readonly Text[] => call.argv.slice(1).map(toText);

/** Splits leading options (`-rf`, `--`) from operands. Undefined where a word that is not known may be one. */
export function splitOptions(
  texts: readonly Text[],
  withValue = '',
): { readonly flags: ReadonlyMap<string, Text | true>; readonly operands: readonly Text[] } {
  const flags = new Map<string, Text | true>();
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at];
    if (text === '--') return { flags, operands: texts.slice(at + 1) };
    if (typeof text !== 'string' || !/^-[A-Za-z]/.test(text)) return { flags, operands: texts.slice(at) };
    for (let i = 1; i < text.length; i++) {
      const flag = text.charAt(i);
      if (!withValue.includes(flag)) flags.set(flag, true);
      else {
        flags.set(flag, i + 1 < text.length ? text.slice(i + 1) : (texts[++at] ?? ''));
        break;
      }
    }
  }
  return { flags, operands: [] };
}

/** A valid variable name. */
export const isName = (text: Bytes): boolean => /^[A-Za-z_]\w*$/.test(text);
