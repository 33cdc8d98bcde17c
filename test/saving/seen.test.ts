import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { projectKey } from '../../src/checkpoint/projects.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import { DEFAULTS } from '../../src/platform/config.ts';
import { capture } from '../../src/saving/capture/capture.ts';
import { seenChanges } from '../../src/saving/settle/seen.ts';
import { scratch } from '../checkpoint/given.ts';

async function captured(home: string, root: string): Promise<number> {
  const done = await capture({ store: openStore(home), root, config: DEFAULTS, budget: 60_000 });
  if (done.kind !== 'captured') throw new Error(JSON.stringify(done));
  return done.m;
}

test('what the first capture ignored is not taken for new by the second; what was moved is new in its place', async () => {
  const { home, root } = scratch();
  fs.mkdirSync(join(root, '.git'));
  fs.mkdirSync(join(root, 'dist'));
  for (const [name, text] of Object.entries({
    '.gitignore': 'dist\n',
    'dist/app': 'built',
    twin: 'built',
    moves: 'content',
  }))
    fs.writeFileSync(join(root, name), text);
  const before = await captured(home, root);
  fs.rmSync(join(root, '.gitignore'));
  fs.rmSync(join(root, 'twin')); // the same bytes as in dist/app: gone, not moved there
  fs.renameSync(join(root, 'moves'), join(root, 'moved'));
  fs.writeFileSync(join(root, 'new'), 'new');
  const after = await captured(home, root);
  const store = openStore(home);
  const changes = seenChanges({ store, key: projectKey(store, root), before, after, uncertain: false });
  assert.equal(changes.map(({ path, before: a, after: b }) => `${path} ${a.kind} ${b.kind}`).sort(), [
    '.gitignore file absent',
    'moved absent file',
    'moves file absent',
    'new absent file',
    'twin file absent',
  ]);
});

test.run();
