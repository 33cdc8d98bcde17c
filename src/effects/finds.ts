import type { Bytes } from '../platform/bytes.ts';
import { basename } from '../platform/paths.ts';
import { matchesText } from '../shell/glob/match.ts';
import type { Line } from '../shell/types.ts';
import type { Plan } from './types.ts';

/**
 * What the line would take as well if it were made before it runs, as a hold is: `nothing`, since each target's name stands in the line or
 * is one that its patterns match where nothing hidden is; `hidden` names, by patterns, wherever those are; or `all` in the plan's `dirs`,
 * by names that are found when it runs.
 */
export type Finds = 'nothing' | 'hidden' | 'all';

/** They go through a tree themselves, or take their names from elsewhere. */
const WALKS = /\*\*|\b(?:find|fd|fdfind|rsync|xargs|parallel)\b/;
const HIDDEN_TOO = /\b(?:dotglob|globdots|glob_dots|GLOBIGNORE)\b/i;
/** A word, or a name behind a slash, with a wildcard, that begins with what may be a dot; zsh's qualifier `D`. */
const OF_DOTS = /(?:^|[\s/=;&|(])[.[{!@+($^][^\s/;&]*[*?[]|[*?\])]\([^)\s]*D[^)\s]*\)/;
const WILD = /[*?[]/;

export function findsIn(line: Line, plan: Pick<Plan, 'targets' | 'effects'>): Finds {
  // Aliases and functions that the line names are handed over with it.
  const text = [line.text, ...line.aliases.values(), ...line.functions.values()].join('\n');
  if (WALKS.test(text) || plan.effects.some(({ verb }) => WALKS.test(verb))) return 'all';
  const patterns = patternsOf(line.text);
  const isNamed = (name: Bytes): boolean =>
    line.text.includes(name) || patterns.some((pattern) => matchesText(pattern, name, SEEN));
  if (plan.targets.some(({ path, way }) => way !== 'create' && !isNamed(basename(path)))) return 'all';
  const ownDots = line.options.has('dotglob') || line.variables.has('GLOBIGNORE') || HIDDEN_TOO.test(text);
  return WILD.test(text) && (ownDots || OF_DOTS.test(text.replace(/\$[?*#@!$-]|["'\\]/g, ''))) ? 'hidden' : 'nothing';
}

const SEEN = { ignoreCase: false, utf8: false, dots: false } as const;

/** The last names of its words that have a wildcard outside of quotes. */
const patternsOf = (text: Bytes): Bytes[] =>
  text
    .replace(/'[^']*'|"[^"]*"/g, (quoted) => quoted.slice(1, -1).replace(/[*?[\s]/g, '\0'))
    .split(/[\s;&|<>()]+/)
    .map((word) => word.slice(word.lastIndexOf('/') + 1))
    .filter((name) => WILD.test(name) && name !== '[');
