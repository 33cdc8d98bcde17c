import { type Command, failed } from './command.ts';

/** Only the shell itself can stop handing lines over: `on` and `off` are a function that `belay init` defines. */
const here = (word: 'on' | 'off'): Command => ({
  summary: word === 'on' ? 'save again in this shell' : 'save nothing in this shell',
  usage: [`belay ${word}`],
  run: () => {
    throw failed(
      'not_loaded',
      'this shell has not loaded belay, so there is nothing to switch',
      'In bash: eval "$(belay init bash)". For one program: belay run --no-checkpoints -- CMD',
    );
  },
});

export const on = here('on');
export const off = here('off');
