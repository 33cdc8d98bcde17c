import { strict as assert } from 'node:assert';
import { captureTree, readObjects } from '../../src/checkpoint/read.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import { DEFAULTS } from '../../src/platform/config.ts';
import { type Captured, capture } from '../../src/saving/capture/capture.ts';
import type { Scene } from './given.ts';

/** Captures a scene's project. */
export const take = (
  s: Scene,
  checkpoints: Partial<typeof DEFAULTS.checkpoints> = {},
  budget = 60_000,
): Promise<Captured> =>
  capture({
    store: openStore(s.home),
    root: s.root,
    config: { ...DEFAULTS, checkpoints: { ...DEFAULTS.checkpoints, ...checkpoints } },
    budget,
  });

/** Path → bytes of a capture, as the store has them. */
export function files(s: Scene, done: Captured): Map<string, string> {
  assert.ok(done.kind === 'captured' || done.kind === 'unchanged', JSON.stringify(done));
  const store = openStore(s.home);
  const found = captureTree(store, `refs/belay/${done.key}/captures/${done.m}`);
  const contents = readObjects(
    store,
    found.map(({ oid }) => oid),
  );
  return new Map(found.map(({ path }, i) => [path, contents[i]?.toString('latin1') ?? 'lost']));
}
