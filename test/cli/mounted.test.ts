import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { installKey } from '../../src/installs/layout.ts';
import { mountsBelow } from '../../src/platform/mounts.ts';
import { belay, project } from './drive.ts';
import { inOwnHome } from './home.ts';
import { turn } from './turns.ts';

/** A folder that is somewhere else as well, by a bind mount: nothing of it is ever deleted through the other name. */
const at = inOwnHome(fileURLToPath(import.meta.url));
let count = 0;

function victim(): string {
  const folder = join(at.top, `victim${++count}`);
  fs.mkdirSync(folder);
  fs.writeFileSync(join(folder, 'only copy'), 'mine');
  return folder;
}

function bound(from: string, to: string): boolean {
  fs.mkdirSync(to, { recursive: true });
  return spawnSync('mount', ['--bind', from, to]).status === 0;
}

const unbind = (to: string): unknown => spawnSync('umount', [to]);
const isWhole = (folder: string): void => assert.is(fs.readFileSync(join(folder, 'only copy'), 'utf8'), 'mine');

const probe = join(at.top, 'a probe\twith blanks');
const allowed = bound(victim(), probe);
if (allowed) {
  test('the list of mounts names places of any bytes', () => {
    assert.equal(mountsBelow(at.top), [probe]);
    assert.equal(mountsBelow(probe), []);
    unbind(probe);
  });

  test('undo deletes and writes nothing through what was mounted in the project since', async () => {
    const root = project(at, { 'src/a': 'a', b: 'b' });
    const mounts = { folder: root, points: [] };
    const place = victim();
    const [made, back] = [join(root, 'made'), join(root, 'src')];
    turn(
      at.home,
      root,
      'rm -rf src b; mkdir made src; mount …',
      () => {
        fs.rmSync(join(root, 'src'), { recursive: true });
        fs.rmSync(join(root, 'b'));
        bound(place, made);
        bound(place, back);
      },
      undefined,
      { mounts },
    );
    // A later turn that knows of the mount makes it nothing of the first one's.
    const later = { mounts: { folder: root, points: [made, back] } };
    turn(at.home, root, 'echo', () => fs.writeFileSync(join(made, 'more'), 'k'), undefined, later);
    try {
      const done = await belay<{ kept: { path: string; reason: string }[] }>(root, 'rollback', '1', '--yes');
      assert.is(fs.readFileSync(join(root, 'b'), 'utf8'), 'b', done.text);
      assert.match(done.json.kept.find(({ path }) => path.endsWith('src/a'))?.reason ?? '', /has been mounted on/);
      assert.equal(fs.readdirSync(place).sort(), ['more', 'only copy']);
      isWhole(place);
    } finally {
      unbind(made);
      unbind(back);
    }
  });

  test('what was mounted there before the turn is the project’s own', async () => {
    const root = project(at, { b: 'b' });
    const place = victim();
    const data = join(root, 'data');
    bound(place, data);
    try {
      const mounts = { folder: root, points: [data] };
      turn(at.home, root, 'rm data/*', () => fs.rmSync(join(data, 'only copy')), undefined, { mounts });
      assert.is((await belay(root, 'undo', '--yes')).exit, 0);
      isWhole(place);
    } finally {
      unbind(data);
    }
  });

  test('a worktree in which something is mounted is kept, and says so', async () => {
    const root = project(at, { '.gitignore': 'node_modules/\n' });
    const git = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
    for (const args of [
      ['init', '-q'],
      ['add', '-A'],
      [...git, 'commit', '-qm', 'x'],
    ])
      assert.is(spawnSync('git', args, { cwd: root }).status, 0);
    const { json } = await belay<{ path: string }>(root, 'worktree', 'add', 'x');
    const place = victim();
    const inner = join(json.path, 'node_modules');
    bound(place, inner);
    try {
      assert.is.not((await belay(root, 'worktree', 'remove', 'x', '--yes')).exit, 0);
      await belay(root, 'worktree', 'prune', '--yes', '--max-age-hours', '0');
      isWhole(place);
      const listed = await belay<{ worktrees: { reason: string }[] }>(root, 'worktree', 'list');
      assert.ok(listed.json.worktrees.some(({ reason }) => reason.startsWith('something is mounted in it')));
    } finally {
      unbind(inner);
    }
  });

  test('an install state in which something is mounted is held', async () => {
    const checkout = join(at.top, 'repo/.worktrees/wt');
    fs.mkdirSync(checkout, { recursive: true });
    const made = await belay<{ environment: string }>(checkout, 'installs', 'prepare', '--setup', 'true');
    const place = victim();
    const inner = join(made.json.environment, 'mm');
    bound(place, inner);
    fs.rmSync(checkout, { recursive: true });
    try {
      const { json } = await belay<{ kept: { key: string; reason: string }[] }>(at.top, 'gc', '--yes');
      assert.match(json.kept.find(({ key }) => key === installKey(checkout))?.reason ?? '', /^something is mounted/);
      isWhole(place);
    } finally {
      unbind(inner);
    }
  });
} else test('nothing can be mounted here: skipped', () => console.log('no bind mounts here: skipped'));

test.run();
