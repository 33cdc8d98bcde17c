import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import { LOADER } from './loader.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bench = suite('bench');

bench('every row is measured, and no git process runs before a line with known effects', () => {
  const done = spawnSync(process.execPath, ['--import', LOADER, 'bench/main.ts', '--quick'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 400_000,
  });
  assert.equal(done.status, 0, done.stderr);
  for (const row of [
    'belay-snap loaded',
    'harmless line at the prompt, bash',
    'hold of 1 named file',
    'the least: hard link',
    'hold of a file of',
    'wrapper: git status',
    'wrapper: rm of a folder in a captured turn',
    'script of 6 rm that nobody can plan',
    'bash -c : with BASH_ENV',
    'interactive start, bash',
    'settle',
    'rm of 1 named file',
    'rm of 100 named files',
    'undo of 1',
    'first capture',
    'warm capture, 500 changed',
    'memory',
    'rm -rf of an ignored folder',
    'hold of 1 named file, tree of 500 files',
  ])
    assert.match(done.stdout, new RegExp(row));
  assert.doesNotMatch(done.stdout, /[1-9]\d* git processes/);
});

bench.run();
