import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { blobOid } from '../../src/checkpoint/oid.ts';
import { projectKey } from '../../src/checkpoint/projects.ts';
import { openStore, type Store } from '../../src/checkpoint/store.ts';
import { verify } from '../../src/checkpoint/verify/verify.ts';
import { writeRecord } from '../../src/checkpoint/write.ts';
import { status } from '../../src/cli/checkpoints/status.ts';
import { DEFAULTS } from '../../src/platform/config.ts';
import { pruneWhenDue } from '../../src/saving/prune.ts';
import type { World } from '../../src/saving/world.ts';
import { absent, file, pruneBy, scratch, turn } from './given.ts';

const KEEP_ALL = { maxSnapshots: 10_000, maxTotalBytes: 1e12, retentionMs: 1e12 };

/** What a git that failed leaves. */
const debris = (store: Store): string[] =>
  [store.gitDir, join(store.gitDir, 'objects/pack')]
    .flatMap((folder) => fs.readdirSync(folder))
    .filter((name) => /^(?:tmp_|\.tmp-|fast_import_crash_)/.test(name));

function save(store: Store, root: string, bytes: Buffer): number {
  const change = { path: 'a', before: file(bytes), after: absent, by: 'named' as const };
  return writeRecord(store, root, turn({ changes: [change] }), new Map([[blobOid(bytes), bytes]])).n;
}

test('a git that fails on a full disk leaves nothing there, and what one that was killed has left goes with the next prune', () => {
  const at = scratch();
  fs.mkdirSync(at.home, { recursive: true });
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=700', 'none', at.home]).status !== 0)
    return console.log('may not mount here: skipped');
  try {
    const store = openStore(at.home);
    save(store, at.root, randomBytes(1 << 20));
    for (let i = 0; i < 3; i++) assert.throws(() => save(store, at.root, randomBytes(8 << 20)));
    assert.equal([debris(store), verify(store)], [[], []]);
    save(store, at.root, randomBytes(1 << 20));
    for (const name of ['objects/pack/tmp_pack_x', 'objects/pack/.tmp-1-pack-x', 'fast_import_crash_1'])
      fs.writeFileSync(join(store.gitDir, name), 'half');
    pruneBy(store, KEEP_ALL, Date.now());
    assert.equal([debris(store), verify(store)], [[], []]);
  } finally {
    spawnSync('umount', ['-l', at.home]);
  }
});

test('the prune in the background says what it let go before its time that nothing else keeps: in the log, and to whoever looks', () => {
  const at = scratch();
  const store = openStore(at.home);
  const key = projectKey(store, at.root);
  const bytes = Buffer.from('held');
  const held = { at: 'hold' as const, path: 'b0', linked: false, oid: blobOid(bytes) };
  const before = { kind: 'file' as const, mode: 0o644, size: bytes.length, content: held };
  for (let i = 0; i < 3; i++) {
    const { n } = writeRecord(
      store,
      at.root,
      turn({ started: Date.now(), ended: Date.now(), changes: [{ path: 'b', before, after: absent, by: 'named' }] }),
      new Map(),
    );
    fs.mkdirSync(join(store.base, `holds/${key}/${n}`), { recursive: true });
    fs.writeFileSync(join(store.base, `holds/${key}/${n}/b0`), bytes);
  }
  const config = { ...DEFAULTS, checkpoints: { ...DEFAULTS.checkpoints, max_snapshots: 2, min_interval_hours: 0 } };
  const world: World = { env: new Map(), home: at.home, userHome: undefined, config, off: false };
  const told = () =>
    status(
      { world, home: at.home, store } as Parameters<typeof status>[0],
      {
        words: [],
        values: {},
      } as unknown as Parameters<typeof status>[1],
    );
  assert.not.match(told().text, 'before their time');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5); // its time has come
  assert.ok(pruneWhenDue(world));
  assert.match(told().text, 'held files went before their time that nothing else keeps: 4 bytes of 1 checkpoint');
  assert.match(
    fs.readFileSync(join(at.home, 'logs/belay.log'), 'utf8'),
    /warn prune: only checkpoint 1 of [0-9a-f]{16} has 4 bytes of held files[\s\S]*warn prune: 4 bytes of held files of 1 check/,
  );
});

test.run();
