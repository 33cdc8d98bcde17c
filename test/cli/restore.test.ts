import { execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { blobOid } from '../../src/checkpoint/oid.ts';
import type { Change } from '../../src/checkpoint/record.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import { writeRecord } from '../../src/checkpoint/write.ts';
import { absent, turn as draft, file } from '../checkpoint/given.ts';
import { differences, readTree } from '../checkpoint/model.ts';
import { belay, project, put, type Restored, spawnBelay } from './drive.ts';
import { inOwnHome } from './home.ts';
import { turn as did, nextOrder } from './turns.ts';

const at = inOwnHome(fileURLToPath(import.meta.url));
const turn = (root: string, line: string, act: () => void, session?: string): number =>
  did(at.home, root, line, act, session);
const read = (root: string, path: string): string => fs.readFileSync(join(root, path), 'utf8');
const rm = (root: string, path: string): void => fs.rmSync(join(root, path), { recursive: true });
const same = (root: string, before: ReturnType<typeof readTree>): void =>
  assert.equal(differences(before, readTree(root)), []);

test('undo brings back what a turn deleted, byte for byte, with its modes, links and empty folders', async () => {
  const root = project(at, { 'src/a': 'a\r\n', 'src/deep/b': '\u0000' });
  fs.chmodSync(join(root, 'src/a'), 0o640);
  fs.mkdirSync(join(root, 'src/empty'), { mode: 0o711 });
  fs.symlinkSync('/nowhere', join(root, 'src/link'));
  execFileSync('mkfifo', ['-m', '600', join(root, 'src/pipe')]);
  const before = readTree(root);
  turn(root, 'rm -rf src', () => rm(root, 'src'));
  const done = await belay(root, 'undo');
  assert.is(done.exit, 0);
  same(root, before);
});

test('a hand-edit is kept and named, and --all restores it too', async () => {
  const root = project(at, { a: 'one', b: 'one' });
  const n = turn(root, 'sed -i', () => put(root, { a: 'two', b: 'two' }));
  put(root, { a: 'mine' });
  const done = await belay(root, 'rollback', String(n));
  assert.equal([read(root, 'a'), read(root, 'b')], ['mine', 'one']);
  assert.equal(
    done.json.kept.map(({ path, why }) => [path, why]),
    [['a', 'hand-edit']],
  );
  assert.match(done.text, `Restored checkpoint ${n}`);
  assert.match(done.text, 'Kept your hand-edits: a');
  assert.match(done.text, `belay rollback ${n} --all`);
  await belay(root, 'rollback', String(n), '--all');
  assert.is(read(root, 'a'), 'one');
});

test('a turn of which an undo could do nothing, or not all, does not count as undone: the next undo is at it again', async () => {
  const root = project(at, { 'a/f': 'a', 'b/f': 'b', old: 'old' });
  turn(root, 'rm old', () => rm(root, 'old'));
  turn(root, 'rm a/f b/f', () => [rm(root, 'a/f'), rm(root, 'b/f')]);
  const shut = (...folders: string[]): boolean =>
    spawnSync('chattr', ['+i', ...folders.map((name) => join(root, name))]).status === 0;
  const open = (): unknown => spawnSync('chattr', ['-i', join(root, 'a'), join(root, 'b')]);
  if (!shut('a', 'b')) return; // not here
  try {
    const none = await belay(root, 'undo');
    assert.is(none.exit, 1);
    assert.equal([none.json.restored, fs.existsSync(join(root, 'old'))], [[], false]);
    open();
    shut('b');
    const some = await belay(root, 'undo');
    assert.equal([some.exit, some.json.restored, read(root, 'a/f')], [1, ['a/f'], 'a']);
    open();
    const rest = await belay(root, 'undo');
    assert.equal([rest.exit, rest.json.restored, read(root, 'b/f')], [0, ['b/f'], 'b']);
    await belay(root, 'undo');
    assert.is(read(root, 'old'), 'old');
  } finally {
    open();
  }
});

test('a file that a turn created goes, one that was made by hand stays', async () => {
  const root = project(at, { keep: '' });
  const n = turn(root, 'touch new', () => put(root, { 'out/new': 'x' }));
  put(root, { 'out/mine': 'mine' });
  await belay(root, 'rollback', String(n));
  assert.equal(fs.readdirSync(join(root, 'out')), ['mine']);
});

test('undo goes further although everything was kept, and skips turns that changed nothing', async () => {
  const root = project(at, { a: '1', b: '1' });
  turn(root, 'first', () => put(root, { a: '2' }));
  turn(root, 'nothing', () => {});
  turn(root, 'second', () => put(root, { b: '2' }));
  put(root, { b: 'mine' });
  const kept = await belay(root, 'undo');
  assert.equal(
    kept.json.kept.map(({ path }) => path),
    ['b'],
  );
  assert.type(kept.json.safety, 'number');
  await belay(root, 'undo');
  assert.equal([read(root, 'a'), read(root, 'b')], ['1', 'mine']);
  assert.is((await belay(root, 'undo')).exit, 4);
});

test('the command that a restore prints brings back exactly what it found, hand-edits included, twice in a row too', async () => {
  const root = project(at, { a: '1' });
  const n = turn(root, 'rewrite', () => put(root, { a: '2', b: 'new' }));
  put(root, { a: 'mine' });
  const before = readTree(root);
  const done = await belay(root, 'rollback', String(n), '--all');
  assert.is(read(root, 'a'), '1');
  assert.match(done.text, `belay rollback ${done.json.safety}`);
  for (let i = 0; i < 2; i++) {
    await belay(root, 'rollback', String(done.json.safety));
    same(root, before);
  }
});

test('moves are undone by renaming, through restores and over them', async () => {
  const root = project(at, { x: '' });
  turn(root, 'write f/g', () => put(root, { 'f/g': 'text' }));
  turn(root, 'write d/y', () => put(root, { 'd/y': 'y' }));
  const n = turn(root, 'mv f/g d/e', () => fs.renameSync(join(root, 'f/g'), join(root, 'd/e')));
  const ino = fs.statSync(join(root, 'd/e')).ino;
  await belay(root, 'rollback', String(n));
  assert.is(fs.statSync(join(root, 'f/g')).ino, ino);
  await belay(root, 'undo');
  assert.not(fs.existsSync(join(root, 'd')));
  await belay(root, 'rollback', String(n));
  await belay(root, 'redo');
  assert.equal([read(root, 'f/g'), fs.existsSync(join(root, 'd/e'))], ['text', false]);
});

test('a file that a turn moved and a hand moved on comes back as a copy; where the hand has put it, it stays', async () => {
  const root = project(at, { a: 'once\n', 'd/x': 'in d\n', other: 'x\n' });
  const before = fs.readFileSync(join(root, 'a'));
  turn(root, 'mv a b', () => fs.renameSync(join(root, 'a'), join(root, 'b')));
  turn(root, 'mv d e', () => fs.renameSync(join(root, 'd'), join(root, 'e')));
  fs.mkdirSync(join(root, 'mine'));
  fs.renameSync(join(root, 'b'), join(root, 'mine/c'));
  fs.renameSync(join(root, 'e'), join(root, 'mine/e'));
  for (let i = 0; i < 2; i++) {
    const done = await belay(root, 'undo');
    assert.equal([done.exit, done.json.kept], [0, []]);
  }
  assert.equal(fs.readFileSync(join(root, 'a')), before);
  assert.equal(fs.readFileSync(join(root, 'mine/c')), before);
  assert.is(fs.readFileSync(join(root, 'd/x'), 'utf8'), 'in d\n');
  assert.is(fs.readFileSync(join(root, 'mine/e/x'), 'utf8'), 'in d\n');
  assert.not(fs.existsSync(join(root, 'b')));
});

test('what somebody has put into a folder that a turn had moved stays there, and is named', async () => {
  const root = project(at, { 'd/x': '1\n' });
  fs.mkdirSync(join(root, 'empty'));
  turn(root, 'mv d e', () => fs.renameSync(join(root, 'd'), join(root, 'e')));
  turn(root, 'mv empty full', () => fs.renameSync(join(root, 'empty'), join(root, 'full')));
  put(root, { 'e/mine': 'mine\n', 'full/mine': 'mine\n' });
  const done = await belay(root, 'rollback', '1');
  assert.is(done.exit, 0);
  assert.match(done.text, /Kept your hand-edits: .*e\/mine.*full\/mine/);
  for (const path of ['e/mine', 'full/mine']) assert.is(fs.readFileSync(join(root, path), 'utf8'), 'mine\n');
  assert.is(fs.readFileSync(join(root, 'd/x'), 'utf8'), '1\n');
  assert.ok(fs.statSync(join(root, 'empty')).isDirectory());
});

test('a restore that has no room is refused before it touches anything', async () => {
  const root = project(at, { 'package.json': '{}' });
  const small = join(root, 'small');
  fs.mkdirSync(small);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', small]);
  if (mounted.status !== 0) return; // only root may mount, and not everywhere
  try {
    fs.writeFileSync(join(small, 'big'), Buffer.alloc(700_000, 'a'));
    put(root, { 'small/note': 'note\n', beside: 'beside\n' });
    turn(root, 'rm small/big beside', () => {
      fs.rmSync(join(small, 'big'));
      fs.rmSync(join(root, 'beside'));
    });
    fs.writeFileSync(join(small, 'other'), Buffer.alloc(600_000, 'b'));
    const before = [fs.readdirSync(small), fs.readdirSync(root)];
    const done = spawnBelay(root, ['undo', '--json']);
    assert.is(done.status, 1);
    assert.is(JSON.parse(done.stdout).error.code, 'disk_full');
    assert.equal([fs.readdirSync(small), fs.readdirSync(root)], before);
    assert.is((await belay<{ checkpoints: unknown[] }>(root, 'list')).json.checkpoints.length, 1);
    fs.rmSync(join(small, 'other'));
    assert.is((await belay(root, 'undo')).exit, 0);
    assert.is(fs.statSync(join(small, 'big')).size, 700_000);
    assert.is(fs.readFileSync(join(root, 'beside'), 'utf8'), 'beside\n');
  } finally {
    spawnSync('umount', [small]);
  }
});

test('redo leads forward again, and refuses where a later turn changed a path', async () => {
  const root = project(at, { a: '1', b: '1' });
  turn(root, 'a', () => put(root, { a: '2' }));
  turn(root, 'b', () => put(root, { b: '2' }));
  await belay(root, 'undo');
  await belay(root, 'undo');
  await belay(root, 'redo');
  assert.equal([read(root, 'a'), read(root, 'b')], ['2', '1']);
  turn(root, 'b again', () => put(root, { b: '3' }));
  const refused = await belay(root, 'redo');
  assert.equal([refused.exit, refused.code, read(root, 'b')], [3, 'later_turn', '3']);
});

test('undo --turn keeps what a later turn changed, and lists it', async () => {
  const root = project(at, { a: '1', b: '1' });
  turn(root, 'both', () => put(root, { a: '2', b: '2' }));
  turn(root, 'only b', () => put(root, { b: '3' }));
  const { json } = await belay<{ checkpoints: { turn: string }[] }>(root, 'list');
  const done = await belay(root, 'undo', '--turn', json.checkpoints[1]?.turn ?? '');
  assert.equal([read(root, 'a'), read(root, 'b')], ['1', '3']);
  assert.equal(
    done.json.kept.map(({ path, why }) => [path, why]),
    [['b', 'later-turn']],
  );
});

test('a file with several names is restored in place, so that every name has it again', async () => {
  const root = project(at, { a: 'one' });
  fs.linkSync(join(root, 'a'), join(at.top, 'other-name'));
  turn(root, 'echo > a', () => put(root, { a: 'changed' }));
  await belay(root, 'undo');
  assert.equal([read(root, 'a'), fs.readFileSync(join(at.top, 'other-name'), 'utf8')], ['one', 'one']);
});

test('a name of a file comes back as one of that file, where another of its names lies elsewhere in the project', async () => {
  const root = project(at, { a: 'one', b: 'two', 'sub/deep/x': 'x' });
  const other = (name: string): string => join(root, 'sub/deep', name);
  for (const name of ['a', 'b']) fs.linkSync(join(root, name), other(name));
  turn(root, 'rm a b', () => ['a', 'b'].map((name) => rm(root, name)));
  fs.writeFileSync(other('b'), 'new');
  await belay(root, 'undo');
  assert.equal([read(root, 'a'), read(root, 'b')], ['one', 'two']);
  const isOne = (name: string): boolean => fs.statSync(join(root, name)).ino === fs.statSync(other(name)).ino;
  assert.equal(['a', 'b'].map(isOne), [true, false]);
  await belay(root, 'redo');
  assert.equal([fs.existsSync(join(root, 'a')), fs.readFileSync(other('a'), 'utf8')], [false, 'one']);
});

test('files, folders and links take each other’s place', async () => {
  const root = project(at, { 'f/in': 'x', g: 'file', 'h/in': 'y' });
  fs.symlinkSync('g', join(root, 'l'));
  const before = readTree(root);
  turn(root, 'shuffle', () => {
    rm(root, 'f');
    put(root, { f: 'now a file' });
    rm(root, 'g');
    put(root, { 'g/in': 'now a folder' });
    rm(root, 'l');
    fs.mkdirSync(join(root, 'l'));
    rm(root, 'h');
    fs.symlinkSync('/', join(root, 'h'));
  });
  await belay(root, 'undo');
  same(root, before);
  await belay(root, 'redo');
  assert.is(read(root, 'g/in'), 'now a folder');
});

test('what already is as it should be is not touched, its time included', async () => {
  const root = project(at, { a: '1', b: '1' });
  const n = turn(root, 'both', () => put(root, { a: '2', b: '2' }));
  put(root, { a: '1' });
  const time = fs.statSync(join(root, 'a')).mtimeMs;
  const done = await belay(root, 'rollback', String(n));
  assert.is(fs.statSync(join(root, 'a')).mtimeMs, time);
  assert.equal(done.json.restored, ['b']);
});

test('a hostile checkpoint never leads out of its project', async () => {
  const root = project(at, { real: '' });
  const outside = join(at.top, 'outside');
  put(outside, { victim: 'untouched' });
  fs.symlinkSync(outside, join(root, 'link'));
  const bytes = Buffer.from('evil');
  const evil = (path: string, by: Change['by']): Change => ({ path, before: file(bytes), after: absent, by });
  const written = writeRecord(
    openStore(at.home),
    root,
    draft({
      order: nextOrder(at.home),
      session: 'hostile',
      changes: [
        evil('../outside/dotdot', 'named'),
        evil('a/../../outside/inner', 'named'),
        evil(join(outside, 'absolute'), 'seen'),
        evil('link/below', 'named'),
        evil('link/victim', 'named'),
        evil('.git/hooks/post-checkout', 'seen'),
        evil('a//b', 'named'),
        evil('./c', 'named'),
        evil('nul\0byte', 'named'),
        evil('good', 'named'),
      ],
    }),
    new Map([[blobOid(bytes), bytes]]),
  );
  for (const words of [
    ['rollback', String(written.n)],
    ['rollback', String(written.n), 'link'],
    ['undo', '--session', 'hostile'],
  ]) {
    await belay(root, ...words);
    assert.equal(fs.readdirSync(outside), ['victim']);
    assert.is(read(outside, 'victim'), 'untouched');
    assert.not(fs.existsSync(join(root, '.git')));
  }
  assert.is(read(root, 'good'), 'evil');
});

test('pathspecs choose among what was recorded, from the current folder, not among today’s files', async () => {
  const root = project(at, { 'd/a.txt': '1', 'd/b.md': '1', 'c.txt': '1', ':(top)x': '1' });
  const n = String(
    turn(root, 'rm', () => {
      for (const path of ['d', 'c.txt', ':(top)x']) rm(root, path);
    }),
  );
  put(root, { 'd/today.txt': '' });
  const back = async (cwd: string, ...specs: string[]): Promise<string[]> => {
    const done = await belay(cwd, 'rollback', n, ...specs);
    const paths = [...done.json.restored].sort();
    if (done.json.safety) await belay(root, 'rollback', String(done.json.safety));
    return paths;
  };
  assert.equal(await back(root, '*.txt'), ['c.txt', 'd/a.txt']);
  assert.equal(await back(join(root, 'd'), '*.txt'), ['d/a.txt']);
  assert.equal(await back(root, ':(glob)*.txt'), ['c.txt']);
  assert.equal(await back(root, 'd', ':(exclude)*.md'), ['d/a.txt']);
  assert.equal(await back(join(root, 'd'), ':/c.txt'), ['c.txt']);
  assert.equal(await back(root, '--literal', ':(top)x'), [':(top)x']);
  const nothing = await belay(root, 'rollback', n, 'no-such');
  assert.equal([nothing.exit, nothing.code], [3, 'no_match']);
});

test('a path named literally comes back although it was edited, a wildcard keeps hand-edits', async () => {
  const root = project(at, { 'a.txt': '1', 'b.txt': '1' });
  const n = String(turn(root, 'write', () => put(root, { 'a.txt': '2', 'b.txt': '2' })));
  put(root, { 'a.txt': 'mine' });
  await belay(root, 'rollback', n, '*.txt');
  assert.equal([read(root, 'a.txt'), read(root, 'b.txt')], ['mine', '1']);
  for (const none of ['', ':(nothing)a.txt']) assert.is((await belay(root, 'rollback', n, none)).exit, 2, none);
  await belay(root, 'rollback', n, 'a.txt');
  assert.is(read(root, 'a.txt'), '1');
});

test('--after leads to how the turn left things, --to writes the state elsewhere', async () => {
  const root = project(at, { a: '1', gone: '1' });
  const act = (): void => {
    put(root, { a: '2', new: '2' });
    rm(root, 'gone');
  };
  const n = String(turn(root, 'two', act));
  turn(root, 'three', () => put(root, { a: '3' }));
  const to = join(at.top, 'elsewhere');
  await belay(root, 'rollback', n, '--to', to);
  assert.equal([read(to, 'a'), read(root, 'a')], ['1', '3']);
  assert.is((await belay(root, 'rollback', n, '--to', to)).code, 'would_overwrite');
  const [some, then] = [join(at.top, 'some'), join(at.top, 'then')];
  await belay(root, 'rollback', n, 'gone', '--to', some);
  await belay(root, 'rollback', n, '--after', '--to', then);
  assert.equal([fs.readdirSync(some), fs.readdirSync(then).sort(), read(then, 'a')], [['gone'], ['a', 'new'], '2']);
  await belay(root, 'rollback', n, '--after');
  assert.is(read(root, 'a'), '2');
});

test('a dry run says what it would do and changes nothing', async () => {
  const root = project(at, { a: '1' });
  const n = String(turn(root, 'two', () => put(root, { a: '2', b: 'new' })));
  const before = readTree(root);
  const done = await belay(root, 'rollback', n, '--dry-run');
  assert.equal([done.json.restored, done.json.removed, done.json.safety], [['a'], ['b'], null]);
  same(root, before);
  assert.is((await belay<{ checkpoints: unknown[] }>(root, 'list')).json.checkpoints.length, 1);
});

test('what cannot be saved first is not overwritten: refused, and nothing has changed', async () => {
  const root = project(at, { a: '1', b: '1' });
  const n = String(turn(root, 'two', () => put(root, { a: '2', b: '2' })));
  rm(root, 'a');
  const server = net.createServer().listen(join(root, 'a'));
  await new Promise((resolve) => server.once('listening', resolve));
  const done = await belay(root, 'rollback', n, '--all');
  server.close();
  assert.equal([done.exit, done.code, read(root, 'b')], [3, 'would_overwrite', '2']);
  assert.is((await belay<{ checkpoints: unknown[] }>(root, 'list')).json.checkpoints.length, 1);
});

test('a file that something writes right now is not overwritten: refused, and nothing has changed', async () => {
  const root = project(at, { a: '1', log: '' });
  const long = 'x'.repeat(4 << 20);
  const n = String(turn(root, 'two', () => put(root, { a: '2', log: long })));
  const code = "for (const end = Date.now() + 60_000; Date.now() < end; ) require('fs').appendFileSync('log', 'y')";
  const writer = spawn(process.execPath, ['-e', code], { cwd: root, stdio: 'ignore' });
  try {
    const until = Date.now() + 30_000;
    while (fs.statSync(join(root, 'log')).size === long.length && Date.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 5));
    // Where the writer did not come to write while the file was read, nothing was written right then: once more.
    for (;;) {
      const done = await belay(root, 'rollback', n, '--all');
      if (done.exit === 0 && Date.now() < until) put(root, { a: '2', log: long });
      else {
        assert.equal([done.exit, done.code, read(root, 'a')], [3, 'would_overwrite', '2']);
        assert.match(done.message, 'log');
        break;
      }
    }
  } finally {
    writer.kill('SIGKILL');
  }
});

test('a turn that touched two projects is undone in both, with a safety checkpoint in each', async () => {
  const [one, two] = [project(at, { a: '1' }), project(at, { b: '1' })];
  const order = nextOrder(at.home);
  const store = openStore(at.home);
  const [old, now] = [Buffer.from('1'), Buffer.from('2')];
  for (const [root, path] of [
    [one, 'a'],
    [two, 'b'],
  ] as const) {
    fs.writeFileSync(join(root, path), '2');
    writeRecord(
      store,
      root,
      draft({
        order,
        session: 'both',
        turn: '7',
        changes: [{ path, before: file(old), after: file(now), by: 'named' }],
      }),
      new Map([
        [blobOid(old), old],
        [blobOid(now), now],
      ]),
    );
  }
  const done = await belay<Restored & { projects: { safety: number }[] }>(one, 'undo', '--session', 'both');
  assert.equal([read(one, 'a'), read(two, 'b')], ['1', '1']);
  assert.equal(
    done.json.projects.map(({ safety }) => safety),
    [2, 2],
  );
  assert.is((await belay(two, 'undo', '--session', 'both')).exit, 4);
});

test('a deleted project folder comes back whole and stays the same project', async () => {
  const root = project(at, { a: '1', 'd/b': '2' });
  fs.chmodSync(root, 0o750);
  const before = readTree(root);
  const store = openStore(at.home);
  const contents = new Map<string, Buffer>();
  const changes = [...before].map(([path, node]): Change => {
    if (node.kind === 'folder')
      return { path, before: { kind: 'folder', mode: node.mode }, after: absent, by: 'named' };
    const bytes = node.bytes ?? Buffer.alloc(0);
    contents.set(blobOid(bytes), bytes);
    return { path, before: file(bytes, node.mode), after: absent, by: 'named' };
  });
  changes.push({ path: '.', before: { kind: 'folder', mode: 0o750 }, after: absent, by: 'named' });
  const { record } = writeRecord(
    store,
    root,
    draft({ order: nextOrder(at.home), session: 'whole', changes }),
    contents,
  );
  rm(root, '.');
  const done = await belay(at.top, 'undo', '--session', 'whole');
  assert.is(done.exit, 0);
  same(root, before);
  assert.is(fs.statSync(root).mode & 0o777, 0o750);
  const list = await belay<{ checkpoints: { state: string; n: number }[] }>(root, 'list');
  assert.equal(
    list.json.checkpoints.map(({ state }) => state),
    ['whole', 'undone'],
  );
  assert.is(record.generation, 1);
});

test('a project within another that comes back with it stays the same project, too', async () => {
  const outer = project(at, { 'inner/package.json': '{}', 'inner/a': '1' });
  const inner = join(outer, 'inner');
  turn(inner, 'two', () => put(inner, { a: '2' }));
  turn(outer, 'rm -r inner', () => rm(outer, 'inner'));
  fs.mkdirSync(join(outer, 'takes-the-inode'));
  await belay(outer, 'undo');
  assert.is(read(inner, 'a'), '2');
  assert.equal([(await belay(inner, 'rollback', '1')).code, read(inner, 'a')], ['', '1']);
});

test('an older folder of the same name is listed apart and restores only elsewhere', async () => {
  const root = project(at, { a: '1' });
  const n = String(turn(root, 'two', () => put(root, { a: '2' })));
  fs.renameSync(root, `${root}-gone`);
  put(root, { 'package.json': '', a: '3' });
  const done = await belay(root, 'rollback', n);
  assert.equal([done.exit, done.code, read(root, 'a')], [3, 'other_folder', '3']);
  const to = join(at.top, 'old-one');
  await belay(root, 'rollback', n, '--to', to);
  assert.is(read(to, 'a'), '1');
});

test.run();
