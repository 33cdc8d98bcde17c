import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { blobOid } from '../../src/checkpoint/oid.ts';
import type { GitState } from '../../src/checkpoint/record.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import { writeRecord } from '../../src/checkpoint/write.ts';
import { holdGit } from '../../src/saving/hold/gitfiles.ts';
import { turn as draft } from '../checkpoint/given.ts';
import { belay, project, put } from './drive.ts';
import { inOwnHome } from './home.ts';
import { nextOrder } from './turns.ts';

const at = inOwnHome(fileURLToPath(import.meta.url));

function repository(): string {
  const root = project(at, { a: '1\n', b: '1\n' });
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'add', '-A');
  commit(root, 'one');
  put(root, { a: '2\n' });
  git(root, 'add', '-A');
  commit(root, 'two');
  return root;
}

const git = (root: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, HOME: at.top },
  });
const commit = (root: string, message: string): string => git(root, 'commit', '-q', '-m', message);

/** All that `--git` promises to bring back. */
const state = (root: string): string[] => [
  git(root, 'for-each-ref'),
  fs.readFileSync(join(root, '.git/HEAD'), 'utf8'),
  git(root, 'stash', 'list', '--format=%H %s'),
  git(root, 'ls-files', '-s'),
];

function hold(root: string): { state: GitState; index: Buffer } {
  const folder = fs.mkdtempSync(join(at.top, 'hold-'));
  const { indexFile, ...held } = holdGit(
    { gitDir: join(root, '.git'), commonDir: join(root, '.git'), workTree: root },
    folder,
    0,
    [],
  );
  const index = fs.readFileSync(join(folder, indexFile ?? ''));
  return { state: { ...held, workTree: '.', index: blobOid(index) }, index };
}

/** A line of git that changes git's own state, recorded as a turn. */
function turn(root: string, act: () => void): number {
  const before = hold(root);
  act();
  const after = hold(root);
  return writeRecord(
    openStore(at.home),
    root,
    draft({ order: nextOrder(at.home), line: 'git …', gitBefore: [before.state], gitAfter: [after.state] }),
    new Map([
      [blobOid(before.index), before.index],
      [blobOid(after.index), after.index],
    ]),
  ).n;
}

const cases: Record<string, (root: string) => void> = {
  'reset --soft': (root) => git(root, 'reset', '--soft', 'HEAD~1'),
  'commit --amend': (root) => git(root, 'commit', '-q', '--amend', '-m', 'other'),
  'stash drop': (root) => git(root, 'stash', 'drop', '-q'),
  'stash clear': (root) => git(root, 'stash', 'clear'),
  'branch -D': (root) => git(root, 'branch', '-q', '-D', 'side'),
  'tag -d': (root) => git(root, 'tag', '-d', 'v1'),
  'checkout --detach': (root) => git(root, 'checkout', '-q', '--detach'),
  add: (root) => git(root, 'add', '-A'),
  'reset (unstages)': (root) => git(root, 'reset', '-q'),
};

for (const [name, act] of Object.entries(cases))
  test(`undo --git takes back git ${name} exactly, and redo does it again`, async () => {
    const root = repository();
    git(root, 'branch', 'side');
    git(root, 'tag', 'v1');
    for (const text of ['s1\n', 's2\n']) {
      put(root, { b: text });
      git(root, 'stash', '-q');
    }
    put(root, { b: 'staged\n' });
    git(root, 'add', 'b');
    put(root, { b: 'and more\n', new: 'untracked\n' });
    const before = state(root);
    turn(root, () => act(root));
    const after = state(root);
    assert.not.equal(before, after);
    assert.is((await belay(root, 'undo')).code, 'only_git');
    const done = await belay(root, 'undo', '--git');
    assert.equal([done.exit, done.message, done.json.kept], [0, '', []]);
    assert.equal(state(root), before);
    assert.is(fs.readFileSync(join(root, 'b'), 'utf8'), 'and more\n');
    await belay(root, 'redo');
    assert.equal(state(root), after);
    assert.is(git(root, 'fsck', '--no-dangling', '--no-progress'), '');
  });

test('a branch that somebody else moved since is not thrown back without --force', async () => {
  const root = repository();
  turn(root, () => git(root, 'reset', '--soft', 'HEAD~1'));
  commit(root, 'somebody else');
  const before = state(root);
  const done = await belay(root, 'undo', '--git');
  assert.equal([done.exit, done.code], [3, 'git_moved']);
  assert.equal(state(root), before);
  assert.is((await belay(root, 'undo', '--git', '--force')).exit, 0);
  assert.match(git(root, 'log', '--format=%s'), 'two');
});

test('no hook of the repository runs', async () => {
  const root = repository();
  const hook = join(root, '.git/hooks/reference-transaction');
  fs.mkdirSync(join(root, '.git/hooks'), { recursive: true });
  turn(root, () => git(root, 'commit', '-q', '--amend', '-m', 'x'));
  fs.writeFileSync(hook, `#!/bin/sh\necho ran > ${join(at.top, 'ran')}\n`, { mode: 0o755 });
  await belay(root, 'undo', '--git');
  assert.not(fs.existsSync(join(at.top, 'ran')));
});

test.run();
