import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { enter, shut, writesFarAway } from '../../src/checkpoint/gate.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import { acquire } from '../../src/platform/lock.ts';
import { sign, signerOf } from '../../src/platform/signed.ts';
import { mounted, scene } from '../saving/given.ts';

function fill(folder: string): void {
  const fd = fs.openSync(join(folder, 'filler'), 'w');
  try {
    for (;;) fs.writeSync(fd, Buffer.alloc(4096));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    fs.closeSync(fd);
  }
}

test('on a full disk whoever is to make room gets the lock and shuts the gate, and nobody gets in beside him', () => {
  const s = scene();
  const disk = mounted(s, 'disk', '1m');
  if (disk === undefined) return;
  const store = openStore(join(disk, 'home'));
  fill(disk);
  const path = join(disk, 'home/checkpoints/.settle.lock');
  const lock = acquire(path, 0);
  assert.ok(lock);
  assert.is(acquire(path, 0), undefined);
  lock?.release();
  const again = acquire(path, 0);
  assert.ok(again);
  again?.release();
  assert.ok(shut(store, 0, (quiet) => quiet && enter(store, 0) === undefined));
});

test('a writer that was killed before it could say who it is keeps nobody out', () => {
  const store = openStore(scene().home);
  const leave = enter(store, 0);
  const folder = join(store.base, 'writing');
  const [name] = fs.readdirSync(folder);
  assert.ok(signerOf(join(folder, name ?? '')), 'seen only with its name in it');
  leave?.();
  fs.writeFileSync(join(folder, '.123-abc'), '');
  assert.is(writesFarAway(store), false);
  assert.ok(shut(store, 0, (quiet) => quiet));
});

test('who has signed can be read, and half a name names nobody', () => {
  const { top } = scene();
  const path = join(top, 'signed');
  sign(path);
  assert.is(signerOf(path)?.pid, process.pid);
  fs.truncateSync(path, 5);
  assert.is(signerOf(path), undefined);
  assert.is(signerOf(join(top, 'none')), undefined);
});

test.run();
