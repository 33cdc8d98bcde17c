import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { loadConfig } from '../../src/platform/config.ts';

function load(text: string | undefined, act: (file: string) => void = () => undefined) {
  const top = fs.mkdtempSync(join(os.tmpdir(), 'belay-config-'));
  process.on('exit', () => fs.rmSync(top, { recursive: true, force: true }));
  fs.mkdirSync(join(top, '.config/belay'), { recursive: true });
  const file = join(top, '.config/belay/config.yaml');
  if (text !== undefined) fs.writeFileSync(file, text);
  act(file);
  return loadConfig(new Map([['HOME', top]]));
}

test('no file, or a good one: it is sure what the user wants', async () => {
  assert.is((await load(undefined)).unsure, undefined);
  const good = await load('checkpoints: { retention_days: 90 }\nagents: { restore: allow }\n');
  assert.equal(
    [good.unsure, good.config.checkpoints.retention_days, good.config.agents.restore],
    [undefined, 90, 'allow'],
  );
});

test('a broken file, one that cannot be read as one, or a setting nobody knows: it is not sure, and strict answers stay strict', async () => {
  for (const text of ['checkpoints:\n  - [\nagents: { restore: deny }\n', '- a\n', 'just a text\n']) {
    const { unsure, config } = await load(text);
    assert.ok(unsure, text);
    assert.is(config.agents.restore, 'deny');
  }
  for (const text of ['checkpoints: { retention_dayz: 90 }\n', 'checkpoints: { retention_days: many }\n'])
    assert.ok((await load(text)).unsure, text);
  assert.is((await load('agents: { restore: dney }\n')).config.agents.restore, 'deny');
  assert.is((await load('checkpoints: { on_unsaved: refuse\n')).config.checkpoints.on_unsaved, 'refuse');
  assert.is((await load('checkpoints: { on_unsaved: refus }\n')).config.checkpoints.on_unsaved, 'ask');
});

test('a file that is no file, a link that leads nowhere, and no HOME: it is not sure', async () => {
  assert.ok((await load(undefined, (file) => fs.symlinkSync('/nowhere', file))).unsure);
  assert.ok((await load(undefined, (file) => fs.mkdirSync(file))).unsure);
  assert.ok((await load('#'.repeat(2 << 20))).unsure);
  assert.ok((await loadConfig(new Map())).unsure);
});

test.run();
