import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { blobOid } from '../../src/checkpoint/oid.ts';
import { projectKey } from '../../src/checkpoint/projects.ts';
import { readHistory } from '../../src/checkpoint/read.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import { verify } from '../../src/checkpoint/verify/verify.ts';
import { writeRecord } from '../../src/checkpoint/write.ts';
import { locked } from '../../src/cli/checkpoints/locked.ts';
import { Failure } from '../../src/cli/command.ts';
import { lookAt } from '../../src/platform/files.ts';
import { git } from '../../src/platform/git.ts';
import { acquire } from '../../src/platform/lock.ts';
import { absent, turn as draft } from '../checkpoint/given.ts';
import { belay, project, put } from './drive.ts';
import { inOwnHome } from './home.ts';
import { nextOrder, turn } from './turns.ts';

const at = inOwnHome(import.meta.filename);

interface Status {
  readonly base: string;
  readonly total_bytes: number;
  readonly projects: { workdir: string; checkpoints: number; bytes: number; state: string }[];
  readonly legacy: { name: string; bytes: number }[];
}

const remove = (root: string, name: string): number =>
  turn(at.home, root, `rm ${name}`, () => fs.rmSync(join(root, name)));

const store = () => openStore(at.home);

test('status: a row a project, with its state and what only it takes; sorted and filtered', async () => {
  const [big, gone] = [project(at, { a: 'x', b: 'y' }), project(at, { a: 'z' })];
  fs.writeFileSync(
    join(big, 'noise'),
    Buffer.from(Array.from({ length: 200_000 }, () => Math.floor(Math.random() * 256))),
  );
  for (const name of ['noise', 'a']) remove(big, name);
  remove(gone, 'a');
  fs.rmSync(gone, { recursive: true });
  const { json, text } = await belay<Status>(big, 'checkpoints', '--sort', 'size');
  assert.equal(
    json.projects.map(({ workdir, checkpoints, state }) => [workdir, checkpoints, state]),
    [
      [big, 2, 'live'],
      [gone, 1, 'orphan'],
    ],
  );
  assert.ok((json.projects[0]?.bytes ?? 0) > 190_000 && (json.projects[1]?.bytes ?? 0) < 20_000);
  assert.match(text, /just now/);
  const { json: filtered } = await belay<Status>(big, 'checkpoints', 'status', '--state', 'orphan');
  assert.equal(
    filtered.projects.map(({ workdir }) => workdir),
    [gone],
  );
  assert.is((await belay(big, 'checkpoints', '--sort', 'colour')).exit, 2);
});

test('prune: an orphan goes only when somebody says yes, a dry run touches nothing, and what is freed is free on disk', async () => {
  const root = project(at, { a: 'x' });
  const orphans = async (...more: string[]) =>
    (
      await belay<{ dropped: { n: number }[]; notes: string[]; freed_bytes: number }>(
        root,
        'checkpoints',
        'prune',
        ...more,
      )
    ).json;
  const before = (await belay<Status>(root, 'checkpoints')).json;
  assert.is((await orphans('--orphans')).notes.length, 1);
  assert.is((await orphans('--orphans', '--dry-run')).dropped.length, 1);
  assert.is((await belay<Status>(root, 'checkpoints')).json.projects.length, before.projects.length);
  assert.is((await orphans('--dry-run', '--max-size-mb', '0')).notes.length, 1);
  assert.is((await orphans('--orphans', '--yes')).dropped.length, 1);
  const { dropped, freed_bytes } = await orphans('--max-size-mb', '0.01');
  assert.ok(dropped.length > 0 && freed_bytes > 190_000, `${freed_bytes}`);
  assert.is((await belay(root, 'checkpoints', 'prune', '--max-size-mb', 'much')).exit, 2);
  assert.equal(verify(store()), []);
});

test('no checkpoint is made of the home folder, nor of what it lies in', async () => {
  for (const folder of [join(at.top, 'person'), at.top])
    assert.is((await belay(folder, 'checkpoint')).code, 'no_project');
});

test('the list says what cannot be read, and is there as far as it can be, whatever of the store is spoiled', async () => {
  const root = project(at, { a: 'x', b: 'y' });
  const numbers = [remove(root, 'a'), remove(root, 'b')];
  const { gitDir } = store();
  const key = projectKey(store(), root);
  const list = async () => {
    const { json, text, exit } = await belay<{ checkpoints: { n: number }[]; broken: string[] }>(root, 'list');
    return { listed: json.checkpoints.map(({ n }) => n), broken: json.broken, text, exit };
  };
  const file = join(gitDir, `projects/${key}.json`);
  const whole = fs.readFileSync(file);
  fs.writeFileSync(file, '{"x');
  assert.equal((await list()).listed, [...numbers].reverse());
  fs.writeFileSync(file, whole);
  git(['pack-refs', '--all', '--prune'], { gitDir });
  fs.rmSync(join(gitDir, 'refs'), { recursive: true });
  assert.equal((await list()).listed, [...numbers].reverse());
  for (const n of numbers) put(gitDir, { [`refs/belay/${key}/turns/${n}`]: `${'1'.repeat(40)}\n` });
  const { broken, text } = await list();
  assert.is(broken.length, 2);
  assert.match(text, /cannot be read: turns\/.*verify/);
  await belay(root, 'checkpoints', 'verify', '--repair');
  assert.equal(verify(store()), []);
});

test('nothing is pruned while the configuration is broken', async () => {
  const root = project(at, { a: 'x' });
  const file = join(at.top, 'person/.config/belay/config.yaml');
  fs.mkdirSync(join(at.top, 'person/.config/belay'), { recursive: true });
  fs.writeFileSync(file, 'checkpoints: [\n');
  assert.is((await belay(root, 'checkpoints', 'prune', '--retention-days', '0')).code, 'configuration');
  fs.rmSync(file);
});

test('free gives back the space of deleted files; the checkpoint stays, says so, and the store is whole', async () => {
  const root = project(at);
  const s = store();
  const key = projectKey(s, root);
  const before = {
    kind: 'file' as const,
    mode: 0o644,
    size: 5_000_000,
    content: { at: 'hold' as const, path: 'b0', linked: false },
  };
  const { n } = writeRecord(
    s,
    root,
    draft({ order: nextOrder(at.home), changes: [{ path: 'big', before, after: absent, by: 'named' }] }),
    new Map(),
  );
  const held = join(s.base, `holds/${key}/${n}`);
  fs.mkdirSync(held, { recursive: true });
  fs.writeFileSync(join(held, 'b0'), Buffer.alloc(5_000_000, 1));
  const free = async (...more: string[]) =>
    (await belay<{ freed_bytes: number; freed: unknown[] }>(root, 'free', ...more)).json;
  assert.is((await free('--older-than', '1', '--yes')).freed_bytes, 0);
  assert.is((await free('--dry-run')).freed.length, 1);
  assert.is((await belay(root, 'free')).code, 'not_answered');
  assert.is((await free('--yes')).freed_bytes, 5_000_000);
  assert.not.ok(fs.existsSync(join(held, 'b0')));
  assert.equal(verify(s), []);
  assert.is(readHistory(s, key).checkpoints.length, 1);
});

test('forget: a path leaves every checkpoint and capture, and its contents the store; others keep theirs', async () => {
  const root = project(at, { 'secret.txt': 'the first secret', 'other.txt': 'kept', 'same.txt': 'twice' });
  fs.mkdirSync(join(root, 'copy'));
  fs.writeFileSync(join(root, 'copy/same.txt'), 'twice');
  await belay(root, 'checkpoint', '-m', 'all of it');
  turn(at.home, root, 'echo', () => fs.writeFileSync(join(root, 'secret.txt'), 'the second secret'));
  turn(at.home, root, 'rm', () => {
    fs.rmSync(join(root, 'secret.txt'));
    fs.rmSync(join(root, 'other.txt'));
  });
  const has = (text: string): boolean =>
    git(['cat-file', '-e', blobOid(Buffer.from(text))], { gitDir: store().gitDir }).ok;
  assert.equal(['the first secret', 'the second secret', 'kept'].map(has), [true, true, true]);
  assert.is((await belay(root, 'forget', 'nothing.txt')).exit, 4);
  assert.is((await belay(root, 'forget', 'secret.txt')).code, 'not_answered');
  const done = await belay<{
    gone: boolean;
    forgotten: string[];
    checkpoints: number;
    captures: number;
    same_bytes_elsewhere: string[];
  }>(root, 'forget', 'secret.txt', '--yes');
  assert.equal([done.exit, done.json.gone, done.json.forgotten], [0, true, ['secret.txt']]);
  assert.ok(done.json.checkpoints >= 2 && done.json.captures >= 1, done.text);
  assert.equal(['the first secret', 'the second secret', 'kept'].map(has), [false, false, true]);
  assert.equal(verify(store()), []);
  await belay(root, 'undo');
  assert.equal(
    [fs.readFileSync(join(root, 'other.txt'), 'utf8'), fs.existsSync(join(root, 'secret.txt'))],
    ['kept', false],
  );
  const twice = await belay<{ gone: boolean; same_bytes_elsewhere: string[] }>(root, 'forget', 'same.txt', '--yes');
  assert.equal([twice.exit, twice.json.same_bytes_elsewhere], [0, [join(root, 'copy/same.txt')]]);
  assert.is((await belay(root, 'checkpoint', '-m', 'again')).exit, 0);
  assert.equal(verify(store()), []);
});

test('a file that was forgotten is not taken for absent: rolling back to a capture from before removes nothing', async () => {
  const root = project(at, { 'secret.txt': 'first', a: '1' });
  await belay(root, 'checkpoint', '-m', 'all of it');
  remove(root, 'a');
  assert.is((await belay(root, 'forget', 'secret.txt', '--yes')).exit, 0);
  assert.equal(git(['cat-file', '-e', blobOid(Buffer.from('first'))], { gitDir: store().gitDir }).ok, false);
  await belay(root, 'rollback', '1', '--all', '--yes');
  assert.equal([fs.existsSync(join(root, 'a')), fs.existsSync(join(root, 'secret.txt'))], [true, true]);
  assert.equal(verify(store()), []);
});

test('clear: one project, then all of them; numbers stay used, and a capture afterwards is whole', async () => {
  const [one, two] = [project(at, { a: '1' }), project(at, { a: '2' })];
  for (const root of [one, two]) {
    await belay(root, 'checkpoint', '-m', 'x');
    remove(root, 'a');
  }
  const left = (root: string): number => readHistory(store(), projectKey(store(), root)).checkpoints.length;
  assert.is((await belay(one, 'checkpoints', 'clear', '--project', '.')).code, 'not_answered');
  assert.is((await belay(one, 'checkpoints', 'clear', '--project', '.', '--yes')).exit, 0);
  assert.equal([left(one), left(two)], [0, 2]);
  assert.is((await belay(one, 'checkpoints', 'clear', '--yes')).exit, 0);
  assert.equal([left(one), left(two)], [0, 0]);
  put(one, { a: '3' });
  assert.is((await belay<{ n: number }>(one, 'checkpoint', '-m', 'after')).json.n, 3);
  assert.equal(verify(store()), []);
});

test('verify --repair and forget: no wrapper of a running turn trusts a capture any more that may have gone', async () => {
  const root = project(at, { a: '1' });
  await belay(root, 'checkpoint', '-m', 'x');
  const mark = join(at.top, `run/belay/20250101_000000_abcdef/captured/5/in${root}/since`);
  for (const words of [
    ['checkpoints', 'verify', '--repair'],
    ['forget', 'a', '--yes'],
  ]) {
    fs.mkdirSync(dirname(mark), { recursive: true, mode: 0o700 });
    fs.writeFileSync(mark, '');
    assert.is((await belay(root, ...words)).exit, 0);
    assert.not.ok(fs.existsSync(mark), words.join(' '));
  }
});

test('a lock of another host names it: nothing is taken out of the store meanwhile', () => {
  const base = join(at.home, 'checkpoints');
  const lock = acquire(join(base, '.settle.lock'), 0);
  const file = fs
    .readdirSync(base)
    .filter((name) => /^\.settle\.lock\.\d+$/.test(name))
    .sort((a, b) => Number(a.split('.')[3]) - Number(b.split('.')[3]))
    .at(-1);
  const holder = { machine: 'abc elsewhere', boot: 'x', ns: 'y', pid: 7, start: '1' };
  fs.writeFileSync(join(base, file ?? ''), JSON.stringify(holder));
  assert.throws(
    () => locked(store(), () => assert.unreachable(), 0),
    (error: unknown) =>
      error instanceof Failure && error.code === 'busy' && /process 7 on elsewhere/.test(error.message),
  );
  lock?.release();
  assert.is(
    locked(store(), () => 'free', 0),
    'free',
  );
});

test('a turn whose turn.json was cut is told anew from what it holds, in its place, and can be undone', async () => {
  const root = project(at, { 'a.txt': 'was here' });
  const later = turn(at.home, root, 'touch later', () => put(root, { later: 'x' }));
  const session = join(at.home, 'checkpoints/pending/20250101_000000_cccccc');
  const folder = join(session, '7');
  fs.mkdirSync(join(folder, '1'), { recursive: true });
  const look = lookAt(join(root, 'a.txt'));
  fs.writeFileSync(join(folder, '1/pack'), 'was here');
  const entry = {
    path: join(root, 'a.txt'),
    of: 0,
    look: Object.values(look ?? {}),
    hold: { how: 'pack', at: 0, size: 8 },
  };
  const target = { path: join(root, 'a.txt'), way: 'delete', recursive: false, deferred: false };
  const header = {
    v: 1,
    verbs: ['rm'],
    targets: [target],
    roots: [root],
    git: [],
    leftOut: [],
    far: [],
    opaque: false,
  };
  fs.writeFileSync(join(folder, '1/manifest.jsonl'), `${JSON.stringify(entry)}\n${JSON.stringify(header)}\n`);
  fs.writeFileSync(join(folder, 'turn.json'), '{"v":1,"sess');
  fs.rmSync(join(root, 'a.txt'));
  const done = await belay<{ repaired: string[] }>(root, 'checkpoints', 'verify', '--repair');
  assert.match(done.json.repaired.join('\n'), 'turn 7 of session 20250101_000000_cccccc');
  const { checkpoints } = readHistory(store(), projectKey(store(), root));
  assert.equal(
    checkpoints.map(({ record }) => [record.n, record.turn]),
    [
      [later + 1, '7'],
      [later, checkpoints[1]?.record.turn],
    ],
  );
  await belay(root, 'rollback', String(later + 1), 'a.txt');
  assert.is(fs.readFileSync(join(root, 'a.txt'), 'utf8'), 'was here');
});

test('an older layout is archived at the first run, shown, and cleared when asked', async () => {
  const base = join(at.top, 'old/checkpoints');
  const shadow = join(base, 'abcdef0123456789');
  git(['init', '-q', '--bare', shadow]);
  put(base, { 'notes/HEAD': 'mine' });
  const opened = openStore(join(at.top, 'old'));
  const legacy = fs.readdirSync(opened.base).find((name) => name.startsWith('legacy-')) ?? '';
  assert.ok(git(['rev-parse', '--git-dir'], { gitDir: join(base, legacy, 'abcdef0123456789') }).ok);
  assert.ok(fs.existsSync(join(base, 'notes/HEAD')));
  fs.renameSync(join(base, legacy), join(at.home, 'checkpoints', legacy));
  const root = project(at);
  assert.equal(
    (await belay<Status>(root, 'checkpoints')).json.legacy.map(({ name }) => name),
    [legacy],
  );
  assert.is((await belay(root, 'checkpoints', 'clear-legacy', '--yes')).exit, 0);
  assert.equal((await belay<Status>(root, 'checkpoints')).json.legacy, []);
});

test.run();
