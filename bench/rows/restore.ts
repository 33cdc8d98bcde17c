import fs from 'node:fs';
import { join } from 'node:path';
import { figure, type Row } from '../measure.ts';
import { type Place, run } from '../place.ts';
import { atPrompt } from '../prompt.ts';

/** `belay undo` of a line that removed `count` committed files, beside git writing the same files from its index. */
export function restore(place: Place, root: string, size: string, count: number, rounds: number): Row {
  const names = committed(root, count);
  const line = count === 1 ? `rm ${names[0]}` : `rm -r ${folders(names).join(' ')}`;
  const belay: number[] = [];
  const git: number[] = [];
  for (let i = 0; i < rounds; i++) {
    atPrompt(place, [line], { cwd: root, env: place.env });
    // What is settled by now is not counted: it was settled while somebody saw what he had done.
    run(join(place.install, 'bin/belay'), ['list', '--json'], { cwd: root, env: place.env });
    belay.push(timed(() => run(join(place.install, 'bin/belay'), ['undo', '--yes'], { cwd: root, env: place.env })));
    for (const name of names) if (!fs.existsSync(join(root, name))) throw new Error(`${name} did not come back`);
    for (const name of names) fs.rmSync(join(root, name));
    const input = names.map((name) => `${name}\0`).join('');
    git.push(timed(() => run('git', ['checkout-index', '-f', '-z', '--stdin'], { cwd: root, input })));
  }
  return {
    what: `undo of ${count.toLocaleString('en')} removed ${count === 1 ? 'file' : 'files'}, tree of ${size}`,
    figure: figure(belay),
    beside: { what: 'git checkout-index', figure: figure(git) },
    note: place.snap === 'node' ? 'the line was held by node' : '',
  };
}

const committed = (root: string, count: number): readonly string[] =>
  run('git', ['ls-files', '-z', 'd*'], { cwd: root }).split('\0').slice(0, count);

const folders = (names: readonly string[]): readonly string[] => [
  ...new Set(names.map((name) => name.split('/')[0] ?? '')),
];

function timed(action: () => void): number {
  const begin = process.hrtime.bigint();
  action();
  return Number(process.hrtime.bigint() - begin) / 1e6;
}
