import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import { beginPlanned, type Outcome } from '../../src/saving/begin.ts';
import { manifestsOf } from '../../src/saving/end.ts';
import { endTurn } from '../../src/saving/settle/end-turn.ts';
import { settleAll } from '../../src/saving/settle/settle.ts';
import { before, changeOf, plan, records, type Scene, scene } from './given.ts';

const SESSION = '20250101_000000_abcdef';

function project(files: Readonly<Record<string, string | Buffer>>): Scene {
  const s = scene();
  fs.rmSync(join(s.root, '.git'), { recursive: true });
  execFileSync('git', ['init', '-q'], { cwd: s.root });
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(dirname(join(s.root, name)), { recursive: true });
    fs.writeFileSync(join(s.root, name), text);
  }
  return s;
}

const begin = (s: Scene, why: 'unknown' | 'opaque', turn = '1'): Promise<Outcome> =>
  beginPlanned(s.turn(turn), plan([], { captures: [{ folder: s.root, why, verb: 'rm' }] }), s.world);

async function over(s: Scene, turn = '1'): Promise<void> {
  endTurn(s.world, SESSION, turn, Date.now() + 1);
  await settleAll(s.world, { wait: 20_000 });
}

const leftOut = (done: Outcome): string[] => (done.kind === 'saved' ? done.leftOut.map(({ path }) => path) : ['?']);

test('a line of which nobody knows what it destroys: ignored files come back too, small and large, with their folders', async () => {
  const large = Buffer.alloc(300_000, 'large');
  const s = project({ '.gitignore': 'data/\n*.log\nnode_modules\n', a: 'a', 'x.log': 'log', 'data/in/large': large });
  fs.mkdirSync(join(s.root, 'node_modules'));
  fs.writeFileSync(join(s.root, 'node_modules/m'), 'm');
  assert.deepEqual(leftOut(await begin(s, 'unknown')), []);
  for (const name of ['a', 'x.log', 'data']) fs.rmSync(join(s.root, name), { recursive: true });
  await over(s);
  const [record] = records(s);
  assert.ok(record);
  assert.deepEqual(
    record.changes.map(({ path, after }) => [path, after.kind]),
    ['a', 'data', 'data/in', 'data/in/large', 'x.log'].map((path) => [path, 'absent']),
  );
  assert.deepEqual(before(s, record, changeOf(record, 'data/in/large')), large);
  assert.equal(before(s, record, changeOf(record, 'x.log'))?.toString(), 'log');
});

test('what is too much to be put aside is named before such a line runs, and in its record', async () => {
  const many = Object.fromEntries(Array.from({ length: 2100 }, (_, i) => [`many/${i}`, '']));
  const s = project({ '.gitignore': 'many\n*.log\n', 'x.log': 'log', ...many });
  assert.deepEqual(leftOut(await begin(s, 'unknown')), [join(s.root, 'many')]);
  fs.rmSync(join(s.root, 'x.log'));
  await over(s);
  const [record] = records(s);
  assert.equal(changeOf(record, 'x.log')?.before.kind, 'file');
  assert.deepEqual(
    record?.leftOut.map(({ path }) => path),
    ['many'],
  );
});

test('a program that leaves ignored files alone leaves no record, and nothing stays taken', async () => {
  const s = project({ '.gitignore': '*.log\n', a: 'a', 'x.log': Buffer.alloc(300_000) });
  const done = await begin(s, 'opaque');
  assert.ok(done.kind === 'saved');
  fs.utimesSync(join(s.root, 'x.log'), 1e9, 1e9);
  await over(s);
  assert.deepEqual(records(s), []);
  assert.equal(fs.statSync(join(s.root, 'x.log')).nlink, 1);
});

test('an ignored file that a program writes in place: small ones come back, of a large one the record says that it cannot', async () => {
  const s = project({ '.gitignore': '*.log\n', 'small.log': 'before', 'large.log': Buffer.alloc(300_000, 'b') });
  // The store's first capture is no reason for a short budget to run out on a busy machine.
  const config = { ...s.world.config, checkpoints: { ...s.world.config.checkpoints, opaque_budget_ms: 60_000 } };
  const world = { ...s.world, config };
  const captures = [{ folder: s.root, why: 'opaque' as const, verb: 'make' }];
  const done = await beginPlanned(s.turn('1'), plan([], { captures }), world);
  assert.ok(done.kind === 'saved' && manifestsOf(done.turnFolder).length === 2);
  for (const name of ['small.log', 'large.log']) fs.writeFileSync(join(s.root, name), 'after');
  await over(s);
  const [record] = records(s);
  assert.ok(record);
  assert.equal(before(s, record, changeOf(record, 'small.log'))?.toString(), 'before');
  assert.equal(changeOf(record, 'large.log'), undefined);
  assert.deepEqual(
    record.leftOut.map(({ path }) => path),
    ['large.log'],
  );
});

test.run();
