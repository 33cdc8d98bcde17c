import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { builtBelay } from '../built.ts';
import { differences, readTree } from '../checkpoint/model.ts';
import { belay, project, put } from './drive.ts';
import { inOwnHome } from './home.ts';
import { turn } from './turns.ts';

const at = inOwnHome(fileURLToPath(import.meta.url));
const [node, main] = builtBelay();

const FILES = 600;

/** Starts `belay undo` and kills it -9 when `when` says so. Returns whether it was still at work. */
async function killed(root: string, when: () => boolean): Promise<boolean> {
  const child = spawn(node, [main, 'undo', '-C', root], { stdio: 'ignore' });
  const gone = new Promise<boolean>((resolve) => child.once('exit', (_, signal) => resolve(signal === 'SIGKILL')));
  const until = Date.now() + 60_000;
  while (child.exitCode === null && !when() && Date.now() < until)
    await new Promise((resolve) => setImmediate(resolve));
  child.kill('SIGKILL');
  return gone;
}

const journals = (): number => {
  try {
    return fs.readdirSync(join(at.home, 'checkpoints/restoring')).filter((name) => name.endsWith('.json')).length;
  } catch {
    return 0; // no restore was ever begun
  }
};

for (const [name, share] of [
  ['at once', 0],
  ['early', 0.05],
  ['half-way', 0.5],
  ['late', 0.9],
] as const)
  test(`a restore killed ${name}: its safety checkpoint leads back, undo leads to the end`, async () => {
    const files = Object.fromEntries(Array.from({ length: FILES }, (_, i) => [`d${i % 30}/f${i}`, `${i}`]));
    const root = project(at, { ...files, 'moved/x': 'x' });
    const before = readTree(root);
    turn(at.home, root, 'rm, mv, write', () => {
      fs.renameSync(join(root, 'moved'), join(root, 'elsewhere'));
      for (let i = 0; i < FILES; i++) {
        if (i % 3 === 0) put(root, { [`d${i % 30}/f${i}`]: 'changed' });
        else fs.rmSync(join(root, `d${i % 30}/f${i}`));
      }
    });
    const after = readTree(root);
    const there = (): number => fs.readdirSync(join(root, 'd1')).length + fs.readdirSync(join(root, 'd2')).length;
    const first = there();
    const last = 2 * (FILES / 30);
    const dead = await killed(root, () => journals() > 0 && (share === 0 || there() >= first + share * (last - first)));
    const { json } = await belay<{ checkpoints: { n: number; kind: string }[] }>(root, 'list');
    assert.equal(
      fs.readdirSync(root).filter((entry) => entry.startsWith('.belay')),
      [],
    );
    const safety = [...json.checkpoints].reverse().find(({ kind }) => kind === 'safety');
    if (safety && share !== 0.5) {
      await belay(root, 'rollback', String(safety.n));
      assert.equal(differences(after, readTree(root)), [], `back (killed: ${dead})`);
    }
    if (dead || safety) {
      const done = await belay(root, 'undo');
      if (done.exit === 0) assert.equal(done.json.kept, []);
    } else await belay(root, 'undo');
    assert.equal(differences(before, readTree(root)), [], `forward (killed: ${dead})`);
    assert.is(journals(), 0);
    assert.equal(
      Object.keys(files).filter((path) =>
        fs.readdirSync(join(root, path, '..')).some((entry) => entry.startsWith('.belay')),
      ),
      [],
    );
  });

test('a restore killed while a whole folder is made ready aside: either end is reached, nothing is left beside', async () => {
  const files = Object.fromEntries(Array.from({ length: FILES }, (_, i) => [`d/${i % 10}/f${i}`, `${i}`]));
  const root = project(at, files);
  const before = readTree(root);
  const n = turn(at.home, root, 'rm -r d', () => fs.rmSync(join(root, 'd'), { recursive: true }));
  const after = readTree(root);
  const aside = (): string | undefined => fs.readdirSync(root).find((name) => name.startsWith('.belay-'));
  const dead = await killed(root, () => aside() !== undefined);
  await belay(root, 'list');
  assert.is(aside(), undefined);
  assert.equal(fs.readdirSync(join(at.home, 'checkpoints/restoring')), []);
  if (fs.existsSync(join(root, 'd'))) await belay(root, 'redo');
  assert.equal(differences(after, readTree(root)), [], `back (killed: ${dead})`);
  await belay(root, 'rollback', String(n));
  assert.equal(differences(before, readTree(root)), [], `forward (killed: ${dead})`);
});

test.run();
