import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { readCaptures, readHistory } from '../../src/checkpoint/read.ts';
import type { CaptureRecord } from '../../src/checkpoint/record.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import { DEFAULTS } from '../../src/platform/config.ts';
import { type Captured, capture } from '../../src/saving/capture/capture.ts';
import { files, take } from './captures.ts';
import { git, repository, type Scene } from './given.ts';

function meta(s: Scene, done: Captured): CaptureRecord {
  assert.ok(done.kind === 'captured' || done.kind === 'unchanged');
  const store = openStore(s.home);
  const found = readCaptures(store, readHistory(store, done.key).captures).get(done.m);
  assert.ok(found);
  return found.record;
}

test('a capture is byte-exact whatever .gitattributes say, and runs no filter', async () => {
  const s = repository();
  const ran = join(s.top, 'ran');
  fs.writeFileSync(
    join(s.root, '.gitattributes'),
    '* text=auto eol=lf ident filter=evil\n*.u16 working-tree-encoding=UTF-16\n',
  );
  git(s.root, 'config', 'filter.evil.clean', `touch ${ran}`);
  git(s.root, 'config', 'core.fsmonitor', `touch ${ran}`);
  git(s.root, 'config', 'core.autocrlf', 'true');
  fs.writeFileSync(join(s.root, 'crlf.txt'), 'a\r\nb\r\n$Id: x$\r\n');
  fs.writeFileSync(join(s.root, 'x.u16'), 'no bom');
  const got = files(s, await take(s));
  assert.equal(got.get('crlf.txt'), 'a\r\nb\r\n$Id: x$\r\n');
  assert.equal(got.get('x.u16'), 'no bom');
  assert.equal(fs.existsSync(ran), false);
});

test('ignored files stay out, precious and tracked ones come in, also from ignored folders', async () => {
  const s = repository();
  fs.writeFileSync(join(s.root, '.gitignore'), 'out/\n.env\n*.log\nnode_modules/\n');
  for (const dir of ['out', 'node_modules/a', 'local']) fs.mkdirSync(join(s.root, dir), { recursive: true });
  for (const [name, text] of [
    ['.env', 'SECRET'],
    ['out/big.o', 'o'],
    ['out/.env.local', 'deep'],
    ['node_modules/a/.env', 'never'],
    ['tracked.log', 'tracked'],
    ['other.log', 'ignored'],
    ['a.txt', 'a'],
  ] as const)
    fs.writeFileSync(join(s.root, name), text);
  git(s.root, 'add', '-f', 'tracked.log');
  const done = await take(s);
  assert.deepEqual([...files(s, done).keys()], ['.env', '.gitignore', 'a.txt', 'out/.env.local', 'tracked.log']);
  fs.writeFileSync(join(s.root, '.env'), 'SECRET2');
  fs.writeFileSync(join(s.root, 'tracked.log'), 'tracked2');
  const again = files(s, await take(s));
  assert.equal(again.get('.env'), 'SECRET2');
  assert.equal(again.get('tracked.log'), 'tracked2');
});

test('the project’s .git is read, never written', async () => {
  const s = repository();
  fs.writeFileSync(join(s.root, 'a'), 'a');
  git(s.root, 'add', 'a');
  const list = (): string[] =>
    fs.readdirSync(join(s.root, '.git'), { recursive: true, encoding: 'utf8' }).map((name) => {
      const stat = fs.lstatSync(join(s.root, '.git', name));
      return `${name} ${stat.mtimeMs} ${stat.ctimeMs} ${stat.size}`;
    });
  const before = list();
  await take(s);
  fs.writeFileSync(join(s.root, 'b'), 'b');
  await take(s);
  assert.deepEqual(list(), before);
});

test('nothing changed is an answer of its own, and takes no new number', async () => {
  const s = repository();
  fs.writeFileSync(join(s.root, 'a'), 'a');
  const first = await take(s);
  const second = await take(s);
  assert.ok(first.kind === 'captured' && second.kind === 'unchanged');
  assert.equal(second.m, first.m);
  fs.chmodSync(join(s.root, 'a'), 0o600);
  const third = await take(s);
  assert.ok(third.kind === 'captured');
  assert.deepEqual(meta(s, third).modes, [['a', 0o600]]);
  fs.writeFileSync(join(s.root, 'b'), 'b');
  assert.deepEqual(meta(s, await take(s)).modes, [['a', 0o600]]);
});

test('modes and empty folders are in the record', async () => {
  const s = repository();
  fs.writeFileSync(join(s.root, 'secret'), 'x', { mode: 0o600 });
  fs.writeFileSync(join(s.root, 'setuid'), 'x');
  fs.chmodSync(join(s.root, 'setuid'), 0o4755);
  fs.mkdirSync(join(s.root, 'empty'), { mode: 0o700 });
  fs.mkdirSync(join(s.root, 'private/sub'), { recursive: true });
  fs.writeFileSync(join(s.root, 'private/sub/f'), 'f');
  fs.chmodSync(join(s.root, 'private'), 0o711);
  const record = meta(s, await take(s));
  assert.deepEqual(
    new Map(record.modes),
    new Map([
      ['secret', 0o600],
      ['setuid', 0o4755],
      ['private', 0o711],
    ]),
  );
  assert.deepEqual(record.emptyFolders, [['empty', 0o700]]);
});

test('nested repositories are content: submodules, clones, clones without a commit, worktrees', async () => {
  const s = repository();
  for (const dir of ['clone', 'unborn', 'clone/deeper', 'odd "name\n']) {
    fs.mkdirSync(join(s.root, dir), { recursive: true });
    git(join(s.root, dir), 'init', '-q');
    fs.writeFileSync(join(s.root, dir, 'f'), `in ${dir}`);
  }
  git(join(s.root, 'clone'), 'add', 'f');
  git(join(s.root, 'clone'), 'commit', '-qm', 'c');
  git(join(s.root, 'clone'), 'worktree', 'add', '-q', join(s.root, 'wt'));
  fs.writeFileSync(join(s.root, 'wt/new'), 'uncommitted');
  fs.writeFileSync(join(s.root, 'top'), 'top');
  const done = await take(s);
  const got = files(s, done);
  assert.equal(got.get('clone/f'), 'in clone');
  assert.equal(got.get('clone/deeper/f'), 'in clone/deeper');
  assert.equal(got.get('unborn/f'), 'in unborn');
  assert.equal(got.get('odd "name\n/f'), 'in odd "name\n');
  assert.equal(got.get('wt/new'), 'uncommitted');
  assert.equal(got.get('top'), 'top');
  fs.writeFileSync(join(s.root, 'clone/deeper/f'), 'changed');
  assert.equal(files(s, await take(s)).get('clone/deeper/f'), 'changed');
  const none = await take(s, { nested: false });
  assert.deepEqual([...files(s, none).keys()], ['top']);
  assert.equal(meta(s, none).nested.filter(({ captured }) => captured).length, 0);
});

test('a file that became too large leaves the capture; it is named, and no older state of it stays', async () => {
  const s = repository();
  fs.writeFileSync(join(s.root, 'a'), 'small');
  await take(s);
  fs.writeFileSync(join(s.root, 'a'), Buffer.alloc(2 << 20));
  fs.writeFileSync(join(s.root, 'touch'), '');
  const done = await take(s, { max_file_size_mb: 1 });
  assert.deepEqual([...files(s, done).keys()], ['touch']);
  assert.deepEqual(meta(s, done).leftOut, [{ path: 'a', reason: 'larger than max_file_size_mb' }]);
});

test('permissions and owners are noted of what a capture has: not of a file that became a folder or a link, nor of one it leaves out', async () => {
  const s = repository();
  for (const name of ['kind', 'link', 'big', 'stays']) {
    fs.writeFileSync(join(s.root, name), 'x');
    fs.chmodSync(join(s.root, name), 0o600);
  }
  assert.equal(meta(s, await take(s)).modes.length, 4);
  for (const name of ['kind', 'link']) fs.rmSync(join(s.root, name));
  fs.mkdirSync(join(s.root, 'kind'));
  fs.writeFileSync(join(s.root, 'kind/below'), 'x');
  fs.symlinkSync('stays', join(s.root, 'link'));
  fs.writeFileSync(join(s.root, 'big'), Buffer.alloc(2 << 20));
  const done = await take(s, { max_file_size_mb: 1 });
  assert.deepEqual(meta(s, done).modes, [['stays', 0o600]]);
});

test('a project whose folder goes at that moment is a failed capture, not an exception', async () => {
  const s = repository();
  fs.writeFileSync(join(s.root, 'a'), 'a');
  await take(s);
  fs.rmSync(s.root, { recursive: true });
  assert.equal((await take(s)).kind, 'failed');
});

test('a tree over max_files is left out, not failed', async () => {
  const s = repository();
  for (let i = 0; i < 20; i++) fs.writeFileSync(join(s.root, `f${i}`), '');
  const leftOut = { kind: 'left out', because: 'too large', why: 'more than max_files files' };
  assert.deepEqual(await take(s, { max_files: 10 }), leftOut);
});

test('names of any bytes, special files and links', async () => {
  const s = repository();
  const name = Buffer.from('a\xff\n\t"b', 'latin1');
  fs.writeFileSync(Buffer.concat([Buffer.from(`${s.root}/`), name]), 'x');
  for (const odd of [':(top)x', '-rf', ' lead', '.gitattributes2', 'n'.repeat(255)])
    fs.writeFileSync(join(s.root, odd), odd);
  execFileSync('mkfifo', [join(s.root, 'pipe')]);
  fs.symlinkSync('../nowhere', join(s.root, 'dangling'));
  const done = await take(s);
  const got = files(s, done);
  assert.equal(got.get(':(top)x'), ':(top)x');
  assert.equal(got.get('-rf'), '-rf');
  assert.equal(got.get('dangling'), '../nowhere');
  assert.ok(got.has('a\xff\n\t"b'));
  assert.deepEqual(meta(s, done).leftOut, [{ path: 'pipe', reason: 'a fifo' }]);
});

test('a project whose path is not UTF-8 is captured', async () => {
  const s = repository();
  const root = `${s.top}/p\xff`;
  fs.mkdirSync(Buffer.from(root, 'latin1'));
  fs.writeFileSync(Buffer.from(`${root}/package.json`, 'latin1'), '{}');
  const done = await capture({ store: openStore(s.home), root, config: DEFAULTS, budget: 60_000 });
  assert.deepEqual([...files(s, done).keys()], ['package.json']);
});

test('an index that names lost objects is thrown away, and the capture is whole', async () => {
  const s = repository();
  fs.writeFileSync(join(s.root, 'a'), 'a');
  fs.writeFileSync(join(s.root, 'b'), 'b');
  for (const name of ['a', 'b']) fs.utimesSync(join(s.root, name), 1e9, 1e9);
  await take(s);
  fs.rmSync(join(s.home, 'checkpoints/store/objects'), { recursive: true });
  fs.rmSync(join(s.home, 'checkpoints/store/refs/belay'), { recursive: true });
  fs.writeFileSync(join(s.root, 'c'), 'c');
  assert.deepEqual(
    [...files(s, await take(s))],
    [
      ['a', 'a'],
      ['b', 'b'],
      ['c', 'c'],
    ],
  );
});

test('an index.lock left by a killed git is in nobody’s way', async () => {
  const s = repository();
  fs.writeFileSync(join(s.root, 'a'), 'a');
  const first = await take(s);
  assert.ok(first.kind === 'captured');
  fs.writeFileSync(join(s.home, `checkpoints/store/indexes/${first.key}.lock`), '');
  fs.writeFileSync(join(s.root, 'a'), 'b');
  assert.equal(files(s, await take(s)).get('a'), 'b');
});

test.run();
