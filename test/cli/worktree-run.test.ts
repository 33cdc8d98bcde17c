import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { builtSnap } from '../built.ts';
import { inOwnHome } from './home.ts';

const at = inOwnHome(fileURLToPath(import.meta.url));
const belay = fileURLToPath(new URL('../../bin/belay', import.meta.url));

builtSnap();

function git(cwd: string, ...args: string[]): string {
  const done = spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, encoding: 'utf8' });
  assert.is(done.status, 0, done.stderr);
  return done.stdout.trim();
}

const root = join(at.top, 'repo');
fs.mkdirSync(root);
git(root, 'init', '-q', '-b', 'main');
git(root, 'config', 'user.name', 'a');
git(root, 'config', 'user.email', 'a@b');
fs.writeFileSync(join(root, 'a.txt'), 'one\n');
git(root, 'add', '-A');
git(root, 'commit', '-q', '-m', 'first');

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(...words: string[]): Promise<Ran> {
  const child = spawn(belay, ['run', ...words], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (piece) => {
    stdout += piece;
  });
  child.stderr.on('data', (piece) => {
    stderr += piece;
  });
  return new Promise((resolve) => child.once('close', (status) => resolve({ status, stdout, stderr })));
}

test('run -w runs in a worktree and branch of its own, with its environment, locked meanwhile; the status is the command’s', async () => {
  const config = join(at.top, 'person/.config/belay/config.yaml');
  fs.mkdirSync(join(config, '..'), { recursive: true });
  const tool =
    'mkdir "$BELAY_INSTALL_DIR/bin"; printf "#!/bin/sh\\necho tool" > "$BELAY_INSTALL_DIR/bin/tool"; chmod +x "$BELAY_INSTALL_DIR/bin/tool"';
  fs.writeFileSync(config, `installs: { setup: ${JSON.stringify(tool)} }\n`);
  const done = await run(
    '--worktree=one',
    '--',
    'sh',
    '-c',
    'pwd; tool; git branch --show-current; git worktree list --porcelain | grep -c ^locked; echo x > new; exit 7',
  );
  fs.rmSync(config);
  assert.equal([done.status, done.stdout], [7, `${root}/.worktrees/one\ntool\nbelay/one\n1\n`], done.stderr);
  assert.match(
    done.stderr,
    `${root}/.worktrees/one stays; belay worktree prune would archive it: only untracked files`,
  );
  assert.is(fs.readFileSync(join(root, '.worktrees/one/new'), 'utf8'), 'x\n');
  assert.is(git(root, 'worktree', 'list', '--porcelain').includes('locked'), false);
});

test('run -w --rm removes what nobody misses, and keeps what has work in it', async () => {
  const gone = await run('-w', '--rm', '--', 'cat', 'a.txt');
  assert.equal([gone.status, gone.stdout], [0, 'one\n'], gone.stderr);
  assert.match(gone.stderr, 'removed ');
  const kept = await run('-w', '--rm', '--', 'sh', '-c', 'echo two > a.txt');
  assert.match(kept.stderr, 'uncommitted changes');
  assert.is(fs.readdirSync(join(root, '.worktrees')).length, 2);
});

test('four agents side by side on one repository do not disturb each other', async () => {
  const names = ['a1', 'a2', 'a3', 'a4'];
  const done = await Promise.all(
    names.map((name) =>
      run(`--worktree=${name}`, '--', 'sh', '-c', `echo ${name} > a.txt; rm -f nothing; git commit -qam ${name}`),
    ),
  );
  assert.equal(
    done.map(({ status }) => status),
    [0, 0, 0, 0],
    done.map(({ stderr }) => stderr).join('\n'),
  );
  for (const { stderr } of done) assert.match(stderr, '1 unpushed commit');
  assert.equal(
    names.map((name) => git(root, 'log', '-1', '--format=%s', `belay/${name}`)),
    names,
  );
  assert.is(git(root, 'status', '--porcelain'), '');
  assert.is(fs.readFileSync(join(root, '.git/info/exclude'), 'utf8').split('/.worktrees/').length, 2);
});

test.run();
