import { printedByFind } from '#further-rules';
import type { Bytes } from '../platform/bytes.ts';
import type { Call } from '../shell/types.ts';
import { textOfArg } from './row.ts';
import type { Out } from './types.ts';

/** What a command prints, where the tables know: asked when the line itself reads it. */
export function printedBy(call: Call, out: Out): Bytes | undefined {
  const name = textOfArg(call.argv[0])?.replace(/^.*\//, '');
  return name === 'find' ? printedByFind(call, out) : undefined;
}
