import { strict as assert } from 'node:assert';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { test } from 'uvu';
import { breakStaleLocks } from '../../src/checkpoint/git-locks.ts';
import { captureTree, readHistory, readObjects } from '../../src/checkpoint/read.ts';
import { openStore, type Store } from '../../src/checkpoint/store.ts';
import { verify } from '../../src/checkpoint/verify/verify.ts';
import { DEFAULTS } from '../../src/platform/config.ts';
import { nameOf } from '../../src/platform/processes.ts';
import { captureAfter, captureBefore } from '../../src/saving/before.ts';
import { type Captured, capture } from '../../src/saving/capture/capture.ts';
import { pruneBy, takeAll } from '../../src/saving/prune.ts';
import { raiseOrder } from '../../src/turns/order.ts';
import { openTurn } from '../../src/turns/pending.ts';
import { plan, type Scene, scene } from './given.ts';

const top = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

function project(files: number): Scene {
  const s = scene();
  fs.rmSync(join(s.root, '.git'), { recursive: true });
  spawnSync('git', ['init', '-q', s.root]);
  for (let i = 0; i < files; i++) fs.writeFileSync(join(s.root, `f${i}`), `${i}`);
  return s;
}

const json = (path: string): object => JSON.parse(fs.readFileSync(path, 'utf8'));

const take = (s: Scene): Promise<Captured> =>
  capture({ store: openStore(s.home), root: s.root, config: DEFAULTS, budget: 60_000 });

/** A program that takes one capture, as one file: so many of them start at once. */
async function program(s: Scene): Promise<string> {
  const outfile = join(s.top, 'capture-run.mjs');
  await build({
    entryPoints: [join(top, 'test/saving/capture-run.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire('/');" },
  });
  return outfile;
}

function inProcess(file: string, s: Scene): Promise<Captured> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, s.home, s.root], { cwd: s.top, stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.once('close', (code) => (code === 0 ? resolve(JSON.parse(out) as Captured) : reject(new Error(out))));
  });
}

/** Every file of a capture has its bytes. */
function isWhole(store: Store, ref: string): boolean {
  const files = captureTree(store, ref);
  const contents = readObjects(
    store,
    files.map(({ oid }) => oid),
  );
  return files.every(({ size }, i) => contents[i]?.length === size);
}

test('64 captures of one project at once all succeed, with numbers of their own, and every one is whole', async () => {
  const s = project(100);
  await take(s);
  const file = await program(s);
  const done = await Promise.all(
    Array.from({ length: 64 }, (_, i) => {
      fs.writeFileSync(join(s.root, `new${i}`), `${i}`);
      return inProcess(file, s);
    }),
  );
  for (const one of done) assert.ok(one.kind === 'captured' || one.kind === 'unchanged', JSON.stringify(one));
  const fresh = done.flatMap((one) => (one.kind === 'captured' ? [one.m] : []));
  assert.equal(new Set(fresh).size, fresh.length);
  const store = openStore(s.home);
  for (const one of done) assert.ok('m' in one && isWhole(store, `refs/belay/${one.key}/captures/${one.m}`));
  const last = await take(s);
  assert.ok('m' in last);
  assert.equal(captureTree(store, `refs/belay/${last.key}/captures/${last.m}`).length, 164);
});

test('a ref lock that a killed git left is in nobody’s way', async () => {
  const s = project(3);
  const first = await take(s);
  assert.ok('key' in first);
  const store = openStore(s.home);
  const lock = join(store.gitDir, `refs/belay/${first.key}/index.lock`);
  fs.writeFileSync(lock, '');
  fs.writeFileSync(join(s.root, 'f0'), 'changed');
  const second = await take(s);
  assert.equal(second.kind, 'captured', JSON.stringify(second));
  assert.equal(fs.existsSync(lock), false);
});

test('a lock that a living git may hold stays', async () => {
  const s = project(1);
  const store = openStore(s.home);
  const lock = join(store.gitDir, 'packed-refs.lock');
  fs.writeFileSync(lock, '');
  const old = Date.now() / 1000 - 30;
  fs.utimesSync(lock, old, old);
  const git = spawn('git', ['cat-file', '--batch'], { env: { PATH: process.env['PATH'], GIT_DIR: store.gitDir } });
  try {
    await new Promise((resolve) => git.once('spawn', resolve));
    assert.equal(breakStaleLocks(store), 0);
    assert.ok(fs.existsSync(lock));
  } finally {
    const ended = new Promise((resolve) => git.once('exit', resolve));
    git.kill('SIGKILL');
    await ended;
  }
  assert.equal(breakStaleLocks(store), 1);
});

test('a young lock stays while somebody is at work who cannot be seen from here', () => {
  const s = project(1);
  const store = openStore(s.home);
  const lock = join(store.gitDir, 'packed-refs.lock');
  const far = JSON.stringify({ ...nameOf(1), machine: 'another', boot: 'another', ns: 'another' });
  for (const sign of ['writing/1-x', '.settle.lock.1']) {
    fs.writeFileSync(lock, '');
    const old = Date.now() / 1000 - 30;
    fs.utimesSync(lock, old, old);
    fs.mkdirSync(join(store.base, 'writing'), { recursive: true });
    fs.writeFileSync(join(store.base, sign), far);
    assert.equal(breakStaleLocks(store), 0, sign);
    fs.rmSync(join(store.base, sign));
    assert.equal(breakStaleLocks(store), 1, sign);
  }
});

test('prune beside captures takes away nothing that a capture names, and no capture that a turn under way rests on', async () => {
  const s = project(50);
  await take(s);
  const turn = openTurn(s.home, s.home, s.turn('7'), Date.now());
  const unknown = plan([], { captures: [{ folder: s.root, why: 'unknown', verb: 'make' }] });
  const [rested] = await captureBefore(unknown, turn, s.world, { id: 'c1', start: [] });
  fs.writeFileSync(join(s.root, 'f9'), 'by the call');
  await captureAfter(turn, 'c1', s.world);
  fs.writeFileSync(join(s.root, 'f9'), 'after it');
  await take(s);
  raiseOrder(s.home, 1_000_000);
  fs.writeFileSync(join(turn, 'turn.json'), JSON.stringify({ ...json(join(turn, 'turn.json')), order: 1_000_000 }));
  const file = await program(s);
  const store = openStore(s.home);
  let running = true;
  const captures = (async () => {
    for (let i = 0; i < 6; i++) {
      fs.writeFileSync(join(s.root, `f${i}`), `changed ${i}`);
      const done = await inProcess(file, s);
      assert.ok(done.kind === 'captured' || done.kind === 'unchanged', JSON.stringify(done));
    }
  })().finally(() => {
    running = false;
  });
  while (running) {
    const locks = takeAll(store.base, 20_000);
    assert.ok(locks);
    pruneBy(store, { maxSnapshots: 1, maxTotalBytes: 1e12, retentionMs: 1 });
    for (const lock of locks) lock.release();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await captures;
  const last = await take(s);
  assert.ok('key' in last);
  const { captures: listed } = readHistory(store, last.key);
  const after = rested?.kind === 'captured' ? rested.m + 1 : 0;
  for (const m of [after - 1, after])
    assert.ok(
      listed.some((one) => one.m === m),
      `capture ${m} is gone`,
    );
  for (const { m } of listed) assert.ok(isWhole(store, `refs/belay/${last.key}/captures/${m}`), `capture ${m}`);
  assert.deepEqual(verify(store), []);
});

test.run();
