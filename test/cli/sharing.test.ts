import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { projectKey } from '../../src/checkpoint/projects.ts';
import { readHistory } from '../../src/checkpoint/read.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import { verify } from '../../src/checkpoint/verify/verify.ts';
import { belay, project, put } from './drive.ts';
import { inOwnHome } from './home.ts';
import { turn } from './turns.ts';

const at = inOwnHome(import.meta.filename);
const store = () => openStore(at.home);

interface Listed {
  readonly checkpoints: {
    readonly n: number;
    readonly state: string;
    readonly label: string | null;
    readonly origin?: { readonly n: number; readonly root: string; readonly from: string };
    readonly left_out: { readonly path: string }[];
  }[];
}
interface Imported {
  readonly imported: { readonly n: number; readonly new: boolean; readonly root: string }[];
  readonly notes: string[];
}

const listed = async (root: string) => (await belay<Listed>(root, 'list')).json.checkpoints;
const read = (path: string): string | undefined => (fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : undefined);

/** A repository with a checkpoint by hand and a turn that deletes and edits; private files beside. */
async function given(): Promise<string> {
  const root = project(at, {
    '.gitignore': 'secret.txt\nbuild/\n',
    'secret.txt': 'a secret',
    '.env': 'TOKEN=1',
    'src/a.txt': 'first\n',
    'src/b.txt': 'bee\n',
    'kept.txt': 'kept\n',
  });
  spawnSync('git', ['init', '-q', root]);
  await belay(root, 'checkpoint', '-m', 'start');
  turn(at.home, root, 'rm src/b.txt secret.txt .env', () => {
    fs.rmSync(join(root, 'src/b.txt'));
    fs.rmSync(join(root, 'secret.txt'));
    fs.rmSync(join(root, '.env'));
    fs.writeFileSync(join(root, 'src/a.txt'), 'second\n');
  });
  return root;
}

const bundleOf = (name: string): string => join(at.top, name);

test('export and import: a checkpoint goes to another folder, is listed with its origin, diffed and restored', async () => {
  const root = await given();
  const file = bundleOf('two.bundle');
  const out = await belay<{ left_out: { path: string }[] }>(root, 'checkpoints', 'export', '2', '-o', file);
  assert.is(out.exit, 0, out.message);
  assert.equal([...new Set(out.json.left_out.map(({ path }) => path))].sort(), ['.env', 'secret.txt']);
  assert.is((await belay(root, 'checkpoints', 'export', '2', '-o', file)).code, 'would_overwrite');
  assert.ok(spawnSync('git', ['bundle', 'list-heads', file], { encoding: 'utf8' }).stdout.includes('checkpoints/2'));
  for (const secret of ['a secret', 'TOKEN=1']) {
    const bare = join(at.top, `unpacked${secret.length}`);
    spawnSync('git', ['clone', '-q', '--bare', '--mirror', file, bare]);
    const oid = spawnSync('git', ['hash-object', '--stdin'], { input: secret, encoding: 'utf8' }).stdout.trim();
    assert.not.ok(spawnSync('git', ['--git-dir', bare, 'cat-file', '-e', oid]).status === 0, secret);
  }

  const other = project(at, { 'src/a.txt': 'second\n', 'kept.txt': 'kept\n', mine: 'mine' });
  turn(at.home, other, 'rm gone', () => put(other, { new: 'x' }));
  const done = await belay<Imported>(other, 'checkpoints', 'import', file);
  assert.equal([done.exit, done.json.imported.map(({ n, new: isNew }) => [n, isNew])], [0, [[2, true]]], done.message);
  const again = await belay<Imported>(other, 'checkpoints', 'import', file);
  assert.equal(
    again.json.imported.map(({ n, new: isNew }) => [n, isNew]),
    [[2, false]],
  );
  const [first, second] = await listed(other);
  assert.equal([first?.n, first?.state, second?.n, second?.state], [1, 'whole', 2, 'imported']);
  assert.equal([second?.origin?.n, second?.origin?.root, second?.origin?.from], [2, root, 'belay']);

  const show = await belay<{ files: { path: string; status: string }[] }>(other, 'show', '2');
  assert.equal(show.json.files.map(({ path }) => path).sort(), ['src/a.txt', 'src/b.txt']);
  const diff = await belay<{ files: { path: string }[] }>(other, 'diff', '2');
  assert.ok(
    diff.json.files.some(({ path }) => path === 'src/b.txt'),
    JSON.stringify(diff.json),
  );

  await belay(other, 'rollback', '2');
  assert.equal([read(join(other, 'src/a.txt')), read(join(other, 'src/b.txt'))], ['first\n', 'bee\n']);
  assert.equal([read(join(other, 'mine')), read(join(other, 'secret.txt'))], ['mine', undefined]);
  assert.is((await belay(other, 'redo')).exit, 0);
  assert.equal([read(join(other, 'src/a.txt')), read(join(other, 'src/b.txt'))], ['second\n', undefined]);
  // What was imported is no turn of here.
  assert.is((await belay(other, 'undo')).exit, 0);
  assert.is(read(join(other, 'new')), undefined);
  const to = join(at.top, 'elsewhere');
  assert.is((await belay(other, 'rollback', '2', '--to', to)).exit, 0);
  assert.equal(
    [read(join(to, 'src/a.txt')), read(join(to, 'src/b.txt')), read(join(to, 'kept.txt'))],
    ['first\n', 'bee\n', 'kept\n'],
  );
  assert.equal(verify(store()), []);
});

test('with --with-secrets private files and held files go along', async () => {
  const root = await given();
  const file = bundleOf('secrets.bundle');
  assert.is((await belay(root, 'checkpoints', 'export', 'last', '--with-secrets', '-o', file)).exit, 0);
  const other = project(at);
  assert.is((await belay<Imported>(other, 'checkpoints', 'import', file)).json.imported.length, 1);
  const to = join(at.top, 'with-secrets');
  await belay(other, 'rollback', '1', '--to', to);
  assert.equal([read(join(to, 'secret.txt')), read(join(to, '.env'))], ['a secret', 'TOKEN=1']);
});

test('a whole rollback to an imported checkpoint removes nothing that stayed at home', async () => {
  const root = await given();
  const file = bundleOf('whole.bundle');
  await belay(root, 'checkpoints', 'export', '1', '-o', file);
  const other = project(at, { '.env': 'its own', 'secret.txt': 'own', 'kept.txt': 'changed\n' });
  await belay(other, 'checkpoints', 'import', file);
  const [imported] = await listed(other);
  assert.is(imported?.label, 'start');
  assert.is((await belay(other, 'rollback', '1', '--all', '--yes')).exit, 0);
  assert.equal(
    ['.env', 'secret.txt', 'kept.txt', 'src/b.txt'].map((name) => read(join(other, name))),
    ['its own', 'own', 'kept\n', 'bee\n'],
  );
});

test('what was imported goes with its state, and forget reaches into it', async () => {
  const root = await given();
  const file = bundleOf('gone.bundle');
  await belay(root, 'checkpoints', 'export', '1', '2', '-o', file);
  const other = project(at, { a: '1' });
  await belay(other, 'checkpoints', 'import', file);
  const key = projectKey(store(), other);
  assert.equal(readHistory(store(), key).imported.length, 2);
  const forgotten = await belay<{ checkpoints: number; captures: number }>(other, 'forget', 'src/b.txt', '--yes');
  assert.equal([forgotten.json.checkpoints, forgotten.json.captures], [1, 2]);
  assert.equal(verify(store()), []);
  assert.is((await belay(other, 'checkpoints', 'clear', '--project', '.', '--yes')).exit, 0);
  const left = readHistory(store(), key);
  assert.equal([left.checkpoints.length, left.imported.length], [0, 0]);
  // Asked for again, they come again, under new numbers.
  const more = await belay<Imported>(other, 'checkpoints', 'import', file);
  assert.equal(
    more.json.imported.map(({ n, new: isNew }) => [n, isNew]),
    [
      [3, true],
      [4, true],
    ],
  );
  spawnSync('git', ['--git-dir', store().gitDir, 'update-ref', '-d', `refs/belay/${key}/turns/3`]);
  const lost = await belay<Imported>(other, 'checkpoints', 'import', file);
  assert.equal(
    lost.json.imported.map(({ n, new: isNew }) => [n, isNew]),
    [
      [5, true],
      [4, false],
    ],
  );
  assert.equal(verify(store()), []);
});

test('a file that is no bundle, is cut off, or has no checkpoint in it is refused in one line', async () => {
  const root = await given();
  const file = bundleOf('cut.bundle');
  await belay(root, 'checkpoints', 'export', '2', '-o', file);
  const bytes = fs.readFileSync(file);
  const cases: Record<string, Buffer> = {
    'no git bundle': Buffer.from('hello\n'),
    'damaged or cut off': bytes.subarray(0, bytes.length - 100),
    'no checkpoint': Buffer.from(
      bytes.toString('latin1').replace('refs/belay/checkpoints/2', 'refs/heads/x'),
      'latin1',
    ),
    'which is missing': Buffer.from(bytes.toString('latin1').replace('\n', `\n-${'1'.repeat(40)} x\n`), 'latin1'),
  };
  for (const [says, content] of Object.entries(cases)) {
    fs.writeFileSync(bundleOf('bad.bundle'), content);
    const done = await belay(root, 'checkpoints', 'import', bundleOf('bad.bundle'));
    assert.equal([done.exit, done.code], [1, 'not_imported']);
    assert.match(done.message, says);
  }
  assert.is((await belay(root, 'checkpoints', 'import', bundleOf('none'))).exit, 4);
  assert.is((await belay(root, 'checkpoints', 'export')).exit, 2);
  assert.equal(verify(store()), []);
});

/** A commit as another program keeps them. */
function commit(gitDir: string, tree: string, ref: string, subject: string, when: number): void {
  const run = (...args: string[]): string =>
    spawnSync('git', args, {
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        GIT_DIR: gitDir,
        GIT_WORK_TREE: tree,
        GIT_INDEX_FILE: join(at.top, 'hermes-index'),
        GIT_AUTHOR_NAME: 'h',
        GIT_AUTHOR_EMAIL: 'h@local',
        GIT_COMMITTER_NAME: 'h',
        GIT_COMMITTER_EMAIL: 'h@local',
        GIT_AUTHOR_DATE: `${when} +0000`,
        GIT_COMMITTER_DATE: `${when} +0000`,
      },
    }).stdout.trim();
  run('add', '-A');
  const parent = run('rev-parse', '-q', '--verify', ref);
  const id = run('commit-tree', run('write-tree'), '-m', subject, ...(parent === '' ? [] : ['-p', parent]));
  run('update-ref', ref, id);
}

test("a store of Hermes Agent: each project's history becomes checkpoints of its folder, listed, diffed and restored", async () => {
  const [one, two] = [project(at, { a: '1', sub: 's' }), project(at, { b: '1' })];
  const base = join(at.top, 'hermes/checkpoints');
  const gitDir = join(base, 'store');
  spawnSync('git', ['init', '-q', '--bare', gitDir]);
  fs.mkdirSync(join(gitDir, 'projects'));
  const hashes = ['1234567890abcdef', 'fedcba0987654321', 'aaaaaaaaaaaaaaaa'];
  [one, two].forEach((root, i) => {
    fs.writeFileSync(join(gitDir, 'projects', `${hashes[i]}.json`), JSON.stringify({ workdir: root, last_touch: 1 }));
    commit(gitDir, root, `refs/hermes/${hashes[i]}`, 'before terminal: make', 1_750_000_000);
  });
  commit(gitDir, one, `refs/hermes/${hashes[2]}`, 'of an unknown folder', 1_750_000_000);
  put(one, { a: '2' });
  commit(gitDir, one, `refs/hermes/${hashes[0]}`, 'before write_file', 1_750_000_100);
  put(one, { a: '3', later: 'new' });
  const before = spawnSync('find', [base, '-type', 'f'], { encoding: 'utf8' }).stdout;
  const done = await belay<Imported>(one, 'checkpoints', 'import', base);
  assert.equal(
    done.json.imported.map(({ root, n }) => [root, n]),
    [
      [one, 1],
      [one, 2],
      [two, 1],
    ],
  );
  assert.match(done.json.notes.join('\n'), 'nothing says which folder');
  assert.is(spawnSync('find', [base, '-type', 'f'], { encoding: 'utf8' }).stdout, before);
  const again = await belay<Imported>(one, 'checkpoints', 'import', gitDir);
  assert.ok(again.json.imported.every(({ new: isNew }) => !isNew));
  assert.equal(
    (await listed(one)).map(({ n, label, origin }) => [n, label, origin?.from]),
    [
      [2, 'before write_file', 'hermes'],
      [1, 'before terminal: make', 'hermes'],
    ],
  );
  const diff = await belay<{ files: { path: string }[] }>(one, 'diff', '1');
  assert.ok(diff.json.files.some(({ path }) => path === 'a'));
  await belay(one, 'rollback', '1', '--all', '--yes');
  assert.equal(
    ['a', 'sub', 'later'].map((name) => read(join(one, name))),
    ['1', 's', 'new'],
  );
  await belay(one, 'redo');
  assert.is(read(join(one, 'a')), '3');
  assert.equal(verify(store()), []);
});

test('a folder of an older layout: one repository a project, archived or not; where no folder is named it is asked for', async () => {
  const root = project(at, { a: '1' });
  const base = join(at.top, 'legacy-20250101');
  const gitDir = join(base, 'abcdef0123456789');
  spawnSync('git', ['init', '-q', '--bare', '-b', 'main', gitDir]);
  commit(gitDir, root, 'refs/heads/main', 'old', 1_700_000_000);
  const asked = await belay<Imported>(root, 'checkpoints', 'import', base);
  assert.equal([asked.exit, asked.json.imported.length], [1, 0]);
  assert.match(asked.json.notes.join('\n'), '--project');
  fs.writeFileSync(join(gitDir, 'HERMES_WORKDIR'), `${root}\n`);
  put(root, { a: '2' });
  assert.equal((await belay<Imported>(root, 'checkpoints', 'import', base)).json.imported.length, 1);
  await belay(root, 'rollback', '1', 'a');
  assert.is(read(join(root, 'a')), '1');
  assert.is((await belay(root, 'checkpoints', 'import', join(at.top, 'run'))).code, 'not_imported');
});

test('sync asks before the first push to a remote, and never an agent', async () => {
  const root = project(at, { a: '1' });
  await belay(root, 'checkpoint', '-m', 'mine');
  const remote = join(at.top, 'remote.git');
  spawnSync('git', ['init', '-q', '--bare', remote]);
  spawnSync('git', ['init', '-q', root]);
  spawnSync('git', ['-C', root, 'remote', 'add', 'origin', remote]);
  assert.equal((await belay(root, 'sync', 'nowhere')).code, 'no_remote');
  assert.equal((await belay(root, 'sync', 'origin')).code, 'not_answered');
  process.env['BELAY_AGENT'] = 'robot';
  assert.equal((await belay(root, 'sync', 'origin', '--yes')).code, 'not_granted');
  delete process.env['BELAY_AGENT'];
  const done = await belay<{ pushed: number[]; as: string }>(root, 'sync', 'origin', '--yes');
  assert.equal([done.exit, done.json.pushed, done.json.as], [0, [1], 'remote']);
  assert.equal((await belay<{ pushed: number[] }>(root, 'sync', 'origin')).json.pushed, []);
  assert.is((await belay(root, 'sync', 'origin', '--with-secrets')).code, 'not_answered');
});

test.run();
