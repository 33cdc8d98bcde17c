import fs from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { VERSION } from '../../src/cli/main.ts';

test('belay --version is the version of the package', () => {
  const text = fs.readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  assert.is((JSON.parse(text) as { version: string }).version, VERSION);
});

test.run();
