import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { captureTree, readObjects } from '../../src/checkpoint/read.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import { DEFAULTS } from '../../src/platform/config.ts';
import { type Captured, capture } from '../../src/saving/capture/capture.ts';
import { type Scene, scene } from './given.ts';

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: '/nonexistent' },
    encoding: 'latin1',
    stdio: 'pipe',
  });

const COUNT = 600;

/** A repository with enough committed files that its objects are worth lending. */
function repository(prepare: (root: string) => void = () => undefined): Scene {
  const s = scene();
  fs.rmSync(join(s.root, '.git'), { recursive: true });
  git(s.root, 'init', '-q');
  prepare(s.root);
  for (let i = 0; i < COUNT; i++) {
    fs.writeFileSync(join(s.root, `f${i}`), `content ${i}\r\n`);
    fs.utimesSync(join(s.root, `f${i}`), 1e9, 1e9);
  }
  git(s.root, 'add', '-A');
  git(s.root, 'commit', '-qm', 'c');
  return s;
}

async function captured(s: Scene): Promise<Map<string, string>> {
  const done: Captured = await capture({ store: openStore(s.home), root: s.root, config: DEFAULTS, budget: 60_000 });
  assert.ok(done.kind === 'captured' || done.kind === 'unchanged', JSON.stringify(done));
  // Nothing may depend on the repository from here on.
  fs.rmSync(join(s.root, '.git'), { recursive: true });
  const store = openStore(s.home);
  const found = captureTree(store, `refs/belay/${done.key}/captures/${done.m}`);
  const contents = readObjects(
    store,
    found.map(({ oid }) => oid),
  );
  return new Map(found.map(({ path }, i) => [path, contents[i]?.toString('latin1') ?? 'lost']));
}

/** What lies in the work tree itself. */
function there(s: Scene): Map<string, string> {
  const names = fs
    .readdirSync(s.root, { recursive: true, encoding: 'latin1' })
    .filter((name) => !/^\.git(\/|$)/.test(name));
  return new Map(
    names
      .filter((name) => fs.statSync(join(s.root, name)).isFile())
      .map((name) => [name, fs.readFileSync(join(s.root, name), 'latin1')]),
  );
}

const same = (a: Map<string, string>, b: Map<string, string>): void =>
  assert.deepEqual(Object.fromEntries([...a].sort()), Object.fromEntries([...b].sort()));

test('a first capture borrows from the repository, and owns what it borrowed: rm -rf .git takes nothing away', async () => {
  const s = repository();
  fs.writeFileSync(join(s.root, 'f1'), 'changed');
  fs.rmSync(join(s.root, 'f2'));
  fs.writeFileSync(join(s.root, 'untracked'), 'untracked');
  const want = there(s);
  const got = await captured(s);
  same(got, want);
  const loose = fs
    .readdirSync(join(s.home, 'checkpoints/store/objects'))
    .filter((name) => /^[0-9a-f]{2}$/.test(name))
    .flatMap((name) => fs.readdirSync(join(s.home, 'checkpoints/store/objects', name)));
  assert.ok(loose.length < 50, `${loose.length} loose objects: everything was written anew`);
});

test('borrowed blobs are the files’ bytes also where a conversion was in force', async () => {
  for (const attributes of ['* text=auto eol=lf\n', '* ident\n', '* filter=rot\n']) {
    const s = repository((root) => {
      fs.writeFileSync(join(root, '.gitattributes'), attributes);
      git(root, 'config', 'filter.rot.clean', 'tr a-z b-za');
      git(root, 'config', 'filter.rot.smudge', 'tr b-za a-z');
      fs.writeFileSync(join(root, 'id'), '$Id$\r\n');
    });
    const want = there(s);
    same(await captured(s), want);
  }
  const s = repository((root) => git(root, 'config', 'core.autocrlf', 'input'));
  const want = there(s);
  same(await captured(s), want);
});

test('bits that hide changes from git hide none from a capture: assume-unchanged, skip-worktree, submodules, a racy index', async () => {
  const s = repository();
  git(s.root, 'update-index', '--assume-unchanged', 'f1');
  git(s.root, 'update-index', '--skip-worktree', 'f2', 'f3');
  fs.writeFileSync(join(s.root, 'f1'), 'hidden 1');
  fs.writeFileSync(join(s.root, 'f2'), 'hidden 2');
  fs.rmSync(join(s.root, 'f3'));
  git(s.root, 'update-index', '--add', '--cacheinfo', `160000,${git(s.root, 'rev-parse', 'HEAD').trim()},gone`);
  fs.writeFileSync(join(s.root, 'f4'), 'CONTENT 4\r\n');
  fs.utimesSync(join(s.root, 'f4'), 1e9, 1e9);
  const want = there(s);
  same(await captured(s), want);
});

test('where the repository has lost objects everything is read from the files', async () => {
  const s = repository();
  for (const name of fs.readdirSync(join(s.root, '.git/objects')))
    if (/^[0-9a-f]{2}$/.test(name)) fs.rmSync(join(s.root, '.git/objects', name), { recursive: true });
  const want = there(s);
  same(await captured(s), want);
});

test.run();
