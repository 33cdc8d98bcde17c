import fs from 'node:fs';
import { join } from 'node:path';
import { figure, type Row } from '../measure.ts';
import { type Place, run } from '../place.ts';
import { started } from '../started.ts';

/** What starting a program costs here at all: `/bin/true`, bare node, belay-snap and belay doing next to nothing. */
export function floor(places: readonly Place[], rounds: number): readonly Row[] {
  const truth = { what: '/bin/true', figure: figure(started('/bin/true', [], rounds)) };
  const node = { what: 'node -e 0', figure: figure(started('node', ['-e', '0'], rounds)) };
  return [
    { ...node, beside: truth },
    ...places.map((place) => ({
      what: `belay-snap loaded, nothing to do, ${place.snap}`,
      figure: figure(
        place.snap === 'compiled'
          ? started(join(place.install, 'dist/belay-snap'), ['--version'], rounds, place)
          : started('node', [join(place.install, 'dist/belay-snap.cjs'), '--version'], rounds, place),
      ),
      beside: place.snap === 'compiled' ? truth : node,
    })),
    ...places.slice(0, 1).flatMap((one) => {
      const cwd = withCheckpoints(one);
      // The same store, asked by both.
      return places.flatMap(({ install, snap }) =>
        [
          ['--help', 'belay --help'],
          ['list', 'belay list, 8 checkpoints'],
        ].map(([word = '', what = '']) => besideNode({ ...one, install }, word, `${what}, ${snap}`, cwd, rounds)),
      );
    }),
  ];
}

/** Taken in turns with bare node, so that what else the machine does falls on both. */
function besideNode(place: Place, word: string, what: string, cwd: string, rounds: number): Row {
  const [mine, bare]: [number[], number[]] = [[], []];
  for (let i = 0; i < rounds; i++) {
    bare.push(...started('node', ['-e', '0'], 1));
    mine.push(...started(join(place.install, 'bin/belay'), [word], 1, { ...place, cwd }));
  }
  return { what, figure: figure(mine), beside: { what: 'node -e 0, in turns', figure: figure(bare) } };
}

/** A project in which eight lines were saved, and a list was asked for before. */
function withCheckpoints(place: Place): string {
  const cwd = join(place.install, '../listed');
  fs.mkdirSync(cwd);
  fs.writeFileSync(join(cwd, 'package.json'), '{}');
  for (let i = 0; i < 8; i++) {
    fs.writeFileSync(join(cwd, 'a'), `${i}\n`);
    run(join(place.install, 'bin/belay'), ['run', '--', 'sh', '-c', 'rm a'], { ...place, cwd });
  }
  run(join(place.install, 'bin/belay'), ['list'], { ...place, cwd });
  return cwd;
}
