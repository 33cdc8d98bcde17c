/**
 * `npm run bench`: what belay costs, beside what the same costs without it, in one run on one machine.
 *
 *   tsx bench/main.ts [--quick] [--huge]
 *
 * --quick: few rounds, small trees; proves that it runs, its figures say little. --huge: a tree of 500,000 files as well.
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
import { restore } from './rows/restore.ts';
import { settle } from './rows/settle.ts';
import { tree } from './trees.ts';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
const quick = process.argv.includes('--quick');
const rounds = quick ? 2 : 21;
const sizes = quick ? [200] : [1000, 50_000, ...(process.argv.includes('--huge') ? [500_000] : [])];

const all = places();
const [first] = all;
if (first === undefined) throw new Error('nothing is built: npm run build');
const rows: Row[] = [];

function part(what: string, measure: () => readonly Row[]): void {
  process.stderr.write(`${what} …\n`);
  rows.push(...measure());
}

part('process floor', () => floor(all, rounds));
part('harmless lines', () => harmless(first, quick ? 14 : 700));
for (const count of sizes) {
  const size = `${count.toLocaleString('en')} files`;
  process.stderr.write(`a tree of ${size} …\n`);
  const root = tree(`tree-${count}`, count);
  for (const named of [1, 100]) part(`rm of ${named} in ${size}`, () => remove(all, root, size, named, rounds));
  if (count === sizes[0]) part('settle', () => settle(all, root, rounds));
  for (const removed of count >= 50_000 ? [1, 10_000] : [1])
    part(`undo of ${removed} in ${size}`, () => [restore(first, root, size, removed, removed === 1 && !quick ? 5 : 2)]);
  part(`captures of ${size}`, () => capture(all, root, size, quick ? 1 : 9));
}

const cpu = cpus();
const machine = [
  `${cpu.length} × ${cpu[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB`,
  run('uname', ['-sr'], {}).trim(),
  `node ${process.versions.node}`,
  run('git', ['--version'], {}).trim(),
  run('bash', ['-c', 'echo bash $BASH_VERSION'], {}).trim(),
];
console.log(machine.join('; '));
console.log(`Medians in milliseconds; lines are typed at a prompt, from Enter to the next prompt.\n\n${table(rows)}`);
