import { strict as assert } from 'node:assert';
import { test } from 'uvu';
import { ledgerOf } from '../../src/checkpoint/ledger.ts';
import type { Checkpoint } from '../../src/checkpoint/read.ts';
import type { CheckpointRecord } from '../../src/checkpoint/record.ts';
import { standingTurns } from '../../src/checkpoint/turns.ts';

const SESSION = '20250101_000000_abcdef';

/** A record of that place in the order of things; `more` says of what kind. */
const checkpoint = (order: number, more: object): Checkpoint => {
  const common = { v: 1, n: order, order, generation: 0, root: '/p', session: SESSION, changes: [], leftOut: [] };
  const record = { ...common, gitBefore: [], gitAfter: [], ...more } as unknown as CheckpointRecord;
  return { id: String(order), record } as unknown as Checkpoint;
};

const turn = (order: number, name: string, path: string): Checkpoint => {
  const before = { kind: 'link', target: 'before' };
  return checkpoint(order, {
    kind: 'turn',
    turn: name,
    changes: [{ path, before, after: { kind: 'absent' }, by: 'named' }],
  });
};

const undo = (order: number, did: object): Checkpoint =>
  checkpoint(order, { kind: 'safety', turn: `${order}`, did: { turns: [{ session: SESSION, turn: '7' }], ...did } });

const standing = (...checkpoints: Checkpoint[]): string[][] => {
  const ledger = ledgerOf([{ key: 'k', generation: 0, checkpoints }]);
  return standingTurns(ledger, () => true).map(({ events }) =>
    events.map(({ record }) => (record as { turn: string }).turn),
  );
};

test('what a job of a turn does after that turn was undone stands, and is the next to be undone', () => {
  const undone = undo(2, { what: 'undo', partial: false });
  assert.deepEqual(standing(turn(1, '7', 'a'), undone), []);
  assert.deepEqual(standing(turn(1, '7', 'a'), undone, turn(3, '7~1', 'b')), [['7~1']]);
  assert.deepEqual(
    standing(turn(1, '7', 'a'), undone, turn(3, '7~1', 'b'), undo(4, { what: 'undo', partial: false })),
    [],
  );
});

test('a redo of the second undo of a turn brings back its later part alone', () => {
  const both = [turn(1, '7', 'a'), undo(2, { what: 'undo', partial: false }), turn(3, '7~1', 'b')];
  const again = [...both, undo(4, { what: 'undo', partial: false }), undo(5, { what: 'redo', partial: false, to: 4 })];
  assert.deepEqual(standing(...again), [['7~1']]);
});

test.run();
