import type { Rule } from '../types.ts';

/** belay-snap's way to the rule of git, which is as large as those of all other programs: loaded at the first `git` (docs/decisions/0007). */
export const gitRule: Rule = (call, out) => (require('./rule.ts') as typeof import('./rule.ts')).gitRule(call, out);
