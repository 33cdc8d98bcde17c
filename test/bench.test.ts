import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bench = suite('bench');

bench('every row is measured, and no git process runs before a line with known effects', () => {
  const done = spawnSync(process.execPath, ['--import', 'tsx', 'bench/main.ts', '--quick'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 200_000,
  });
  assert.equal(done.status, 0, done.stderr);
  for (const row of [
    'harmless line',
    'rm of 1 named file',
    'rm of 100 named files',
    'settle',
    'undo of 1',
    'warm capture',
  ])
    assert.match(done.stdout, new RegExp(row));
  assert.doesNotMatch(done.stdout, /[1-9]\d* git processes/);
});

bench.run();
