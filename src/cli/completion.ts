import fs from 'node:fs';
import { toBuffer } from '../platform/bytes.ts';
import { join } from '../platform/paths.ts';
import { type Command, wrongUsage } from './command.ts';
import { candidates } from './completion/candidates.ts';
import { SHELLS } from './own-shell.ts';

/**
 * `belay completion SHELL`: the code that lets TAB finish belay's words in that shell. It asks `belay completion --words …`
 * for each: a value a line, and after a tab what it is. Nothing is settled or written for that.
 */
export const completion: Command = {
  summary: 'the code that lets TAB finish the words of belay in a shell',
  usage: ['belay completion bash|zsh|fish'],
  help: `
The line that loads belay brings it along. Where belay is not loaded, for the start-up file:

  bash   eval "$(belay completion bash)"
  zsh    eval "$(belay completion zsh)"
  fish   belay completion fish | source

TAB knows the commands and their options, checkpoints with their reasons and paths, sessions with their titles, worktrees,
agents, settings and what they can be.`,
  raw: true,
  run: async (call) => {
    const [first, ...words] = call.words;
    if (first === '--words') {
      const found = await candidates(call, words);
      return { json: found, text: found.map(({ value, what }) => `${plain(value)}\t${plain(what)}\n`).join('') };
    }
    const shell = SHELLS.find((name) => name === first);
    if (shell === undefined || words.length > 0) throw wrongUsage('it wants the name of a shell: bash, zsh or fish');
    const code = fs.readFileSync(toBuffer(join(call.install, `shims/completion.${shell}`)), 'utf8');
    return { json: { shell, code }, text: code };
  },
};

/** A value a line, and after a tab what it is: neither has either in it. */
const plain = (text: string): string => text.replace(/[\0-\x1f\x7f]+/g, ' ');
