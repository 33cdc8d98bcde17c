import { printedByFind, printedByGrep } from '#further-rules';
import { printedByGit } from '#git-rule';
import type { Bytes } from '../platform/bytes.ts';
import type { Call, Foretold } from '../shell/types.ts';
import { textOfArg } from './row.ts';
import type { Out } from './types.ts';

const PRINTED: ReadonlyMap<Bytes, (call: Call, out: Out) => Foretold | undefined> = new Map([
  ['find', printedByFind],
  ['git', printedByGit],
  ['grep', printedByGrep],
  ['egrep', printedByGrep],
  ['fgrep', printedByGrep],
]);

/** What a command prints, where the tables know: asked when the line itself reads it. */
export function printedBy(call: Call, out: Out): Foretold | undefined {
  const name = textOfArg(call.argv[0])?.replace(/^.*\//, '');
  return name === undefined ? undefined : PRINTED.get(name)?.(call, out);
}
