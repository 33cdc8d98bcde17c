import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { scene } from './given.ts';
import { lines } from './lines.ts';

const SIZE = 300 << 20;

/** Large enough to be linked back where there is no room; a hole for the most part. */
function makeLarge(path: string): void {
  fs.writeFileSync(path, 'first');
  fs.truncateSync(path, SIZE);
}

function beginning(path: string): string {
  const bytes = Buffer.alloc(5);
  const fd = fs.openSync(path, 'r');
  fs.readSync(fd, bytes, 0, 5, 0);
  fs.closeSync(fd);
  return bytes.toString();
}

function edit(path: string): void {
  const fd = fs.openSync(path, 'r+');
  fs.writeSync(fd, 'other', 0);
  fs.closeSync(fd);
}

test('a large file that came back is a file of its own: written in place, it can be brought back again', () => {
  const s = scene();
  const big = join(s.root, 'big');
  makeLarge(big);
  const { run, belay } = lines(s);
  run('rm big');
  assert.equal(belay('undo').status, 0);
  assert.equal(fs.statSync(big).nlink, 1);
  edit(big);
  assert.equal(belay('rollback', '1', '--all').status, 0);
  assert.equal(beginning(big), 'first');
  assert.equal(belay('checkpoints', 'verify').status, 0);
});

test('where a copy would leave too little of the disk free, the file is linked, and that is said', () => {
  const s = scene();
  const big = join(s.root, 'big');
  makeLarge(big);
  const { run, belay } = lines(s);
  run('rm big');
  belay('list');
  const config = join(s.top, 'user/.config/belay');
  fs.mkdirSync(config, { recursive: true });
  fs.writeFileSync(join(config, 'config.json'), JSON.stringify({ checkpoints: { hold: { min_free_percent: 100 } } }));
  const { status, json } = belay<{ notes: string[] }>('undo');
  assert.equal(status, 0);
  assert.equal(fs.statSync(big).nlink, 2);
  assert.ok(
    json.notes.some((note) => /big shares its bytes with the checkpoint/.test(note)),
    json.notes.join(),
  );
  assert.equal(belay('checkpoints', 'verify').status, 0);
});

test.run();
