import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { acquire } from '../../src/platform/lock.ts';
import { openTurn } from '../../src/turns/pending.ts';
import { builtBelay } from '../built.ts';
import { belay, project, put, type Restored } from './drive.ts';
import { inOwnHome } from './home.ts';
import { turn } from './turns.ts';

const at = inOwnHome(fileURLToPath(import.meta.url));
const [node, main] = builtBelay();
const SESSION = '20250101_000000_abcdef';
const read = (root: string, path: string): string => fs.readFileSync(join(root, path), 'utf8');

/** `belay undo --json` as a process; settles with its document. */
function undoing(root: string): Promise<Restored> {
  const child = spawn(node, [main, 'undo', '--json', '-C', root], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  return new Promise((resolve) => child.once('close', () => resolve(JSON.parse(out) as Restored)));
}

test('two undos at once take back two turns: each decides when it is alone', async () => {
  const root = project(at, { a: '1\n', b: '1\n' });
  turn(at.home, root, 'first', () => put(root, { a: '2\n' }));
  turn(at.home, root, 'second', () => put(root, { b: '2\n' }));
  const lock = acquire(join(at.home, 'checkpoints/.restore.lock'), 0);
  const both = [undoing(root), undoing(root)];
  // Both have come to the lock when each has made its name ready beside it.
  const waiting = (): number =>
    fs.readdirSync(join(at.home, 'checkpoints')).filter((name) => name.startsWith('.restore.lock.new-')).length;
  for (const until = Date.now() + 25_000; waiting() < 2 && Date.now() < until; )
    await new Promise((resolve) => setTimeout(resolve, 20));
  assert.is(waiting(), 2);
  lock?.release();
  const done = await Promise.all(both);
  assert.equal(done.flatMap(({ restored }) => restored).sort(), ['a', 'b']);
  assert.equal([read(root, 'a'), read(root, 'b')], ['1\n', '1\n']);
});

function pending(root: string, id: string): string {
  const identity = { session: SESSION, turn: id, source: 'cli', shell: 'bash', cwd: root, line: `rm ${id}` };
  return openTurn(at.home, at.home, { ...identity, hidden: false }, Date.now());
}

test('undo refuses while another belay is still filing the newest line, and takes nothing older', async () => {
  const root = project(at, { a: '1\n' });
  turn(at.home, root, 'older', () => put(root, { a: '2\n' }));
  const folder = pending(root, 'x');
  const lock = acquire(join(at.home, 'checkpoints/.settle.lock'), 0);
  const refused = await belay(root, 'undo');
  assert.equal([refused.exit, refused.code, read(root, 'a')], [3, 'busy', '2\n']);
  lock?.release();
  fs.rmSync(folder, { recursive: true });
  assert.is((await belay(root, 'undo')).exit, 0);
  assert.is(read(root, 'a'), '1\n');
});

test('undo refuses where the newest line could not be filed, and goes further back when it is told to', async () => {
  const root = project(at, { a: '1\n' });
  turn(at.home, root, 'older', () => put(root, { a: '2\n' }));
  const folder = pending(root, 'y');
  fs.mkdirSync(join(folder, '1'));
  fs.writeFileSync(join(folder, '1/manifest.jsonl'), '{"v":1,"verbs":7}\n');
  const refused = await belay(root, 'undo');
  assert.equal([refused.exit, refused.code, read(root, 'a')], [3, 'not_filed', '2\n']);
  assert.match(refused.message, 'rm y');
  assert.is((await belay(root, 'undo', '--force')).exit, 0);
  assert.is(read(root, 'a'), '1\n');
  fs.rmSync(folder, { recursive: true });
});

test('a killed restore is put right whoever cannot see its process, past journals that cannot be read; nothing stays hidden', async () => {
  const root = project(at, { taken: 'new\n', gone: 'new\n' });
  turn(at.home, root, 'any', () => put(root, { a: '' }));
  put(root, { '.belay-7-0': 'one\n', '.belay-7-1': 'two\n' });
  const restoring = join(at.home, 'checkpoints/restoring');
  fs.mkdirSync(restoring, { recursive: true });
  const moves = [
    { from: join(root, 'from'), aside: join(root, '.belay-7-0'), to: join(root, 'to') },
    { from: join(root, 'taken'), aside: join(root, '.belay-7-1'), to: join(root, 'gone') },
  ];
  const holder = { machine: 'other', boot: 'other', ns: 'pid:[1]', pid: 7, start: '1' };
  const journal = { v: 1, order: 7, holder, session: SESSION, turn: 'restore-7', keys: [], moves, folders: [root] };
  fs.writeFileSync(join(restoring, '7.json'), JSON.stringify(journal));
  fs.writeFileSync(join(restoring, '5.json'), '{"v":1,');
  const lock = acquire(join(at.home, 'checkpoints/.restore.lock'), 0);
  await belay(root, 'list');
  assert.ok(fs.existsSync(join(root, '.belay-7-0')), 'a restore under way is left alone');
  lock?.release();
  await belay(root, 'list');
  assert.equal(
    [read(root, 'from'), read(root, 'taken'), read(root, 'gone'), read(root, 'taken.belay-1')],
    ['one\n', 'new\n', 'new\n', 'two\n'],
  );
  assert.equal(fs.readdirSync(restoring), ['5.json.damaged']);
});

test.run();
