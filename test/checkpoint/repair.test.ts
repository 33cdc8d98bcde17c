import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { blobOid } from '../../src/checkpoint/oid.ts';
import { captureTree, readCaptures, readHistory, readObjects } from '../../src/checkpoint/read.ts';
import { openStore, type Store } from '../../src/checkpoint/store.ts';
import { lessen } from '../../src/checkpoint/verify/lessen.ts';
import { repair } from '../../src/checkpoint/verify/repair.ts';
import { verify } from '../../src/checkpoint/verify/verify.ts';
import { writeRecord } from '../../src/checkpoint/write.ts';
import { DEFAULTS } from '../../src/platform/config.ts';
import { capture } from '../../src/saving/capture/capture.ts';
import { absent, file, scratch, turn } from './given.ts';

interface Given {
  readonly root: string;
  readonly store: Store;
  readonly key: string;
}

const bytesOf = (name: string): Buffer => Buffer.from(`content of ${name}`);

/** Two checkpoints, a held file, two captures: whole. */
async function given(): Promise<Given> {
  const { home, root } = scratch();
  fs.mkdirSync(join(root, '.git'));
  const store = openStore(home);
  const removed = (name: string) => ({ path: name, before: file(bytesOf(name)), after: absent, by: 'named' as const });
  const held = bytesOf('held');
  const content = { at: 'hold' as const, path: 'b0', linked: false, oid: blobOid(held) };
  const hold = {
    path: 'held',
    before: { kind: 'file' as const, mode: 0o644, size: held.length, content },
    after: absent,
    by: 'named' as const,
  };
  const contents = new Map(['a', 'b', 'c'].map((name) => [blobOid(bytesOf(name)), bytesOf(name)]));
  const { key } = writeRecord(store, root, turn({ changes: [removed('a'), removed('b')] }), contents);
  writeRecord(store, root, turn({ changes: [removed('c'), hold] }), contents);
  fs.mkdirSync(join(store.base, `holds/${key}/2`), { recursive: true });
  fs.writeFileSync(join(store.base, `holds/${key}/2/b0`), held);
  for (const text of ['one', 'two']) {
    fs.writeFileSync(join(root, 'f'), text);
    fs.writeFileSync(join(root, 'same'), 'same');
    await capture({ store, root, config: DEFAULTS, budget: 60_000 });
  }
  assert.equal(verify(store), []);
  return { root, store, key };
}

const objectFile = (store: Store, oid: string): string => join(store.gitDir, 'objects', oid.slice(0, 2), oid.slice(2));

function spoil(path: string): void {
  fs.chmodSync(path, 0o600);
  fs.writeFileSync(path, 'not an object');
}

/** What each checkpoint still has of what was before, and which captures are listed. */
function listed({ store, key }: Given): Record<string, string[]> {
  const { checkpoints, captures } = readHistory(store, key);
  const out: Record<string, string[]> = { captures: captures.map(({ m }) => String(m)).sort() };
  for (const { record } of checkpoints)
    out[record.n] = record.changes.map(({ path, before }) => {
      if (before.kind !== 'file') return `${path} ${before.kind}`;
      const { content } = before;
      if (content.at === 'hold') return `${path} held`;
      if (content.at !== 'git') return `${path} ${content.at}`;
      return `${path} ${readObjects(store, [content.oid])[0]?.equals(bytesOf(path)) ? 'back' : 'lost'}`;
    });
  return out;
}

const WHOLE = { 1: ['a back', 'b back'], 2: ['c back', 'held held'], captures: ['1', '2'] };

function repaired(at: Given, says: RegExp): void {
  assert.not.equal(verify(at.store), []);
  const { done, problems } = repair(at.store);
  assert.match(done.join('\n'), says);
  assert.equal(problems, []);
  assert.equal(verify(at.store), []);
}

test('a whole store is left as it is', async () => {
  const at = await given();
  assert.equal(repair(at.store), { done: [], problems: [] });
  assert.equal(listed(at), WHOLE);
});

test('a lost content goes from its checkpoint, which stays with the rest, and says so', async () => {
  const at = await given();
  fs.rmSync(objectFile(at.store, blobOid(bytesOf('a'))));
  repaired(at, /checkpoint 1: the content of a .* is lost: the checkpoint stays without it/);
  assert.equal(listed(at), { ...WHOLE, 1: ['a hash', 'b back'] });
});

test('an object that is not what its name says is removed and named', async () => {
  const at = await given();
  spoil(objectFile(at.store, blobOid(bytesOf('c'))));
  repaired(at, /its file held something else/);
  assert.equal(listed(at), { ...WHOLE, 2: ['c hash', 'held held'] });
});

test('a broken pack is replaced by what of it can be read', async () => {
  const at = await given();
  const run = (...args: string[]): void => {
    assert.is(spawnSync('git', [`--git-dir=${at.store.gitDir}`, ...args], { stdio: 'ignore' }).status, 0);
  };
  run('repack', '-adq');
  run('prune-packed', '-q');
  const packs = join(at.store.gitDir, 'objects/pack');
  const pack = join(packs, fs.readdirSync(packs).find((name) => name.endsWith('.pack')) ?? '');
  const index = fs.readFileSync(pack.replace(/pack$/, 'idx'));
  const list = spawnSync('git', ['show-index'], { input: index, encoding: 'latin1' }).stdout;
  const offset = Number(new RegExp(`^(\\d+) ${blobOid(bytesOf('b'))}`, 'm').exec(list)?.[1]);
  const bytes = fs.readFileSync(pack);
  for (let i = 4; i < 10; i++) bytes[offset + i] = 0xff;
  fs.chmodSync(pack, 0o600);
  fs.writeFileSync(pack, bytes);
  repaired(at, /pack-.* replaced: (\d+) of its/);
  assert.equal(listed(at), { ...WHOLE, 1: ['a back', 'b hash'] });
});

test('a record that cannot be read is dropped, and no other', async () => {
  const at = await given();
  const checkpoint = readHistory(at.store, at.key).checkpoints.find(({ record }) => record.n === 1);
  fs.rmSync(objectFile(at.store, checkpoint?.tree.get('meta.json') ?? ''));
  repaired(at, /turns\/1 cannot be read: dropped/);
  assert.equal(listed(at), { 2: WHOLE[2], captures: WHOLE.captures });
  assert.is(writeRecord(at.store, at.root, turn({}), new Map()).n, 3);
});

test('a hold that is gone or was changed goes from its checkpoint', async () => {
  for (const change of [fs.rmSync, (path: string) => fs.writeFileSync(path, 'CONTENT of held')]) {
    const at = await given();
    change(join(at.store.base, `holds/${at.key}/2/b0`));
    repaired(at, /checkpoint 2: the held copy of held (is gone|was written since)/);
    assert.equal(listed(at), { ...WHOLE, 2: ['c back', 'held hash'] });
  }
});

test('a capture that lacks an object stays with the rest, and says so; the index that names it goes, and the next one is whole', async () => {
  const at = await given();
  fs.rmSync(objectFile(at.store, blobOid(Buffer.from('two'))));
  repaired(at, /capture 2 is not complete: it stays without f/);
  assert.equal(listed(at), WHOLE);
  const [left] = [
    ...readCaptures(
      at.store,
      readHistory(at.store, at.key).captures.filter(({ m }) => m === 2),
    ).values(),
  ];
  assert.equal(
    left?.record.leftOut.map(({ path }) => path),
    ['f'],
  );
  const done = await capture({ store: at.store, root: at.root, config: DEFAULTS, budget: 60_000 });
  assert.is(done.kind, 'captured');
  if (done.kind === 'captured') assert.is(captureTree(at.store, `refs/belay/${at.key}/captures/${done.m}`).length, 2);
  assert.equal(verify(at.store), []);
});

test('a git that fails proves no loss: a capture that cannot be written anew stays as it is', async () => {
  const at = await given();
  const two = blobOid(Buffer.from('two'));
  const run = (...args: string[]): string =>
    spawnSync('git', [`--git-dir=${at.store.gitDir}`, ...args], { encoding: 'utf8' }).stdout;
  run('repack', '-adq');
  run('prune-packed', '-q');
  const objects = join(at.store.gitDir, 'objects');
  const refs = run('for-each-ref');
  // No new object can be written: a folder for it cannot be made.
  for (let i = 0; i < 256; i++) fs.writeFileSync(join(objects, i.toString(16).padStart(2, '0')), '');
  const done = lessen(at.store, at.key, 2, new Set([two]));
  assert.is(done.is, 'failed', JSON.stringify(done));
  assert.is(run('for-each-ref'), refs);
  for (let i = 0; i < 256; i++) fs.rmSync(join(objects, i.toString(16).padStart(2, '0')));
  assert.is(lessen(at.store, at.key, 2, new Set([two])).is, 'lessened');
});

test('what a capture has lost leaves its permissions with it: nothing is made in its place', async () => {
  const at = await given();
  fs.writeFileSync(join(at.root, 'secret'), 'lost soon');
  fs.chmodSync(join(at.root, 'secret'), 0o600);
  fs.chmodSync(join(at.root, 'f'), 0o600);
  const done = await capture({ store: at.store, root: at.root, config: DEFAULTS, budget: 60_000 });
  assert.ok(done.kind === 'captured');
  fs.rmSync(objectFile(at.store, blobOid(Buffer.from('lost soon'))));
  repaired(at, /it stays without secret/);
  const [left] = readCaptures(
    at.store,
    readHistory(at.store, at.key).captures.filter(({ m }) => done.kind === 'captured' && m === done.m),
  ).values();
  assert.equal(left?.record.modes, [['f', 0o600]]);
});

test('a kept index that is no index is dropped; a lost project file is written anew from its records', async () => {
  const at = await given();
  fs.writeFileSync(join(at.store.gitDir, 'indexes', at.key), 'not an index');
  fs.rmSync(join(at.store.gitDir, 'projects', `${at.key}.json`));
  const { done, problems } = repair(at.store);
  assert.match(done.join('\n'), /the kept index cannot be read: dropped/);
  assert.match(done.join('\n'), /written anew for/);
  assert.equal(problems, []);
  assert.equal(listed(at), WHOLE);
  assert.is(writeRecord(at.store, at.root, turn({}), new Map()).n, 3);
});

test.run();
