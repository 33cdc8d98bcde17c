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
