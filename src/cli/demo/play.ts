import { join } from 'node:path';
import { fromText } from '../../platform/bytes.ts';
import { differences, type Picture, takePicture } from './picture.ts';
import { setStage, strike } from './stage.ts';
import type { Beat, State } from './story.ts';
import { Terminal } from './terminal.ts';

export type Step =
  | { readonly what: 'tell'; readonly text: string }
  | { readonly what: 'type'; readonly line: string; readonly output: string }
  | {
      readonly what: 'expect';
      readonly state: State;
      readonly ok: boolean;
      readonly differs: readonly string[];
    };

export interface Played {
  readonly ok: boolean;
  readonly on: 'pty' | 'pipe';
  readonly files: number;
  readonly ms: number;
  readonly steps: readonly Step[];
  /** Kept for a look when something failed. */
  readonly folder?: string;
}

/**
 * Plays the story in a real interactive bash and looks at the files after each accident and each return. Stops at the first
 * step that fails. `show` is told each step as it happens.
 */
export async function play(
  install: string,
  story: readonly Beat[],
  options: { readonly colour: boolean; readonly keep: boolean },
  show: (step: Step) => void,
): Promise<Played> {
  const stage = setStage(install, options.colour);
  const start: Picture = takePicture(fromText(stage.project));
  const rc = join(install, 'shims/demo-rc.bash');
  // What a line prints is shown two columns further in.
  const env = { ...stage.env, BELAY_DEMO_COLUMNS: String((process.stdout.columns || 80) - 2) };
  const terminal = new Terminal(['bash', '--rcfile', rc, '-i'], stage.project, env);
  const steps: Step[] = [];
  const take = (step: Step): void => {
    steps.push(step);
    show(step);
  };
  let ok = false;
  try {
    await terminal.prompt();
    for (const beat of story) {
      if (beat.what === 'tell') take(beat);
      else if (beat.what === 'type') take({ ...beat, output: await terminal.type(beat.line) });
      else {
        const step = judge(beat.state, differences(start, takePicture(fromText(stage.project))));
        take(step);
        if (!step.ok) break;
      }
    }
    ok = steps.length === story.length && steps.every((step) => step.what !== 'expect' || step.ok);
  } finally {
    terminal.close();
    if (ok && !options.keep) strike(stage);
  }
  const files = [...start.values()].filter((what) => what.startsWith('file')).length;
  return {
    ok,
    on: terminal.on,
    files,
    ms: terminal.age,
    steps,
    ...(ok && !options.keep ? {} : { folder: stage.folder }),
  };
}

const judge = (state: State, differs: readonly string[]): Extract<Step, { what: 'expect' }> => ({
  what: 'expect',
  state,
  ok: (state === 'whole') === (differs.length === 0),
  differs,
});
