import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { installKey } from '../../src/installs/layout.ts';
import { DEFAULTS } from '../../src/platform/config.ts';
import { isBelays } from '../../src/platform/processes.ts';
import { factsNow } from '../../src/worktrees/facts.ts';
import { removeWorktree } from '../../src/worktrees/remove.ts';
import { treesOf } from '../../src/worktrees/trees.ts';
import { belay, put } from './drive.ts';
import { inOwnHome } from './home.ts';

const at = inOwnHome(fileURLToPath(import.meta.url));
let count = 0;
const tick = (): Promise<unknown> => new Promise((done) => setTimeout(done, 20));

interface Listed {
  worktrees: { path: string; branch: string | null; verdict: string; reason: string; bytes: number; merged: boolean }[];
}
interface Pruned {
  removed: { path: string; verdict: string; archive: string | null; branch_deleted: string | null }[];
  kept: { path: string; reason: string }[];
  reclaimed: { key: string }[];
}
interface Removed {
  archive: string | null;
  branch_deleted: string | null;
}

function git(cwd: string, ...args: string[]): string {
  const done = spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, encoding: 'utf8' });
  assert.is(done.status, 0, `git ${args.join(' ')}: ${done.stderr}`);
  return done.stdout.trim();
}

/** A repository with a commit, an ignored `.env` and node_modules, and a remote that has its `main`. */
function repository(): string {
  const root = join(at.top, `repo${++count}`);
  fs.mkdirSync(root);
  git(root, 'init', '-q', '-b', 'main');
  put(root, { 'a.txt': 'one\n', '.gitignore': '.env\nnode_modules/\nbuild/\n' });
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'first');
  put(root, { '.env': 'SECRET=1\n' });
  return root;
}

function commit(tree: string, name: string): void {
  put(tree, { [name]: `${name}\n` });
  git(tree, 'add', '-A');
  git(tree, 'commit', '-q', '-m', name);
}

async function add(root: string, name: string): Promise<string> {
  const added = await belay<{ path: string }>(root, 'worktree', 'add', name);
  assert.is(added.exit, 0, added.message);
  return added.json.path;
}

/** Whatever git or the file system say of it, it was left alone long ago. */
function leaveAlone(tree: string): void {
  const admin = git(tree, 'rev-parse', '--absolute-git-dir');
  for (const path of [tree, ...['HEAD', 'index', 'logs/HEAD'].map((name) => join(admin, name))])
    if (fs.existsSync(path)) fs.utimesSync(path, 1e9, 1e9);
}

async function verdicts(root: string): Promise<Record<string, string>> {
  const { json } = await belay<Listed>(root, 'worktree', 'list');
  return Object.fromEntries(
    json.worktrees.map(({ path, verdict, reason }) => [path.slice(path.lastIndexOf('/') + 1), `${verdict}: ${reason}`]),
  );
}

test('worktree add makes a branch of its own in an ignored folder, with the ignored files that the configuration names', async () => {
  const root = repository();
  const config = join(at.top, 'person/.config/belay/config.yaml');
  fs.mkdirSync(join(config, '..'), { recursive: true });
  fs.writeFileSync(config, 'worktrees: { copy: [".env"] }\ninstalls: { setup: "mkdir -p $BELAY_INSTALL_DIR/bin" }\n');
  const added = await belay<{
    path: string;
    branch: string;
    copied: string[];
    not_copied?: string;
    environment: string;
  }>(root, 'worktree', 'add', 'one');
  fs.writeFileSync(config, 'worktrees: { copy: [":(nonsense).env"] }\n');
  const without = await belay<{ copied: string[]; not_copied?: string }>(root, 'worktree', 'add', 'without');
  assert.equal(without.json.copied, []);
  assert.match(without.json.not_copied ?? '', 'nonsense', 'what could not be copied is said');
  fs.rmSync(config);
  assert.equal([added.json.path, added.json.branch], [join(root, '.worktrees/one'), 'belay/one']);
  assert.is(fs.readFileSync(join(added.json.path, '.env'), 'utf8'), 'SECRET=1\n');
  assert.equal([added.json.copied, added.json.not_copied], [['.env'], undefined]);
  assert.ok(fs.existsSync(join(added.json.environment, 'bin')));
  assert.is(git(root, 'status', '--porcelain'), '', 'the project itself has not changed');
  assert.is((await belay(root, 'worktree', 'add', 'one')).code, 'worktree_exists');
  assert.is((await belay(root, 'worktree', 'add', '../out')).code, 'usage');
});

test('the verdict names what would be lost, and what may go', async () => {
  const root = repository();
  const trees: Record<string, string> = {};
  for (const name of [
    'dirty',
    'staged',
    'ahead',
    'merged',
    'squashed',
    'untracked',
    'secret',
    'locked',
    'dead',
    'hidden',
  ])
    trees[name] = await add(root, name);
  const tree = (name: string): string => trees[name] ?? '';
  put(tree('dirty'), { 'a.txt': 'two\n' });
  put(tree('staged'), { 'b.txt': 'b\n' });
  git(tree('staged'), 'add', 'b.txt');
  for (const name of ['x', 'y', 'z']) commit(tree('ahead'), name);
  commit(tree('merged'), 'm');
  git(root, 'merge', '-q', '--ff-only', 'belay/merged');
  for (const name of ['s1', 's2']) commit(tree('squashed'), name);
  git(root, 'merge', '-q', '--squash', 'belay/squashed');
  git(root, 'commit', '-q', '-m', 'squashed');
  put(tree('untracked'), { 'notes/n.txt': 'n\n', 'node_modules/x/i.js': '' });
  put(tree('secret'), { '.env': 'SECRET=2\n', 'build/out': 'o' });
  git(root, 'worktree', 'lock', '--reason', `agent (pid ${process.pid})`, tree('locked'));
  const ended = spawnSync('true').pid;
  git(root, 'worktree', 'lock', '--reason', `agent (pid ${ended})`, tree('dead'));
  git(tree('hidden'), 'update-index', '--assume-unchanged', 'a.txt');
  put(tree('hidden'), { 'a.txt': 'hidden work\n' });
  const young = await belay<Pruned>(root, 'worktree', 'prune', '--dry-run');
  assert.match(young.json.kept.find(({ path }) => path === tree('merged'))?.reason ?? '', 'less than 3d');
  for (const path of Object.values(trees)) leaveAlone(path);
  const said = await verdicts(root);
  assert.match(said['dirty'] ?? '', 'keep: uncommitted changes');
  assert.match(said['staged'] ?? '', 'keep: uncommitted changes');
  assert.is(said['ahead'], 'keep: 3 unpushed commits');
  assert.is(said['merged'], 'remove: merged and clean');
  assert.is(said['squashed'], 'remove: merged and clean');
  assert.is(said['untracked'], 'archive: only untracked files');
  assert.is(said['secret'], 'archive: only ignored files');
  assert.match(said['locked'] ?? '', 'keep: locked');
  assert.is(said['dead'], 'remove: merged and clean');
  assert.is(said['hidden'], 'keep: git was told not to look at a.txt');
  assert.is(said[`repo${count}`], 'keep: the main worktree');
  const hidden = await belay(root, 'worktree', 'remove', 'hidden');
  assert.equal([hidden.exit, hidden.code], [3, 'worktree_kept']);
  assert.match(hidden.message, 'not to look at a.txt');

  const dry = await belay<Pruned>(root, 'worktree', 'prune', '--dry-run');
  assert.is(dry.json.removed.length, 5);
  assert.is((await belay(root, 'worktree', 'prune')).code, 'not_answered');
  const done = await belay<Pruned>(root, 'worktree', 'prune', '--yes');
  const names = (list: readonly { path: string }[]): string[] =>
    list.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)).sort();
  assert.equal(names(done.json.removed), ['dead', 'merged', 'secret', 'squashed', 'untracked']);
  assert.equal(names(done.json.kept), ['ahead', 'dirty', 'hidden', 'locked', 'staged']);
  assert.equal(fs.readdirSync(join(root, '.worktrees')).sort(), ['ahead', 'dirty', 'hidden', 'locked', 'staged']);
  assert.is(git(root, 'worktree', 'list').split('\n').length, 6);
  const branches = git(root, 'branch', '--format=%(refname:short)').split('\n');
  assert.not(branches.includes('belay/merged') || branches.includes('belay/squashed'));
  assert.ok(branches.includes('belay/ahead'));
});

test('an archived worktree comes back with what only it had; a checkpoint was taken before it went', async () => {
  const root = repository();
  const tree = await add(root, 'kept');
  put(tree, { 'notes.txt': 'n\n', 'sub/deep.txt': 'd\n', '.env': 'X=1\n', 'node_modules/x/i.js': 'x' });
  fs.chmodSync(join(tree, 'notes.txt'), 0o640);
  const removed = await belay<Removed>(root, 'worktree', 'remove', 'kept');
  assert.is(removed.exit, 0, removed.message);
  assert.not(fs.existsSync(tree));
  const list = await belay<{ checkpoints: { n: number }[] }>(at.top, 'list', '-C', tree);
  assert.is(list.json.checkpoints.length, 1);
  const back = await belay(root, 'worktree', 'restore', removed.json.archive ?? '');
  assert.is(back.exit, 0, back.message);
  const read = (name: string): string => fs.readFileSync(join(tree, name), 'utf8');
  assert.equal(
    [read('notes.txt'), read('sub/deep.txt'), read('.env'), read('a.txt')],
    ['n\n', 'd\n', 'X=1\n', 'one\n'],
  );
  assert.is(fs.statSync(join(tree, 'notes.txt')).mode & 0o777, 0o640);
  assert.is(git(tree, 'branch', '--show-current'), 'belay/kept');
  assert.is(git(tree, 'status', '--porcelain'), '?? notes.txt\n?? sub/');
  assert.is((await belay(root, 'worktree', 'restore', removed.json.archive ?? '')).code, 'no_archive');
});

test('where git cannot tell, nothing is removed: its failure is no empty answer', async () => {
  const root = repository();
  const tree = await add(root, 'told');
  const inquiry = { repository: { commonDir: join(root, '.git'), main: root }, config: DEFAULTS, belayHome: at.home };
  const listed = treesOf(join(root, '.git'))?.find(({ path }) => path === tree);
  if (listed === undefined) throw new Error('no worktree');
  const wish = { inquiry, limits: { maxAge: 0 }, checkpoint: async () => undefined };
  fs.renameSync(join(root, '.git/HEAD'), join(root, '.git/HEAD.away'));
  assert.is(treesOf(join(root, '.git')), undefined);
  assert.is((await removeWorktree(listed, wish)).is, 'kept');
  const { work } = await factsNow(listed, tree, inquiry);
  assert.is(work, 'unknown');
  fs.renameSync(join(root, '.git/HEAD.away'), join(root, '.git/HEAD'));
  assert.is(git(tree, 'status', '--porcelain'), '');
  assert.is((await removeWorktree(listed, wish)).is, 'removed');
});

test('what only a worktree has keeps it, where git does not show it: a repository in a skipped folder, a ref of its own', async () => {
  const root = repository();
  const [nested, cloned, ref, file] = [
    await add(root, 'nested'),
    await add(root, 'cloned'),
    await add(root, 'ref'),
    await add(root, 'file'),
  ];
  const own = join(nested, 'node_modules/scope/pkg');
  put(own, { 'n.txt': 'n\n' });
  git(own, 'init', '-q');
  git(own, 'add', '-A');
  git(own, 'commit', '-q', '-m', 'of its own');
  fs.mkdirSync(join(cloned, 'node_modules'));
  git(cloned, 'clone', '-q', root, join(cloned, 'node_modules/clone'));
  commit(ref, 'w');
  git(ref, 'update-ref', 'refs/worktree/keep', 'HEAD');
  git(ref, 'reset', '-q', '--hard', 'HEAD~1');
  fs.appendFileSync(join(root, '.git/info/exclude'), 'target\n');
  put(file, { target: 'a file of that name' });
  assert.is((await verdicts(root))['ref'], 'keep: only refs/worktree/keep of it holds something');
  assert.match((await verdicts(root))['file'] ?? '', 'archive');
  assert.is((await verdicts(root))['nested'], 'keep: a repository inside it (node_modules/scope/pkg)');
  const kept = await belay(root, 'worktree', 'remove', 'nested');
  assert.match(kept.message, 'a repository inside it (node_modules/scope/pkg)');
  assert.is(git(own, 'log', '--format=%s'), 'of its own');
  assert.match((await belay(root, 'worktree', 'remove', 'ref')).message, 'refs/worktree/keep');
  assert.is((await belay<Removed>(root, 'worktree', 'remove', 'cloned')).json.archive, null);
});

test('commits that only the reflog of a worktree holds are archived, and come back with it, branch or none', async () => {
  const root = repository();
  const tree = await add(root, 'logged');
  commit(tree, 'lost');
  const lost = git(tree, 'rev-parse', 'HEAD');
  git(tree, 'reset', '-q', '--hard', 'HEAD~1');
  assert.is((await verdicts(root))['logged'], 'archive: commits that only its reflog has');
  const removed = await belay<Removed>(root, 'worktree', 'remove', 'logged');
  assert.is(removed.json.branch_deleted, 'belay/logged');
  git(root, 'reflog', 'expire', '--expire=now', '--all');
  git(root, 'gc', '-q', '--prune=now');
  assert.is(spawnSync('git', ['cat-file', '-e', lost], { cwd: root }).status, 1);
  const back = await belay(root, 'worktree', 'restore', removed.json.archive ?? '');
  assert.is(back.exit, 0, back.message);
  assert.match(git(tree, 'reflog', '--format=%H'), lost);
  assert.is(git(tree, 'show', `${lost}:lost`), 'lost');
  assert.is(git(tree, 'fsck', '--no-dangling'), '');
});

test('a tree that somebody stands in, or has a file of open, is in use; it comes back as it was', async () => {
  const root = repository();
  const tree = await add(root, 'used');
  const stands = spawn('sh', ['-c', 'echo; exec sleep 60'], { cwd: tree, stdio: ['ignore', 'pipe', 'ignore'] });
  await new Promise((resolve) => stands.stdout.once('data', resolve));
  assert.is((await verdicts(root))['used'], `keep: in use by pid ${stands.pid}`);
  stands.kill('SIGKILL');
  await new Promise((resolve) => stands.once('close', resolve));
  const own = spawn('bash', ['-c', 'echo; exec -a /x/dist/belay-snap sleep 60'], {
    cwd: tree,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await new Promise((resolve) => own.stdout.once('data', resolve));
  for (const until = Date.now() + 20_000; !isBelays(own.pid ?? 0) && Date.now() < until; ) await tick();
  assert.is(
    (await verdicts(root))['used'],
    'remove: merged and clean',
    'what belay itself does there is nobody’s work',
  );
  const repo = { commonDir: join(root, '.git'), main: root };
  const listed = treesOf(repo.commonDir)?.find(({ path }) => path === tree);
  if (listed === undefined) throw new Error('not listed');
  const ours = await removeWorktree(listed, {
    inquiry: { repository: repo, config: DEFAULTS, belayHome: at.home },
    limits: { maxAge: 0 },
    checkpoint: async () => undefined,
    patience: 100,
  });
  assert.equal(ours, { is: 'kept', reason: 'belay is still at work in it' });
  own.kill('SIGKILL');
  await new Promise((resolve) => own.once('close', resolve));
  const holds = spawn('sh', ['-c', `exec 3>>${tree}/a.txt; echo; exec sleep 60`], {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await new Promise((resolve) => holds.stdout.once('data', resolve));
  const kept = await belay(root, 'worktree', 'remove', 'used');
  assert.match(kept.message, `in use by pid ${holds.pid}`);
  assert.is(git(tree, 'status', '--porcelain'), '');
  assert.equal(fs.readdirSync(join(root, '.worktrees')), ['used']);
  holds.kill('SIGKILL');
  await new Promise((resolve) => holds.once('close', resolve));
  assert.is((await belay(root, 'worktree', 'remove', 'used')).exit, 0);
});

test('remove takes the install state and, with --forget, the checkpoints along', async () => {
  const root = repository();
  const tree = await add(root, 'gone');
  await belay(tree, 'installs', 'prepare', '--setup', 'touch "$BELAY_INSTALL_DIR/x"');
  const removed = await belay<{ reclaimed: { key: string }[]; checkpoints_forgotten: number }>(
    root,
    'worktree',
    'remove',
    'gone',
    '--forget',
    '--yes',
  );
  assert.equal(
    removed.json.reclaimed.map(({ key }) => key),
    [installKey(tree)],
  );
  assert.is(removed.json.checkpoints_forgotten, 1);
  assert.is((await belay(root, 'worktree', 'remove', 'nowhere')).code, 'no_worktree');
});

test('a removal that was killed halfway brings an undecided worktree back, and finishes a decided one', async () => {
  const root = repository();
  const [half, done] = [await add(root, 'half'), await add(root, 'done')];
  const notes = join(at.home, 'worktrees/asides');
  fs.mkdirSync(notes, { recursive: true });
  const aside = (path: string, id: string, decided: boolean): void => {
    const to = join(root, `.worktrees/.belay-removing-${id}`);
    fs.renameSync(path, to);
    fs.writeFileSync(join(notes, `${id}.json`), JSON.stringify({ v: 1, path, aside: to, decided }));
  };
  aside(half, 'aaaaaaaaaaaa', false);
  aside(done, 'bbbbbbbbbbbb', true);
  fs.rmSync(join(root, '.git/worktrees/done'), { recursive: true });
  assert.is((await belay(root, 'worktree', 'remove', 'half')).exit, 0);
  assert.equal(fs.readdirSync(join(root, '.worktrees')), []);
  assert.equal(fs.readdirSync(notes), []);
});

test.run();
