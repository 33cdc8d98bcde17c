/**
 * `npm run bench`: what belay costs, beside what the same costs without it, in one run on one machine.
 *
 *   tsx bench/main.ts [--quick]     --quick: few rounds, small trees; proves that it runs, its figures say little
 */
import { cpus, totalmem } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Row, table } from './measure.ts';
import { places, run } from './place.ts';
import { capture } from './rows/capture.ts';
import { floor } from './rows/floor.ts';
import { harmless } from './rows/harmless.ts';
import { remove } from './rows/remove.ts';
import { tree } from './trees.ts';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
const quick = process.argv.includes('--quick');
const rounds = quick ? 2 : 21;

const log = (text: string): void => {
  process.stderr.write(`${text} …\n`);
};

const all = places();
const [first] = all;
if (first === undefined) throw new Error('nothing is built: npm run build');
const sizes: readonly (readonly [string, number])[] = quick
  ? [['200 files', 200]]
  : [
      ['1,000 files', 1000],
      ['50,000 files', 50_000],
    ];

const rows: Row[] = [];
log('process floor');
rows.push(...floor(all, rounds));
log('harmless lines');
rows.push(...harmless(first, quick ? 14 : 700));
for (const [size, count] of sizes) {
  log(`a tree of ${size}`);
  const root = tree(`tree-${count}`, count);
  for (const named of [1, 100]) {
    log(`rm of ${named} in ${size}`);
    rows.push(...remove(all, root, size, named, rounds));
  }
  log(`captures of ${size}`);
  rows.push(...capture(all, root, size, quick ? 1 : 9));
}

const cpu = cpus();
console.log(
  [
    `${cpu.length} × ${cpu[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB`,
    run('uname', ['-sr'], {}).trim(),
    `node ${process.versions.node}`,
    run('git', ['--version'], {}).trim(),
    run('bash', ['-c', 'echo bash $BASH_VERSION'], {}).trim(),
  ].join('; '),
);
console.log(`Medians in milliseconds; lines are typed at a prompt, from Enter to the next prompt.\n\n${table(rows)}`);
