/** Everything but belay-snap has the rules of all programs from its start; belay-snap has `late.ts` in this place (package.json, imports). */
export { ruleFor as furtherRule } from '../table.ts';
