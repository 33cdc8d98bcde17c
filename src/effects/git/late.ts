import type { Call, Foretold } from '../../shell/types.ts';
import type { Out, Rule } from '../types.ts';

/** belay-snap's way to the rule of git, which is as large as those of all other programs: loaded at the first `git` (docs/decisions/0007). */
export const gitRule: Rule = (call, out) => (require('./rule.ts') as typeof import('./rule.ts')).gitRule(call, out);

/** What it would print: as late. */
export const printedByGit = (call: Call, out: Out): Foretold | undefined =>
  (require('./printed.ts') as typeof import('./printed.ts')).printedByGit(call, out);
