import { resolve as resolvePath } from '../../platform/paths.ts';
import type { State } from '../state/state.ts';
import type { Arg } from '../types.ts';
import { UNKNOWN } from '../words/text.ts';

/** Programs after which every folder is where it was. */
const STILL = new Set(
  'ls cat grep egrep fgrep rg head tail wc test stat file which printf echo sleep date whoami id hostname uname ps env printenv sort uniq cut tr diff cmp du df basename dirname realpath readlink seq less more pwd true false'.split(
    ' ',
  ),
);

/** git commands after which every file is where it was. */
const READS = new Set(
  'rev-parse status log diff show branch ls-files config remote describe rev-list blame'.split(' '),
);

const readsOnly = (arg: Arg | undefined): boolean => arg?.kind === 'known' && READS.has(arg.text);

/** Programs after which a file that they were given may hold anything. */
const WRITES = new Set(
  'cp mv ln install rsync tee sponge sed perl ruby awk gawk dd truncate curl wget tar unzip patch git split sort ed ex vi vim nano emacs'.split(
    ' ',
  ),
);

const GOES = new Set(['rm', 'rmdir', 'mv', 'unlink']);

/**
 * Remembers which folders the line makes, moves or removes, so that a later `cd` can be judged: into a folder that is not there
 * yet, out of one that is there no longer.
 */
export function noteChanges(argv: readonly Arg[], state: State): void {
  const first = argv[0];
  const name = first?.kind === 'known' ? first.text.slice(first.text.lastIndexOf('/') + 1) : '';
  if (STILL.has(name) || (name === 'git' && readsOnly(argv[1]))) return;
  const place = state.places[0];
  const [makes, goes, writes] = [name === 'mkdir', GOES.has(name), WRITES.has(name)];
  if (!makes) state.changed = true;
  if (!makes && !goes && !writes) return;
  for (const arg of argv.slice(1)) {
    if (arg.kind !== 'known' || arg.text.startsWith('-')) continue;
    if (place?.kind !== 'known' && !arg.text.startsWith('/')) continue;
    const path = resolvePath(place?.kind === 'known' ? place.path : '/', arg.text);
    if (makes) state.made.add(path);
    if (goes) state.gone.add(path);
    if (writes) state.written.set(path, UNKNOWN);
  }
}
