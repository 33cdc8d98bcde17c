import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { differences, readTree } from '../checkpoint/model.ts';
import { belay, project, put } from './drive.ts';
import { inOwnHome } from './home.ts';
import { turn as did, nextOrder } from './turns.ts';

const at = inOwnHome(fileURLToPath(import.meta.url));
const turn = (root: string, line: string, act: () => void): number => did(at.home, root, line, act);
const read = (root: string, path: string): string => fs.readFileSync(join(root, path), 'utf8');
const rm = (root: string, path: string): void => fs.rmSync(join(root, path), { recursive: true });

function repository(files: Record<string, string>): string {
  const root = project(at, files);
  execFileSync('git', ['init', '-q', root]);
  return root;
}

const withoutGit = (root: string): ReturnType<typeof readTree> =>
  new Map([...readTree(root)].filter(([path]) => path !== '.git' && !path.startsWith('.git/')));

interface Made {
  readonly n: number;
}

test('a checkpoint by hand leads back to the whole state, whatever happened since, and back again', async () => {
  const root = repository({ a: '1', 'd/b': '2', 'd/e/c': '3', '.gitignore': '*.log', 'x.log': 'ignored' });
  fs.chmodSync(join(root, 'a'), 0o600);
  fs.mkdirSync(join(root, 'empty'));
  const before = withoutGit(root);
  const made = await belay<Made>(root, 'checkpoint', '-m', 'good state');
  assert.is(made.exit, 0);
  put(root, { a: 'changed', 'new/file': 'new', 'd/b': '' });
  rm(root, 'd/e');
  rm(root, 'empty');
  fs.chmodSync(join(root, 'a'), 0o644);
  const after = withoutGit(root);
  const done = await belay(root, 'rollback', String(made.json.n));
  assert.equal(differences(before, withoutGit(root)), []);
  assert.match(done.json.notes.join(), 'No turn is recorded from there on');
  await belay(root, 'rollback', String(done.json.safety));
  assert.equal(differences(after, withoutGit(root)), []);
  assert.is(read(root, 'x.log'), 'ignored');
});

test('--all takes the state before a turn whole: named versions, then the nearest capture', async () => {
  const root = repository({ a: '1', b: '1', c: '1' });
  await belay(root, 'checkpoint');
  turn(root, 'sed a', () => put(root, { a: '2' }));
  const n = turn(root, 'sed b', () => put(root, { b: '2' }));
  put(root, { c: 'by hand' });
  rm(root, 'a');
  await belay(root, 'rollback', String(n));
  assert.equal([read(root, 'b'), read(root, 'c'), fs.existsSync(join(root, 'a'))], ['1', 'by hand', false]);
  await belay(root, 'rollback', String(n), '--all');
  assert.equal([read(root, 'a'), read(root, 'b'), read(root, 'c')], ['2', '1', '1']);
});

test('an ignored file in a new folder is nobody’s to remove', async () => {
  const root = repository({ a: '1', '.gitignore': '*.log\n' });
  const made = await belay<Made>(root, 'checkpoint');
  put(root, { 'new/x': 'x', 'new/y.log': 'ignored', 'other/z': 'z' });
  await belay(root, 'rollback', String(made.json.n), '--all');
  assert.equal([fs.readdirSync(join(root, 'new')), fs.existsSync(join(root, 'other'))], [['y.log'], false]);
});

test('what a capture did not see is not taken for new', async () => {
  const root = repository({ a: '1', '.gitignore': 'private\n', private: 'mine' });
  const made = await belay<Made>(root, 'checkpoint');
  put(root, { '.gitignore': '' });
  await belay(root, 'rollback', String(made.json.n), '--all');
  assert.equal([read(root, 'private'), read(root, '.gitignore')], ['mine', 'private\n']);
});

test('files that vanish by no line that belay knows are named by list and undo, and come back by name or with --all', async () => {
  const root = repository({ a: '1', 'lost/x': 'x', 'lost/y': 'y' });
  await belay(root, 'checkpoint');
  turn(root, 'sed a', () => put(root, { a: '2' }));
  rm(root, 'lost');
  const list = await belay<{ also_gone: string[] }>(root, 'list');
  assert.equal(list.json.also_gone, ['lost/x', 'lost/y']);
  assert.match(list.text, 'Also gone, not by a line belay knows: lost/x, lost/y');
  await belay(root, 'rollback', 'last', 'lost/x');
  assert.equal(fs.readdirSync(join(root, 'lost')), ['x']);
  const undone = await belay(root, 'undo');
  assert.match(undone.json.notes.join(), 'lost/y');
  assert.equal(fs.readdirSync(join(root, 'lost')), ['x']);
  await belay(root, 'redo');
  await belay(root, 'undo', '--all');
  assert.equal(fs.readdirSync(join(root, 'lost')), ['x', 'y']);
});

test('what an agent took away is not said to be gone by no line: its turn began before the capture at its first call, and ended behind it', async () => {
  const root = repository({ a: '1', 'lost/x': 'x' });
  const order = nextOrder(at.home);
  const started = Date.now() - 1000;
  await belay(root, 'checkpoint');
  const ended = Date.now() + 10_000;
  did(at.home, root, 'rm -r lost', () => rm(root, 'lost'), 'agent', { order, started, ended });
  const list = await belay<{ also_gone: string[] }>(root, 'list');
  assert.equal([list.json.also_gone, /Also gone/.test(list.text)], [[], false]);
  turn(root, 'sed a', () => put(root, { a: '2' }));
  const undone = await belay(root, 'undo');
  assert.equal([undone.json.notes.join(), read(root, 'a'), fs.existsSync(join(root, 'lost'))], ['', '1', false]);
});

test('a turn from a clock that was ahead is not taken for one behind the checkpoint that came after it', async () => {
  const root = repository({ a: '0', b: '0' });
  const later = Date.now() + 3_600_000;
  did(at.home, root, 'sed a', () => put(root, { a: '1' }), 'agent', { started: later - 10, ended: later });
  put(root, { a: '2' });
  const made = await belay<{ n: number }>(root, 'checkpoint');
  put(root, { a: '3' });
  turn(root, 'make', () => put(root, { b: '1' }));
  await belay(root, 'rollback', String(made.json.n), '--all');
  assert.equal([read(root, 'a'), read(root, 'b')], ['2', '0']);
});

test('diff shows what no turn names, too', async () => {
  const root = repository({ a: '1\n', b: '1\n' });
  await belay(root, 'checkpoint');
  turn(root, 'sed a', () => put(root, { a: '2\n' }));
  put(root, { b: 'by hand\n' });
  const { json, text } = await belay<{ files: { path: string; status: string }[] }>(root, 'diff');
  assert.equal(
    json.files.map(({ path, status }) => [path, status]),
    [
      ['a', 'modified'],
      ['b', 'modified'],
    ],
  );
  assert.match(text, '-1\n+by hand');
  const one = await belay<{ files: { path: string }[] }>(root, 'diff', '--path', 'b');
  assert.equal(
    one.json.files.map(({ path }) => path),
    ['b'],
  );
});

test('a nested repository that was not captured is refused before anything is touched, by name', async () => {
  fs.mkdirSync(join(at.top, 'person/.config/belay'), { recursive: true });
  fs.writeFileSync(join(at.top, 'person/.config/belay/config.json'), '{"checkpoints":{"nested":false}}');
  const root = repository({ a: '1', 'd/plain': '1', 'd/nested/f': '1' });
  execFileSync('git', ['init', '-q', join(root, 'd/nested')]);
  await belay(root, 'checkpoint');
  const n = String(turn(root, 'sed', () => put(root, { a: '2', 'd/plain': '2' })));
  const before = withoutGit(root);
  for (const words of [['--all'], ['d'], ['d/nested'], ['d/nested/f'], ['d/*']]) {
    const done = await belay(root, 'rollback', n, ...words);
    assert.equal([words, done.exit, done.code], [words, 3, 'nested_repository']);
    assert.match(done.message, 'd/nested');
    assert.equal(differences(before, withoutGit(root)), []);
  }
  assert.is((await belay<{ checkpoints: unknown[] }>(root, 'list')).json.checkpoints.length, 2);
  const plain = await belay(root, 'rollback', n);
  assert.equal([plain.exit, read(root, 'a'), read(root, 'd/plain')], [0, '1', '1']);
  fs.rmSync(join(at.top, 'person/.config/belay/config.json'));
});

test('what was recorded decides, not what lies there now: a file that became a link into a nested repository comes back, a repository that became a link is refused', async () => {
  fs.mkdirSync(join(at.top, 'person/.config/belay'), { recursive: true });
  fs.writeFileSync(join(at.top, 'person/.config/belay/config.json'), '{"checkpoints":{"nested":false}}');
  const root = repository({ conf: 'mine', 'lib/f': 'theirs', 'gone/g': '1', elsewhere: 'kept' });
  for (const name of ['lib', 'gone']) execFileSync('git', ['init', '-q', join(root, name)]);
  await belay(root, 'checkpoint');
  const n = String(
    turn(root, 'ln -sf lib/f conf', () => {
      fs.rmSync(join(root, 'conf'));
      fs.symlinkSync('lib/f', join(root, 'conf'));
    }),
  );
  fs.rmSync(join(root, 'gone'), { recursive: true });
  fs.symlinkSync('elsewhere', join(root, 'gone'));
  const refused = await belay(root, 'rollback', n, 'gone');
  assert.equal([refused.exit, refused.code], [3, 'nested_repository']);
  assert.is(fs.readlinkSync(join(root, 'gone')), 'elsewhere');
  const done = await belay(root, 'rollback', n, 'conf');
  assert.is(done.exit, 0);
  assert.not(fs.lstatSync(join(root, 'conf')).isSymbolicLink());
  assert.equal([read(root, 'conf'), read(root, 'lib/f'), read(root, 'elsewhere')], ['mine', 'theirs', 'kept']);
  fs.rmSync(join(at.top, 'person/.config/belay/config.json'));
});

test('a file that a capture leaves out is never made a folder, whatever the capture says of its permissions', async () => {
  const root = repository({ a: '1', big: 'precious', 'd/b': '1' });
  fs.chmodSync(join(root, 'd'), 0o700);
  const made = await belay<Made & { key: string; capture: number }>(root, 'checkpoint');
  const store = (args: string[], input = ''): string =>
    execFileSync('git', ['--git-dir', join(at.home, 'checkpoints/store'), ...args], { input, encoding: 'utf8' }).trim();
  const ref = `refs/belay/${made.json.key}/captures/${made.json.capture}`;
  const meta = JSON.parse(store(['cat-file', 'blob', `${ref}:meta.json`]));
  meta.modes.push(['big', 0o600]);
  meta.leftOut.push({ path: 'big', reason: 'larger than max_file_size_mb' });
  const record = store(['hash-object', '-w', '--stdin'], JSON.stringify(meta));
  const files = store(['rev-parse', `${ref}:files`]);
  const without = store(
    ['mktree'],
    store(['ls-tree', files])
      .split('\n')
      .filter((line) => !line.endsWith('\tbig'))
      .join('\n'),
  );
  const whole = store(['mktree'], `040000 tree ${without}\tfiles\n100644 blob ${record}\tmeta.json\n`);
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
  store(['update-ref', ref, store([...identity, 'commit-tree', whole, '-m', 'an older one'])]);
  fs.chmodSync(join(root, 'd'), 0o755);
  put(root, { a: '2' });
  await belay(root, 'rollback', String(made.json.n), '--all');
  assert.equal([read(root, 'a'), read(root, 'big')], ['1', 'precious']);
  assert.is(fs.statSync(join(root, 'd')).mode & 0o777, 0o700);
});

test('a capture that somebody has tampered with never leads out of its project, nor into a .git', async () => {
  const root = repository({ a: '1', 'd/b': '1' });
  const outside = join(at.top, 'outside');
  put(outside, { victim: 'untouched' });
  const made = await belay<Made & { key: string; capture: number }>(root, 'checkpoint');
  const store = (args: string[], input: Buffer | string = ''): string =>
    execFileSync('git', ['--git-dir', join(at.home, 'checkpoints/store'), ...args], { input })
      .toString()
      .trim();
  const tree = (entries: [mode: string, name: string, oid: string][]): string =>
    store(
      ['hash-object', '-t', 'tree', '--literally', '-w', '--stdin'],
      Buffer.concat(entries.map(([mode, name, oid]) => Buffer.from(`${mode} ${name}\0${oid}`, 'latin1'))),
    );
  const raw = (oid: string): string => Buffer.from(oid, 'hex').toString('latin1');
  const evil = raw(store(['hash-object', '-w', '--stdin'], 'evil'));
  const link = raw(store(['hash-object', '-w', '--stdin'], outside));
  const below = (name: string): string => raw(tree([['100755', name, evil]]));
  const files = tree([
    ['40000', '..', raw(tree([['40000', 'outside', below('dotdot')]]))],
    ['40000', '.', below('dot')],
    ['40000', '.git', raw(tree([['40000', 'hooks', below('post-checkout')]]))],
    ['40000', '.GIT', below('config')],
    ['100644', '..', evil],
    ['100644', 'good', evil],
    ['120000', 'out', link],
    ['40000', 'out', raw(tree([['100644', 'victim', evil]]))],
  ]);
  const ref = `refs/belay/${made.json.key}/captures/${made.json.capture}`;
  const meta = JSON.parse(store(['cat-file', 'blob', `${ref}:meta.json`]));
  const paths = ['../outside/made', join(outside, 'made'), '.git/hooks/made', 'out/made'];
  Object.assign(meta, {
    emptyFolders: paths.map((path) => [path, 0o777]),
    modes: ['../outside/victim', '../outside/folder', outside, '.git/hooks/folder'].map((path) => [path, 0o4755]),
    owners: ['../outside/victim', outside, '.git/hooks'].map((path) => [path, 7, 7]),
  });
  const record = raw(store(['hash-object', '-w', '--stdin'], JSON.stringify(meta)));
  const whole = tree([
    ['40000', 'files', raw(files)],
    ['100644', 'meta.json', record],
  ]);
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
  store(['update-ref', ref, store([...identity, 'commit-tree', whole, '-m', 'forged'])]);
  const n = String(made.json.n);
  const sound = (): unknown[] => [
    fs.readdirSync(outside),
    fs.readFileSync(join(outside, 'victim'), 'utf8'),
    fs.statSync(join(outside, 'victim')).mode & 0o7777,
    fs.readdirSync(join(root, '.git/hooks')).filter((name) => !name.endsWith('.sample')),
    fs.existsSync(join(root, '.GIT')),
  ];
  const before = sound();
  for (const words of [['out'], ['out/victim'], ['--literal', '../outside/victim'], ['*'], ['--all']]) {
    await belay(root, 'rollback', n, ...words);
    assert.equal([words, ...sound()], [words, ...before]);
  }
  assert.equal([read(root, 'good'), fs.readlinkSync(join(root, 'out'))], ['evil', outside]);
  await belay(root, 'rollback', n, '--to', join(at.top, 'elsewhere/deep'));
  turn(root, 'rm good', () => rm(root, 'good'));
  await belay(root, 'undo', '--all');
  await belay(root, 'diff', n);
  assert.equal([fs.readdirSync(join(at.top, 'elsewhere')), ...sound()], [['deep'], ...before]);
});

test.run();
