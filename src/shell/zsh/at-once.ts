/** From source, zsh is read from the start; the build puts `late.ts` in this place (package.json, imports). */
export { withGlobalAliases } from './global-aliases.ts';
export { toBash } from './translate.ts';
