import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { projectKey } from '../../src/checkpoint/projects.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import { DEFAULTS } from '../../src/platform/config.ts';
import { capture } from '../../src/saving/capture/capture.ts';
import { seenChanges } from '../../src/saving/settle/seen.ts';
import { scratch } from '../checkpoint/given.ts';

async function captured(home: string, root: string): Promise<number> {
  const done = await capture({ store: openStore(home), root, config: DEFAULTS, budget: 60_000 });
  if (done.kind !== 'captured') throw new Error(JSON.stringify(done));
  return done.m;
}

test('what the first capture ignored is not taken for new by the second; what was moved is new in its place', async () => {
  const { home, root } = scratch();
  fs.mkdirSync(join(root, '.git'));
  fs.mkdirSync(join(root, 'dist'));
  for (const [name, text] of Object.entries({
    '.gitignore': 'dist\n',
    'dist/app': 'built',
    twin: 'built',
    moves: 'content',
  }))
    fs.writeFileSync(join(root, name), text);
  const before = await captured(home, root);
  fs.rmSync(join(root, '.gitignore'));
  fs.rmSync(join(root, 'twin')); // the same bytes as in dist/app: gone, not moved there
  fs.renameSync(join(root, 'moves'), join(root, 'moved'));
  fs.writeFileSync(join(root, 'new'), 'new');
  const after = await captured(home, root);
  const store = openStore(home);
  const told = seenChanges({ store, key: projectKey(store, root), before, after, uncertain: false });
  const changes = told.kind === 'seen' ? told.changes : [];
  assert.equal(changes.map(({ path, before: a, after: b }) => `${path} ${a.kind} ${b.kind}`).sort(), [
    '.gitignore file absent',
    'moved absent file',
    'moves file absent',
    'new absent file',
    'twin file absent',
  ]);
});

interface Given {
  readonly files: Record<string, string>;
  readonly exclude?: string;
}

/** What the two captures around `program` tell, one string a change. */
async function seen({ files, exclude }: Given, program: (root: string) => void): Promise<string[]> {
  const { home, root } = scratch();
  execFileSync('git', ['init', '-q', root], { stdio: 'ignore' });
  if (exclude !== undefined) fs.writeFileSync(join(root, '.git/info/exclude'), exclude);
  for (const [name, text] of Object.entries(files)) put(root, name, text);
  const before = await captured(home, root);
  program(root);
  const after = await captured(home, root);
  const store = openStore(home);
  const told = seenChanges({ store, key: projectKey(store, root), before, after, uncertain: false });
  const changes = told.kind === 'seen' ? told.changes : [];
  return changes.map(({ path, before: a, after: b }) => `${path} ${a.kind} ${b.kind}`).sort();
}

function put(root: string, name: string, text: string): void {
  fs.mkdirSync(join(root, name, '..'), { recursive: true });
  fs.writeFileSync(join(root, name), text);
}

/** As a new inode, the way most programs write. */
function rewrite(root: string, name: string, text: string): void {
  put(root, `${name}.new`, text);
  fs.renameSync(join(root, `${name}.new`), join(root, name));
}

test('a file that git ignored is never called created when a program rewrote it as a new inode: tracked since', async () => {
  const changes = await seen({ files: { '.gitignore': 'build\n', 'build/out.o': 'mine', a: '1' } }, (root) => {
    rewrite(root, 'build/out.o', 'theirs');
    execFileSync('git', ['-C', root, 'add', '-f', 'build/out.o']);
    put(root, 'new', 'new');
  });
  assert.equal(changes, ['build/out.o unknown file', 'new absent file']);
});

test('the same by the rules of an ignore file that is gone, that ignores itself, of info/exclude, and negated ones', async () => {
  const files = {
    '.gitignore': '*.log\n!kept.log\n',
    'x.log': 'mine',
    'self/.gitignore': '*\n',
    'self/f': 'mine',
    ex: 'mine',
  };
  const changes = await seen({ files, exclude: 'ex\n' }, (root) => {
    for (const name of ['.gitignore', 'self/.gitignore', '.git/info/exclude']) fs.rmSync(join(root, name));
    for (const name of ['x.log', 'self/f', 'ex']) rewrite(root, name, 'theirs');
    put(root, 'kept.log', 'new');
    put(root, 'self2/f', 'new');
  });
  assert.equal(changes, [
    '.gitignore file absent',
    'ex unknown file',
    'kept.log absent file',
    'self/f unknown file',
    'self2 absent folder',
    'self2/f absent file',
    'x.log unknown file',
  ]);
});

test('an ignored file of a precious name is proved absent by not being there, unless it was too large', async () => {
  const large = 'x'.repeat((1 << 20) + 1);
  const changes = await seen(
    { files: { '.gitignore': '.env*\nout/\n', '.env.large': large, 'out/x': 'x' } },
    (root) => {
      put(root, '.env', 'new');
      put(root, 'out/.env', 'new');
      rewrite(root, '.env.large', 'theirs');
    },
  );
  assert.equal(changes, ['.env absent file', '.env.large unknown file', 'out/.env absent file']);
});

test('what the first capture left out is not created when the second has it, and what grew out of it is not gone', async () => {
  const large = 'x'.repeat((DEFAULTS.checkpoints.max_file_size_mb << 20) + 1);
  const changes = await seen({ files: { large, small: 'x' } }, (root) => {
    rewrite(root, 'large', 'small now');
    rewrite(root, 'small', large);
  });
  assert.equal(changes, ['large unknown file', 'small file file']);
});

test.run();
