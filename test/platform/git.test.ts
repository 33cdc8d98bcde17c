import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { projectKey } from '../../src/checkpoint/projects.ts';
import { captureTree, readHistory } from '../../src/checkpoint/read.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import { verify } from '../../src/checkpoint/verify/verify.ts';
import { DEFAULTS } from '../../src/platform/config.ts';
import { git } from '../../src/platform/git.ts';
import { capture } from '../../src/saving/capture/capture.ts';

function room(): Buffer {
  const top = fs.realpathSync(fs.mkdtempSync(join(os.tmpdir(), 'belay-git-')));
  process.on('exit', () => fs.rmSync(top, { recursive: true, force: true }));
  return Buffer.from(top);
}

test('a home and a project of any bytes have a usable store', async () => {
  const top = room();
  const home = Buffer.concat([top, Buffer.from('/h\xff:"me', 'latin1')]);
  const root = Buffer.concat([top, Buffer.from('/pr\xffject', 'latin1')]);
  fs.mkdirSync(Buffer.concat([root, Buffer.from('/.git')]), { recursive: true });
  fs.writeFileSync(Buffer.concat([root, Buffer.from('/a')]), 'text');
  const store = openStore(home.toString('latin1'));
  const path = root.toString('latin1');
  const done = await capture({ store, root: path, config: DEFAULTS, budget: 60_000 });
  assert.is(done.kind, 'captured', JSON.stringify(done));
  assert.is(readHistory(store, projectKey(store, path)).captures.length, 1);
  assert.not.ok(
    fs.readdirSync(top, 'latin1').some((name) => name.includes('\xef\xbf\xbd')),
    'nothing is made beside it',
  );
});

for (const [what, name] of [
  ['no ASCII', Buffer.from('häme')],
  ['no text', Buffer.from('h\xff', 'latin1')],
] as const)
  test(`what is excluded stays out of a capture, and lent objects become the store's own, in a home whose name is ${what}`, async () => {
    const top = room();
    const home = Buffer.concat([top, Buffer.from('/'), name]).toString('latin1');
    const root = join(top.toString(), 'project');
    fs.mkdirSync(root);
    for (let i = 0; i < 600; i++) fs.writeFileSync(join(root, `f${i}`), `${i}`);
    const on = { cwd: root, workTree: root, gitDir: join(root, '.git') };
    for (const args of [
      ['init', '-q', root],
      ['add', '-A'],
      ['commit', '-q', '-m', 'x'],
    ])
      assert.ok(git(args, on).ok);
    fs.writeFileSync(join(root, 'left.out'), 'x');
    const config = { ...DEFAULTS, checkpoints: { ...DEFAULTS.checkpoints, exclude: ['*.out'] } };
    const store = openStore(home);
    const done = await capture({ store, root, config, budget: 60_000 });
    assert.is(done.kind, 'captured', JSON.stringify(done));
    const [newest] = readHistory(store, projectKey(store, root)).captures;
    const files = captureTree(store, newest?.id ?? '').map(({ path }) => path);
    assert.equal([files.length, files.includes('left.out')], [600, false]);
    fs.rmSync(join(root, '.git'), { recursive: true });
    assert.equal(verify(store), []);
    assert.not.ok(fs.readdirSync(top, 'latin1').some((entry) => entry.includes('\xef\xbf\xbd')));
  });

test('that git is missing, was not started, or said too much are different answers', () => {
  const gone = git(['version'], { cwd: '/nowhere/at/all' });
  assert.equal([gone.ok, !gone.ok && gone.code], [false, 'not run']);
  const long = git(['version', 'x'.repeat(4 << 20)]);
  assert.equal([long.ok, !long.ok && long.code], [false, 'not run']);
});

test('git fetches nothing, whatever a repository allows', () => {
  const top = room().toString();
  git(['init', '-q', join(top, 'r')]);
  git(['config', 'protocol.ext.allow', 'always'], { gitDir: join(top, 'r/.git') });
  const done = git(['ls-remote', `ext::sh -c 'touch ${top}/ran'`], { gitDir: join(top, 'r/.git') });
  assert.equal([done.ok, fs.existsSync(join(top, 'ran'))], [false, false]);
});

test.run();
