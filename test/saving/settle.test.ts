import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { readObjects } from '../../src/checkpoint/read.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import { DEFAULTS } from '../../src/platform/config.ts';
import { childrenSince } from '../../src/platform/processes.ts';
import { beginPlanned } from '../../src/saving/begin.ts';
import { pruneWhenDue } from '../../src/saving/prune.ts';
import { endTurn } from '../../src/saving/settle/end-turn.ts';
import { settleAll } from '../../src/saving/settle/settle.ts';
import { nextOrder } from '../../src/turns/order.ts';
import { isEnded, pendingTurns } from '../../src/turns/pending.ts';
import { before, changeOf, plan, records, type Scene, scene, target } from './given.ts';

async function run(s: Scene, turn: string, targets: ReturnType<typeof target>[], work: () => void): Promise<void> {
  await beginPlanned(s.turn(turn), plan(targets), s.world);
  work();
  endTurn(s.world, '20250101_000000_abcdef', turn, Date.now() + 1);
  await settleAll(s.world, { wait: 1000 });
}

test('a deleted tree is in the record byte for byte, small, large and huge', async () => {
  const s = scene();
  const dir = join(s.root, 'data');
  fs.mkdirSync(dir);
  const huge = Buffer.alloc(11 << 20, 'huge');
  fs.writeFileSync(join(dir, 'small'), 'a\r\nb');
  fs.writeFileSync(join(dir, 'large'), Buffer.alloc(200_000, 'l'));
  fs.writeFileSync(join(dir, 'huge'), huge);
  const ino = fs.statSync(join(dir, 'huge')).ino;
  await run(s, '1', [target(dir)], () => fs.rmSync(dir, { recursive: true }));
  const [record] = records(s);
  assert.ok(record);
  assert.deepEqual(
    record.changes.map(({ path, after }) => [path, after.kind]),
    [
      ['data', 'absent'],
      ['data/huge', 'absent'],
      ['data/large', 'absent'],
      ['data/small', 'absent'],
    ],
  );
  assert.equal(before(s, record, changeOf(record, 'data/small'))?.toString(), 'a\r\nb');
  assert.equal(before(s, record, changeOf(record, 'data/large'))?.length, 200_000);
  const heldHuge = changeOf(record, 'data/huge');
  assert.deepEqual(before(s, record, heldHuge), huge);
  assert.ok(heldHuge?.before.kind === 'file' && heldHuge.before.content.at === 'hold');
  const hold = join(s.home, 'checkpoints/holds');
  const files = fs
    .readdirSync(hold, { recursive: true, encoding: 'utf8' })
    .map((name) => fs.statSync(join(hold, name)).ino);
  assert.ok(files.includes(ino), 'the huge file is held by link');
  assert.equal(pendingTurns(s.home).length, 0);
});

test('a turn that changed nothing is recorded as such', async () => {
  const s = scene();
  fs.writeFileSync(join(s.root, 'a'), 'a');
  await run(s, '1', [target(join(s.root, 'a'))], () => undefined);
  assert.deepEqual(
    records(s).map(({ changes, turn }) => [turn, changes.length]),
    [['1', 0]],
  );
});

test('an edit by hand after the end is not the turn’s work', async () => {
  const s = scene();
  const file = join(s.root, 'a');
  fs.writeFileSync(file, 'before');
  await beginPlanned(s.turn('1'), plan([target(file, { way: 'write-in-place' })]), s.world);
  fs.writeFileSync(file, 'by the line');
  endTurn(s.world, '20250101_000000_abcdef', '1', Date.now() + 1);
  fs.writeFileSync(file, 'by hand');
  await settleAll(s.world, { wait: 1000 });
  const [record] = records(s);
  const change = changeOf(record, 'a');
  assert.ok(record && change?.after.kind === 'file');
  assert.equal(before(s, record, change)?.toString(), 'before');
  assert.equal(change.after.content.at, 'hash');
  assert.equal(change.after.size, 'by the line'.length);
});

test('lines typed ahead of the prompt: each turn has its own work, in the order typed', async () => {
  const s = scene();
  const file = join(s.root, 'a');
  fs.writeFileSync(file, 'one');
  const write = { way: 'write-in-place' } as const;
  await beginPlanned(s.turn('1'), plan([target(file, write)]), s.world);
  fs.writeFileSync(file, 'two');
  await beginPlanned(s.turn('2'), plan([target(file, write)]), s.world);
  fs.writeFileSync(file, 'three');
  for (const turn of ['1', '2']) endTurn(s.world, '20250101_000000_abcdef', turn, Date.now() + 1);
  await settleAll(s.world, { wait: 1000 });
  const told = records(s)
    .sort((a, b) => a.order - b.order)
    .map((record) => {
      const change = changeOf(record, 'a');
      const after = change?.after.kind === 'file' ? change.after.size : undefined;
      return [record.turn, before(s, record, change)?.toString(), after, change?.uncertain ?? false];
    });
  assert.deepEqual(told, [
    ['1', 'one', 3, false],
    ['2', 'two', 5, false],
  ]);
});

test('the line behind one that names a large tree does not wait for its end, and is settled behind it', async () => {
  const s = scene();
  const typed = (turn: string) => ({ ...s.turn(turn), source: 'cli' });
  const [tree, moved] = [join(s.root, 'tree'), join(s.root, 'moved')];
  fs.mkdirSync(tree);
  for (let i = 0; i < 1500; i++) fs.writeFileSync(join(tree, String(i).padEnd(240, 'x')), '');
  for (const name of ['a', 'b']) fs.writeFileSync(join(s.root, name), name);
  const move = target(tree, { way: 'move', to: moved, recursive: true });
  const isOver = (turn: string): boolean =>
    pendingTurns(s.home).some(({ folder, turn: one }) => one.turn === turn && isEnded(folder));

  // What this process started within the second before would pass for a job of the line.
  for (const end = Date.now() + 20_000; childrenSince(process.pid, Date.now()).length > 0 && Date.now() < end; )
    await new Promise((done) => setTimeout(done, 100));
  await beginPlanned(typed('1'), plan([move]), s.world);
  fs.renameSync(tree, moved);
  const ended = Date.now() + 1;
  await beginPlanned(typed('2'), plan([target(join(s.root, 'a'))]), s.world);
  assert.equal(isOver('1'), false);
  fs.rmSync(join(s.root, 'a'));
  endTurn(s.world, '20250101_000000_abcdef', '2', Date.now() + 1);
  assert.deepEqual(await settleAll(s.world, { wait: 1000 }), { is: 'settled', settled: [], failed: [] });
  endTurn(s.world, '20250101_000000_abcdef', '1', ended);
  await settleAll(s.world, { wait: 1000 });
  const told = records(s).sort((a, b) => a.n - b.n);
  assert.deepEqual(
    told.map(({ turn, changes }) => [turn, changes.length]),
    [
      ['1', 3002],
      ['2', 1],
    ],
  );

  // What an unknown program may change is in no hold: there the look comes first.
  await beginPlanned(typed('3'), plan([target(moved, { way: 'move', to: tree, recursive: true })]), s.world);
  fs.renameSync(moved, tree);
  await beginPlanned(typed('4'), plan([target(join(tree, '0'.padEnd(240, 'x')))]), s.world);
  assert.equal(isOver('3'), false);
  const captures = [{ folder: s.root, why: 'opaque', verb: 'make' }] as const;
  await beginPlanned(typed('5'), plan([], { captures }), s.world);
  assert.equal(isOver('3'), true);
});

test('a created tree is recorded with everything in it', async () => {
  const s = scene();
  const deep = join(s.root, 'new/deep');
  await run(s, '1', [target(deep, { way: 'create', recursive: false })], () => {
    fs.mkdirSync(deep, { recursive: true });
    fs.writeFileSync(join(deep, 'x'), 'x');
  });
  const [record] = records(s);
  assert.deepEqual(
    record?.changes.map(({ path, before, after }) => [path, before.kind, after.kind]),
    [
      ['new', 'absent', 'folder'],
      ['new/deep', 'absent', 'folder'],
      ['new/deep/x', 'absent', 'file'],
    ],
  );
});

test('contents of more than belongs into memory are settled in pieces, and every byte is there', async () => {
  const s = scene();
  const names = ['1', '2', '3', '4'];
  const bytes = (name: string): Buffer => Buffer.alloc(9 << 20, name);
  const made = (name: string): string => join(s.root, name);
  await run(
    s,
    '1',
    names.map((name) => target(made(name), { way: 'create', recursive: false })),
    () => {
      for (const name of names) fs.writeFileSync(made(name), bytes(name));
    },
  );
  const [record] = records(s);
  const oids = names.map((name) => {
    const after = changeOf(record, name)?.after;
    return after?.kind === 'file' && after.content.at === 'git' ? after.content.oid : '';
  });
  readObjects(openStore(s.home), oids).forEach((content, i) => {
    assert.ok(content?.equals(bytes(names[i] ?? '')), names[i]);
  });
  const packs = fs.readdirSync(join(s.home, 'checkpoints/store/objects/pack')).filter((name) => name.endsWith('.pack'));
  assert.equal(packs.length, 1, 'the first piece is a pack of its own');
  assert.equal(pendingTurns(s.home).length, 0);
});

test('what is held in a line that changes it twice in one turn is the first version', async () => {
  const s = scene();
  const file = join(s.root, 'a');
  fs.writeFileSync(file, 'first');
  const t = target(file, { way: 'write-in-place' });
  await beginPlanned(s.turn('1'), plan([t]), s.world);
  fs.writeFileSync(file, 'second');
  await beginPlanned(s.turn('1'), plan([t]), s.world);
  await beginPlanned(s.turn('1'), plan([t]), s.world);
  const [pending] = pendingTurns(s.home);
  const sizes = fs.readdirSync(pending?.folder ?? '').filter((name) => /^\d+$/.test(name));
  const held = sizes.map(
    (name) =>
      fs
        .readFileSync(join(pending?.folder ?? '', name, 'manifest.jsonl'), 'utf8')
        .trim()
        .split('\n').length - 1,
  );
  assert.deepEqual(held, [1, 1, 0]);
  fs.rmSync(file);
  endTurn(s.world, '20250101_000000_abcdef', '1', Date.now() + 1);
  await settleAll(s.world, { wait: 1000 });
  const [record] = records(s);
  assert.ok(record);
  assert.equal(before(s, record, changeOf(record, 'a'))?.toString(), 'first');
});

test('an opaque program’s work is seen by the captures around it', async () => {
  const s = scene();
  fs.rmSync(join(s.root, '.git'), { recursive: true });
  fs.writeFileSync(join(s.root, 'package.json'), '{}');
  fs.mkdirSync(join(s.root, 'src'));
  fs.writeFileSync(join(s.root, 'src/a'), 'a', { mode: 0o600 });
  fs.writeFileSync(join(s.root, 'edit'), 'before');
  fs.symlinkSync('edit', join(s.root, 'link'));
  fs.mkdirSync(join(s.root, 'shut'), { mode: 0o750 });
  fs.writeFileSync(join(s.root, 'shut/same'), 'same', { mode: 0o600 });
  await beginPlanned(
    s.turn('1'),
    plan([], { captures: [{ folder: s.root, why: 'opaque', verb: 'make' }], verbs: ['make'] }),
    s.world,
  );
  fs.rmSync(join(s.root, 'src'), { recursive: true });
  fs.rmSync(join(s.root, 'link'));
  fs.writeFileSync(join(s.root, 'edit'), 'after!');
  fs.chmodSync(join(s.root, 'shut'), 0o755);
  fs.chmodSync(join(s.root, 'shut/same'), 0o664);
  fs.mkdirSync(join(s.root, 'new'));
  fs.writeFileSync(join(s.root, 'new/x'), 'x');
  endTurn(s.world, '20250101_000000_abcdef', '1', Date.now() + 1);
  await settleAll(s.world, { wait: 1000 });
  const [record] = records(s);
  assert.ok(record);
  assert.deepEqual(
    record.changes.map(({ path, before, after, by }) => [path, before.kind, after.kind, by]),
    [
      ['edit', 'file', 'file', 'seen'],
      ['link', 'link', 'absent', 'seen'],
      ['new', 'absent', 'folder', 'seen'],
      ['new/x', 'absent', 'file', 'seen'],
      ['shut', 'folder', 'folder', 'seen'],
      ['shut/same', 'file', 'file', 'seen'],
      ['src', 'folder', 'absent', 'seen'],
      ['src/a', 'file', 'absent', 'seen'],
    ],
  );
  assert.equal(before(s, record, changeOf(record, 'src/a'))?.toString(), 'a');
  const a = changeOf(record, 'src/a')?.before;
  assert.equal(a?.kind === 'file' ? a.mode : 0, 0o600);
  const modes = ['shut', 'shut/same'].map((path) => changeOf(record, path)).map((one) => [one?.before, one?.after]);
  assert.deepEqual(
    modes.map((both) => both.map((one) => (one !== undefined && 'mode' in one ? one.mode.toString(8) : ''))),
    [
      ['750', '755'],
      ['600', '664'],
    ],
  );
  assert.equal(record.scope, 'full');
});

test('an opaque program that did nothing leaves no record', async () => {
  const s = scene();
  await beginPlanned(s.turn('1'), plan([], { captures: [{ folder: s.root, why: 'opaque', verb: 'make' }] }), s.world);
  endTurn(s.world, '20250101_000000_abcdef', '1', Date.now() + 1);
  await settleAll(s.world, { wait: 1000 });
  assert.deepEqual(records(s), []);
  assert.equal(pendingTurns(s.home).length, 0);
});

test('what somebody wrote between two lines of a turn, and the second destroyed, is kept beside the first version', async () => {
  const s = scene();
  const file = join(s.root, 'a');
  fs.writeFileSync(file, 'first');
  const t = target(file, { way: 'write-in-place' });
  await beginPlanned(s.turn('1'), plan([t]), s.world);
  fs.writeFileSync(file, 'by the line');
  fs.writeFileSync(file, 'by hand');
  await beginPlanned(s.turn('1'), plan([t]), s.world);
  fs.rmSync(file);
  endTurn(s.world, '20250101_000000_abcdef', '1', Date.now() + 1);
  await settleAll(s.world, { wait: 1000 });
  const [record] = records(s);
  const change = changeOf(record, 'a');
  assert.ok(record && change?.later?.length === 1);
  assert.equal(before(s, record, change)?.toString(), 'first');
  assert.equal(before(s, record, { ...change, before: change.later[0] ?? change.before })?.toString(), 'by hand');
});

test('the order counter gives every one of many writers a number of its own', () => {
  const s = scene();
  const given = Array.from({ length: 200 }, () => nextOrder(s.home));
  assert.equal(new Set(given).size, 200);
});

test('old checkpoints go by themselves once a day, and not before', async () => {
  const s = scene();
  for (const turn of ['1', '2', '3']) {
    fs.writeFileSync(join(s.root, 'a'), turn);
    await run(s, turn, [target(join(s.root, 'a'))], () => fs.rmSync(join(s.root, 'a')));
  }
  const world = { ...s.world, config: { ...DEFAULTS, checkpoints: { ...DEFAULTS.checkpoints, max_snapshots: 2 } } };
  pruneWhenDue(world);
  assert.equal(records(s).length, 3);
  const old = Date.now() / 1000 - 2 * 86_400;
  fs.utimesSync(join(s.home, 'checkpoints/store/HEAD'), old, old);
  pruneWhenDue(world);
  assert.deepEqual(
    records(s).map(({ n }) => n),
    [3, 2],
  );
});

test.run();
