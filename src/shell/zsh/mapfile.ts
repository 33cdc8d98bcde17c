import type { Scene } from '../words/expand.ts';
import { type Text, toArg } from '../words/text.ts';

/** zshmodules(1), zsh/mapfile: `mapfile[FILE]=TEXT` writes the file, unsetting the item deletes it. */
export function writeMapped(file: Text, { walker, state, context }: Scene): void {
  walker.visitor.redirect({
    kind: 'write',
    clobber: true,
    target: toArg(file),
    cwd: state.places[0] ?? { kind: 'unknown' },
    certainty: context.certainty,
    deferred: context.deferred,
    fd: 10,
  });
}
