import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ownRepositories } from '../../src/worktrees/own-repositories.ts';

const top = fs.realpathSync(fs.mkdtempSync(join(os.tmpdir(), 'belay-own-')));

test.after(() => {
  fs.rmSync(top, { recursive: true, force: true });
});

const GIVEN = `set -e
g() { git -c user.name=a -c user.email=a@b "$@"; }
mkdir -p node_modules/@scope node_modules/shipped elsewhere && cd node_modules
g init -q @scope/own && g -C @scope/own commit -q --allow-empty -m own
g clone -q @scope/own cloned
g clone -q --bare @scope/own bare.git && g -C bare.git remote remove origin
printf 'gitdir: ../../nowhere\\n' >shipped/.git && : >shipped/HEAD
g init -q ../elsewhere && : >../elsewhere/work && ln -s ../elsewhere linked && ln -s ../elsewhere ../target`;

test('repositories below folders that are not archived are found by find(1), and by node where that cannot be told the path', async () => {
  const text = join(top, 'tree');
  fs.mkdirSync(text);
  const done = spawnSync('sh', ['-c', GIVEN], { cwd: text, encoding: 'utf8' });
  assert.is(done.status, 0, done.stderr);
  const bytes = `${top}/tr\xffe`;
  fs.cpSync(text, join(top, 'copy'), { recursive: true, verbatimSymlinks: true });
  fs.renameSync(join(top, 'copy'), Buffer.from(bytes, 'latin1'));
  const seen = async (place: string): Promise<string[]> => {
    const found = await ownRepositories(place, ['node_modules/', 'target']);
    return found === 'unknown' ? [found] : [...found].sort();
  };
  const own = ['node_modules/@scope/own', 'node_modules/bare.git'];
  assert.equal(await seen(text), own);
  assert.equal(await seen(bytes), own);
});

test.run();
