import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import '../../src/cli/undo.ts';
import '../../src/cli/redo.ts';
import '../../src/cli/rollback.ts';
import '../../src/cli/list.ts';
import { blobOid } from '../../src/checkpoint/oid.ts';
import type { Change, Version } from '../../src/checkpoint/record.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import { writeRecord } from '../../src/checkpoint/write.ts';
import { foreignHome } from '../../src/platform/home.ts';
import { beginPlanned } from '../../src/saving/begin.ts';
import { openWorld } from '../../src/saving/world.ts';
import { turn as draft, file } from '../checkpoint/given.ts';
import { plan, target } from '../saving/given.ts';
import { belay, project } from './drive.ts';
import { inOwnHome } from './home.ts';
import { turn as did, nextOrder } from './turns.ts';

const at = inOwnHome(fileURLToPath(import.meta.url));

/** Root sees no closed door: these promises are tested as nobody. */
const NOBODY = 65534;
const asNobody = ['--reuid=65534', '--regid=65534', '--clear-groups', 'test', '-r', fileURLToPath(import.meta.url)];
if (process.getuid?.() === 0 && spawnSync('setpriv', asNobody).status !== 0) {
  console.log('skipped: the checkout lies where an ordinary user cannot look, and commands are imported from it');
  process.exit(0);
}
if (process.getuid?.() === 0) {
  execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, at.top]);
  process.setgroups?.([]);
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
}
process.chdir('/');

const read = (root: string, path: string): string => fs.readFileSync(join(root, path), 'utf8');

test('chmod -R 000 is undone by an ordinary user, who cannot look into the folder', async () => {
  const root = project(at, { 'd/e/x': 'x', 'd/y': 'y' });
  const store = openStore(at.home);
  const [x, y] = [Buffer.from('x'), Buffer.from('y')];
  const folder = (mode: number): Version => ({ kind: 'folder', mode });
  const changes: Change[] = [
    { path: 'd', before: folder(0o755), after: folder(0), by: 'named' },
    { path: 'd/e', before: folder(0o750), after: folder(0), by: 'named' },
    { path: 'd/e/x', before: file(x, 0o640), after: file(x, 0), by: 'named' },
    { path: 'd/y', before: file(y, 0o644), after: file(y, 0), by: 'named' },
  ];
  for (const [path, mode] of [
    ['d/e/x', 0o640],
    ['d/e', 0o750],
  ] as const)
    fs.chmodSync(join(root, path), mode);
  for (const path of ['d/e/x', 'd/e', 'd/y', 'd']) fs.chmodSync(join(root, path), 0);
  writeRecord(
    store,
    root,
    draft({ order: nextOrder(at.home), session: 'shut', changes }),
    new Map([
      [blobOid(x), x],
      [blobOid(y), y],
    ]),
  );
  const done = await belay(root, 'undo', '--session', 'shut');
  assert.equal([done.exit, done.message, done.json.kept], [0, '', []]);
  const modes = ['d', 'd/e', 'd/e/x', 'd/y'].map((path) => (fs.statSync(join(root, path)).mode & 0o777).toString(8));
  assert.equal(modes, ['755', '750', '640', '644']);
  assert.equal([read(root, 'd/e/x'), read(root, 'd/y')], ['x', 'y']);
  await belay(root, 'rollback', String(done.json.safety));
  assert.is(fs.statSync(join(root, 'd')).mode & 0o777, 0);
  await belay(root, 'redo');
  fs.chmodSync(join(root, 'd'), 0o755);
});

test('files come back into a folder that may not be written, and its mode stays', async () => {
  const root = project(at, { 'd/x': 'x' });
  did(at.home, root, 'rm d/x', () => fs.rmSync(join(root, 'd/x')));
  fs.chmodSync(join(root, 'd'), 0o555);
  const done = await belay(root, 'undo');
  assert.equal([done.exit, read(root, 'd/x'), fs.statSync(join(root, 'd')).mode & 0o777], [0, 'x', 0o555]);
  fs.chmodSync(join(root, 'd'), 0o755);
});

test('a file that cannot be read or opened up is named, and nothing else is touched', async () => {
  const root = project(at, { a: '1', b: '1' });
  const n = String(did(at.home, root, 'both', () => ['a', 'b'].map((path) => fs.writeFileSync(join(root, path), '2'))));
  fs.chmodSync(join(root, 'a'), 0o000);
  const done = await belay(root, 'rollback', n);
  assert.equal([done.exit, read(root, 'b')], [0, '1']);
  assert.equal(
    done.json.kept.map(({ path }) => path),
    ['a'],
  );
  assert.is(fs.statSync(join(root, 'a')).mode & 0o777, 0);
});

test('a store that is somebody else’s is read, never written', async () => {
  if (NOBODY !== process.getuid?.()) return;
  const root = project(at, { a: '1' });
  did(at.home, root, 'two', () => fs.writeFileSync(join(root, 'a'), '2'));
  assert.is((await belay(root, 'list')).exit, 0);
});

test('a home that this user may not look into is not written, and that is the answer', () => {
  const closed = join(at.top, 'closed');
  fs.mkdirSync(closed, { mode: 0o000 });
  assert.match(foreignHome(join(closed, 'belay')) ?? '', /is closed to this user/);
  assert.is(foreignHome(join(at.top, 'none/belay')), undefined);
});

test('a folder that may not be looked at keeps no line from being saved, and is told', async () => {
  const root = project(at, { x: 'x' });
  const shut = join(at.top, 'shut');
  fs.mkdirSync(shut, { mode: 0 });
  const captures = [{ folder: join(shut, 'in'), why: 'unknown' as const, verb: 'rm' }];
  const identity = {
    session: 'shut-out',
    turn: '1',
    source: 'cli',
    shell: 'bash',
    cwd: root,
    line: 'rm x',
    hidden: false,
  };
  const done = await beginPlanned(identity, plan([target(join(root, 'x'))], { captures }), await openWorld());
  assert.ok(done.kind === 'saved');
  assert.is(done.files, 1);
  assert.ok(done.leftOut.some(({ path }) => path === join(shut, 'in')));
});

test.run();
