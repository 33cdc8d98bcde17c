/** For `node --import`: runs TypeScript (test/typescript.mjs), whatever folder the process starts in. */
export const LOADER = import.meta.resolve('./typescript.mjs');
