import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { openStore } from '../../src/checkpoint/store.ts';
import { verify } from '../../src/checkpoint/verify/verify.ts';
import { DEFAULTS } from '../../src/platform/config.ts';
import { beginPlanned } from '../../src/saving/begin.ts';
import { isOverSize } from '../../src/saving/prune.ts';
import { endTurn } from '../../src/saving/settle/end-turn.ts';
import { settleWithin } from '../../src/saving/settle/settle-within.ts';
import type { World } from '../../src/saving/world.ts';
import { plan, records, type Scene, scene, target } from './given.ts';

const MB = 2 ** 20;

/** Turns that each delete two megabytes of noise, as fast as can be; none is settled. */
async function delete_(s: Scene, world: World, names: readonly number[]): Promise<void> {
  for (const name of names) {
    const path = join(s.root, `noise${name}`);
    fs.writeFileSync(path, randomBytes(2 * MB));
    await beginPlanned(s.turn(String(name)), plan([target(path)]), world);
    fs.rmSync(path);
    endTurn(world, '20250101_000000_abcdef', String(name), Date.now() + 1);
  }
}

/** The most that these folders took on disk while `act` was at it: another process looks all the time. */
async function mostOf(folders: readonly string[], act: () => Promise<void>): Promise<number[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'sampler.mjs'), ...folders]);
  await once(child.stdout, 'data');
  await act();
  let said = '';
  child.stdout.on('data', (bytes) => {
    said += bytes;
  });
  child.stdin.end();
  await once(child.stdout, 'end');
  return JSON.parse(said);
}

const upTo = (n: number, from = 0): number[] => Array.from({ length: n }, (_, i) => from + i + 1);

test('the store is never larger than it may be by more than a checkpoint and an eighth, however fast checkpoints come', async () => {
  const s = scene();
  const world = {
    ...s.world,
    config: { ...DEFAULTS, checkpoints: { ...DEFAULTS.checkpoints, max_total_size_mb: 16 } },
  };
  const [most = 0] = await mostOf([join(s.home, 'checkpoints/store')], async () => {
    for (const from of [0, 7, 14]) {
      await delete_(s, world, upTo(7, from));
      await settleWithin(world, 20_000);
    }
  });
  assert.ok(most > 15 * MB && most <= (16 + 2 + 2) * MB, `${most / MB} MB`);
  const left = records(s).map(({ n }) => n);
  assert.ok(left[0] === 21 && left.length >= 5 && left.at(-1) === 22 - left.length, left.join(' '));
  assert.equal(isOverSize(world), false);
  assert.deepEqual(verify(openStore(s.home)), []);
});

test('held files are never larger than they may be by more than those of one checkpoint; their checkpoints stay', async () => {
  const s = scene();
  const { hold } = DEFAULTS.checkpoints;
  const checkpoints = {
    ...DEFAULTS.checkpoints,
    max_file_size_mb: 0.5,
    hold: { ...hold, max_mb: 6, min_free_percent: 0 },
  };
  const world = { ...s.world, config: { ...DEFAULTS, checkpoints } };
  const [most = 0] = await mostOf([join(s.home, 'checkpoints/holds')], async () => {
    await delete_(s, world, upTo(4));
    await settleWithin(world, 20_000);
    await delete_(s, world, upTo(2, 4));
    await settleWithin(world, 20_000);
  });
  assert.ok(most > 5 * MB && most <= 8.5 * MB, `${most / MB} MB`);
  assert.equal(records(s).length, 6);
});

test.run();
