import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { test } from 'uvu';

test('the runner that is asked for nothing it has says so and fails', () => {
  const result = spawnSync(process.execPath, ['--import', 'tsx', 'test/run.ts', 'no-such-test-file'], {
    encoding: 'utf8',
  });
  assert.equal(result.status, 1);
  assert.equal(result.stdout, 'no test file matches\n0 passed, 0 failed\n');
});

test.run();
