import fs from 'node:fs';
import { join } from 'node:path';
import type { TurnRecord } from '../../src/checkpoint/record.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import { readTree, record } from '../checkpoint/model.ts';

let count = 0;

/** The next place in the order among turns. */
export function nextOrder(home: string): number {
  const file = join(home, 'checkpoints/order');
  fs.mkdirSync(join(home, 'checkpoints'), { recursive: true });
  fs.appendFileSync(file, '.');
  return fs.statSync(file).size;
}

/** Does something in a project and records it as a turn, as a settle would. Returns its number. */
export function turn(
  home: string,
  root: string,
  line: string,
  act: () => void,
  session = '20250101_000000_abcdef',
  more: Partial<TurnRecord> = {},
): number {
  const before = readTree(root);
  const order = nextOrder(home);
  act();
  count++;
  return record(
    openStore(home),
    root,
    before,
    readTree(root),
    { session, turn: `t${count}`, order, line, ...more },
    () => 0.99,
  );
}
