import type { Bytes } from '../platform/bytes.ts';
import type { Call } from '../shell/types.ts';
import type { Out } from './types.ts';

/** What a command reads from its standard input, where that is known. */
export function inputText(call: Call, out: Out): Bytes | undefined {
  const { stdin } = call;
  if (stdin.kind === 'text') return stdin.text;
  return stdin.kind === 'file' ? out.textOf(stdin.path) : undefined;
}
