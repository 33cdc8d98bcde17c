import type { Bytes } from '../../platform/bytes.ts';

/** Whether these words of `belay run` ask for a worktree. */
export const wantsWorktree = (words: readonly Bytes[]): boolean => {
  const own = words.slice(0, words.includes('--') ? words.indexOf('--') : words.length);
  return own.some((word) => word === '-w' || word === '--rm' || /^--worktree(=|$)/.test(word));
};
