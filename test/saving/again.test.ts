import { strict as assert } from 'node:assert';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'uvu';
import { beginPlanned } from '../../src/saving/begin.ts';
import { manifestsOf } from '../../src/saving/end.ts';
import { Pack } from '../../src/saving/hold/pack.ts';
import { endTurn } from '../../src/saving/settle/end-turn.ts';
import { moveHeld } from '../../src/saving/settle/moves.ts';
import { sweep } from '../../src/saving/settle/remove.ts';
import { settleAll } from '../../src/saving/settle/settle.ts';
import { folderName } from '../../src/turns/ids.ts';
import { openTurn, pendingFolder, pendingTurns } from '../../src/turns/pending.ts';
import { before, changeOf, mounted, plan, records, type Scene, scene, target } from './given.ts';

const SESSION = '20250101_000000_abcdef';
const MB = 1 << 20;

function files(s: Scene, ...names: string[]): string[] {
  return names.map((name) => {
    fs.writeFileSync(join(s.root, name), `bytes of ${name}`);
    return join(s.root, name);
  });
}

const hold = (s: Scene, turn: string, path: string, deferred = false) =>
  beginPlanned(s.turn(turn), plan([target(path, { deferred })]), s.world);

const end = (s: Scene, turn: string): boolean => endTurn(s.world, SESSION, turn, Date.now() + 1);

const settle = (s: Scene, reader = false) => settleAll(s.world, { wait: 20_000, reader });

/** The bytes that a path had before some turn, as the records know them. */
function known(s: Scene, path: string): string | undefined {
  for (const record of records(s)) {
    const bytes = before(s, record, changeOf(record, path));
    if (bytes !== undefined) return bytes.toString();
  }
  return undefined;
}

for (const [what, pending] of [
  ['which goes on', 2],
  ['which seemed to be over', 1],
] as const)
  test(`a job holds more after a reader has settled a part of its turn, ${what}: both parts are recorded`, async () => {
    const s = scene();
    const [a = '', b = '', c = ''] = files(s, 'a', 'b', 'c');
    const first = [a, ...(pending === 2 ? [c] : [])].map((path) => target(path, { deferred: true }));
    await beginPlanned(s.turn('7'), plan(first), s.world);
    end(s, '7');
    fs.rmSync(a);
    await settle(s, true);
    await hold(s, '7', b, true);
    const names = pendingTurns(s.home).map(({ turn }) => turn.turn);
    assert.equal(new Set(names).size, pending, `each pending turn has a name of its own: ${names}`);
    fs.rmSync(b);
    end(s, '7');
    await settle(s, true);
    assert.equal(known(s, 'a'), 'bytes of a');
    assert.equal(known(s, 'b'), 'bytes of b');
    assert.equal(new Set(records(s).map(({ turn }) => turn)).size, 2);
  });

test('a reader that is quicker than the end of the line before waits for it: an edit by hand in between stays one', async () => {
  const s = scene();
  const [a = ''] = files(s, 'a');
  const shell = spawn('sleep', ['600'], { stdio: 'ignore' });
  assert.ok(shell.pid);
  const identity = { ...s.turn('1'), source: 'cli', pid: shell.pid };
  await beginPlanned(identity, plan([target(a, { way: 'write-in-place' })]), s.world);
  fs.writeFileSync(a, 'by the line');
  const ended = Number(fs.statSync(a, { bigint: true }).ctimeNs / 1_000_000n) + 2;
  while (Number(fs.statSync(a, { bigint: true }).ctimeNs / 1_000_000n) <= ended) fs.writeFileSync(a, 'by hand');
  const reading = settleAll(s.world, { wait: 20_000, reader: true, session: SESSION, turn: '2' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  endTurn(s.world, SESSION, '1', ended);
  await reading;
  shell.kill();
  const [record] = records(s);
  assert.equal(changeOf(record, 'a')?.after.kind, 'unknown');
  assert.equal(known(s, 'a'), 'bytes of a');
});

test('two turns of one name: the second is recorded too, under a name of its own', async () => {
  const s = scene();
  const [a = '', b = ''] = files(s, 'a', 'b');
  await hold(s, '7', a);
  fs.rmSync(a);
  end(s, '7');
  await settle(s);
  fs.rmSync(join(pendingFolder(s.home), SESSION, '7.done'));
  await hold(s, '7', b);
  fs.rmSync(b);
  end(s, '7');
  await settle(s);
  await settle(s);
  assert.equal(known(s, 'a'), 'bytes of a');
  assert.equal(known(s, 'b'), 'bytes of b');
  assert.equal(pendingTurns(s.home).length, 0);
});

test('a settle killed while it moved held files is done again, and every file is its own', async () => {
  const s = scene();
  const bodies = ['one', 'two', 'three'].map((text) => Buffer.alloc(11 * MB, text));
  for (const [i, body] of bodies.entries()) fs.writeFileSync(join(s.root, `f${i}`), body);
  const targets = bodies.map((_, i) => target(join(s.root, `f${i}`)));
  await beginPlanned(s.turn('1'), plan(targets), s.world);
  for (const { path } of targets) fs.rmSync(path);
  end(s, '1');
  const [pending] = pendingTurns(s.home);
  const aside = join(s.top, 'aside');
  spawnSync('cp', ['-al', pending?.folder ?? '', aside]);
  await settle(s);
  const [record] = records(s);
  assert.ok(record);
  // As a kill after the first move leaves it: the turn is there again, but for the file that was moved.
  const held = fs.readdirSync(join(s.home, 'checkpoints/holds'), { recursive: true, encoding: 'utf8' });
  const inner = held.filter((name) => fs.statSync(join(s.home, 'checkpoints/holds', name)).isFile()).sort();
  assert.equal(inner.length, 3);
  for (const name of inner.slice(1)) fs.rmSync(join(s.home, 'checkpoints/holds', name));
  fs.renameSync(aside, pending?.folder ?? '');
  fs.rmSync(`${pending?.folder}.done`);
  fs.rmSync(join(pending?.folder ?? '', '1/f1'));
  await settle(s);
  assert.equal(records(s).length, 1);
  for (const [i, body] of bodies.entries())
    assert.deepEqual(before(s, record, changeOf(record, `f${i}`)), body, `f${i}`);
});

test('a held file never takes the place of another, and a copy has its name when it is whole', () => {
  const s = scene();
  const [from = '', folder = ''] = [join(s.top, 'from'), join(s.top, 'to')];
  fs.writeFileSync(from, 'late');
  fs.mkdirSync(folder);
  fs.writeFileSync(join(folder, '1-f1'), 'first');
  moveHeld([{ from, to: '1-f1' }], folder);
  assert.equal(fs.readFileSync(join(folder, '1-f1'), 'utf8'), 'first');
  const other = mounted(s, 'other');
  if (other === undefined) return;
  fs.writeFileSync(join(other, '1-f2.part'), 'half of a copy that was kil');
  moveHeld([{ from, to: '1-f2' }], other);
  assert.deepEqual(fs.readdirSync(other), ['1-f2']);
  assert.equal(fs.readFileSync(join(other, '1-f2'), 'utf8'), 'late');
  assert.equal(fs.existsSync(from), false);
});

test('a hold that is finished after the turn’s end was looked at is not dropped with it', async () => {
  const s = scene();
  const [a = '', b = ''] = files(s, 'a', 'b');
  await hold(s, '1', a);
  const [pending] = pendingTurns(s.home);
  await hold(s, '1', b);
  // Still at work when the prompt comes back.
  const manifest = join(pending?.folder ?? '', '2/manifest.jsonl');
  fs.renameSync(manifest, `${manifest}.later`);
  fs.rmSync(a);
  end(s, '1');
  fs.renameSync(`${manifest}.later`, manifest);
  await settle(s);
  fs.rmSync(b);
  await settle(s, true);
  assert.equal(known(s, 'a'), 'bytes of a');
  assert.equal(known(s, 'b'), 'bytes of b');
});

test('what a job has merely touched so far keeps its hold until the job deletes it', async () => {
  const s = scene();
  const [a = '', b = ''] = files(s, 'a', 'b');
  await beginPlanned(s.turn('1'), plan([target(a, { deferred: true }), target(b, { deferred: true })]), s.world);
  end(s, '1');
  fs.utimesSync(a, 1e9, 1e9);
  fs.rmSync(b);
  await settle(s, true);
  fs.rmSync(a);
  await settle(s, true);
  assert.equal(known(s, 'a'), 'bytes of a');
  assert.equal(known(s, 'b'), 'bytes of b');
  const told = records(s).length;
  await settle(s, true);
  assert.equal(records(s).length, told, 'nothing new, no record');
});

for (const first of ['the job', 'the later line'])
  test(`what a job has deleted and a later line has brought back is in the job’s record: ${first} is settled first`, async () => {
    const s = scene();
    const [a = ''] = files(s, 'a');
    await hold(s, '1', a, true);
    end(s, '1');
    fs.rmSync(a);
    await hold(s, '2', a);
    fs.writeFileSync(a, 'bytes of a');
    end(s, '2');
    if (first === 'the later line') await settle(s);
    await settle(s, true);
    const told = records(s).map(({ turn, changes }) => [turn, changes.map((one) => [one.before.kind, one.after.kind])]);
    assert.deepEqual(
      new Map(told as [string, string[][]][]),
      new Map([
        ['1', [['file', 'absent']]],
        ['2', [['absent', 'file']]],
      ]),
    );
    assert.equal(known(s, 'a'), 'bytes of a');
  });

test('what an earlier part of a turn has recorded on another file system stays when the last part is settled', async () => {
  const s = scene();
  const other = mounted(s, 'other');
  if (other === undefined) return;
  const [big, small] = [join(other, 'd/big'), join(other, 'd/small')];
  fs.mkdirSync(dirname(big));
  const body = Buffer.alloc(11 * MB, 'far');
  fs.writeFileSync(big, body);
  fs.writeFileSync(small, 'small');
  await beginPlanned(s.turn('1'), plan([target(big, { deferred: true }), target(small, { deferred: true })]), s.world);
  end(s, '1');
  fs.rmSync(big);
  await settle(s, true);
  fs.rmSync(small);
  const [pending] = pendingTurns(s.home);
  const file = join(pending?.folder ?? '', 'turn.json');
  // The shell has gone.
  const turn = JSON.parse(fs.readFileSync(file, 'utf8'));
  fs.writeFileSync(file, JSON.stringify({ ...turn, owner: { ...turn.owner, start: '1' } }));
  await settle(s);
  assert.equal(pendingTurns(s.home).length, 0);
  const record = records(s).find((one) => changeOf(one, big) !== undefined);
  assert.ok(record);
  assert.deepEqual(before(s, record, changeOf(record, big)), body);
});

test('how a later line of the turn found a file on another file system is kept with its record', async () => {
  const s = scene();
  const other = mounted(s, 'other');
  if (other === undefined) return;
  const file = join(other, 'd/f');
  fs.mkdirSync(dirname(file));
  for (const text of ['first', 'second']) {
    fs.rmSync(file, { force: true });
    fs.writeFileSync(file, Buffer.alloc(11 * MB, text));
    await hold(s, '1', file);
  }
  fs.rmSync(file);
  end(s, '1');
  await settle(s);
  const later = changeOf(records(s)[0], file)?.later?.[0];
  assert.ok(later?.kind === 'file' && later.content.at === 'hold');
  assert.deepEqual(fs.readFileSync(later.content.path), Buffer.alloc(11 * MB, 'second'));
});

test('a turn goes on no longer than the jobs that ran when it ended', async () => {
  const s = scene();
  const [a = ''] = files(s, 'a');
  await beginPlanned({ ...s.turn('1'), source: 'cli' }, plan([target(a)]), s.world);
  const job = spawn('sleep', ['600'], { stdio: 'ignore' });
  fs.rmSync(a);
  end(s, '1');
  await settle(s, true);
  assert.deepEqual(
    pendingTurns(s.home).map(({ turn }) => turn.turn),
    ['1~1'],
    'the job may still destroy what the turn names',
  );
  const gone = new Promise((resolve) => job.on('exit', resolve));
  job.kill();
  await gone;
  await settle(s);
  assert.equal(pendingTurns(s.home).length, 0);
  assert.equal(records(s).length, 1);
});

test('any text is a turn’s id: no two share a folder, and none looks like a mark of belay’s', async () => {
  const s = scene();
  const long = `é${'x'.repeat(300)}`;
  const ids = ['a.gone', 'a.done', 'a', '..', '7~1', `${long}1`, `${long}2`, '='];
  assert.equal(new Set(ids.map(folderName)).size, ids.length);
  for (const id of ids) assert.ok(folderName(id).length < 200 && !/[./]/.test(folderName(id)), id);
  for (const id of ['a.gone', 'a.done']) {
    const [file = ''] = files(s, basename(id));
    await hold(s, id, file);
    sweep(s.home, false);
    fs.rmSync(file);
    end(s, id);
    await settle(s);
    assert.equal(known(s, id), `bytes of ${id}`);
  }
});

test('a home in a folder called as belay’s own is no stand-in: it stays', async () => {
  const s = scene();
  const home = join(s.top, 'user/.belay-x/data');
  fs.mkdirSync(join(home, 'checkpoints/pending'), { recursive: true });
  fs.writeFileSync(join(home, 'state.db'), 'kept');
  const world = { ...s.world, home };
  openTurn(home, home, s.turn('1'), Date.now());
  await settleAll(world, { wait: 20_000, session: SESSION, turn: '2' });
  await settleAll(world, { wait: 20_000 });
  assert.equal(fs.readFileSync(join(home, 'state.db'), 'utf8'), 'kept');
});

test('a write that took only a part shifts nothing: every file is where its entry says', () => {
  const s = scene();
  const file = join(s.top, 'pack');
  const pack = new Pack(file, false);
  const real = fs.writeSync;
  let full = true;
  const fake = (fd: number, bytes: Uint8Array, offset = 0, length = bytes.length, position: number | null = null) => {
    if (!full || position === null) return real(fd, bytes, offset, length, position);
    if (offset > 0) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    return real(fd, bytes, 0, 1000, position);
  };
  const [a, b, c] = ['a', 'b', 'c'].map((text) => Buffer.alloc(3 * MB, text)) as [Buffer, Buffer, Buffer];
  const add = (bytes: Buffer): number => {
    fs.writeFileSync(join(s.top, 'small'), bytes);
    const fd = fs.openSync(join(s.top, 'small'), 'r');
    assert.equal(pack.read(fd, bytes.length), bytes.length);
    fs.closeSync(fd);
    return pack.add(bytes.length);
  };
  fs.writeSync = fake as typeof fs.writeSync;
  try {
    assert.equal(add(a), 0);
    assert.throws(() => add(b), /ENOSPC/);
    full = false;
    assert.equal(add(c), 6 * MB);
    pack.close();
  } finally {
    fs.writeSync = real;
  }
  assert.deepEqual(fs.readFileSync(file), Buffer.concat([a, b, c]));
});

test('a copy that was cut after it was held is told as damaged, never as the file', async () => {
  const s = scene();
  const file = join(s.root, 'f');
  fs.writeFileSync(file, Buffer.alloc(MB, 'x'));
  await beginPlanned(s.turn('1'), plan([target(file, { way: 'write-in-place' })]), s.world);
  const [pending] = pendingTurns(s.home);
  const [manifest] = manifestsOf(pending?.folder ?? '');
  fs.truncateSync(join(manifest?.folder ?? '', 'f1'), 1000);
  fs.writeFileSync(file, '');
  end(s, '1');
  await settle(s);
  const change = changeOf(records(s)[0], 'f');
  assert.ok(change?.before.kind === 'file' && change.before.content.at === 'nowhere');
});

test.run();
