import { figure, type Row } from '../measure.ts';
import { bareEnvironment, type Place, top } from '../place.ts';
import { atPrompt } from '../prompt.ts';
import { gitProcesses } from '../trace.ts';
import { victims } from '../trees.ts';

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
    const lines = victims(root, rounds + 1, count).map((names) => `rm ${names.join(' ')}`);
    const env = place?.env ?? bareEnvironment(top);
    // The first line of a session also makes its folders and is everybody's coldest.
    return atPrompt(place, lines, { cwd: root, env, pause: PAUSE }).slice(1);
  };
  const bare = figure(typed(undefined));
  const what = `rm of ${count} named ${count === 1 ? 'file' : 'files'}, tree of ${size}`;
  return places.map((place) => ({
    what: `${what}, ${place.snap}`,
    figure: figure(typed(place)),
    beside: { what: 'bare rm', figure: bare },
    note: gitNote(place, root, count),
  }));
}

function gitNote(place: Place, root: string, count: number): string {
  const [names = []] = victims(root, 1, count);
  const seen = gitProcesses(place, root, `rm ${names.join(' ')}`);
  return seen === undefined ? 'no strace here' : `${seen} git processes before rm`;
}
