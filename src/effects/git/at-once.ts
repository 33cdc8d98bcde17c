/** From source, git's rules are there from the start; the build puts `late.ts` in this place (package.json, imports). */
export { printedByGit } from './printed.ts';
export { gitRule } from './rule.ts';
