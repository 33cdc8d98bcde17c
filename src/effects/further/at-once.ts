/** From source, all programs have their rules from the start; the build puts `late.ts` in this place (package.json, imports). */
export { ruleFor as furtherRule } from '../table.ts';
