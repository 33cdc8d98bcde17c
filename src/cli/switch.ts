import { environment } from '../platform/home.ts';
import { type Command, failed } from './command.ts';
import { initLine, parentName, shellOf } from './own-shell.ts';

/** Only the shell itself can stop handing lines over: `on` and `off` are a function that `belay init` defines. */
const here = (word: 'on' | 'off'): Command => ({
  summary: word === 'on' ? 'save again in this shell' : 'save nothing in this shell',
  usage: [`belay ${word}`],
  help: `Switches belay ${word} in the shell that it is typed in; every other shell stays as it is.`,
  words: 0,
  run: ({ install }) => {
    const env = environment();
    throw failed(
      'not_loaded',
      'this shell has not loaded belay, so there is nothing to switch',
      `To load it: ${initLine(shellOf(env, parentName()), env, install)}. For one program: belay run --no-checkpoints -- CMD`,
    );
  },
});

export const on = here('on');
export const off = here('off');
