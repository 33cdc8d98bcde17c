import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { belay, project, put, spawnBelay } from './drive.ts';
import { inOwnHome } from './home.ts';
import { turn } from './turns.ts';

const at = inOwnHome(fileURLToPath(import.meta.url));
const SESSION = '20250101_000000_abcdef';

test('an undo in many projects sums its safety checkpoints up in one line, and that line takes it back', async () => {
  const roots = Array.from({ length: 4 }, () => project(at, { a: '1\n' }));
  for (const root of roots) turn(at.home, root, 'all', () => put(root, { a: '2\n' }), SESSION, { turn: 'one' });
  const done = await belay(roots[0] ?? '', 'undo');
  assert.match(done.text, 'Saved before it in 4 projects, as a checkpoint in each. To take this back: belay redo\n');
  assert.not.match(done.text, 'Saved before it as checkpoint');
  await belay(roots[0] ?? '', 'redo');
  for (const root of roots) assert.is(fs.readFileSync(join(root, 'a'), 'utf8'), '2\n');
});

test('what was written is counted and named together, files before folders', async () => {
  const root = project(at, { 'd/a': '1\n' });
  turn(at.home, root, 'rm -r d', () => fs.rmSync(join(root, 'd'), { recursive: true }));
  assert.match((await belay(root, 'undo')).text, '1 file and 1 folder written (d/a, d/)');
});

test('a list of new checkpoints that was counted before starts no git', async () => {
  const root = project(at, { a: '1\n', b: '1\n' });
  turn(at.home, root, 'echo 2 > a', () => put(root, { a: '2\n3\n' }));
  turn(at.home, root, 'rm b', () => fs.rmSync(join(root, 'b')));
  const before = (await belay(root, 'list')).text;
  assert.match(before, /echo 2 > a +1 file \+2 -1$/m);
  const done = spawnBelay(root, ['list'], { PATH: '/nowhere' });
  assert.equal([done.status, done.stdout, done.stderr], [0, before, '']);
});

test.run();
