import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';

test('every checker is content with every file', () => {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const lint = spawnSync('sh', ['scripts/lint.sh'], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  assert.equal(lint.status, 0, `${lint.stdout}${lint.stderr}`);
});

test.run();
