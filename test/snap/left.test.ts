import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { installKey } from '../../src/installs/layout.ts';
import { record } from '../../src/installs/prepare.ts';
import { builtSnap } from '../built.ts';
import { inOwnHome } from '../cli/home.ts';

const at = inOwnHome(fileURLToPath(import.meta.url));
const top = fileURLToPath(new URL('../..', import.meta.url));

builtSnap();

const run = (cwd: string, program: string, ...args: string[]): string => {
  const done = spawnSync(program, args, { cwd, encoding: 'utf8', timeout: 60_000 });
  assert.is(done.status, 0, `${program} ${args.join(' ')}: ${done.stderr}`);
  return done.stdout;
};

async function until(what: () => boolean): Promise<void> {
  for (const end = Date.now() + 30_000; !what() && Date.now() < end; )
    await new Promise((done) => setTimeout(done, 50));
  assert.ok(what());
}

test('git worktree remove gives the install state back and runs the repository’s own post-worktree-remove, however it is said', async () => {
  const root = join(at.top, 'repo');
  const log = join(at.top, 'own.log');
  fs.mkdirSync(root);
  run(root, 'git', 'init', '-q');
  run(root, 'git', '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'first');
  run(root, 'git', 'config', 'alias.wr', 'worktree remove');
  fs.mkdirSync(join(root, '.git/hooks'), { recursive: true });
  fs.writeFileSync(join(root, '.git/hooks/post-worktree-remove'), `#!/bin/sh\nprintf '%s %s\\n' "$1" "$2" >> ${log}\n`);
  fs.chmodSync(join(root, '.git/hooks/post-worktree-remove'), 0o755);
  const trees = ['one', 'two', 'three'].map((name) => join(at.top, 'trees', name));
  for (const tree of trees) {
    run(root, 'git', 'worktree', 'add', '-q', '--detach', tree);
    record(join(at.home, 'installs', installKey(tree)), tree);
  }
  const states = trees.map((tree) => join(at.home, 'installs', installKey(tree)));
  const [one = '', two = '', three = ''] = trees;
  run(root, join(top, 'bin/belay'), 'run', '--', 'bash', '-c', `git worktree remove ${one}; git wr ${two}`);
  run(
    at.top,
    join(top, 'bin/belay'),
    'run',
    '--',
    'sh',
    '-c',
    `x=$(echo ${root}); git -C "$x" worktree remove --force -- ${three}`,
  );
  await until(() => states.every((state) => !fs.existsSync(state)));
  const lines = fs.readFileSync(log, 'utf8').trim().split('\n').sort();
  assert.equal(lines, trees.map((tree) => `${tree} ${join(root, '.git')}`).sort());
  assert.not(fs.readdirSync(join(at.home, 'worktrees/leaving')).length);
});

test('hooks/post-checkout records a worktree when it is made', async () => {
  const root = join(at.top, 'repo');
  fs.writeFileSync(
    join(root, '.git/hooks/post-checkout'),
    `#!/bin/sh\nexec '${join(top, 'hooks/post-checkout')}' "$@"\n`,
  );
  fs.chmodSync(join(root, '.git/hooks/post-checkout'), 0o755);
  const tree = join(at.top, 'trees/four');
  run(root, 'git', 'worktree', 'add', '-q', '--detach', tree);
  await until(() => fs.existsSync(join(at.home, `worktrees/known/${installKey(tree)}.json`)));
});

test.run();
