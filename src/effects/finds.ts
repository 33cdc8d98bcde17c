import type { Bytes } from '../platform/bytes.ts';
import { basename } from '../platform/paths.ts';
import type { Line } from '../shell/types.ts';
import type { Plan } from './types.ts';

/**
 * What the line would take as well if it were made in the plan's `dirs` before it runs, as a hold is: `nothing`, since it names what it
 * takes, or patterns that match what is visible; `hidden` names, by patterns; or `all`, by names that it finds when it runs.
 */
export type Finds = 'nothing' | 'hidden' | 'all';

/** They go through a tree themselves. */
const WALKS = /\*\*|\b(?:find|fd|fdfind|rsync|xargs|parallel)\b/;
/** What is named by one of these comes from somewhere else than the line. */
const TOLD = /\$\(|`|<\(|\b(?:ls|read|mapfile|readarray|git)\b/;
const HIDDEN_TOO = /\b(?:dotglob|globdots|glob_dots|GLOBIGNORE)\b/i;
/** A word, or a name behind a slash, with a wildcard, that begins with what may be a dot. */
const OF_DOTS = /(?:^|[\s/=;&|(])[.[{!@+($][^\s/;&|]*[*?[]/;
const WILD = /[*?[]/;

export function findsIn(line: Line, plan: Pick<Plan, 'targets'>): Finds {
  const { text } = line;
  if (WALKS.test(text)) return 'all';
  const unnamed = plan.targets.some(({ path, way }) => way !== 'create' && !text.includes(basename(path)));
  if (unnamed && (TOLD.test(text) || !WILD.test(text))) return 'all';
  if (!WILD.test(text)) return 'nothing';
  return ownsDots(line) || OF_DOTS.test(unquoted(text)) ? 'hidden' : 'nothing';
}

const ownsDots = (line: Line): boolean =>
  line.options.has('dotglob') || HIDDEN_TOO.test(line.text) || line.variables.has('GLOBIGNORE');

const unquoted = (text: Bytes): Bytes => text.replace(/["'\\]/g, '');
