import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { collectInstalls } from '../../src/installs/gc.ts';
import { installKey } from '../../src/installs/layout.ts';
import { record } from '../../src/installs/prepare.ts';
import { nameOf } from '../../src/platform/processes.ts';

/**
 * A host that was measured, in small: 499 states, 402 of them of checkouts that are gone. 360 lay in folders of worktrees, 20 under the
 * data root, 12 were worktrees that their repository no longer lists; the other 10 cannot be proved. Of those that can be, 8 are in use.
 */
const top = fs.realpathSync(fs.mkdtempSync(join(os.tmpdir(), 'belay-replay-')));
const home = join(top, 'home');
const root = join(home, 'installs');
const holders: ChildProcess[] = [];
const mount = join(top, 'volume');

test.after(() => {
  for (const holder of holders) if (holder.pid !== undefined) process.kill(-holder.pid, 'SIGKILL');
  spawnSync('umount', [mount]);
  fs.rmSync(top, { recursive: true, force: true });
});

function state(checkout: string, how: 'own' | 'bare' | 'none'): string {
  const folder = join(root, installKey(checkout));
  fs.mkdirSync(join(folder, 'environments/g/lib'), { recursive: true });
  fs.writeFileSync(join(folder, 'environments/g/lib/a'), 'x');
  if (how === 'own') record(folder, checkout);
  if (how === 'bare') {
    fs.mkdirSync(join(folder, 'inputs'));
    fs.writeFileSync(join(folder, 'inputs/.project-root'), checkout);
  }
  return folder;
}

function many(count: number, under: string, how: 'own' | 'bare' | 'none'): string[] {
  return Array.from({ length: count }, (_, i) => {
    const checkout = join(top, under, `c${i}`);
    fs.mkdirSync(checkout, { recursive: true });
    state(checkout, how);
    return checkout;
  });
}

function git(cwd: string, ...args: string[]): void {
  const done = spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, encoding: 'utf8' });
  assert.is(done.status, 0, done.stderr);
}

test('of 499 states exactly those go whose checkout is proved to be deleted, and that nobody uses', async () => {
  const live = [...many(60, 'repo/.worktrees', 'own'), ...many(33, 'src', 'own')];
  const gone = [
    ...many(180, 'repo/.worktrees/../.worktrees', 'own').slice(60),
    ...many(120, 'other/.worktrees', 'own'),
    ...many(120, 'third/.worktrees', 'bare'),
    ...many(20, 'home/data', 'own'),
  ];
  const repo = join(top, 'git');
  fs.mkdirSync(repo);
  git(repo, 'init', '-q');
  git(repo, 'commit', '-q', '--allow-empty', '-m', 'first');
  for (let i = 0; i < 12; i++) {
    const path = join(top, 'linked', `c${i}`);
    git(repo, 'worktree', 'add', '-q', '--detach', path);
    state(path, 'own');
    gone.push(path);
  }
  const unprovable = many(6, 'plain', 'own');
  fs.mkdirSync(mount);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', mount]).status === 0;
  unprovable.push(...many(4, 'volume/.worktrees', 'own'));
  const nobody = many(4, 'unknown', 'none');

  for (const checkout of [...gone, ...unprovable]) fs.rmSync(checkout, { recursive: true });
  git(repo, 'worktree', 'prune');
  if (mounted) assert.is(spawnSync('umount', [mount]).status, 0);
  else fs.rmSync(mount, { recursive: true });
  const used = gone.slice(0, 8);
  for (const [i, checkout] of used.entries()) {
    const folder = join(root, installKey(checkout));
    if (i < 4) {
      const lease = join(folder, 'environments/g/.leases');
      fs.mkdirSync(lease);
      fs.writeFileSync(join(lease, 'x'), JSON.stringify(nameOf(process.pid)));
    } else {
      const lock = join(folder, '.install.lock');
      const holder = spawn('flock', [lock, 'sh', '-c', 'echo; exec sleep 120'], {
        stdio: ['ignore', 'pipe', 'ignore'],
        detached: true,
      });
      holders.push(holder);
      await new Promise((resolve) => holder.stdout?.once('data', resolve));
    }
  }
  const before = fs.readdirSync(root).length;
  assert.is(before, 499);
  assert.is(gone.length + unprovable.length, 402);

  const started = Date.now();
  const done = await collectInstalls({ roots: [root], known: () => undefined });
  const took = Date.now() - started;
  const left = new Set(fs.readdirSync(root));
  const staying = [...live, ...unprovable, ...nobody, ...used].map(installKey);
  assert.equal([...left].sort(), staying.sort());
  assert.equal(done.reclaimed.map(({ checkout }) => checkout).sort(), gone.slice(8).sort());
  const kinds: Record<string, number> = {};
  for (const { is } of done.kept) kinds[is] = (kinds[is] ?? 0) + 1;
  assert.equal(kinds, { live: 93, unproved: 10, 'no record': 4, held: 8 });
  console.log(`${before} states: ${done.reclaimed.length} reclaimed, ${JSON.stringify(kinds)} kept, ${took} ms`);
});

test.run();
