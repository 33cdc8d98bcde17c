/** From source, all programs have their rules from the start; the build puts `late.ts` in this place (package.json, imports). */
export { printedByFind } from '../find/printed.ts';
export { printedByGrep } from '../matched-files.ts';
export { ruleFor as furtherRule } from '../table.ts';
