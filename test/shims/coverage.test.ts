import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { root } from './recorder.ts';

test('NODE_V8_COVERAGE is meant for the user’s program: belay itself never sees it, what `run` starts does', () => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'belay-coverage-'));
  fs.writeFileSync(join(folder, 'node'), '#!/bin/sh\necho "${NODE_V8_COVERAGE-none}"\n', { mode: 0o755 });
  const said = (...args: string[]): string =>
    execFileSync(join(root, 'bin/belay'), args, {
      encoding: 'utf8',
      env: { PATH: `${folder}:/usr/bin:/bin`, HOME: folder, NODE_V8_COVERAGE: 'cov' },
    }).trim();
  assert.is(said('checkpoints'), 'none');
  assert.is(said('undo', '--yes'), 'none');
  assert.is(said('run', '--by-node', '--', 'true'), 'cov');
  fs.rmSync(folder, { recursive: true });
});

test.run();
