import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { clearProject } from '../../src/checkpoint/clear.ts';
import { projectKey } from '../../src/checkpoint/projects.ts';
import { readHistory } from '../../src/checkpoint/read.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import { verify } from '../../src/checkpoint/verify/verify.ts';
import { writeRecord } from '../../src/checkpoint/write.ts';
import { DEFAULTS } from '../../src/platform/config.ts';
import { removeTree } from '../../src/platform/files.ts';
import { captureAfter, captureBefore } from '../../src/saving/before.ts';
import { capture } from '../../src/saving/capture/capture.ts';
import { pruneBy, takeAll } from '../../src/saving/prune.ts';
import { restingOn } from '../../src/saving/resting.ts';
import { openTurn } from '../../src/turns/pending.ts';
import { turn as draft } from '../checkpoint/given.ts';
import { plan, type Scene, scene } from './given.ts';

const KEEP_ALL = { maxSnapshots: 10_000, maxTotalBytes: 1e12, retentionMs: 1e12 };

const put = (s: Scene, text: string): void => fs.writeFileSync(join(s.root, 'a'), text);

async function take(s: Scene, text: string): Promise<number> {
  put(s, text);
  const done = await capture({ store: openStore(s.home), root: s.root, config: DEFAULTS, budget: 60_000 });
  assert.ok('m' in done, JSON.stringify(done));
  return done.m;
}

const captures = (s: Scene): number[] => {
  const store = openStore(s.home);
  return readHistory(store, projectKey(store, s.root))
    .captures.map(({ m }) => m)
    .sort((a, b) => a - b);
};

/** A turn of an agent that is under way; its first call was captured before and after. Returns its folder. */
async function callIn(s: Scene): Promise<string> {
  const folder = openTurn(s.home, s.home, s.turn('7'), Date.now());
  put(s, 'before the call');
  await captureBefore(plan([], { captures: [{ folder: s.root, why: 'unknown', verb: 'make' }] }), folder, s.world, {
    id: 'c1',
    start: [],
  });
  put(s, 'after the call');
  await captureAfter(folder, 'c1', s.world);
  return folder;
}

function pruned(s: Scene): void {
  const store = openStore(s.home);
  const locks = takeAll(store.base, 20_000);
  assert.ok(locks);
  try {
    pruneBy(store, KEEP_ALL);
  } finally {
    for (const lock of locks) lock.release();
  }
}

test('prune keeps both captures of a call of a turn that is not settled, also when the turn goes on as a later part', async () => {
  const s = scene();
  const folder = await callIn(s);
  const store = openStore(s.home);
  await take(s, 'later');
  await take(s, 'now');
  writeRecord(store, s.root, draft({ order: 1_000_000 }), new Map());
  const file = join(folder, 'turn.json');
  fs.writeFileSync(file, JSON.stringify({ ...JSON.parse(fs.readFileSync(file, 'utf8')), order: 1_000_001 }));
  pruned(s);
  assert.deepEqual(captures(s), [1, 2, 4]);
  assert.deepEqual(verify(store), []);
});

test('clear leaves the captures that a running turn rests on; they go with a clear after it', async () => {
  const s = scene();
  const folder = await callIn(s);
  await take(s, 'later');
  await take(s, 'now');
  const store = openStore(s.home);
  const key = projectKey(store, s.root);
  const cleared = (): number => clearProject(store, key, () => restingOn(store)).captures;
  assert.equal(cleared(), 3);
  assert.deepEqual(captures(s), [1, 2, 4]);
  removeTree(folder);
  assert.equal(cleared(), 0);
  assert.deepEqual(captures(s), []);
  assert.equal(await take(s, 'again'), 5);
  assert.deepEqual(verify(store), []);
});

test('while a turn cannot be read, clear lets no capture go', async () => {
  const s = scene();
  await take(s, '1');
  await take(s, '2');
  const folder = openTurn(s.home, s.home, s.turn('7'), Date.now());
  fs.writeFileSync(join(folder, 'turn.json'), '{"v":');
  const store = openStore(s.home);
  assert.equal(clearProject(store, projectKey(store, s.root), () => restingOn(store)).captures, 2);
  assert.deepEqual(captures(s), [1, 2]);
});

test.run();
