import fs from 'node:fs';
import { join } from 'node:path';
import { figure, type Row } from '../measure.ts';
import { bareEnvironment, type Place, run, top } from '../place.ts';
import { atPrompt } from '../prompt.ts';

/** `rm -rf` of a folder that git ignores, every file of which is held: beside the bare command. */
export function ignored(places: readonly Place[], count: number, rounds: number): readonly Row[] {
  const root = join(top, 'ignored');
  fs.mkdirSync(root);
  run('git', ['init', '-q'], { cwd: root });
  fs.writeFileSync(join(root, '.gitignore'), 'out-*\n');
  const typed = (place: Place | undefined): number[] => {
    for (let round = 0; round <= rounds; round++) fill(join(root, `out-${round}`), count);
    const lines = Array.from({ length: rounds + 1 }, (_, round) => `rm -rf out-${round}`);
    // What is settled between two lines takes longer here than a person's pause: it is not what is measured.
    const env = place?.env ?? bareEnvironment(top);
    return atPrompt(place, lines, { cwd: root, env, pause: count > 1000 ? 4 : 0.2 }).slice(1);
  };
  const bare = figure(typed(undefined));
  return places.map((place) => ({
    what: `rm -rf of an ignored folder of ${count.toLocaleString('en')} files, ${place.snap}`,
    figure: figure(typed(place)),
    beside: { what: 'bare rm -rf', figure: bare },
  }));
}

function fill(folder: string, count: number): void {
  for (let i = 0; i < count; i++) {
    if (i % 100 === 0) fs.mkdirSync(join(folder, String(i / 100)), { recursive: true });
    fs.writeFileSync(join(folder, String(Math.floor(i / 100)), `${i}.o`), `object ${i}\n`);
  }
}
