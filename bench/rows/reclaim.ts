import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { collectInstalls } from '../../src/installs/gc.ts';
import { installKey } from '../../src/installs/layout.ts';
import { record } from '../../src/installs/prepare.ts';
import { fromText } from '../../src/platform/bytes.ts';
import { figure, type Row } from '../measure.ts';
import { top } from '../place.ts';

const since = (begin: bigint): number => Number(process.hrtime.bigint() - begin) / 1e6;

/** Install states of deleted checkouts, sizes told, beside `rm -rf` of the same. */
export async function reclaim(count: number, files: number): Promise<Row> {
  const root = join(top, 'states/installs');
  states(root, count, files);
  let begin = process.hrtime.bigint();
  const done = await collectInstalls({ roots: [fromText(root)], known: () => undefined });
  const own = since(begin);
  if (done.reclaimed.length !== count) throw new Error(`${done.reclaimed.length} of ${count} were reclaimed`);
  states(root, count, files);
  begin = process.hrtime.bigint();
  spawnSync('rm', ['-rf', '--', ...fs.readdirSync(root).map((name) => join(root, name))]);
  return {
    what: `gc of ${count} states of ${files} files`,
    figure: figure([own]),
    beside: { what: 'rm -rf', figure: figure([since(begin)]) },
  };
}

function states(root: string, count: number, files: number): void {
  for (let i = 0; i < count; i++) {
    const checkout = join(top, 'states/.worktrees', `c${i}`);
    fs.mkdirSync(checkout, { recursive: true });
    const folder = join(root, installKey(fromText(checkout)));
    for (let j = 0; j < files; j++) {
      const place = join(folder, `environments/g/d${Math.floor(j / 100)}`);
      if (j % 100 === 0) fs.mkdirSync(place, { recursive: true });
      fs.writeFileSync(join(place, `f${j}.js`), `module.exports = ${j};\n`);
    }
    record(fromText(folder), fromText(checkout));
    fs.rmdirSync(checkout);
  }
}
