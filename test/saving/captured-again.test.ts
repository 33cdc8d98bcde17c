import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import { openStore } from '../../src/checkpoint/store.ts';
import { take } from './captures.ts';
import { git, repository, type Scene } from './given.ts';

/** What git makes of the project with an index that knows nothing, in a repository of its own. */
function treeByGit(s: Scene): string {
  const other = join(s.top, 'other');
  if (!fs.existsSync(other)) execFileSync('git', ['init', '-q', '--bare', other]);
  fs.rmSync(join(other, 'index'), { force: true });
  const env = { PATH: real, HOME: '/nonexistent', GIT_DIR: other, GIT_WORK_TREE: s.root };
  const run = (...args: string[]): string =>
    execFileSync('git', args, { cwd: s.root, env, encoding: 'latin1', stdio: 'pipe' });
  run('add', '-A');
  return run('write-tree').trim();
}

const real = process.env['PATH'] ?? '';

/** From now on each git that is started is told of in a file. */
function watched(s: Scene): { readonly begin: () => void; readonly end: () => string } {
  const [bin, log] = [join(s.top, 'bin'), join(s.top, 'log')];
  fs.mkdirSync(bin);
  fs.writeFileSync(join(bin, 'git'), `#!/bin/sh\necho . >>'${log}'\nPATH='${real}' exec git "$@"\n`, { mode: 0o755 });
  return {
    begin: () => {
      fs.writeFileSync(log, '');
      process.env['PATH'] = `${bin}:${real}`;
    },
    end: () => {
      process.env['PATH'] = real;
      return fs.readFileSync(log, 'utf8');
    },
  };
}

test('captures one after another are what git makes of the project anew, whatever changed between them', async () => {
  const s = repository();
  let seed = 20261201;
  const below = (n: number): number => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return seed % n;
  };
  const names = ['a', 'a.b', 'a-b', 'ab', 'd', 'd.x', 'b\nc', '0'];
  const some = (): string => names[below(names.length)] ?? 'a';
  const path = (): string => join(s.root, ...Array.from({ length: 1 + below(3) }, some));
  const all = (): string[] =>
    (fs.readdirSync(s.root, { recursive: true }) as string[])
      .filter((name) => !/^\.git(?:\/|$)/.test(name))
      .map((name) => join(s.root, name))
      .filter((file) => fs.lstatSync(file).isFile());
  const one = (): string => all()[below(all().length)] ?? join(s.root, 'first');
  const put = (file: string): void => {
    fs.mkdirSync(dirname(file), { recursive: true });
    fs.writeFileSync(file, `${below(1e9)}\n`);
  };
  const steps: readonly (() => void)[] = [
    () => put(path()),
    () => put(one()),
    () => put(one()),
    // The same size and the old time, another inode or not.
    () => {
      const file = one();
      const { mtime } = fs.statSync(file);
      fs.writeFileSync(
        file,
        fs.readFileSync(file, 'latin1').replace(/\d/, (d) => String((Number(d) + 1) % 10)),
      );
      fs.utimesSync(file, mtime, mtime);
    },
    () => {
      const file = one();
      fs.writeFileSync(`${file}~`, `aside ${below(9)}`);
      fs.renameSync(`${file}~`, file);
    },
    () => fs.chmodSync(one(), below(2) === 0 ? 0o755 : 0o644),
    () => fs.rmSync(path(), { recursive: true, force: true }),
    () => fs.utimesSync(one(), 1e9, 1e9),
    () => {
      const file = one();
      fs.rmSync(file);
      fs.symlinkSync('/nowhere/at all', file);
    },
    () => fs.writeFileSync(join(s.root, '.gitignore'), `${some()}.b\n/d/${some()}\n`),
  ];
  put(join(s.root, 'first'));
  const seen = watched(s);
  let alone = 0;
  for (let i = 0; i < 40; i++) {
    try {
      for (let k = below(3); k >= 0; k--) steps[below(steps.length)]?.();
    } catch (error) {
      // A name that is a file above another one.
      if (!['ENOTDIR', 'EEXIST', 'EISDIR', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
    seen.begin();
    const done = await take(s);
    if (seen.end() === '' && done.kind === 'captured') alone++;
    assert.ok(done.kind === 'captured' || done.kind === 'unchanged', JSON.stringify(done));
    const name = `refs/belay/${done.key}/captures/${done.m}:files`;
    const gitDir = openStore(s.home).gitDir;
    const ours = git(s.top, '--git-dir', gitDir, 'rev-parse', name).trim();
    assert.equal(ours, treeByGit(s), `after step ${i}`);
    // Packed away, the trees and contents of before are found all the same.
    if (i % 20 === 10) git(s.top, '--git-dir', gitDir, 'repack', '-adq');
  }
  assert.ok(alone > 3, `${alone} captures without git`);
  assert.equal(git(s.top, '--git-dir', openStore(s.home).gitDir, 'fsck', '--no-dangling'), '');
});

test('a store that lost the content of an unchanged file has it again with the next capture', async () => {
  const s = repository();
  for (const name of ['a', 'b']) fs.writeFileSync(join(s.root, name), `${name}\n`);
  const done = await take(s);
  assert.ok(done.kind === 'captured');
  const gitDir = openStore(s.home).gitDir;
  const oid = git(s.top, '--git-dir', gitDir, 'rev-parse', `refs/belay/${done.key}/captures/${done.m}:files/b`).trim();
  for (const name of fs.readdirSync(join(gitDir, 'objects/pack'))) fs.rmSync(join(gitDir, 'objects/pack', name));
  fs.rmSync(join(gitDir, 'objects', oid.slice(0, 2), oid.slice(2)), { force: true });
  fs.writeFileSync(join(s.root, 'a'), 'changed\n');
  const again = await take(s);
  assert.equal(again.kind, 'captured');
  assert.equal(git(s.top, '--git-dir', gitDir, 'cat-file', 'blob', oid), 'b\n');
});

test.run();
