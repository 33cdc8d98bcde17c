import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { collectInstalls } from '../../src/installs/gc.ts';
import { installKey } from '../../src/installs/layout.ts';
import { prepare } from '../../src/installs/prepare.ts';
import { proofOf } from '../../src/installs/proof.ts';
import { takeAside } from '../../src/installs/reclaim.ts';
import { type State, stateAt } from '../../src/installs/states.ts';
import { rival, somewhere, TRIES } from './rival.ts';

const top = fs.realpathSync(fs.mkdtempSync(join(os.tmpdir(), 'belay-races-')));
const home = join(top, 'home');
const root = join(home, 'installs');
const other = rival();

test.after(() => {
  other.end();
  fs.rmSync(top, { recursive: true, force: true });
});

const gc = () => collectInstalls({ roots: [root], known: () => undefined, sizes: false });

/** A checkout that was deleted, and its state. */
async function orphan(name: string): Promise<string> {
  const checkout = join(top, '.worktrees', name);
  fs.mkdirSync(checkout, { recursive: true });
  const done = await prepare(home, checkout, async (environment) => {
    fs.writeFileSync(join(environment, 'mark'), 'old');
    return 0;
  });
  assert.is(done.is, 'ready');
  fs.rmdirSync(checkout);
  return checkout;
}

test('a checkout that comes back between the proof and the rename, or right after it, keeps its state', async () => {
  const checkout = await orphan('exact');
  const state = stateAt(root, installKey(checkout));
  const comesBack = (one: State) => {
    const proof = proofOf(one);
    fs.mkdirSync(checkout);
    return proof;
  };
  const taken = takeAside(state, comesBack);
  assert.is(taken.is, 'kept');
  assert.is(fs.readFileSync(join(state.folder, 'current/mark'), 'utf8'), 'old');
  fs.rmdirSync(checkout);
  assert.is((await gc()).reclaimed.length, 1);
});

test(`a checkout that is made again while its state is reclaimed has the environment it prepared (${TRIES} tries)`, async () => {
  let reclaimed = 0;
  for (let i = 0; i < TRIES; i++) {
    const checkout = await orphan('again');
    const made = other.acts({ deed: 'recreate', home, checkout, after: somewhere(6000) });
    reclaimed += (await gc()).reclaimed.length;
    assert.is(await made, 'ready');
    assert.is(fs.readFileSync(join(root, installKey(checkout), 'current/mark'), 'utf8'), 'new', `try ${i}`);
    fs.rmdirSync(checkout);
    await gc();
  }
  assert.ok(reclaimed >= 0);
});

test(`an environment that was leased is there as long as the lease (${TRIES} tries)`, async () => {
  const seen = { leased: 0, gone: 0 };
  for (let i = 0; i < TRIES; i++) {
    const checkout = await orphan(`leased${i}`);
    const asked = other.acts({ deed: 'lease', home, checkout, after: somewhere(6000) });
    await gc();
    const environment = await asked;
    if (typeof environment === 'string') {
      seen.leased++;
      assert.is(fs.readFileSync(join(environment, 'mark'), 'utf8'), 'old', `try ${i}`);
      fs.rmSync(join(root, installKey(checkout)), { recursive: true });
    } else seen.gone++;
  }
  assert.is(seen.leased + seen.gone, TRIES);
});

test.run();
