import fs from 'node:fs';
import { join } from 'node:path';
import { leastHold, timedHold } from '../hold.ts';
import { figure, type Row } from '../measure.ts';
import type { Place } from '../place.ts';
import { started } from '../started.ts';
import { names, untoldTree, victims } from '../trees.ts';

/** `belay-snap hold` alone: what lies between Enter and the command, but for the shell's own part. */
export function hold(places: readonly Place[], root: string, size: string, rounds: number): readonly Row[] {
  const node = { what: 'node -e 0', figure: figure(started('node', ['-e', '0'], rounds)) };
  const truth = { what: '/bin/true', figure: figure(started('/bin/true', [], rounds)) };
  return [1, 100, 1000].flatMap((count) => {
    const files = victims(root, 1, count)[0] ?? [];
    const least = figure(Array.from({ length: rounds }, () => leastHold(root, files)));
    return [
      ...places.map((place) => ({
        what: `hold of ${names(count)}, tree of ${size}, ${place.snap}`,
        figure: figure(Array.from({ length: rounds }, () => timedHold(place, root, files))),
        beside: place.snap === 'node' ? node : truth,
      })),
      { what: `the least: hard link and journal line for ${names(count)}`, figure: least },
    ];
  });
}

/** The same file held in a small tree and in a huge one: the size must not matter. */
export function holdInHuge(
  places: readonly Place[],
  counts: readonly [number, number],
  rounds: number,
): readonly Row[] {
  const [small, huge] = counts.map((count) => untoldTree(`of-${count}`, count)) as [string, string];
  const [few, many] = counts.map((count) => `tree of ${count.toLocaleString('en')} files`) as [string, string];
  const held = (root: string, place: Place): number => timedHold(place, root, ['d0/f0.txt']);
  return places.map((place) => {
    const pairs = Array.from({ length: rounds }, () => [held(small, place), held(huge, place)] as const);
    return {
      what: `hold of 1 named file, ${many}, ${place.snap}`,
      figure: figure(pairs.map(([, there]) => there)),
      beside: { what: few, figure: figure(pairs.map(([here]) => here)) },
    };
  });
}

/** A large file costs no more to hold than a small one: a link. `bytes` are written, no hole. */
export function holdLarge(places: readonly Place[], root: string, bytes: number, rounds: number): readonly Row[] {
  const block = Buffer.alloc(1 << 20, 'belay');
  const fd = fs.openSync(join(root, 'large'), 'w');
  for (let left = bytes; left > 0; left -= block.length) fs.writeSync(fd, block, 0, Math.min(left, block.length));
  fs.closeSync(fd);
  fs.writeFileSync(join(root, 'small'), 'small\n');
  const rows = places.map((place) => {
    const pairs = Array.from({ length: rounds }, () =>
      (['small', 'large'] as const).map((name) => timedHold(place, root, [name])),
    );
    return {
      what: `hold of a file of ${Math.round(bytes / 2 ** 20)} MB, ${place.snap}`,
      figure: figure(pairs.map(([, large = 0]) => large)),
      beside: { what: 'file of 6 bytes', figure: figure(pairs.map(([small = 0]) => small)) },
    };
  });
  fs.rmSync(join(root, 'large'));
  return rows;
}
