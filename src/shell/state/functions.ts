import type { CommandNode, CompoundList } from 'unbash';
import type { Bytes } from '../../platform/bytes.ts';

/** A function as it was defined: its body, run where it is called. */
export interface FunctionBody {
  readonly body: CommandNode | CompoundList;
  /** The text it was parsed from. */
  readonly source: Bytes;
  /** Its words are words of the line that the person typed. */
  readonly inLine: boolean;
}

/** The same definition, met once more. */
export const sameBody = (left: FunctionBody | 'program', right: FunctionBody | 'program'): boolean =>
  left === right || (left !== 'program' && right !== 'program' && left.body === right.body);
