import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { collect } from '../../src/checkpoint/collect.ts';
import { blobOid } from '../../src/checkpoint/oid.ts';
import { projectKey, readProject } from '../../src/checkpoint/projects.ts';
import { readHistory } from '../../src/checkpoint/read.ts';
import { findStore, openStore, type Store, StoreError } from '../../src/checkpoint/store.ts';
import { repair } from '../../src/checkpoint/verify/repair.ts';
import { salvage } from '../../src/checkpoint/verify/salvage.ts';
import { verify } from '../../src/checkpoint/verify/verify.ts';
import { replaceLink, storeTrouble } from '../../src/checkpoint/verify/whole-store.ts';
import { writeRecord } from '../../src/checkpoint/write.ts';
import { DEFAULTS } from '../../src/platform/config.ts';
import { capture } from '../../src/saving/capture/capture.ts';
import { absent, file, pruneBy, scratch, turn } from './given.ts';

const KEEP_ALL = { maxSnapshots: 10_000, maxTotalBytes: 1e12, retentionMs: 1e12 };
const DAY = 86_400_000;

interface Given {
  readonly home: string;
  readonly root: string;
  readonly store: Store;
  readonly key: string;
}

/** Three checkpoints with contents of their own, and a capture. */
async function given(): Promise<Given> {
  const { home, root } = scratch();
  const store = openStore(home);
  for (let i = 0; i < 3; i++) {
    const bytes = Buffer.from(`content ${i} `.repeat(3000) + Math.random());
    const changes = [{ path: 'a', before: file(bytes), after: absent, by: 'named' as const }];
    writeRecord(store, root, turn({ changes }), new Map([[blobOid(bytes), bytes]]));
  }
  fs.writeFileSync(join(root, 'f'), 'f');
  await capture({ store, root, config: DEFAULTS, budget: 60_000 });
  return { home, root, store, key: projectKey(store, root) };
}

const numbers = ({ store, key }: Given): number[] => readHistory(store, key).checkpoints.map(({ record }) => record.n);

const git = ({ store }: Given, ...args: string[]): void => {
  assert.is(spawnSync('git', [`--git-dir=${store.gitDir}`, ...args], { stdio: 'ignore' }).status, 0);
};

test('a pack that is cut off: what can be read from its beginning is kept, the rest is named, and the store is whole again', async () => {
  const at = await given();
  git(at, 'repack', '-adq');
  git(at, 'prune-packed', '-q');
  const folder = join(at.store.gitDir, 'objects/pack');
  const pack = join(folder, fs.readdirSync(folder).find((name) => name.endsWith('.pack')) ?? '');
  fs.chmodSync(pack, 0o600);
  fs.truncateSync(pack, Math.floor(fs.statSync(pack).size * 0.8));
  assert.not.equal(verify(at.store), []);
  const { done, problems } = repair(at.store);
  assert.match(done.join('\n'), /pack-.* replaced/);
  assert.equal(problems, []);
  assert.equal(verify(at.store), []);
  assert.is(writeRecord(at.store, at.root, turn({}), new Map()).n, 4);
});

test('refs/ is gone: said, nothing is collected, and every checkpoint and capture is found again by what it says of itself', async () => {
  const at = await given();
  fs.rmSync(join(at.store.gitDir, 'refs'), { recursive: true });
  fs.rmSync(join(at.store.gitDir, 'packed-refs'), { force: true });
  assert.match(storeTrouble(at.home) ?? '', 'has lost its refs');
  assert.throws(
    () => findStore(at.home),
    (error: unknown) => error instanceof StoreError && error.code === 'store_broken',
  );
  const bare = (await given()).store;
  fs.rmSync(join(bare.gitDir, 'refs'), { recursive: true });
  assert.match(salvage(openStore(bare.home)).join('\n'), '4 checkpoints and captures found again');
  assert.equal(verify(bare), []);
  const store = openStore(at.home); // somebody saves: the objects are still nobody's to take away
  assert.throws(() => collect(store), /has lost its refs/);
  assert.is(writeRecord(store, at.root, turn({}), new Map()).n, 4);
  const { done, problems } = repair(store);
  assert.match(done.join('\n'), '4 checkpoints and captures found again');
  assert.equal(problems, []);
  assert.equal(numbers(at), [4, 3, 2, 1]);
  assert.is(storeTrouble(at.home), undefined);
  collect(store);
  assert.equal([verify(store), readHistory(store, at.key).captures.length], [[], 1]);
});

test('a project file that cannot be read, or is none, stops nobody; it is put aside and written anew', async () => {
  const at = await given();
  const path = join(at.store.gitDir, `projects/${at.key}.json`);
  fs.rmSync(path);
  fs.mkdirSync(path);
  assert.match(verify(at.store).join('\n'), 'its file under projects/ is damaged');
  assert.equal(repair(at.store).problems, []);
  assert.equal([readProject(at.store, at.key)?.next, numbers(at)], [4, [3, 2, 1]]);
  assert.is(writeRecord(at.store, at.root, turn({}), new Map()).n, 4);
});

test('a project that was touched in the future is kept no longer for that, and mended', async () => {
  const at = await given();
  const path = join(at.store.gitDir, `projects/${at.key}.json`);
  const future = (): void =>
    fs.writeFileSync(path, JSON.stringify({ ...readProject(at.store, at.key), last_touch: Date.now() + 3650 * DAY }));
  future();
  assert.match(verify(at.store).join('\n'), 'touched at a time that is still to come');
  assert.equal(repair(at.store).problems, []);
  assert.ok((readProject(at.store, at.key)?.last_touch ?? 0) <= Date.now());
  future();
  pruneBy(at.store, { ...KEEP_ALL, retentionMs: 2 * DAY }, Date.now() + DAY);
  assert.is(numbers(at).length, 3);
  pruneBy(at.store, { ...KEEP_ALL, retentionMs: 2 * DAY }, Date.now() + 3 * DAY);
  assert.equal(numbers(at), []);
});

test('a store that is a link is not written through: said, and replaced by what it leads to', async () => {
  const at = await given();
  const elsewhere = join(at.home, 'elsewhere');
  fs.renameSync(at.store.gitDir, elsewhere);
  fs.symlinkSync(elsewhere, at.store.gitDir);
  for (const open of [openStore, findStore])
    assert.throws(
      () => open(at.home),
      (error: unknown) => error instanceof StoreError && /is a link/.test(error.message),
    );
  assert.match(replaceLink(at.home).join('\n'), 'was moved into its place');
  assert.ok(fs.lstatSync(at.store.gitDir).isDirectory() && !fs.existsSync(elsewhere));
  assert.equal([numbers(at), verify(at.store)], [[3, 2, 1], []]);
  assert.equal(replaceLink(at.home), []);
});

test.run();
