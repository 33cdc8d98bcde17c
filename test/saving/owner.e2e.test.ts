import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import { scene } from './given.ts';
import { lines } from './lines.ts';

/** Root sees no closed door: these promises are tried as somebody else. */
const NOBODY = 65534;
const MAY = process.getuid?.() === 0 && spawnSync('setpriv', ['--version']).status === 0;

interface Done {
  readonly restored: string[];
  readonly kept: { path: string; reason: string }[];
}

const stateOf = (path: string): string => {
  const stat = fs.lstatSync(path, { throwIfNoEntry: false });
  return stat === undefined
    ? 'nothing'
    : `${(stat.mode & 0o7777).toString(8)} ${fs.readFileSync(path, 'latin1').slice(0, 20)} ${stat.size}`;
};

const whose = (path: string): string => {
  const { uid, gid, mode } = fs.lstatSync(path);
  return `${uid}:${gid} ${(mode & 0o7777).toString(8)}`;
};

for (const [what, size] of [
  ['a small file', 10],
  ['a file of 100 KB', 100_000],
  ['a file over max_file_size_mb', 11 << 20],
] as const)
  test(`${what} of one's own that one may not read: rm is undone, redone and undone`, () => {
    if (!MAY) return console.log('not root: skipped');
    const s = scene();
    const file = join(s.root, 'd/shut');
    fs.mkdirSync(join(s.root, 'd'));
    fs.writeFileSync(file, 'secret'.padEnd(size, '.'));
    fs.chmodSync(file, 0);
    const was = stateOf(file);
    const { run, belay } = lines(s, NOBODY);
    assert.equal(run('rm -rf d'), '');
    assert.equal(stateOf(file), 'nothing');
    for (const [word, state] of [
      ['undo', was],
      ['redo', 'nothing'],
      ['undo', was],
    ] as const) {
      const { status, json } = belay<Done>(word);
      assert.deepEqual([word, status, json.kept], [word, 0, []], JSON.stringify(json));
      assert.equal(stateOf(file), state, word);
    }
  });

test('a home that a line has removed comes back with its modes, belay’s own folders on the way to it among them', () => {
  const s = scene();
  const user = join(s.top, 'user');
  const home = join(user, '.local/share/belay');
  fs.mkdirSync(home, { recursive: true });
  const folders = [user, join(user, '.local'), join(user, '.local/share')];
  for (const [i, folder] of folders.entries()) fs.chmodSync(folder, [0o711, 0o750, 0o755][i] ?? 0);
  fs.writeFileSync(join(user, 'note'), 'note');
  const modes = (): string[] => folders.map((folder) => (fs.statSync(folder).mode & 0o7777).toString(8));
  const was = modes();
  const world = { ...s.world, home, env: new Map([...s.world.env, ['BELAY_HOME', home]]) };
  const { run, belay } = lines({ ...s, home, world });
  run('rm -rf ~');
  const { json } = belay<Done>('undo');
  assert.deepEqual(
    json.kept.map(({ path }) => path),
    [home],
    'what cannot come back is belay’s own',
  );
  assert.deepEqual([modes(), fs.readFileSync(join(user, 'note'), 'utf8')], [was, 'note']);
});

test('folders that a line opens before it removes them: what lies in them comes back, and they are closed again', () => {
  if (!MAY) return console.log('not root: skipped');
  const s = scene();
  const deep = join(s.root, 'x/shut/deep');
  fs.mkdirSync(deep, { recursive: true });
  fs.writeFileSync(join(deep, 'f'), 'secret');
  const { run, belay } = lines(s, NOBODY);
  for (const folder of [deep, dirname(deep)]) fs.chmodSync(folder, 0);
  assert.equal(run('chmod -R u+rwX x; rm -rf x'), '');
  assert.equal(fs.existsSync(join(s.root, 'x')), false);
  const { json } = belay<Done>('undo');
  assert.deepEqual(json.kept, [], JSON.stringify(json));
  assert.equal(stateOf(join(deep, 'f')), '644 secret 6');
  assert.deepEqual(
    [deep, dirname(deep)].map((folder) => fs.statSync(folder).mode & 0o7777),
    [0, 0],
  );
});

test('chmod of a file that its owner may not read is undone', () => {
  if (!MAY) return console.log('not root: skipped');
  const s = scene();
  const file = join(s.root, 'shut');
  fs.writeFileSync(file, 'secret');
  fs.chmodSync(file, 0);
  const { run, belay } = lines(s, NOBODY);
  assert.equal(run('chmod 644 shut'), '');
  assert.equal(stateOf(file), '644 secret 6');
  const { status, json } = belay<Done>('undo');
  assert.deepEqual([status, json.kept], [0, []], JSON.stringify(json));
  assert.equal(stateOf(file), '0 secret 6');
});

test('somebody else’s file that one may not read is left out and named', () => {
  if (!MAY) return console.log('not root: skipped');
  const s = scene();
  fs.writeFileSync(join(s.root, 'theirs'), 'secret');
  const { run } = lines(s, NOBODY);
  fs.chownSync(join(s.root, 'theirs'), 0, 0);
  fs.chmodSync(join(s.root, 'theirs'), 0o600);
  assert.match(run('rm -f theirs'), /not saved: .*theirs \(cannot be read \(EACCES\)\)/);
});

test('in a setgid folder of another group, what had one’s own group comes back with that', () => {
  if (!MAY) return console.log('not root: skipped');
  const s = scene();
  for (const name of ['d', 'd/in']) fs.mkdirSync(join(s.root, name));
  const names = ['d', 'd/in', 'd/in/g', 'f', 'theirs'];
  for (const name of names.slice(2)) fs.writeFileSync(join(s.root, name), name);
  const { run, belay } = lines(s, NOBODY);
  fs.chownSync(s.root, NOBODY, 4242);
  fs.chmodSync(s.root, 0o2775);
  fs.chownSync(join(s.root, 'theirs'), NOBODY, 4242);
  const all = (): string[] => names.map((name) => whose(join(s.root, name)));
  const was = all();
  run('rm -rf d f theirs');
  const { status, json } = belay<Done>('undo');
  assert.deepEqual([status, all()], [0, was], JSON.stringify(json));
});

test('what root’s line removes or gives away comes back with its owners, and setuid with them', () => {
  if (process.getuid?.() !== 0) return console.log('not root: skipped');
  const s = scene();
  const paths = ['d', 'd/prog', 'd/link', 'd/large'].map((path) => join(s.root, path));
  const [folder = '', prog = '', link = '', large = ''] = paths;
  fs.mkdirSync(folder);
  fs.writeFileSync(prog, 'program');
  fs.symlinkSync('nowhere', link);
  fs.writeFileSync(large, Buffer.alloc(100_000, 'x'));
  for (const [i, path] of paths.entries()) fs.lchownSync(path, 1234 + i, 567);
  fs.chmodSync(prog, 0o6711);
  const was = paths.map(whose);
  const { run, belay } = lines(s);
  for (const line of ['rm -rf d', 'chown -hR 7:7 d', 'rm -f d/prog; echo new > d/prog']) {
    assert.equal(run(line), '');
    assert.notDeepEqual(
      paths.map((path) => (fs.lstatSync(path, { throwIfNoEntry: false }) ? whose(path) : 'nothing')),
      was,
    );
    const { status, json } = belay<Done>('undo');
    assert.deepEqual([line, status, json.kept, paths.map(whose)], [line, 0, [], was]);
  }
});

test('a file whose owner cannot be given back comes back without setuid, and that is said', () => {
  if (!MAY) return console.log('not root: skipped');
  const s = scene();
  const prog = join(s.root, 'prog');
  fs.writeFileSync(prog, 'program');
  const { run, belay } = lines(s, NOBODY);
  fs.chownSync(prog, 0, 0);
  fs.chmodSync(prog, 0o4755);
  assert.equal(run('rm -f prog'), '');
  const { json } = belay<Done>('undo');
  assert.deepEqual([whose(prog), fs.readFileSync(prog, 'utf8')], [`${NOBODY}:${NOBODY} 755`, 'program']);
  assert.match(JSON.stringify(json.kept), /not setuid or setgid again/);
});

test.run();
