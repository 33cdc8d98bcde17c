import type { Bytes } from '../../platform/bytes.ts';
import type { Arg } from '../../shell/types.ts';

/** An argument as sh text that stands for it; what is not known is a variable that nothing sets. */
export const quoted = (arg: Arg): Bytes =>
  arg.kind === 'known' ? `'${arg.text.replaceAll("'", "'\\''")}'` : `'${arg.prefix}'"$_UNKNOWN_WORD_"'${arg.suffix}'`;
