import type { CommandNode, CompoundList, ParsedScript } from 'unbash';
import type { Bytes } from '../../platform/bytes.ts';

/** A function as it was defined: its body, run where it is called. */
export interface FunctionBody {
  readonly body: CommandNode | CompoundList;
  /** The text it was parsed from. */
  readonly source: Bytes;
  /** Its words are words of the line that the person typed. */
  readonly inLine: boolean;
}

/** How bash keeps an exported function among the variables of the environment. */
export const exportedAs = (name: Bytes): Bytes => `BASH_FUNC_${name}%%`;

export const exportedName = (variable: Bytes): Bytes | undefined => /^BASH_FUNC_([\s\S]+)%%$/.exec(variable)?.[1];

/** A function from a text that was parsed for itself: the whole of it is the body. */
export const bodyOf = ({
  script,
  source,
}: {
  readonly script: ParsedScript;
  readonly source: Bytes;
}): FunctionBody => ({
  body: { type: 'CompoundList', pos: 0, end: source.length, commands: script.commands },
  source,
  inLine: false,
});

/** The same definition, met once more. */
export const sameBody = (left: FunctionBody | 'program', right: FunctionBody | 'program'): boolean =>
  left === right || (left !== 'program' && right !== 'program' && left.body === right.body);
