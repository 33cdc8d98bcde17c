import { figure, type Row } from '../measure.ts';
import { bareEnvironment, type Place, top } from '../place.ts';
import { atPrompt } from '../prompt.ts';
import { startedBefore } from '../trace.ts';
import { names, victims } from '../trees.ts';

/** Seconds at a prompt before the next line: long enough for the background to be done. */
const PAUSE = 0.4;

/** `rm` of named files at the prompt, from Enter to the next prompt, in a tree of a given size. */
export function remove(
  places: readonly Place[],
  root: string,
  size: string,
  count: number,
  rounds: number,
): readonly Row[] {
  const typed = (place: Place | undefined): number[] => {
    const lines = victims(root, rounds + 1, count).map((files) => `rm ${files.join(' ')}`);
    const env = place?.env ?? bareEnvironment(top);
    // The first line of a session also makes its folders and is everybody's coldest.
    return atPrompt(place, lines, { cwd: root, env, pause: PAUSE }).slice(1);
  };
  const bare = figure(typed(undefined));
  const what = `rm of ${names(count)}, tree of ${size}`;
  return places.map((place) => ({
    what: `${what}, ${place.snap}`,
    figure: figure(typed(place)),
    beside: { what: 'bare rm', figure: bare },
    note: gitNote(place, root, count),
  }));
}

function gitNote(place: Place, root: string, count: number): string {
  const [files = []] = victims(root, 1, count);
  const seen = startedBefore(place, root, `rm ${files.join(' ')}`);
  return seen === undefined ? 'no strace here' : `${seen.processes} processes, ${seen.git} git processes before rm`;
}
