import { join } from 'node:path';
import { figure, type Row } from '../measure.ts';
import type { Place } from '../place.ts';
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
    ...places.slice(0, 1).flatMap((place) =>
      ['--help', 'list'].map((word) => ({
        what: `belay ${word}`,
        figure: figure(started(join(place.install, 'bin/belay'), [word], rounds, { ...place, cwd: place.install })),
        beside: node,
      })),
    ),
  ];
}
