import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import { captureTree, readCaptures, readHistory } from '../../src/checkpoint/read.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import { fromText } from '../../src/platform/bytes.ts';
import { DEFAULTS } from '../../src/platform/config.ts';
import { copyWhole } from '../../src/platform/copy.ts';
import { beginPlanned } from '../../src/saving/begin.ts';
import { type Captured, capture } from '../../src/saving/capture/capture.ts';
import { readRefs } from '../../src/saving/hold/gitfiles.ts';
import { endTurn } from '../../src/saving/settle/end-turn.ts';
import { settleAll } from '../../src/saving/settle/settle.ts';
import { LOADER } from '../loader.ts';
import { git, plan, records, repository, type Scene, scene, target } from './given.ts';

const SESSION = '20250101_000000_abcdef';
const RUN = join(dirname(fileURLToPath(import.meta.url)), 'capture-run.ts');

const take = (s: Scene, root = s.root): Promise<Captured> =>
  capture({ store: openStore(s.home), root, config: DEFAULTS, budget: 60_000 });

function paths(s: Scene, done: Captured): string[] {
  assert.ok(done.kind === 'captured' || done.kind === 'unchanged', JSON.stringify(done));
  return captureTree(openStore(s.home), `refs/belay/${done.key}/captures/${done.m}`).map(({ path }) => path);
}

function leftOut(s: Scene, done: Captured): string[] {
  assert.ok(done.kind === 'captured');
  const store = openStore(s.home);
  const record = readCaptures(store, readHistory(store, done.key).captures).get(done.m)?.record;
  return record?.leftOut.map(({ path }) => path) ?? [];
}

test('two captures at once: the index of one is never taken for that of the other, and no older state for the present one', async () => {
  const s = repository();
  fs.writeFileSync(join(s.root, 'a'), 'a');
  await take(s);
  fs.writeFileSync(join(s.root, 'b'), 'b');
  const real = fs.renameSync;
  let between = 0;
  fs.renameSync = (from, to) => {
    real(from, to);
    if (between > 0 || !/\/indexes\/[0-9a-f]{16}$/.test(String(to))) return;
    between++;
    // Another one begins and ends right after our index has its name, and before it is noted what it was.
    fs.writeFileSync(join(s.root, 'c'), 'c');
    const other = spawnSync(process.execPath, ['--import', LOADER, RUN, s.home, s.root], { encoding: 'utf8' });
    assert.equal(JSON.parse(other.stdout || '{}').kind, 'captured', other.stderr);
  };
  try {
    assert.deepEqual(paths(s, await take(s)), ['a', 'b']);
  } finally {
    fs.renameSync = real;
  }
  assert.equal(between, 1);
  assert.deepEqual(paths(s, await take(s)), ['a', 'b', 'c']);
});

test('tracked files that git ignores stay in the capture while the repository’s index cannot be read', async () => {
  const s = repository();
  fs.writeFileSync(join(s.root, '.gitignore'), '*.out\n');
  fs.writeFileSync(join(s.root, 'kept.out'), 'tracked');
  git(s.root, 'add', '-f', '.');
  assert.deepEqual(paths(s, await take(s)), ['.gitignore', 'kept.out']);
  const index = join(s.root, '.git/index');
  const whole = fs.readFileSync(index);
  for (const damaged of [whole.subarray(0, 40), Buffer.from('nonsense')]) {
    fs.writeFileSync(index, damaged);
    fs.writeFileSync(join(s.root, 'new'), String(damaged.length));
    assert.ok(paths(s, await take(s)).includes('kept.out'));
  }
  fs.writeFileSync(join(s.root, 'other.out'), 'tracked too');
  fs.writeFileSync(index, whole);
  git(s.root, 'add', '-f', 'other.out');
  assert.ok(paths(s, await take(s)).includes('other.out'));
});

test('an index of the repository that is cut off at any place keeps no first capture from being taken', async () => {
  const s = repository();
  for (let i = 0; i < 520; i++) fs.writeFileSync(join(s.root, `file${i}`), String(i));
  git(s.root, 'add', '.');
  git(s.root, 'commit', '-qm', 'x');
  const index = join(s.root, '.git/index');
  const whole = fs.readFileSync(index);
  for (const size of [12, 60, 73, whole.length >> 1]) {
    fs.writeFileSync(index, whole.subarray(0, size));
    fs.rmSync(s.home, { recursive: true, force: true });
    assert.equal(paths(s, await take(s)).length, 520, `cut at ${size}`);
  }
});

test('what a capture does not take of ignored files of a precious name is named', async () => {
  const s = repository();
  fs.writeFileSync(join(s.root, '.gitignore'), 'keys/\nmany/\n');
  for (const [folder, count, ext] of [
    ['keys', 503, '.key'],
    ['many', 2600, '.txt'],
  ] as const) {
    fs.mkdirSync(join(s.root, folder));
    for (let i = 0; i < count; i++) fs.writeFileSync(join(s.root, folder, `${i}${ext}`), '');
  }
  const done = await take(s);
  assert.equal(paths(s, done).filter((path) => path.startsWith('keys/')).length, 500);
  const named = leftOut(s, done);
  assert.equal(named.filter((path) => path.startsWith('keys/')).length, 3);
  assert.ok(named.includes('many'));
});

test('a linked work tree is captured by the exclude list of its repository', async () => {
  const s = repository();
  fs.writeFileSync(join(s.root, 'a'), 'a');
  git(s.root, 'add', '.');
  git(s.root, 'commit', '-qm', 'x');
  fs.writeFileSync(join(s.root, '.git/info/exclude'), '*.tmp\n');
  const linked = join(s.top, 'linked');
  git(s.root, 'worktree', 'add', '-q', linked);
  fs.writeFileSync(join(linked, 'b'), 'b');
  fs.writeFileSync(join(linked, 'c.tmp'), 'c');
  assert.deepEqual(paths(s, await take(s, linked)), ['a', 'b']);
});

test('a store that cannot be opened takes nothing from what is held: the turn is marked, the capture is said to be missing', async () => {
  const s = repository();
  const file = join(s.root, 'a');
  fs.writeFileSync(file, 'a');
  fs.mkdirSync(join(s.home, 'checkpoints'), { recursive: true });
  fs.writeFileSync(join(s.home, 'checkpoints/store'), 'no store');
  const captures = [{ folder: s.root, why: 'unknown' as const, verb: 'rm' }];
  const done = await beginPlanned(s.turn('1'), plan([target(file)], { captures }), s.world);
  assert.equal(done.kind, 'saved');
  assert.ok(done.kind === 'saved' && done.leftOut.some(({ path }) => path === s.root));
  assert.ok(
    fs.readdirSync(join(s.top, 'run'), { recursive: true, encoding: 'utf8' }).some((name) => /turns\/1$/.test(name)),
  );
});

test('a copy is of a regular file: a link or a fifo that has taken its name is neither followed nor waited for', () => {
  const s = scene();
  const to = (name: string): Buffer => Buffer.from(join(s.top, name));
  fs.writeFileSync(join(s.top, 'secret'), 'secret');
  fs.symlinkSync('secret', join(s.top, 'link'));
  spawnSync('mkfifo', [join(s.top, 'fifo')]);
  for (const name of ['link', 'fifo']) {
    assert.throws(() => copyWhole(to(name), to('copy')));
    assert.equal(fs.existsSync(to('copy')), false);
  }
  copyWhole(to('secret'), to('copy'));
  assert.equal(fs.readFileSync(to('copy'), 'utf8'), 'secret');
});

test('what lies deeper than a path can say is held, as rm -rf reaches it; a capture names it', async () => {
  const s = repository();
  const top = join(s.root, 'deep');
  const name = 'd'.repeat(250);
  const script = `import os, sys
os.mkdir(sys.argv[1]); os.chdir(sys.argv[1])
for i in range(18): os.mkdir(sys.argv[2]); os.chdir(sys.argv[2])
open('lost', 'w').write('lost')`;
  assert.equal(spawnSync('python3', ['-c', script, top, name]).status, 0);
  try {
    const done = await beginPlanned(s.turn('1'), plan([target(top)]), s.world);
    assert.deepEqual(done.kind === 'saved' && done.leftOut, []);
    assert.ok(leftOut(s, await take(s)).some((path) => path.startsWith('deep/')));
  } finally {
    spawnSync('rm', ['-rf', top]);
  }
});

test('a ref that is packed while refs are read is read', () => {
  const s = repository();
  git(s.root, 'commit', '-q', '--allow-empty', '-m', 'x');
  git(s.root, 'branch', 'other');
  const real = fs.readFileSync;
  let packed = false;
  fs.readFileSync = ((path: fs.PathOrFileDescriptor, ...rest: never[]) => {
    if (!packed && /refs/.test(String(path))) {
      packed = true;
      try {
        return real(path, ...rest);
      } finally {
        git(s.root, 'pack-refs', '--all');
      }
    }
    return real(path, ...rest);
  }) as typeof fs.readFileSync;
  try {
    const names = readRefs(join(s.root, '.git')).map(([ref]) => ref);
    assert.deepEqual(names, ['refs/heads/main', 'refs/heads/other']);
  } finally {
    fs.readFileSync = real;
  }
});

test('the log is text: a project’s name is written as people read it', async () => {
  const s = scene();
  const root = join(s.top, 'né');
  fs.mkdirSync(join(root, '.git'), { recursive: true });
  fs.writeFileSync(join(root, 'a'), 'a');
  const config = { ...DEFAULTS, checkpoints: { ...DEFAULTS.checkpoints, max_files: 0 } };
  const captures = [{ folder: fromText(root), why: 'unknown' as const, verb: 'rm' }];
  await beginPlanned(s.turn('1'), plan([], { captures }), { ...s.world, config });
  assert.ok(fs.readFileSync(join(s.home, 'logs/belay.log'), 'utf8').includes(`capture of ${root}`));
});

test('in no project, a line that destroys nobody knows what is a turn that says so', async () => {
  const s = scene();
  const folder = join(s.top, 'loose');
  fs.mkdirSync(folder);
  const captures = [{ folder, why: 'unknown' as const, verb: 'rm' }];
  const done = await beginPlanned(s.turn('1', folder), plan([], { captures }), s.world);
  assert.ok(done.kind === 'saved' && done.leftOut[0]?.path === folder);
  endTurn(s.world, SESSION, '1', Date.now() + 1);
  await settleAll(s.world, { wait: 20_000 });
  const [record] = records(s);
  assert.equal(record?.turn, '1');
  assert.match(record.leftOut[0]?.reason ?? '', /cannot be known/);
});

test.run();
