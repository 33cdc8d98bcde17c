import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { runtimeFolder } from '../../src/platform/home.ts';

const top = fs.mkdtempSync(join(tmpdir(), 'belay-runtime-'));
process.once('exit', () => fs.rmSync(top, { recursive: true, force: true }));
const env = new Map([['XDG_RUNTIME_DIR', top]]);
const folder = join(top, 'belay');
const mode = (): number => fs.statSync(folder).mode & 0o777;

test('the folder of markers is closed to others, also one that was open to their eyes', () => {
  assert.is(runtimeFolder(env, false), undefined);
  assert.is(runtimeFolder(env, true), folder);
  assert.is(mode(), 0o700);
  fs.chmodSync(folder, 0o755);
  assert.is(runtimeFolder(env, false), folder);
  assert.is(mode(), 0o755, 'who only looks changes nothing');
  assert.is(runtimeFolder(env, true), folder);
  assert.is(mode(), 0o700);
});

test('a folder that others can write, and a link to one, are not used', () => {
  for (const open of [0o770, 0o777, 0o1777]) {
    fs.chmodSync(folder, open);
    assert.is(runtimeFolder(env, true), undefined);
  }
  fs.chmodSync(folder, 0o700);
  fs.renameSync(folder, join(top, 'other'));
  fs.symlinkSync('other', folder);
  assert.is(runtimeFolder(env, true), undefined);
});

test.run();
