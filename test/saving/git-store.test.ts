import { strict as assert } from 'node:assert';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { test } from 'uvu';
import { collect } from '../../src/checkpoint/collect.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import { DEFAULTS } from '../../src/platform/config.ts';
import { beginPlanned } from '../../src/saving/begin.ts';
import { type Captured, capture } from '../../src/saving/capture/capture.ts';
import { piecesOf } from '../../src/saving/capture/pieces.ts';
import type { FolderScan } from '../../src/saving/capture/scan.ts';
import { endTurn } from '../../src/saving/settle/end-turn.ts';
import { settleAll } from '../../src/saving/settle/settle.ts';
import { LOADER } from '../loader.ts';
import { files, take } from './captures.ts';
import { changeOf, plan, records, type Scene, scene, target } from './given.ts';

const top = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', args, {
    cwd,
    env: { PATH: process.env['PATH'], HOME: '/nonexistent' },
    encoding: 'latin1',
    stdio: 'pipe',
  });

function project(): Scene {
  const s = scene();
  fs.rmSync(join(s.root, '.git'), { recursive: true });
  git(s.root, 'init', '-q');
  return s;
}

const command = (s: Scene): string[] => ['--import', LOADER, 'test/saving/capture-run.ts', s.home, s.root];

test('a warm capture is one git process, none where only contents changed in a small tree, and hashes only what changed', async () => {
  const s = project();
  for (let i = 0; i < 50; i++) {
    fs.writeFileSync(join(s.root, `f${i}`), `${i}`);
    fs.utimesSync(join(s.root, `f${i}`), 1e9, 1e9);
  }
  // What changed in the second of a capture is looked into once more.
  const nextSecond = async (): Promise<void> => {
    const second = Math.floor(Date.now() / 1000);
    while (Math.floor(Date.now() / 1000) === second) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  await nextSecond();
  await take(s);
  for (const [name, verbs] of [
    ['f7', []],
    ['f50', ['add']],
  ] as const) {
    if (name === 'f50') await nextSecond();
    fs.writeFileSync(join(s.root, name), 'changed');
    const seen = traced(s);
    if (seen === undefined) return console.log('no strace here: skipped');
    assert.deepEqual(seen.started, verbs);
    assert.deepEqual(
      seen.read.filter((read) => read !== 'f7' || name === 'f7'),
      [name],
    );
  }
});

/** The git processes of a capture, and the files of the project that were opened by any process; undefined without strace(1). */
function traced(s: Scene): { started: string[]; read: string[] } | undefined {
  const out = join(s.top, 'trace');
  const args = ['-f', '-s', '4096', '-e', 'trace=execve,openat', '-o', out, process.execPath, ...command(s)];
  const done = spawnSync('strace', args, { cwd: top, encoding: 'utf8' });
  if (done.error || done.status !== 0) return undefined;
  const lines = fs.readFileSync(out, 'utf8').split('\n');
  const verbs = ['add', 'write-tree', 'fast-import', 'ls-files', 'update-index', 'rm', 'read-tree', 'commit-tree'];
  const started = lines
    .filter((line) => /execve\("[^"]*\/git", .* = 0$/.test(line))
    .flatMap((line) => verbs.find((verb) => line.includes(`"${verb}"`)) ?? []);
  const read = lines.flatMap((line) => /openat\([^"]*"(?:[^"]*\/)?(f\d+)"/.exec(line)?.[1] ?? []);
  return { started, read: [...new Set(read)] };
}

test('an edit of the same size with its old mtime put back is seen, whatever the repository’s configuration says', async () => {
  const s = project();
  // What the repository wants git to believe of times is nothing to the store.
  for (const [name, value] of [
    ['core.trustctime', 'false'],
    ['core.checkStat', 'minimal'],
  ])
    git(s.root, 'config', name ?? '', value ?? '');
  fs.mkdirSync(join(s.root, 'deep/er'), { recursive: true });
  const file = join(s.root, 'deep/er/f');
  fs.writeFileSync(file, 'one');
  fs.utimesSync(file, 1e9, 1e9);
  await take(s);
  for (const text of ['two', 'six', 'ten']) {
    fs.writeFileSync(file, text);
    fs.utimesSync(file, 1e9, 1e9);
    assert.equal(files(s, await take(s)).get('deep/er/f'), text);
  }
});

test('what came with an older time of its own (cp -p, tar x) is in the next capture, however deep its folder lies', async () => {
  const s = project();
  const deep = join(s.root, 'a/b/c');
  fs.mkdirSync(deep, { recursive: true });
  fs.writeFileSync(join(deep, 'first'), 'first');
  await take(s);
  const top = fs.statSync(s.root).mtimeMs;
  fs.writeFileSync(join(deep, 'second'), 'second');
  fs.utimesSync(join(deep, 'second'), 1e9, 1e9);
  fs.utimesSync(deep, 1e9, 1e9);
  assert.equal(fs.statSync(s.root).mtimeMs, top);
  assert.deepEqual([...files(s, await take(s)).keys()], ['a/b/c/first', 'a/b/c/second']);
});

test('a file that may not be read is left out and named; the rest is captured, and no older state of it stays', async () => {
  const s = project();
  if (process.getuid?.() !== 0) return console.log('skipped: only root can become another user');
  fs.writeFileSync(join(s.root, 'secret'), 'old');
  fs.writeFileSync(join(s.root, 'open'), 'open');
  const user = 65534;
  // The checkout may lie where this user cannot look: what it runs is one file of its own.
  const program = join(s.top, 'capture-run.mjs');
  const entry = join(top, 'test/saving/capture-run.ts');
  const banner = "import { createRequire } from 'node:module'; const require = createRequire('/');";
  await build({
    entryPoints: [entry],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: banner },
  });
  const asUser = (): Captured => {
    execFileSync('chown', ['-R', `${user}:${user}`, s.top]);
    const done = spawnSync(
      'setpriv',
      [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', process.execPath, program, s.home, s.root],
      {
        cwd: s.top,
        encoding: 'utf8',
        env: { ...process.env, HOME: s.top, TMPDIR: s.top },
      },
    );
    assert.equal(done.status, 0, done.stderr);
    // What root is to read, root must own: a foreign store is refused.
    execFileSync('chown', ['-R', '0:0', s.home, s.top]);
    return JSON.parse(done.stdout) as Captured;
  };
  assert.deepEqual(Object.keys(Object.fromEntries(files(s, asUser()))), ['open', 'secret']);
  fs.chmodSync(join(s.root, 'secret'), 0);
  fs.writeFileSync(join(s.root, 'open'), 'changed');
  const done = asUser();
  assert.deepEqual([...files(s, done)], [['open', 'changed']]);
  assert.ok('leftOut' in done);
  assert.deepEqual(done.leftOut, [{ path: 'secret', reason: 'it may not be read' }]);
});

test('beside a build that makes and removes files all the time every capture is whole', async () => {
  const s = project();
  fs.writeFileSync(join(s.root, 'kept'), 'kept');
  const churn = spawn(
    process.execPath,
    [
      '-e',
      "const fs=require('fs');for(let i=0;;i++){const f='t'+(i%50);try{fs.writeFileSync(f,'x'.repeat(i%5000));fs.unlinkSync('t'+((i+25)%50))}catch{}}",
    ],
    { cwd: s.root, stdio: 'ignore' },
  );
  try {
    for (let i = 0; i < 12; i++) {
      fs.writeFileSync(join(s.root, 'kept'), `kept ${i}`);
      assert.equal(files(s, await take(s)).get('kept'), `kept ${i}`);
    }
  } finally {
    churn.kill('SIGKILL');
  }
});

test('a capture that fails is said to have failed, and leaves no capture, no lock and no index behind', async () => {
  const s = project();
  fs.writeFileSync(join(s.root, 'a'), 'a');
  await take(s);
  const indexes = join(s.home, 'checkpoints/store/indexes');
  const before = fs.readdirSync(indexes).sort();
  fs.writeFileSync(join(s.root, 'a'), 'b');
  const objects = join(s.home, 'checkpoints/store/objects');
  fs.renameSync(objects, `${objects}.away`);
  fs.writeFileSync(objects, 'not a folder');
  const done = await take(s).catch((error) => ({ kind: 'failed', why: String(error) }));
  assert.equal(done.kind, 'failed');
  fs.rmSync(objects);
  fs.renameSync(`${objects}.away`, objects);
  assert.deepEqual(fs.readdirSync(indexes).sort(), before);
  assert.equal(files(s, await take(s)).get('a'), 'b');
});

test('a capture that runs out of time is left out, and nothing of it stays', async () => {
  const s = project();
  for (let i = 0; i < 2000; i++) fs.writeFileSync(join(s.root, `f${i}`), `${i}`);
  const done = await take(s, {}, 1);
  assert.deepEqual(done, { kind: 'left out', because: 'too slow', why: 'over budget (1 ms)' });
});

test('a git process of the background that takes too long is ended, nothing of it stays, and the next try goes on', async () => {
  const s = project();
  for (let i = 0; i < 500; i++) fs.writeFileSync(join(s.root, `f${i}`), `${i}`);
  const rules = { store: openStore(s.home), root: s.root, config: DEFAULTS, budget: 60_000 };
  const slow = await capture({ ...rules, longest: 1 });
  assert.equal(slow.kind === 'left out' ? slow.because : slow.kind, 'too slow');
  assert.match(slow.kind === 'left out' ? slow.why : '', /git took too long/);
  const done = await capture({ ...rules, longest: 30_000 });
  assert.equal(done.kind, 'captured');
});

test('what is read in pieces is in one of them at most, and none is too large', () => {
  const folder = (files: number) => ({ files }) as FolderScan;
  const folders = new Map([
    ['', folder(2)],
    ['a', folder(4)],
    ['a/b', folder(5)],
    ['a/c', folder(3)],
    ['d', folder(1)],
    ['e', folder(0)],
    ['f', folder(12)],
    ['f/g', folder(6)],
  ]);
  assert.deepEqual(piecesOf(folders, 9), [
    ['f/g', 'd'],
    ['a/c', 'a/b'],
  ]);
  assert.deepEqual(piecesOf(folders, 100), []);
});

test('gc of the store takes nothing that the kept index names, also when every capture but the last is gone', async () => {
  const s = project();
  fs.writeFileSync(join(s.root, 'a'), 'a');
  const first = await take(s);
  fs.writeFileSync(join(s.root, 'b'), 'b');
  const second = await take(s);
  assert.ok(first.kind === 'captured' && second.kind === 'captured');
  const store = join(s.home, 'checkpoints/store');
  for (const { m, key } of [first, second])
    git('/', `--git-dir=${store}`, 'update-ref', '-d', `refs/belay/${key}/captures/${m}`);
  git('/', `--git-dir=${store}`, 'gc', '-q', '--prune=now');
  fs.writeFileSync(join(s.root, 'c'), 'c');
  assert.deepEqual(
    [...files(s, await take(s))],
    [
      ['a', 'a'],
      ['b', 'b'],
      ['c', 'c'],
    ],
  );
});

test('a store whose refs a collection has packed away whole is a repository still; debris of killed processes goes', async () => {
  const s = project();
  fs.writeFileSync(join(s.root, 'a'), 'a');
  await take(s);
  const store = join(s.home, 'checkpoints/store');
  const debris = ['pack/tmp_pack_old', 'pack/tmp_idx_old', 'tmp_obj_old'].map((name) => join(store, 'objects', name));
  for (const file of debris) {
    fs.writeFileSync(file, 'half');
    fs.utimesSync(file, 1e9, 1e9);
  }
  collect(openStore(s.home));
  assert.deepEqual(
    debris.map((file) => fs.existsSync(file)),
    [false, false, false],
  );
  fs.rmSync(join(store, 'refs'), { recursive: true });
  fs.writeFileSync(join(s.root, 'b'), 'b');
  assert.deepEqual([...files(s, await take(s)).keys()], ['a', 'b']);
});

test('a named file of a tree that is too large for captures is held and recorded without an index and without a capture', async () => {
  const s = project();
  for (let i = 0; i < 30; i++) fs.writeFileSync(join(s.root, `f${i}`), `${i}`);
  const checkpoints = { ...DEFAULTS.checkpoints, max_files: 10 };
  const world = { ...s.world, config: { ...DEFAULTS, checkpoints } };
  await beginPlanned(s.turn('1'), plan([target(join(s.root, 'f7'))]), world);
  fs.rmSync(join(s.root, 'f7'));
  endTurn(world, s.turn('1').session, '1', Date.now() + 1);
  await settleAll(world, { wait: 20_000 });
  assert.deepEqual(
    records(s).map(({ scope, changes }) => [scope, changes.map(({ path }) => path)]),
    [['targets', ['f7']]],
  );
  assert.deepEqual(fs.readdirSync(join(s.home, 'checkpoints/store/indexes')), []);
});

test('a save that fails marks nothing as saved: the next line of the turn is held', async () => {
  const s = project();
  const file = join(s.root, 'a');
  fs.writeFileSync(file, 'a');
  const marker = join(s.top, 'run/belay', s.turn('1').session, 'turns/1');
  fs.writeFileSync(s.home, 'no folder');
  await assert.rejects(beginPlanned(s.turn('1'), plan([target(file)]), s.world));
  assert.equal(fs.existsSync(marker), false);
  fs.rmSync(s.home);
  const held = await beginPlanned(s.turn('1'), plan([target(file)]), s.world);
  assert.ok(held.kind === 'saved' && held.leftOut.length === 0);
  assert.equal(fs.existsSync(marker), true);
});

test('a large file is held by a link: it is neither read, nor compressed, nor copied, and it comes back', async () => {
  const s = project();
  const SIZE = 64 * 2 ** 30;
  const file = join(s.root, 'large');
  fs.closeSync(fs.openSync(file, 'w'));
  fs.truncateSync(file, SIZE); // nobody could read so much in the time of a test
  const { ino } = fs.statSync(file);
  await beginPlanned(s.turn('1'), plan([target(file)]), s.world);
  fs.rmSync(file);
  endTurn(s.world, s.turn('1').session, '1', Date.now() + 1);
  await settleAll(s.world, { wait: 20_000 });
  const [record] = records(s);
  const before = changeOf(record, 'large')?.before;
  assert.ok(before?.kind === 'file' && before.content.at === 'hold' && before.content.linked);
  const holds = join(s.home, 'checkpoints/holds');
  const held = fs
    .readdirSync(holds, { recursive: true, encoding: 'utf8' })
    .map((name) => fs.statSync(join(holds, name)));
  assert.ok(held.some((stat) => stat.ino === ino && stat.size === SIZE));
});

test('a project on HOME, / or in no project is never captured', async () => {
  const { captureBefore } = await import('../../src/saving/before.ts');
  const s = scene();
  const user = join(s.top, 'user');
  fs.mkdirSync(join(user, '.git'));
  const asked = plan([], {
    captures: [user, '/', s.top].map((folder) => ({ folder, why: 'unknown' as const, verb: 'x' })),
  });
  assert.deepEqual(await captureBefore(asked, s.top, s.world), []);
});

test.run();
