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

/** Only the shell itself has a session to leave. */
const another = (word: 'new' | 'reset' | 'clear'): Command => ({
  summary:
    word === 'clear' ? 'clear the screen, and begin a new session in this shell' : 'begin a new session in this shell',
  usage: [`belay ${word}`],
  help: 'The session before stays as it is: `belay sessions`, `belay resume`. Its turns are taken back with `belay undo --session ID`.',
  words: 0,
  run: ({ install }) => {
    const env = environment();
    throw failed(
      'not_loaded',
      'this shell has not loaded belay, so it has no session',
      `To load it: ${initLine(shellOf(env, parentName()), env, install)}`,
    );
  },
});

export const fresh = another('new');
export const reset = another('reset');
export const clear = another('clear');

export const on = here('on');
export const off = here('off');
