import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { DEFAULTS } from '../../src/platform/config.ts';
import { archives, archivesFolder } from '../../src/worktrees/archive.ts';
import { removeWorktree } from '../../src/worktrees/remove.ts';
import { repositoryOf, treesOf } from '../../src/worktrees/trees.ts';
import { rival, somewhere, TRIES } from '../installs/rival.ts';

const top = fs.realpathSync(fs.mkdtempSync(join(os.tmpdir(), 'belay-work-')));
const belayHome = join(top, 'home');
const root = join(top, 'repo');
const other = rival();

test.after(() => {
  other.end();
  fs.rmSync(top, { recursive: true, force: true });
});

function git(...args: string[]): void {
  const done = spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  assert.is(done.status, 0, done.stderr);
}

const contentOf = (path: string): string | undefined =>
  fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : undefined;

test(`work that is written into a worktree while it is removed is in the worktree, or in the archive (${TRIES} tries)`, async () => {
  fs.mkdirSync(root);
  git('init', '-q', '-b', 'main');
  fs.writeFileSync(join(root, 'tracked'), 'committed\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  const repository = repositoryOf(root);
  if (repository === undefined) throw new Error('no repository');
  const inquiry = { repository, config: DEFAULTS, belayHome };
  const seen = { kept: 0, archived: 0, tooLate: 0 };
  for (let i = 0; i < TRIES; i++) {
    const path = join(root, '.worktrees', `t${i}`);
    git('worktree', 'add', '-q', '--detach', path);
    const tree = treesOf(repository.commonDir)?.find((one) => one.path === path);
    if (tree === undefined) throw new Error('no worktree');
    const name = i % 2 === 0 ? 'tracked' : 'notes';
    const text = `work of try ${i}\n`;
    const written = other.acts({ deed: 'write', file: join(path, name), text, after: somewhere(150_000) });
    const done = await removeWorktree(tree, { inquiry, limits: { maxAge: 0 }, checkpoint: async () => undefined });
    if ((await written) === true) {
      const archive = done.is === 'removed' ? done.archive : undefined;
      const places = [
        join(path, name),
        ...(archive === undefined ? [] : [join(archivesFolder(belayHome), archive.id, 'files', name)]),
      ];
      assert.ok(
        places.some((place) => contentOf(place) === text),
        `try ${i}: ${JSON.stringify(done)}`,
      );
      if (done.is === 'kept') seen.kept++;
      else seen.archived++;
    } else {
      assert.is(done.is, 'removed', `try ${i}: ${JSON.stringify(done)}`);
      seen.tooLate++;
    }
    fs.rmSync(path, { recursive: true, force: true });
    git('worktree', 'prune');
  }
  assert.is(archives(belayHome).length, seen.archived);
  if (TRIES >= 100) console.log(JSON.stringify(seen));
});

test.run();
