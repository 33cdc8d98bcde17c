import { strict as assert } from 'node:assert';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { fileOid } from '../../src/checkpoint/oid.ts';
import type { CheckpointRecord } from '../../src/checkpoint/record.ts';
import { DEFAULTS } from '../../src/platform/config.ts';
import { beginPlanned, type Outcome } from '../../src/saving/begin.ts';
import { firstVersions, manifestsOf } from '../../src/saving/end.ts';
import { heldFile } from '../../src/saving/hold/manifest.ts';
import { beginLine } from '../../src/saving/line.ts';
import { basesOf } from '../../src/saving/place.ts';
import { endTurn } from '../../src/saving/settle/end-turn.ts';
import { settleAll } from '../../src/saving/settle/settle.ts';
import { pendingTurns } from '../../src/turns/pending.ts';
import { before, changeOf, mounted, plan, records, type Scene, scene, target } from './given.ts';

const SESSION = '20250101_000000_abcdef';
const MB = 1 << 20;

async function held(
  s: Scene,
  targets: ReturnType<typeof target>[],
  world = s.world,
): Promise<Outcome & { kind: 'saved' }> {
  const done = await beginPlanned(s.turn('1'), plan(targets), world);
  assert.ok(done.kind === 'saved');
  return done;
}

/** How a path is held, and the bytes that lie there now. */
function holdOf(done: { turnFolder: string }, path: string) {
  const found = firstVersions(manifestsOf(done.turnFolder)).get(path);
  assert.ok(found, path);
  const { hold } = found.entry;
  const file = hold === undefined || hold.how === 'pack' ? undefined : heldFile(found.manifest.folder, hold.file);
  return { entry: found.entry, how: hold?.how, file, bytes: file === undefined ? undefined : fs.readFileSync(file) };
}

async function settled(s: Scene): Promise<void> {
  endTurn(s.world, SESSION, '1', Date.now() + 1);
  await settleAll(s.world, { wait: 10_000 });
}

test('a target on another file system is held by link there, outside every project, 0700', async () => {
  const s = scene();
  const mount = mounted(s, 'other');
  if (mount === undefined) return;
  fs.writeFileSync(join(mount, 'big'), Buffer.alloc(11 * MB, 'b'));
  const done = await held(s, [target(join(mount, 'big'))]);
  const { how, file } = holdOf(done, join(mount, 'big'));
  assert.equal(how, 'link');
  assert.ok(file?.startsWith(join(mount, '.belay-')), file);
  assert.equal(
    fs.statSync(join(mount, fs.readdirSync(mount).find((name) => name.startsWith('.belay-')) ?? '')).mode & 0o777,
    0o700,
  );
  fs.rmSync(join(mount, 'big'));
  await settled(s);
  const [record] = records(s);
  assert.ok(record);
  assert.equal(before(s, record, changeOf(record, join(mount, 'big')))?.length, 11 * MB);
});

test('a project that is a mount of its own gets no hold inside: it is copied out', async () => {
  const s = scene();
  const mount = mounted(s, 'project/own');
  if (mount === undefined) return;
  fs.mkdirSync(join(mount, '.git'));
  fs.writeFileSync(join(mount, 'big'), Buffer.alloc(200_000, 'b'));
  const done = await held(s, [target(join(mount, 'big'))]);
  assert.equal(holdOf(done, join(mount, 'big')).how, 'copy');
  assert.deepEqual(fs.readdirSync(mount).sort(), ['.git', 'big']);
});

test('what is too large to copy is left out, and named', async () => {
  const s = scene();
  const mount = mounted(s, 'project/own');
  if (mount === undefined) return;
  fs.mkdirSync(join(mount, '.git'));
  fs.writeFileSync(join(mount, 'big'), Buffer.alloc(2 * MB, 'b'));
  const hold = { ...DEFAULTS.checkpoints.hold, max_mb: 1 };
  const config = { ...DEFAULTS, checkpoints: { ...DEFAULTS.checkpoints, hold } };
  const done = await held(s, [target(join(mount, 'big'))], { ...s.world, config });
  assert.deepEqual(done.leftOut, [{ path: join(mount, 'big'), reason: 'larger than hold.max_mb allows to copy' }]);
});

test('the link attempt decides, not the device number: a bind mount', async () => {
  const s = scene();
  const data = join(s.top, 'data');
  const bound = join(s.top, 'bound');
  for (const dir of [data, bound]) fs.mkdirSync(dir);
  fs.writeFileSync(join(data, 'big'), Buffer.alloc(200_000, 'b'));
  if (spawnSync('mount', ['--bind', data, bound]).status !== 0) return console.log('no bind mounts here: skipped');
  try {
    const done = await held(s, [target(join(bound, 'big'))]);
    const { how, bytes } = holdOf(done, join(bound, 'big'));
    assert.equal(how, 'link');
    assert.equal(bytes?.length, 200_000);
  } finally {
    execFileSync('umount', [bound]);
  }
});

test('a line that destroys belay’s own folder is held elsewhere, and comes into the new store', async () => {
  const s = scene();
  const user = join(s.top, 'user');
  const home = join(user, '.local/share/belay');
  fs.mkdirSync(home, { recursive: true });
  fs.writeFileSync(join(user, 'photo'), Buffer.alloc(200_000, 'p'));
  fs.writeFileSync(join(user, 'note'), 'note');
  const world = { ...s.world, home, env: new Map([...s.world.env, ['BELAY_HOME', home]]) };
  const done = await held(s, [target(user)], world);
  assert.ok(!done.turnFolder.startsWith(`${user}/`), done.turnFolder);
  fs.rmSync(user, { recursive: true });
  fs.mkdirSync(user);
  assert.equal(basesOf(home).flatMap((base) => pendingTurns(base)).length, 1);
  endTurn(world, SESSION, '1', Date.now() + 1);
  await settleAll(world, { wait: 10_000 });
  const [record] = records({ ...s, home });
  assert.ok(record);
  assert.equal(before({ ...s, home }, record, changeOf(record, join(user, 'note')))?.toString(), 'note');
  assert.equal(before({ ...s, home }, record, changeOf(record, join(user, 'photo')))?.length, 200_000);
  assert.equal(basesOf(home).length, 1, 'the stand-in is gone');
});

test('what is left of a store that a line removed while somebody wrote is a store again', async () => {
  const s = scene();
  const file = join(s.root, 'f');
  fs.writeFileSync(file, 'bytes');
  fs.mkdirSync(join(s.home, 'checkpoints/store/refs/belay'), { recursive: true, mode: 0o700 });
  await held(s, [target(file)]);
  fs.rmSync(file);
  await settled(s);
  assert.equal(before(s, records(s)[0] as CheckpointRecord, changeOf(records(s)[0], 'f'))?.toString(), 'bytes');
});

for (const [line, first] of ['rm -rf .[!.]* *', 'find . -mindepth 1 -delete', 'rm -rf .b* .l* photo'].flatMap((one) => [
  [one, true] as const,
  [one, false] as const,
]))
  test(`\`${line}\` in a home folder leaves the hold alone${first ? ', as the first line of all' : ''}`, async () => {
    const s = scene();
    const user = join(s.top, 'user');
    const home = join(user, '.local/share/belay');
    if (!first) fs.mkdirSync(home, { recursive: true });
    fs.writeFileSync(join(user, 'photo'), Buffer.alloc(200_000, 'p'));
    fs.writeFileSync(join(user, '.bashrc'), 'rc');
    const world = { ...s.world, home, env: new Map([...s.world.env, ['BELAY_HOME', home]]) };
    const targets = fs.readdirSync(user).map((name) => target(join(user, name)));
    const done = await held(s, targets, world);
    if (!first)
      assert.ok(done.leftOut.some(({ path, reason }) => path === home && reason.includes('made before this line')));
    execFileSync('bash', ['-c', line], { cwd: user });
    assert.deepEqual(fs.readdirSync(user), []);
    endTurn(world, SESSION, '1', Date.now() + 1);
    await settleAll(world, { wait: 10_000 });
    const [record] = records({ ...s, home });
    assert.ok(record);
    assert.equal(before({ ...s, home }, record, changeOf(record, join(user, '.bashrc')))?.toString(), 'rc');
    assert.equal(before({ ...s, home }, record, changeOf(record, join(user, 'photo')))?.length, 200_000);
  });

test('a pattern that names every hidden entry of another file system takes no hold along', async () => {
  const s = scene();
  const mount = mounted(s, 'other');
  if (mount === undefined) return;
  for (const name of ['.one', '.two', 'three']) fs.writeFileSync(join(mount, name), Buffer.alloc(200_000, name));
  await held(
    s,
    ['.one', '.two', 'three'].map((name) => target(join(mount, name))),
  );
  execFileSync('bash', ['-c', 'rm -rf .[!.]* *'], { cwd: mount });
  await settled(s);
  const [record] = records(s);
  assert.ok(record);
  for (const name of ['.one', '.two', 'three'])
    assert.equal(before(s, record, changeOf(record, join(mount, name)))?.length, 200_000, name);
});

test('what a line finds only when it runs is copied out where any place of its file system is found as well; what it names is linked', async () => {
  const s = scene();
  const mount = mounted(s, 'other');
  if (mount === undefined) return;
  const big = join(mount, 'sub/big');
  const run = async (turn: string, text: string, cwd = mount): Promise<string | undefined> => {
    fs.mkdirSync(join(mount, 'sub'), { recursive: true });
    for (const path of [big, join(mount, 'large')]) fs.writeFileSync(path, Buffer.alloc(300_000, 'b'));
    const line = {
      text,
      shell: 'bash' as const,
      cwd,
      variables: s.world.env,
      aliases: new Map(),
      functions: new Map(),
    };
    const done = await beginLine(s.turn(turn), { ...line, options: new Set() }, s.world);
    assert.ok(done.kind === 'saved', text);
    execFileSync('bash', ['-c', text], { cwd, stdio: 'ignore' });
    const { file, how } = holdOf(done, text.includes('large') ? join(mount, 'large') : big);
    assert.equal(file === undefined ? undefined : fs.statSync(file).size, 300_000, text);
    endTurn(s.world, SESSION, turn, Date.now() + 1);
    await settleAll(s.world, { wait: 10_000 });
    return how;
  };
  const walks = [
    'find . -type f -delete',
    'find . -delete',
    'find . -type f -exec rm {} +',
    'find . -type f | xargs rm -f',
    'shopt -s dotglob; rm -rf *',
    'rm -rf * .*',
    'rm -rf ./* ./.[!.]*',
    'for f in $(find . -type f); do rm -f "$f"; done',
    'find "$PWD" -size +100k -delete',
  ];
  for (const [i, line] of walks.entries()) assert.equal(await run(`${i + 1}`, line), 'copy', line);
  assert.equal(await run('20', 'rm large'), 'link');
  assert.equal(await run('21', 'rm -rf *'), 'link');
  assert.equal(await run('22', 'find . -delete', join(mount, 'sub')), 'link');
});

test('a link never satisfies a write in place, an exposed file or one with more names', async () => {
  const s = scene();
  const big = Buffer.alloc(200_000, 'b');
  for (const name of ['written', 'exposed', 'two', 'deleted']) fs.writeFileSync(join(s.root, name), big);
  fs.linkSync(join(s.root, 'two'), join(s.root, 'second name'));
  const done = await held(s, [
    target(join(s.root, 'written'), { way: 'write-in-place' }),
    target(join(s.root, 'exposed'), { exposed: true }),
    target(join(s.root, 'two')),
    target(join(s.root, 'deleted')),
  ]);
  const how = (name: string) => holdOf(done, join(s.root, name)).how;
  assert.deepEqual(['written', 'exposed', 'two', 'deleted'].map(how), ['copy', 'copy', 'copy', 'link']);
});

test('a file held by link and then written in place in the same turn keeps its first bytes', async () => {
  const s = scene();
  const file = join(s.root, 'big');
  const first = Buffer.alloc(200_000, '1');
  fs.writeFileSync(file, first);
  await held(s, [target(file)]); // rm -i, answered no
  const done = await held(s, [target(file, { way: 'write-in-place' })]);
  fs.writeFileSync(file, Buffer.alloc(200_000, '2'));
  assert.equal(holdOf(done, file).how, 'copy');
  await settled(s);
  const [record] = records(s);
  assert.ok(record);
  assert.deepEqual(before(s, record, changeOf(record, 'big')), first);
});

test('a link whose name still leads to the same inode is dropped at the end, and its space with it', async () => {
  const s = scene();
  const file = join(s.root, 'big');
  fs.writeFileSync(file, Buffer.alloc(11 * MB, 'b'));
  await held(s, [target(file)]);
  assert.equal(fs.statSync(file).nlink, 2);
  await settled(s);
  assert.equal(fs.statSync(file).nlink, 1);
  assert.deepEqual(records(s)[0]?.changes, []);
  await beginPlanned(s.turn('2'), plan([target(file)]), s.world);
  fs.utimesSync(file, 1e9, 1e9);
  endTurn(s.world, SESSION, '2', Date.now() + 1);
  await settleAll(s.world, { wait: 10_000 });
  assert.equal(fs.statSync(file).nlink, 1, 'a new time alone is no change');
});

test('a deferred effect finds its hold still there when it strikes after the prompt', async () => {
  const s = scene();
  const file = join(s.root, 'big');
  fs.writeFileSync(file, Buffer.alloc(11 * MB, 'b'));
  const oid = fileOid(file);
  await held(s, [target(file, { deferred: true })]);
  await settled(s);
  assert.equal(records(s).length, 0, 'nothing happened yet, and nothing is over');
  fs.rmSync(file);
  await settleAll(s.world, { wait: 10_000, reader: true });
  const [record] = records(s);
  const change = changeOf(record, 'big');
  assert.ok(change?.before.kind === 'file' && change.before.content.at === 'hold' && change.uncertain);
  assert.equal(change.before.content.oid, oid);
});

test('a deferred turn is settled as far as it is, and the rest when it happens', async () => {
  const s = scene();
  for (const name of ['a', 'b']) fs.writeFileSync(join(s.root, name), name);
  await held(s, [target(join(s.root, 'a'), { deferred: true }), target(join(s.root, 'b'), { deferred: true })]);
  fs.rmSync(join(s.root, 'a'));
  endTurn(s.world, SESSION, '1', Date.now() + 1);
  await settleAll(s.world, { wait: 10_000, reader: true });
  await settleAll(s.world, { wait: 10_000, reader: true });
  fs.rmSync(join(s.root, 'b'));
  await settleAll(s.world, { wait: 10_000, reader: true });
  assert.deepEqual(
    records(s).map(({ turn, changes }) => [turn, changes.map(({ path }) => path)]),
    [
      ['1~1', ['b']],
      ['1', ['a']],
    ],
  );
});

test('a deferred deletion that has happened is over: settled in its order, whether or not anybody reads', async () => {
  const s = scene();
  const [a, b, c] = ['a', 'b', 'c'].map((name) => join(s.root, name)) as [string, string, string];
  for (const name of [a, b, c]) fs.writeFileSync(name, name);
  const line = async (turn: string, path: string, deferred: boolean): Promise<void> => {
    await beginPlanned(s.turn(turn), plan([target(path, { deferred })]), s.world);
    if (turn !== '2') fs.rmSync(path);
    endTurn(s.world, SESSION, turn, Date.now() + 1);
    if (turn === '2') fs.rmSync(path); // behind the prompt
  };
  await line('1', a, true);
  await line('2', b, true);
  await line('3', c, false);
  await settleAll(s.world, { wait: 10_000 });
  assert.deepEqual(
    records(s)
      .sort((one, other) => one.n - other.n)
      .map(({ turn, changes }) => [turn, changes.map(({ path }) => path)]),
    [
      ['1', ['a']],
      ['2', ['b']],
      ['3', ['c']],
    ],
  );
  assert.equal(pendingTurns(s.home).length, 0);
});

test('hold.skip leaves out what git ignores and says so; what it does not ignore is held, and a move is', async () => {
  const s = scene();
  fs.writeFileSync(join(s.root, '.gitignore'), 'node_modules\n');
  for (const dir of ['node_modules', 'target']) {
    fs.mkdirSync(join(s.root, dir));
    fs.writeFileSync(join(s.root, dir, 'f'), dir);
  }
  const done = await held(s, [target(join(s.root, 'node_modules')), target(join(s.root, 'target'))]);
  assert.deepEqual(done.leftOut, [
    { path: join(s.root, 'node_modules'), reason: 'git ignores it and its name is in hold.skip' },
  ]);
  assert.equal(holdOf(done, join(s.root, 'target/f')).how, 'pack');
  const moved = await held(s, [target(join(s.root, 'node_modules'), { way: 'move', to: join(s.root, 'old') })]);
  assert.equal(holdOf(moved, join(s.root, 'node_modules/f')).how, 'pack');
});

test('a move is undone by renaming back: the record says where everything went', async () => {
  const s = scene();
  fs.mkdirSync(join(s.root, 'a'));
  fs.writeFileSync(join(s.root, 'a/f'), 'f');
  await held(s, [target(join(s.root, 'a'), { way: 'move', to: join(s.root, 'b') })]);
  fs.renameSync(join(s.root, 'a'), join(s.root, 'b'));
  await settled(s);
  assert.deepEqual(
    records(s)[0]?.changes.map(({ path, before, after, movedTo }) => [path, before.kind, after.kind, movedTo]),
    [
      ['a', 'folder', 'absent', 'b'],
      ['a/f', 'file', 'absent', 'b/f'],
      ['b', 'absent', 'folder', undefined],
      ['b/f', 'absent', 'file', undefined],
    ],
  );
});

test('a disk with little room holds no large files, and says so; small ones are held', async () => {
  const s = scene();
  fs.writeFileSync(join(s.root, 'big'), Buffer.alloc(11 * MB, 'b'));
  fs.writeFileSync(join(s.root, 'small'), 'small');
  const hold = { ...DEFAULTS.checkpoints.hold, min_free_percent: 101 };
  const config = { ...DEFAULTS, checkpoints: { ...DEFAULTS.checkpoints, hold } };
  const done = await held(s, [target(join(s.root, 'big')), target(join(s.root, 'small'))], { ...s.world, config });
  assert.equal(done.leftOut.length, 1);
  assert.match(done.leftOut[0]?.reason ?? '', /less than 101 % of the disk is free/);
  assert.equal(holdOf(done, join(s.root, 'small')).how, 'pack');
});

test('fifos, sockets and devices are recorded and never read', async () => {
  const s = scene();
  execFileSync('mkfifo', [join(s.root, 'pipe')]);
  const done = await held(s, [target(join(s.root, 'pipe'))]);
  assert.equal(holdOf(done, join(s.root, 'pipe')).entry.look?.type, 'fifo');
  fs.rmSync(join(s.root, 'pipe'));
  await settled(s);
  const pipe = records(s)[0]?.changes[0]?.before;
  assert.deepEqual(pipe?.kind === 'special' && [pipe.mode, pipe.what], [0o644, 'fifo']);
});

test('a nearly full disk: what a link can hold is linked, also when it is small', async () => {
  const s = scene();
  const disk = mounted(s, 'disk', '8m');
  if (disk === undefined) return;
  const world = { ...s.world, home: join(disk, 'belay') };
  fs.writeFileSync(join(disk, 'small'), 'small');
  const done = await held(s, [target(join(disk, 'small'))], world);
  fs.rmSync(join(disk, 'small'));
  const { how, bytes } = holdOf(done, join(disk, 'small'));
  assert.deepEqual([how, bytes?.toString()], ['link', 'small']);
});

test('a full disk fails the hold clean: nothing half-done is left', async () => {
  const s = scene();
  const small = mounted(s, 'full', '1m');
  if (small === undefined) return;
  const world = { ...s.world, home: join(small, 'belay') };
  const dir = join(s.root, 'd');
  fs.mkdirSync(dir);
  for (let i = 0; i < 40; i++) fs.writeFileSync(join(dir, `f${i}`), Buffer.alloc(60_000, i));
  let failed = '';
  await beginPlanned(s.turn('1'), plan([target(dir, { way: 'write-in-place' })]), world).catch((error) => {
    failed = error.code;
  });
  assert.equal(failed, 'ENOSPC');
  const [pending] = pendingTurns(world.home);
  assert.deepEqual(manifestsOf(pending?.folder ?? ''), []);
});

test.run();
