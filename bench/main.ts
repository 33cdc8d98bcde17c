/**
 * `npm run bench`: what belay costs, beside what the same costs without it, in one run on one machine.
 *
 *   tsx bench/main.ts [--quick] [--huge] [PART…]
 *
 * Each row is told on stderr as soon as it is there, all of them at the end on stdout. PART: only parts whose name contains one of these.
 * --quick: few rounds, small trees; proves that it runs, its figures say little. --huge: captures of a tree of
 * 200,000 files as well, a file of 10 GB instead of 1, and the memory that 500,000 files need.
 */
import { cpus, totalmem } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Row, table } from './measure.ts';
import { places, run } from './place.ts';
import { apply } from './rows/apply.ts';
import { capture } from './rows/capture.ts';
import { floor } from './rows/floor.ts';
import { harmless } from './rows/harmless.ts';
import { hold, holdInHuge, holdLarge } from './rows/hold.ts';
import { ignored } from './rows/ignored.ts';
import { memory } from './rows/memory.ts';
import { plan } from './rows/plan.ts';
import { reclaim } from './rows/reclaim.ts';
import { remove } from './rows/remove.ts';
import { restore } from './rows/restore.ts';
import { script } from './rows/script.ts';
import { fewSessions, recordedLine, sessionIndex } from './rows/sessions.ts';
import { settle } from './rows/settle.ts';
import { start } from './rows/start.ts';
import { ui } from './rows/ui.ts';
import { hook, list } from './rows/worktrees.ts';
import { wrapper } from './rows/wrapper.ts';
import { tree, untoldTree } from './trees.ts';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
const quick = process.argv.includes('--quick');
const rounds = quick ? 2 : 21;
const huge = process.argv.includes('--huge');
const sizes = quick ? [600] : [1000, 10_000, 50_000, ...(huge ? [200_000] : [])];
const large = quick ? 8 << 20 : huge ? 10 * 2 ** 30 : 2 ** 30;

const all = places();
const [first] = all;
const node = all.find((place) => place.snap === 'node');
if (first === undefined || node === undefined) throw new Error('nothing is built: npm run build');
const rows: Row[] = [];
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const isWanted = (what: string): boolean => wanted.length === 0 || wanted.some((word) => what.includes(word));

async function part(what: string, measure: () => readonly Row[] | Promise<readonly Row[]>): Promise<void> {
  if (!isWanted(what)) return;
  process.stderr.write(`${what} …\n`);
  const measured = await measure();
  rows.push(...measured);
  process.stderr.write(`${table(measured)}\n`);
}

await part('process floor', () => floor(all, rounds));
await part('harmless lines', () => harmless(first, quick ? 14 : 350));
await part('the record of sessions', () => recordedLine(quick ? 20 : 1000, quick ? 1 : 5));
await part('the index of sessions', () => sessionIndex(quick ? 50 : 100_000, rounds));
await part('the index of few sessions', () => fewSessions(quick ? 20 : 200, rounds));
await part('starts of shells', () => start(first, quick ? 2 : 41));
await part('scripts', () => script(first, quick ? 6 : 1000, quick ? 1 : 3));
for (const count of sizes) {
  const size = `${count.toLocaleString('en')} files`;
  // Made when the first part asks for it.
  let made: string | undefined;
  const root = (): string => {
    if (made !== undefined) return made;
    process.stderr.write(`a tree of ${size} …\n`);
    made = tree(`tree-${count}`, count);
    return made;
  };
  if (count === sizes[0]) {
    await part('plans', () => plan(root(), quick ? 5 : 200));
    await part('holds', () => hold(all, root(), size, rounds));
    await part('hold of a large file', () => holdLarge(all, root(), large, quick ? 2 : 9));
    await part('wrappers', () => wrapper(first, root(), rounds));
    await part('settle', () => settle(all, root(), rounds));
  }
  if (count === sizes[0] || count === 50_000) {
    for (const named of [1, 100])
      await part(`rm of ${named} in ${size}`, () => remove(all, root(), size, named, rounds));
    for (const removed of count >= 50_000 ? [1, 10_000] : [1])
      await part(`undo of ${removed} in ${size}`, () => [
        restore(first, root(), size, removed, removed === 1 && !quick ? 5 : 2),
      ]);
    const many = quick ? 200 : 10_000;
    if (count === (quick ? sizes[0] : 50_000))
      await part(`bringing ${many} back in ${size}`, async () => [await apply(root(), size, many, quick ? 1 : 5)]);
  }
  await part(`captures of ${size}`, () => {
    const there = root();
    // What is younger than five seconds is looked at twice: a capture of files just made says nothing of others.
    if (!quick) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6000);
    return capture(there, size, quick ? 1 : count > 10_000 ? 9 : 15);
  });
  if (quick || count === 50_000) await part('memory', () => [memory(node, root(), size)]);
}
if (huge)
  await part('memory of 500,000 files', () => [memory(node, untoldTree('of-500,000', 500_000), '500,000 files')]);
await part('rm -rf of an ignored folder', () => ignored(all, quick ? 200 : 20_000, quick ? 1 : 3));
await part('install states', async () => [await reclaim(quick ? 4 : 100, quick ? 100 : 5000)]);
await part('worktrees', () => list(first, quick ? 4 : 100));
await part('git worktree remove', () => hook(all, quick ? 2 : 21));
await part('ui: 1,000 checkpoints', () => ui(first, quick ? 1 : 7));
await part('one file in a huge tree', () => holdInHuge(all, quick ? [100, 500] : [1000, 500_000], rounds));

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
