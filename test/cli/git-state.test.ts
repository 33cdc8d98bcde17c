import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { applyGitState } from '../../src/checkpoint/apply/git-state.ts';
import { blobOid } from '../../src/checkpoint/oid.ts';
import type { GitState } from '../../src/checkpoint/record.ts';
import { withLostLogs } from '../../src/checkpoint/reflogs.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import type { Answer, Failure } from '../../src/cli/command.ts';
import { rollbackAsked } from '../../src/cli/rollback.ts';
import { holdGit } from '../../src/saving/hold/gitfiles.ts';
import { differences, readTree, record } from '../checkpoint/model.ts';
import { belay, project, put } from './drive.ts';
import { inOwnHome } from './home.ts';
import { nextOrder } from './turns.ts';

const at = inOwnHome(fileURLToPath(import.meta.url));
const SESSION = '20250101_000000_abcdef';

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

/** A line of git, recorded as a turn: what it did to git's own state, and to the files of the work tree. */
function turn(root: string, act: () => void): number {
  const [before, tree] = [hold(root), readTree(root)];
  const order = nextOrder(at.home);
  act();
  const after = hold(root);
  const [gitBefore, gitAfter] = withLostLogs(before.state, after.state);
  const given = { session: SESSION, turn: `g${order}`, order, line: 'git …' };
  return record(
    openStore(at.home),
    root,
    tree,
    readTree(root),
    { ...given, gitBefore: [gitBefore], gitAfter: [gitAfter] },
    () => 0.99,
    new Map([
      [blobOid(before.index), before.index],
      [blobOid(after.index), after.index],
    ]),
  );
}

const cases: Record<string, (root: string) => void> = {
  'reset --soft': (root) => git(root, 'reset', '--soft', 'HEAD~1'),
  'commit --amend': (root) => git(root, 'commit', '-q', '--amend', '-m', 'other'),
  'stash drop': (root) => git(root, 'stash', 'drop', '-q'),
  'stash clear': (root) => git(root, 'stash', 'clear'),
  'branch -D': (root) => git(root, 'branch', '-q', '-D', 'side'),
  'branch -m': (root) => git(root, 'branch', '-m', 'side', 'other'),
  'update-ref -d': (root) => git(root, 'update-ref', '-d', 'refs/heads/side'),
  'tag -d': (root) => git(root, 'tag', '-d', 'v1'),
  'checkout --detach': (root) => git(root, 'checkout', '-q', '--detach'),
  add: (root) => git(root, 'add', '-A'),
  'reset (unstages)': (root) => git(root, 'reset', '-q'),
};

/** Of these git's own way back is one line more in the reflog, on purpose: what was undone is found there. */
const GROWS = /^(?:reset|commit|checkout)/;

const reflogs = (root: string): Record<string, string> => {
  const top = join(root, '.git/logs');
  const files = fs.readdirSync(top, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [path.slice(top.length + 1), fs.readFileSync(path, 'utf8')]));
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
    const [before, logs] = [state(root), reflogs(root)];
    turn(root, () => act(root));
    const after = state(root);
    assert.not.equal(before, after);
    const done = await belay(root, 'undo', '--git');
    assert.equal([done.exit, done.message, done.json.kept], [0, '', []]);
    assert.equal(state(root), before);
    if (!GROWS.test(name)) assert.equal(reflogs(root), logs);
    assert.is(fs.readFileSync(join(root, 'b'), 'utf8'), 'and more\n');
    await belay(root, 'redo');
    assert.equal(state(root), after);
    assert.is(git(root, 'fsck', '--no-dangling', '--no-progress'), '');
  });

test('what --git was agreed to is of the state that it goes back from, not only of the files', async () => {
  const root = repository();
  turn(root, () => git(root, 'reset', '-q', '--hard', 'HEAD~1'));
  const plan = async (): Promise<string> =>
    String((await belay(root, 'undo', '--git', '--force', '--dry-run')).json.plan);
  const seen = await plan();
  assert.is(await plan(), seen);
  git(root, 'commit', '-q', '--allow-empty', '-m', 'three');
  const head = git(root, 'rev-parse', 'HEAD');
  assert.is((await belay(root, 'undo', '--git', '--force', '--agreed', seen)).code, 'changed_meanwhile');
  assert.is(git(root, 'rev-parse', 'HEAD'), head);
  const done = await belay(root, 'undo', '--git', '--force', '--agreed', await plan());
  assert.equal([done.json.restored, git(root, 'log', '-1', '--format=%s')], [['a'], 'two\n']);
});

test('a line that is picked and changed git’s state alone asks nothing, and names --git; with it, the state is asked about', async () => {
  const root = repository();
  const n = turn(root, () => git(root, 'branch', 'side'));
  const picked = async (values: Record<string, boolean>) => {
    const call = { words: [], values, json: false, yes: false, install: root, cwd: root };
    return Promise.resolve(rollbackAsked(call, n)).catch((error: Failure) => error.code);
  };
  const plain = await picked({});
  assert.match(
    (plain as Answer).text,
    /^Everything is as before it already: .*\n.*; with them: belay rollback 1 --git/,
  );
  assert.is(await picked({ git: true }), 'not_answered');
  const dry = (await belay(root, 'rollback', String(n), '--git', '--dry-run')).text;
  assert.match(
    dry,
    /^Would do \(nothing was changed\): restore .*\n {2}restore {2}git's HEAD, index, refs and stash\n$/,
  );
  assert.match(git(root, 'branch'), 'side');
});

test('a reflog that went comes back with what has come since behind it, over several turns, too', async () => {
  const root = repository();
  git(root, 'branch', 'side');
  git(root, 'branch', '-f', 'side', 'HEAD~1');
  const log = (): string[] => git(root, 'reflog', '--format=%gs', 'side').trim().split('\n');
  const before = log();
  const n = turn(root, () => git(root, 'branch', '-q', '-D', 'side'));
  turn(root, () => git(root, 'branch', 'side', 'HEAD'));
  turn(root, () => git(root, 'branch', '-m', 'side', 'other'));
  assert.is((await belay(root, 'rollback', String(n), '--git')).exit, 0);
  assert.equal(log(), before);
  turn(root, () => git(root, 'reflog', 'delete', 'side@{0}'));
  git(root, 'branch', '-f', 'side', 'HEAD');
  assert.is((await belay(root, 'undo', '--git', '--force')).exit, 0);
  assert.equal(log().slice(1), before);
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

/** A repository with two branches that change the same line, and a third file staged on top. */
function forked(): string {
  const root = repository();
  git(root, 'checkout', '-q', '-b', 'side', 'HEAD~1');
  put(root, { a: 'side\n', s: 'of side\n' });
  git(root, 'add', '-A');
  commit(root, 'of side');
  git(root, 'checkout', '-q', 'main');
  return root;
}

const tryGit = (root: string, ...args: string[]): void => {
  try {
    git(root, ...args);
  } catch {
    // a conflict is what the test is about
  }
};

/** All of the git folder that speaks of an operation, and what git itself says of it. */
const operation = (root: string): unknown[] => {
  const names = fs.readdirSync(join(root, '.git')).filter((name) => /HEAD|MERGE|BISECT|rebase|sequencer/.test(name));
  const texts = names
    .sort()
    .flatMap((name) => {
      const path = join(root, '.git', name);
      const below = fs.statSync(path).isDirectory() ? fs.readdirSync(path).map((entry) => `${name}/${entry}`) : [name];
      return below.sort().map((entry) => [entry, fs.readFileSync(join(root, '.git', entry), 'utf8')]);
    })
    .filter(([name]) => name !== 'HEAD');
  return [texts, git(root, 'status', '--porcelain=v2'), git(root, 'status').split('\n').slice(0, 6)];
};

const underWay: Record<string, { readonly start: (root: string) => void; readonly end: (root: string) => void }> = {
  'merge --abort': { start: (root) => tryGit(root, 'merge', 'side'), end: (root) => git(root, 'merge', '--abort') },
  'reset --hard during a merge': {
    start: (root) => tryGit(root, 'merge', 'side'),
    end: (root) => git(root, 'reset', '-q', '--hard'),
  },
  'merge --quit': { start: (root) => tryGit(root, 'merge', 'side'), end: (root) => git(root, 'merge', '--quit') },
  'rebase --abort': { start: (root) => tryGit(root, 'rebase', 'side'), end: (root) => git(root, 'rebase', '--abort') },
  'rebase --apply --abort': {
    start: (root) => tryGit(root, 'rebase', '--apply', 'side'),
    end: (root) => git(root, 'rebase', '--abort'),
  },
  'rebase --skip': { start: (root) => tryGit(root, 'rebase', 'side'), end: (root) => git(root, 'rebase', '--skip') },
  'cherry-pick --abort': {
    start: (root) => tryGit(root, 'cherry-pick', 'side'),
    end: (root) => git(root, 'cherry-pick', '--abort'),
  },
  'revert --abort': {
    start: (root) => tryGit(root, 'revert', '--no-edit', 'HEAD~1'),
    end: (root) => git(root, 'revert', '--abort'),
  },
  'bisect reset': {
    start: (root) => {
      git(root, 'bisect', 'start');
      git(root, 'bisect', 'bad');
      git(root, 'bisect', 'good', 'HEAD~1');
    },
    end: (root) => git(root, 'bisect', 'reset'),
  },
};

for (const [name, { start, end }] of Object.entries(underWay)) {
  test(`undo --git after git ${name} leads back into the middle of it, resolutions included`, async () => {
    const root = forked();
    start(root);
    if (!name.startsWith('bisect')) put(root, { a: 'half resolved\n' });
    const [before, tree] = [[state(root), operation(root)], readTree(root)];
    turn(root, () => end(root));
    const after = [state(root), operation(root)];
    assert.not.equal(after, before);
    const done = await belay(root, 'undo', '--git');
    assert.equal([done.exit, done.message, done.json.kept], [0, '', []]);
    assert.equal(differences(tree, readTree(root)), []);
    assert.equal([state(root), operation(root)], before);
    assert.is((await belay(root, 'redo')).exit, 0);
    assert.equal([state(root), operation(root)], after);
  });

  test(`undo --git of what began ${name.split(' ')[0]} (${name}) leaves nothing under way`, async () => {
    const root = forked();
    const [before, tree] = [[state(root), operation(root)], readTree(root)];
    turn(root, () => start(root));
    assert.not.equal([state(root), operation(root)], before);
    const done = await belay(root, 'undo', '--git');
    assert.equal([done.exit, done.message, done.json.kept], [0, '', []]);
    assert.equal(differences(tree, readTree(root)), []);
    assert.equal([state(root), operation(root)], before);
  });
}

test('a merge that somebody else began since is not thrown away without --force', async () => {
  const root = forked();
  turn(root, () => git(root, 'branch', '-q', '-D', 'side'));
  git(root, 'branch', 'side', 'HEAD~1');
  const moved = await belay(root, 'undo', '--git');
  assert.equal([moved.exit, moved.code], [3, 'git_moved']);
  assert.match(moved.message, /refs\/heads\/side/);
});

test('an index is not put back under a branch that somebody else moved since', async () => {
  const root = repository();
  put(root, { b: 'staged\n' });
  git(root, 'add', 'b');
  turn(root, () => git(root, 'reset', '-q'));
  put(root, { c: 'new\n' });
  git(root, 'add', 'c');
  commit(root, 'somebody else');
  const done = await belay(root, 'undo', '--git');
  assert.equal([done.exit, done.code], [3, 'git_moved']);
  assert.match(done.message, /refs\/heads\/main/);
  assert.match(git(root, 'log', '-1', '--format=%s'), 'somebody else');
});

test('objects that are gone are named, and all the rest comes back', async () => {
  const root = forked();
  put(root, { b: 'only staged\n' });
  git(root, 'add', 'b');
  for (const text of ['s1\n', 's2\n']) {
    put(root, { a: text });
    git(root, 'stash', '-q');
    git(root, 'checkout', '-q', '.');
  }
  put(root, { n: 'staged too\n' });
  git(root, 'add', 'n');
  turn(root, () => {
    git(root, 'branch', '-q', '-D', 'side');
    git(root, 'tag', 'kept');
    git(root, 'stash', 'clear');
    git(root, 'rm', '-q', '-f', 'n');
  });
  git(root, 'reflog', 'expire', '--expire=now', '--all');
  git(root, 'prune', '--expire=now');
  const done = await belay<{ kept: { path: string; reason: string }[] }>(root, 'undo', '--git');
  const reasons = done.json.kept.map(({ reason }) => reason).join('\n');
  assert.match(reasons, /its object [0-9a-f]{40} is gone/);
  assert.match(reasons, /stash [0-9a-f]{40} is gone/);
  assert.match(reasons, /the staged content of n is gone/);
  assert.is(git(root, 'tag'), '');
  assert.not.match(git(root, 'for-each-ref'), 'refs/heads/side');
});

test('an index.lock of somebody else is respected, and a full disk leaves none behind', async () => {
  const root = repository();
  put(root, { b: 'staged\n' });
  git(root, 'add', 'b');
  turn(root, () => git(root, 'reset', '-q'));
  fs.writeFileSync(join(root, '.git/index.lock'), '');
  const held = await belay(root, 'undo', '--git');
  assert.is(held.exit, 1);
  assert.match(held.json.kept[0]?.reason ?? '', 'another git holds index.lock');
  assert.ok(fs.existsSync(join(root, '.git/index.lock')));
  fs.rmSync(join(root, '.git/index.lock'));
});

test('an index that something else writes between the decision and the deed is left alone, and named', () => {
  const root = repository();
  const wanted = hold(root);
  put(root, { b: 'staged\n' });
  git(root, 'add', 'b');
  const left = hold(root);
  git(root, 'rm', '-q', '--cached', 'a');
  const now = fs.readFileSync(join(root, '.git/index'));
  const goal = { wanted: wanted.state, left: left.state, present: left.state, wantedIndex: wanted.index };
  assert.match(applyGitState(goal)[0]?.reason ?? '', 'has written it meanwhile');
  assert.equal(fs.readFileSync(join(root, '.git/index')), now);
  assert.not.ok(fs.existsSync(join(root, '.git/index.lock')));
});

test('undo --git right after undo completes it, and only once', async () => {
  const root = forked();
  tryGit(root, 'merge', 'side');
  put(root, { a: 'half resolved\n' });
  turn(root, () => put(root, { b: 'earlier\n' }));
  const before = [state(root), operation(root)];
  turn(root, () => git(root, 'merge', '--abort'));
  assert.match((await belay(root, 'undo')).text, /with them: belay undo --git \d+/);
  assert.is(fs.readFileSync(join(root, 'a'), 'utf8'), 'half resolved\n');
  assert.is((await belay(root, 'undo', '--git')).exit, 0);
  assert.equal([state(root), operation(root)], before);
  await belay(root, 'undo', '--git');
  assert.is(fs.readFileSync(join(root, 'b'), 'utf8'), '1\n');
});

test('plain undo of a line that changed nothing but git says so, and the next undo goes further back', async () => {
  const root = repository();
  git(root, 'branch', 'side');
  turn(root, () => fs.rmSync(join(root, 'a')));
  turn(root, () => git(root, 'branch', '-q', '-D', 'side'));
  const first = await belay(root, 'undo');
  assert.is(first.exit, 0);
  assert.match(first.text, /changed nothing but git's own state/);
  assert.match(first.text, /refs\/heads\/side: none -> [0-9a-f]+/);
  const turnName = /belay undo --git (\d+)/.exec(first.text)?.[1] ?? '';
  assert.not.match(git(root, 'branch'), 'side');
  const second = await belay(root, 'undo');
  assert.is(second.exit, 0);
  assert.is(fs.readFileSync(join(root, 'a'), 'utf8'), '2\n');
  assert.is((await belay(root, 'undo', '--git', turnName)).exit, 0);
  assert.match(git(root, 'branch'), 'side');
});

test.run();
