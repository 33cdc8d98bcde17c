import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { copyWhole } from '../../src/platform/copy.ts';
import { scene } from './given.ts';
import { lines } from './lines.ts';

const SIZE = 64 << 20;

/** Data at the beginning, in the middle across a block's border, at an odd place and at the very end; holes between. */
function makeSparse(path: string, size = SIZE): void {
  const fd = fs.openSync(path, 'w');
  fs.ftruncateSync(fd, size);
  for (const at of [0, (1 << 20) - 3, Math.min(17 << 20, size >> 1) + 777, size - 5]) fs.writeSync(fd, 'data!', at);
  fs.closeSync(fd);
}

const taken = (path: string): number => fs.statSync(path).blocks * 512;

test('a copy of a sparse file has its bytes and its holes', () => {
  const s = scene();
  for (const [name, make] of [
    ['sparse', makeSparse],
    ['only a hole', (path: string) => fs.writeFileSync(path, '') ?? fs.truncateSync(path, SIZE + 1)],
    ['dense', (path: string) => fs.writeFileSync(path, Buffer.alloc(3 << 20, 7))],
    ['empty', (path: string) => fs.writeFileSync(path, '')],
  ] as const) {
    const [from, to] = [join(s.top, name), join(s.top, `${name}.copy`)];
    make(from);
    copyWhole(Buffer.from(from), Buffer.from(to));
    assert.ok(fs.readFileSync(from).equals(fs.readFileSync(to)), name);
    assert.ok(taken(to) <= taken(from) + 65_536, `${name}: ${taken(to)} bytes for ${taken(from)}`);
  }
  assert.throws(() => copyWhole(Buffer.from(join(s.top, 'sparse')), Buffer.from(join(s.top, 'empty'))), /EEXIST/);
});

/** The smaller one goes into the store, as bytes. */
for (const [line, size] of [
  ['rm sparse', SIZE],
  ['truncate -s 0 sparse', SIZE],
  ['rm sparse', 9 << 20],
] as const)
  test(`a sparse file of ${size >> 10} KB stays sparse when it is held and restored: ${line}`, () => {
    const s = scene();
    const file = join(s.root, 'sparse');
    makeSparse(file, size);
    const was = fs.readFileSync(file);
    const before = taken(file);
    const { run, belay } = lines(s);
    assert.equal(run(line), '');
    const { status, json } = belay<{ kept: unknown[] }>('undo');
    assert.deepEqual([status, json.kept], [0, []], JSON.stringify(json));
    assert.ok(fs.readFileSync(file).equals(was));
    assert.ok(taken(file) <= before + 65_536, `${taken(file)} bytes for ${before}`);
  });

test.run();
