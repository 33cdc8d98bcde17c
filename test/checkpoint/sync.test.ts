import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ledgerOf } from '../../src/checkpoint/ledger.ts';
import { blobOid } from '../../src/checkpoint/oid.ts';
import { projectKey } from '../../src/checkpoint/projects.ts';
import { readHistory } from '../../src/checkpoint/read.ts';
import { withParcel } from '../../src/checkpoint/share/parcel.ts';
import { listRemote, type Remote, remoteRef, shownUrl } from '../../src/checkpoint/share/remote.ts';
import { STALE_MS, takeRemoteLock } from '../../src/checkpoint/share/remote-lock.ts';
import { type Synced, type SyncRequest, sync } from '../../src/checkpoint/share/sync.ts';
import { openStore, type Store, StoreError } from '../../src/checkpoint/store.ts';
import { verify } from '../../src/checkpoint/verify/verify.ts';
import { writeRecord } from '../../src/checkpoint/write.ts';
import { nameOf } from '../../src/platform/processes.ts';
import { absent, file, pruneBy, scratch, turn } from './given.ts';

const KEEP_ALL = { maxSnapshots: 10_000, maxTotalBytes: 1e12, retentionMs: 1e12 };
const at = scratch();
const bare = join(at.top, 'remote.git');
spawnSync('git', ['init', '-q', '--bare', bare]);
const remote: Remote = { url: bare, name: 'shop' };
const onRemote = (...args: string[]): string =>
  spawnSync('git', ['--git-dir', bare, ...args], { encoding: 'utf8' }).stdout.trim();

interface Machine {
  readonly store: Store;
  readonly root: string;
  readonly owner: string;
}

/** A machine with a home and a folder of its own. */
function machine(name: string, owner: string): Machine {
  const root = join(at.top, name);
  fs.mkdirSync(root);
  return { store: openStore(join(at.top, `home-${name}`)), root, owner: owner.repeat(16) };
}

function remove({ store, root }: Machine, text: string): number {
  const bytes = Buffer.from(text);
  const changes = [{ path: 'a', before: file(bytes), after: absent, by: 'named' as const }];
  return writeRecord(store, root, turn({ changes }), new Map([[blobOid(bytes), bytes]])).n;
}

function syncNow({ store, root, owner }: Machine, more: Partial<SyncRequest> = {}): Synced {
  const key = projectKey(store, root);
  const history = readHistory(store, key);
  const ledger = ledgerOf([{ key, generation: 1, checkpoints: history.checkpoints }]);
  const rules = { precious: ['.env'], exclude: '', secrets: false };
  const rest = { prune: false, now: Date.now(), tell: () => {} };
  return sync({ store, key, owner, root, history, ledger, rules, remote, ...rest, ...more });
}

const listed = ({ store, root }: Machine) =>
  readHistory(store, projectKey(store, root)).checkpoints.map(({ record: { n, origin } }) => [n, origin?.n]);

const [one, two] = [machine('one', 'a'), machine('two', 'b')];

test('two machines push and take over; numbers never clash, and nothing comes twice', () => {
  for (const text of ['first', 'second']) remove(one, text);
  remove(two, 'other');
  assert.equal(syncNow(one).pushed, [1, 2]);
  const first = syncNow(two);
  assert.equal(
    [first.pushed, first.fetched.map(({ n, there }) => [n, there])],
    [
      [1],
      [
        [2, 1],
        [3, 2],
      ],
    ],
  );
  assert.equal(listed(two), [
    [3, 2],
    [2, 1],
    [1, undefined],
  ]);
  assert.equal(
    syncNow(one).fetched.map(({ n, there }) => [n, there]),
    [[3, 1]],
  );
  for (const who of [one, two]) {
    const again = syncNow(who);
    assert.equal([again.pushed, again.fetched, again.refused], [[], [], []]);
    assert.equal(verify(who.store), []);
  }
  assert.is(remove(two, 'next'), 4);
  const names = onRemote('for-each-ref', '--format=%(refname)').split('\n');
  assert.equal(names, [1, 2].map((n) => remoteRef(remote, one.owner, n)).concat(remoteRef(remote, two.owner, 1)));
});

test('a sync that was interrupted goes on where it was; what both have in common is not sent again', () => {
  onRemote('update-ref', '-d', remoteRef(remote, one.owner, 2));
  assert.equal(syncNow(one).pushed, [2]);
});

test('what was let go here does not come back by itself; what is gone here goes there only when asked', () => {
  const { store } = two;
  pruneBy(store, { ...KEEP_ALL, maxSnapshots: 1, maxTotalBytes: 0 }, Date.now());
  const left = listed(two).length;
  const after = syncNow(two);
  assert.equal([after.fetched, listed(two).length], [[], left]);
  assert.ok(onRemote('rev-parse', '-q', '--verify', remoteRef(remote, two.owner, 1)) !== '');
  assert.equal(
    syncNow(two, { prune: true }).dropped,
    [1, 4].filter((n) => !listed(two).some(([m]) => m === n)),
  );
});

test('private files stay at home, also on a remote', () => {
  const bytes = Buffer.from('TOKEN=1');
  const changes = [{ path: '.env', before: file(bytes), after: absent, by: 'named' as const }];
  writeRecord(one.store, one.root, turn({ changes }), new Map([[blobOid(bytes), bytes]]));
  assert.is(syncNow(one).pushed.length, 1);
  assert.is(onRemote('cat-file', '-t', blobOid(bytes)), '');
  const rules = { precious: ['.env'], exclude: '', secrets: true };
  assert.ok(syncNow(one, { rules }).pushed.length > 0);
  assert.is(onRemote('cat-file', '-t', blobOid(bytes)), 'blob');
});

test('one machine at a time: the holder is named, one that is silent is taken over, and finds that out', () => {
  const { store } = one;
  withParcel(store, [], (parcel) => {
    const now = Date.now();
    const lock = takeRemoteLock(parcel, remote, 0, () => now);
    assert.throws(
      () => takeRemoteLock(parcel, remote, 0, () => now),
      (error: unknown) =>
        error instanceof StoreError && error.code === 'busy' && /is syncing with it/.test(error.message),
    );
    const later = takeRemoteLock(parcel, remote, 0, () => now + STALE_MS + 1000);
    const silent = takeOverFails(() => lock.release());
    assert.ok(silent, 'the first one no longer moves it');
    later.release();
    assert.is(listRemote(store, remote).lock, undefined);
  });
  const junk = onRemote('commit-tree', '4b825dc642cb6eb9a060e54bf8d69288fbee4904', '-m', 'not a lock of belay');
  if (junk !== '') onRemote('update-ref', `refs/belay/${remote.name}/lock`, junk);
  assert.equal(syncNow(one).refused, []);
});

test('a sync that was killed on this machine is not waited for', () => {
  withParcel(one.store, [], (parcel) => {
    takeRemoteLock(parcel, remote, 0);
    const notes = join(one.store.base, 'locks');
    const note = fs.readdirSync(notes).find((name) => name.startsWith('sync-')) ?? '';
    const { pid } = spawnSync('true');
    fs.writeFileSync(join(notes, note), JSON.stringify({ ...nameOf(process.pid), pid }));
    takeRemoteLock(parcel, remote, 0).release();
    assert.equal(
      fs.readdirSync(notes).filter((name) => name.startsWith('sync-')),
      [],
    );
  });
});

/** A release of what is another one's changes nothing. */
function takeOverFails(act: () => void): boolean {
  const before = onRemote('rev-parse', `refs/belay/${remote.name}/lock`);
  act();
  return onRemote('rev-parse', `refs/belay/${remote.name}/lock`) === before;
}

test('a hostile remote: names that belay does not make are passed over, what is no checkpoint is refused once', () => {
  const head = onRemote('for-each-ref', '--format=%(objectname)', remoteRef(remote, one.owner, 1));
  const base = `refs/belay/${remote.name}`;
  for (const ref of [`${base}/zz/1`, `${base}/${'c'.repeat(16)}/99999999999999999999`, `${base}/${'c'.repeat(16)}/0`])
    onRemote('update-ref', ref, head);
  // It says that it is another one's.
  onRemote('update-ref', `${base}/${'d'.repeat(16)}/7`, head);
  const done = syncNow(two);
  assert.equal(
    done.refused.map(({ there, why }) => [there, why]),
    [[7, 'it says that it is another one']],
  );
  assert.equal(syncNow(two).refused, []);
  assert.equal(verify(two.store), []);
});

test('a remote that is not there is said in one line, without the password of its address', () => {
  assert.throws(
    () => syncNow(one, { remote: { url: join(at.top, 'nowhere'), name: 'shop' } }),
    (error: unknown) => error instanceof StoreError && error.code === 'remote_failed' && !error.message.includes('\n'),
  );
  assert.is(shownUrl('https://me:secret@host/x.git'), 'https://me:***@host/x.git');
  assert.throws(
    () => syncNow(one, { remote: { url: 'ext::sh -c "touch /tmp/x"', name: 'shop' } }),
    (error: unknown) => error instanceof StoreError && /not allowed/.test(error.message),
  );
});

test.run();
