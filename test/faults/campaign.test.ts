import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { LOADER } from '../loader.ts';

const campaign = join(dirname(fileURLToPath(import.meta.url)), 'campaign.ts');

/** The part of `npm run test:faults` that every run of the tests plays: at most about half a minute of killing. */
test('8 writers that hold, end, settle, capture, restore and prune, killed at random instants: 0 differences', () => {
  const done = spawnSync(
    process.execPath,
    ['--import', LOADER, campaign, '--kills', '100', '--minutes', '0.5', '--seed', '1'],
    { encoding: 'utf8', timeout: 200_000 },
  );
  assert.is(done.status, 0, `${done.stdout}${done.stderr}`);
  assert.match(done.stdout, /, 0 differences/);
});

test.run();
