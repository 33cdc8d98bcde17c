import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { type Scene, scene } from './given.ts';
import { lines } from './lines.ts';

const dist = join(import.meta.dirname, '../../dist');

/** Says at its end how much memory each program had at most, in KB. */
const SPY = `process.on('exit', () =>
  require('node:fs').appendFileSync(process.env.PEAKS, process.resourceUsage().maxRSS + '\\n'));`;

/** The peak of all programs of belay that see one line and undo it, in MB. */
function peak(s: Scene, line: string): number {
  const peaks = join(s.top, 'peaks');
  const spy = join(s.top, 'spy.cjs');
  fs.writeFileSync(spy, SPY);
  fs.writeFileSync(peaks, '');
  const env = new Map([...s.world.env, ['PEAKS', peaks], ['NODE_OPTIONS', `--require ${spy}`]]);
  const at = lines({ ...s, world: { ...s.world, env } }, undefined, [process.execPath, join(dist, 'belay-snap.cjs')]);
  assert.equal(at.run(line), '');
  assert.equal(at.belay('undo').status, 0);
  return Math.max(...fs.readFileSync(peaks, 'utf8').trim().split('\n').map(Number)) / 1024;
}

for (const line of ['rm file', 'echo more >> file'])
  test(`a file of any size takes no more memory than a small one: ${line}`, () => {
    const [small, large] = [1, 200].map((size) => {
      const s = scene();
      const file = join(s.root, 'file');
      const fd = fs.openSync(file, 'w');
      const block = Buffer.alloc(1 << 20, 'x');
      for (let i = 0; i < size; i++) fs.writeSync(fd, block);
      fs.closeSync(fd);
      const most = peak(s, line);
      assert.equal(fs.statSync(file).size, size << 20);
      return most;
    });
    assert.ok((large ?? 0) < (small ?? 0) + 64, `${large} MB, and ${small} MB for a small one`);
  });

test.run();
