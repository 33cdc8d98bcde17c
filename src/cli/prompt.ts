import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fromText, toText } from '../platform/bytes.ts';
import { type Command, failed } from './command.ts';

/**
 * `belay prompt`: bin/belay answers it itself, as a prompt asks at every line. What comes here wants the same as JSON.
 */
export const prompt: Command = {
  summary: 'a segment for starship and other prompts: whether the line before can be undone',
  usage: ['belay prompt'],
  help: `
Prints nothing most of the time; \`↶\` after a line that was saved (belay undo takes it back), \`not saved\` after one that ran
unprotected, \`belay off\` where this shell saves nothing. It starts no node, and takes about as long as a shell does to start.

For starship, in ~/.config/starship.toml:

  [custom.belay]
  command = "belay prompt"
  when = true
  shell = ["sh"]
  format = "[($output )](yellow)"`,
  words: 0,
  run: ({ install }) => {
    const parts = ['home', 'prompt'].map((name) => join(toText(install), `shims/parts/${name}.sh`));
    const ask = (what: string): string => {
      const done = spawnSync('sh', ['-c', `. "$1" && . "$2" && ${what}`, 'sh', ...parts], { encoding: 'utf8' });
      if (done.error !== undefined) throw failed('failed', `sh cannot be started: ${fromText(done.error.message)}`);
      return done.stdout.trim();
    };
    return { json: { state: ask('belay_prompt_state') || null }, text: ask('belay_prompt') };
  },
};
