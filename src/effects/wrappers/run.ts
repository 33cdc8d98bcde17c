import type { Bytes } from '../../platform/bytes.ts';
import type { Arg } from '../../shell/types.ts';
import { textOfArg, type Use } from '../row.ts';

/** Runs what is left after some operands of its own. */
export const runs =
  (skip = 0, change: Parameters<Use['call']['run']>[1] = {}) =>
  (use: Use): void => {
    const argv = use.words.operands.slice(skip);
    if (argv.length > 0) use.call.run(argv, change);
  };

/** The words as `sh -c` gets them: joined by blanks. Undefined when one of them cannot be known. */
function joined(words: readonly Arg[]): Bytes | undefined {
  const texts = words.map(textOfArg);
  return texts.every((text) => text !== undefined) ? texts.join(' ') : undefined;
}

/** Runs words as `sh -c` text. */
export function runsText(use: Use, words: readonly Arg[], change: { readonly deferred?: boolean } = {}): void {
  if (words.length === 0) return;
  const text = joined(words);
  if (text !== undefined) use.call.script(text, { shell: 'sh', ...change });
  else use.call.run(words, change);
}

/** A command after `--`, or from the first word that is no option of it: programs with too many options to list. */
export const afterDashes = (use: Use): void => {
  const at = use.call.argv.findIndex((arg) => textOfArg(arg) === '--');
  if (at > 0) use.call.run(use.call.argv.slice(at + 1));
  else use.out.opaque(use.verb, use.call.cwd);
};

/** Options end at the first operand: what follows is the other program's. */
export const stops = { stopsAtOperand: true } as const;

export const same = 'what the command it runs loses';
