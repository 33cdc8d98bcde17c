import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { collectInstalls } from '../../src/installs/gc.ts';
import { installKey } from '../../src/installs/layout.ts';
import { record } from '../../src/installs/prepare.ts';
import { proofOf } from '../../src/installs/proof.ts';
import { stateAt } from '../../src/installs/states.ts';
import { nameOf } from '../../src/platform/processes.ts';

const top = fs.realpathSync(fs.mkdtempSync(join(os.tmpdir(), 'belay-installs-')));
const home = join(top, 'home');
const root = join(home, 'installs');
let count = 0;

/** A checkout in a folder of worktrees of its own. */
function checkout(under = `repo${++count}/.worktrees`, name = 'wt'): string {
  const path = join(top, under, name);
  fs.mkdirSync(path, { recursive: true });
  return path;
}

/** Its state, with a file in an environment; `bare`: as another tool leaves it, with the path alone. */
function state(path: string, bare = false): string {
  const folder = join(root, installKey(path));
  fs.mkdirSync(join(folder, 'environments/g1/lib'), { recursive: true });
  fs.writeFileSync(join(folder, 'environments/g1/lib/a'), 'x'.repeat(5000));
  if (bare) {
    fs.mkdirSync(join(folder, 'inputs'));
    fs.writeFileSync(join(folder, 'inputs/.project-root'), `${path}\n`);
  } else record(folder, path);
  return folder;
}

const gone = (path: string): void => fs.rmSync(path, { recursive: true });
const proof = (folder: string): string => proofOf(stateAt(root, folder.slice(root.length + 1))).is;
const gc = (more: object = {}) => collectInstalls({ roots: [root], known: () => undefined, ...more });

async function kept(folder: string): Promise<string> {
  const done = await gc();
  assert.ok(fs.existsSync(folder));
  return done.kept.find(({ state: one }) => one.folder === folder)?.reason ?? '';
}

/** Another program that holds the lock. */
async function locked(lock: string): Promise<ChildProcess> {
  const holder = spawn('flock', [lock, 'sh', '-c', 'echo; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  await new Promise((resolve) => holder.stdout.once('data', resolve));
  return holder;
}

function ended(holder: ChildProcess): Promise<unknown> {
  process.kill(-(holder.pid ?? 0), 'SIGKILL');
  return new Promise((resolve) => holder.once('close', resolve));
}

function git(cwd: string, ...args: string[]): void {
  const done = spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, encoding: 'utf8' });
  assert.is(done.status, 0, done.stderr);
}

function repository(): string {
  const path = join(top, `git${++count}`);
  fs.mkdirSync(path);
  git(path, 'init', '-q');
  git(path, 'commit', '-q', '--allow-empty', '-m', 'first');
  return path;
}

test.after(() => {
  fs.rmSync(top, { recursive: true, force: true });
});

test.after.each(() => {
  fs.rmSync(root, { recursive: true, force: true });
});

test('reclaim only what is proved deleted: a checkout in a folder of worktrees that is still there', async () => {
  const [deleted, alive] = [checkout(), checkout()].map((path) => ({ path, folder: state(path), bare: path }));
  const other = checkout(`repo${++count}/.worktrees`, 'other');
  checkout(`repo${count}/.worktrees`, 'stays');
  const foreign = state(other, true);
  gone(deleted?.path ?? '');
  gone(other);
  const done = await gc();
  assert.equal(done.reclaimed.map((one) => one.checkout).sort(), [deleted?.path, other].sort());
  assert.ok((done.reclaimed[0]?.bytes ?? 0) >= 5000);
  assert.not(fs.existsSync(foreign));
  assert.ok(fs.existsSync(join(alive?.folder ?? '', 'environments/g1/lib/a')));
  assert.equal(fs.readdirSync(root), [alive?.folder.slice(root.length + 1)]);
});

test('a missing path is no proof: no folder of worktrees, a missing parent, another folder in its place, another machine', async () => {
  const plain = state(checkout('src', 'project'));
  gone(join(top, 'src/project'));
  assert.match(await kept(plain), 'no folder of worktrees');
  const parentless = checkout();
  const orphan = state(parentless);
  gone(join(parentless, '..'));
  assert.match(await kept(orphan), 'is missing, too');
  fs.mkdirSync(join(parentless, '..', '..', 'filler'));
  fs.mkdirSync(join(parentless, '..'));
  assert.match(await kept(orphan), 'is another folder than it was');
  const far = checkout();
  const elsewhere = state(far);
  const file = join(elsewhere, 'inputs/.checkout.json');
  const { machine, ...rest } = JSON.parse(fs.readFileSync(file, 'utf8'));
  fs.writeFileSync(file, JSON.stringify({ ...rest, machine: `${machine}x` }));
  gone(far);
  assert.match(await kept(elsewhere), 'another machine');
});

test('a folder of worktrees that is empty and older than a bare record is what an unmounted volume leaves', async () => {
  const path = join(top, `repo${++count}/.worktrees/wt`);
  fs.mkdirSync(join(path, '..'), { recursive: true });
  const folder = state(path, true);
  assert.match(await kept(folder), 'not mounted');
  // The file system counts in ticks: the removal has to be seen to be later.
  const written = fs.statSync(join(folder, 'inputs/.project-root')).ctimeMs;
  do {
    fs.mkdirSync(path);
    gone(path);
  } while (fs.statSync(join(path, '..')).ctimeMs <= written);
  assert.is(proof(folder), 'deleted');
});

test('an unmounted volume keeps every state of what lay on it', async () => {
  const mount = join(top, `volume${++count}/.worktrees`);
  fs.mkdirSync(mount, { recursive: true });
  if (spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', mount]).status !== 0) return; // not allowed here
  const folders: string[] = [];
  try {
    for (const name of ['a', 'b']) {
      fs.mkdirSync(join(mount, name));
      folders.push(state(join(mount, name), name === 'b'));
    }
  } finally {
    spawnSync('umount', [mount]);
  }
  const done = await gc();
  assert.is(done.reclaimed.length, 0);
  for (const folder of folders)
    assert.match(done.kept.find((one) => one.state.folder === folder)?.reason ?? '', 'mounted');
});

test('a worktree that its repository no longer lists is deleted, one that it lists is not; a missing repository proves nothing', async () => {
  const repo = repository();
  const path = join(top, `elsewhere${count}`);
  git(repo, 'worktree', 'add', '-q', path);
  const folder = state(path);
  gone(path);
  assert.match(await kept(folder), 'still lists it');
  fs.renameSync(join(repo, '.git'), join(repo, 'aside'));
  assert.match(await kept(folder), 'is missing');
  fs.renameSync(join(repo, 'aside'), join(repo, '.git'));
  git(repo, 'worktree', 'prune');
  const done = await gc();
  assert.equal(
    done.reclaimed.map(({ by }) => by),
    ['its repository no longer lists it'],
  );
});

test('a worktree that git moved takes its state along; the name of its own folder given out again does not', async () => {
  const repo = repository();
  const [from, to, later] = ['from', 'to', 'later/to'].map((name) => join(top, `moved${count}`, name)) as [
    string,
    string,
    string,
  ];
  git(repo, 'worktree', 'add', '-q', from);
  const folder = state(from);
  git(repo, 'worktree', 'move', from, to);
  const done = await gc();
  assert.equal(
    done.moved.map((one) => one.to),
    [to],
  );
  const moved = join(root, installKey(to));
  assert.is(fs.readFileSync(join(moved, 'inputs/.project-root'), 'utf8'), to);
  assert.is(
    fs.readFileSync(join(folder, 'environments/g1/lib/a'), 'utf8').length,
    5000,
    'the old name still leads there',
  );
  git(repo, 'worktree', 'remove', to);
  git(repo, 'worktree', 'add', '-q', later);
  assert.is((await gc()).reclaimed.length, 1);
  assert.equal(fs.readdirSync(root), []);
});

test('a checkout that was renamed by hand keeps its state', async () => {
  const path = checkout();
  const folder = state(path);
  fs.renameSync(path, `${path}-later`);
  assert.match(await kept(folder), `renamed to ${path}-later`);
  gone(`${path}-later`);
  assert.is(proof(folder), 'deleted');
});

test('nothing in a root goes that is not certainly belay’s', async () => {
  fs.mkdirSync(join(root, '.gone-by'), { recursive: true });
  fs.symlinkSync('nowhere', join(root, 'link'));
  fs.symlinkSync('0123456789abcdef', join(root, 'fedcba9876543210'));
  await gc();
  assert.equal(fs.readdirSync(root).sort(), ['.gone-by', 'link']);
});

test('no record, no touch', async () => {
  const folder = join(root, '0123456789abcdef');
  fs.mkdirSync(join(folder, 'environments/g'), { recursive: true });
  assert.match(await kept(folder), 'which checkout');
  fs.mkdirSync(join(folder, 'inputs/.project-root'), { recursive: true });
  assert.match(await kept(folder), 'cannot be read');
  assert.not(fs.existsSync(join(folder, '.install.lock')));
});

test('a lock that is taken, or cannot be opened, holds a state; so does a living lease, not a dead one', async () => {
  const path = checkout();
  const folder = state(path);
  gone(path);
  const lock = join(folder, '.install.lock');
  const holder = await locked(lock);
  assert.is(await kept(folder), 'locked');
  await ended(holder);
  fs.rmSync(lock, { force: true });
  fs.mkdirSync(lock);
  assert.match(await kept(folder), 'cannot be opened');
  fs.rmdirSync(lock);
  const leases = join(folder, 'environments/g1/.leases');
  fs.mkdirSync(leases);
  const lease = join(leases, 'one');
  for (const text of [JSON.stringify(nameOf(process.pid)), `${process.pid}\n`, 'who knows', '{"pid":']) {
    fs.writeFileSync(lease, text);
    assert.match(await kept(folder), 'lease');
  }
  fs.writeFileSync(lease, JSON.stringify({ ...nameOf(process.pid), start: '1' }));
  assert.is((await gc()).reclaimed.length, 1);
});

test('what an earlier run left half deleted is finished, not what somebody is at', async () => {
  const half = join(root, '.gone-0123456789abcdef-00000001');
  const busy = join(root, '.gone-0123456789abcdef-00000002');
  for (const folder of [half, busy]) fs.mkdirSync(join(folder, 'environments'), { recursive: true });
  const lock = join(busy, '.install.lock');
  const holder = await locked(lock);
  assert.is((await gc()).finished, 1);
  assert.equal([fs.existsSync(half), fs.existsSync(busy)], [false, true]);
  await ended(holder);
});

test('a state that cannot be deleted whole is not counted as reclaimed, and is told until it is', async () => {
  const path = checkout();
  const file = 'environments/g1/lib/immutable';
  fs.writeFileSync(join(state(path), file), '');
  if (spawnSync('chattr', ['+i', join(state(path), file)]).status !== 0) return; // not here
  gone(path);
  const done = await gc();
  const [aside = ''] = fs.readdirSync(root).filter((name) => name.startsWith(`.gone-${installKey(path)}`));
  const again = await gc();
  assert.is(spawnSync('chattr', ['-i', join(root, aside, file)]).status, 0);
  assert.equal([done.reclaimed, again.stuck], [[], [join(root, aside)]]);
  assert.is(done.kept.find(({ is }) => is === 'half deleted')?.state.key, installKey(path));
  assert.is((await gc()).finished, 1);
});

test('a dry run says the same and touches nothing', async () => {
  const path = checkout();
  const folder = state(path);
  gone(path);
  const before = fs.readdirSync(folder);
  const done = await gc({ dryRun: true });
  assert.is(done.reclaimed.length, 1);
  assert.ok((done.reclaimed[0]?.bytes ?? 0) >= 5000);
  assert.equal(fs.readdirSync(folder), before);
});

test.run();
