import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { CheckpointRecord } from '../../src/checkpoint/record.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import { restingOn } from '../../src/saving/resting.ts';
import { sweep } from '../../src/saving/settle/remove.ts';
import { openTurn, pendingFolder, pendingTurns, readTurn } from '../../src/turns/pending.ts';
import { scene } from '../saving/given.ts';

test('a turn whose identity was cut by a power loss stops no other, and what it holds is kept', () => {
  const s = scene();
  const [cut, whole] = [openTurn(s.home, s.home, s.turn('1'), 1), openTurn(s.home, s.home, s.turn('2'), 2)];
  fs.mkdirSync(join(cut, '1'));
  fs.writeFileSync(join(cut, '1/pack'), 'held');
  for (const text of ['', '{"v":1,"sess', 'null', '{}']) {
    fs.writeFileSync(join(cut, 'turn.json'), text);
    assert.is(readTurn(cut).is, 'damaged');
    assert.equal(
      pendingTurns(s.home).map(({ folder }) => folder),
      [whole],
    );
  }
  const old = new Date(Date.now() - 10 * 86_400_000);
  fs.utimesSync(cut, old, old);
  sweep(s.home, false);
  assert.is(fs.readFileSync(join(cut, '1/pack'), 'utf8'), 'held');
  assert.ok(restingOn(openStore(s.home)).unknown, 'nothing that it may rest on goes');
});

test('a turn folder keeps neither secrets nor a line that was hidden from history', () => {
  const s = scene();
  const read = (folder: string): Partial<CheckpointRecord> =>
    JSON.parse(fs.readFileSync(join(folder, 'turn.json'), 'utf8')) as Partial<CheckpointRecord>;
  const open = openTurn(s.home, s.home, { ...s.turn('1'), line: "TOKEN=$'a b' rm x" }, 1);
  assert.is(read(open).line, 'TOKEN=*** rm x');
  const hidden = openTurn(s.home, s.home, { ...s.turn('2'), line: ' rm letter.txt', hidden: true }, 1);
  assert.is(read(hidden).line, '');
  assert.not.match(fs.readdirSync(pendingFolder(s.home), { recursive: true }).join('\n'), 'letter');
});

test.run();
