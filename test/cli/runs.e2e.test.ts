import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { builtSnap } from '../built.ts';
import { belay, project, put } from './drive.ts';
import { inOwnHome } from './home.ts';
import { turn } from './turns.ts';

const at = inOwnHome(fileURLToPath(import.meta.url));
const top = fileURLToPath(new URL('../..', import.meta.url));
const read = (root: string, path: string): string => fs.readFileSync(join(root, path), 'utf8');

const [snap = '', ...snapWords] = builtSnap();

function run(cwd: string, ...words: string[]): void {
  const done = spawnSync(join(top, 'bin/belay'), ['run', ...words], { cwd, encoding: 'utf8', timeout: 60_000 });
  assert.is(done.status, 0, done.stderr);
}

test('undo counts what belay run did from this shell as the shell’s own, newest first, runs within runs too', async () => {
  const root = project(at, { a: '1\n', b: '1\n', c: '1\n' });
  turn(at.home, root, 'echo 2 > a', () => put(root, { a: '2\n' }));
  run(root, '--', 'bash', '-c', 'rm b');
  run(root, '--', 'bash', '-c', `'${join(top, 'bin/belay')}' run -- rm c; rm -f nothing`);
  assert.not(fs.existsSync(join(root, 'c')));
  await belay(root, 'undo');
  assert.equal([read(root, 'c'), fs.existsSync(join(root, 'b')), read(root, 'a')], ['1\n', false, '2\n']);
  // The outer run captured what the inner one did: it is a turn of its own.
  for (let i = 0; i < 2 && !fs.existsSync(join(root, 'b')); i++) await belay(root, 'undo');
  assert.equal([read(root, 'c'), read(root, 'b'), read(root, 'a')], ['1\n', '1\n', '2\n']);
  await belay(root, 'undo');
  assert.is(read(root, 'a'), '1\n');
  assert.is((await belay(root, 'undo')).exit, 4);
});

test('undo after retry takes back what the retry did', async () => {
  const root = project(at, { a: '1\n', b: 'x\n' });
  turn(at.home, root, 'echo 2 > a', () => put(root, { a: '2\n' }));
  turn(at.home, root, 'rm b', () => fs.rmSync(join(root, 'b')), undefined, { cwd: root, shell: 'bash' });
  const again = spawnSync(join(top, 'bin/belay'), ['retry', '--yes'], { cwd: root, encoding: 'utf8', timeout: 60_000 });
  assert.is(again.status, 0, again.stderr);
  assert.not(fs.existsSync(join(root, 'b')));
  await belay(root, 'undo');
  assert.equal([read(root, 'b'), read(root, 'a')], ['x\n', '2\n']);
});

test('undo within a line that has changed something itself is refused, and takes nothing older', async () => {
  const root = project(at, { a: '1\n', b: '1\n' });
  turn(at.home, root, 'echo 2 > a', () => put(root, { a: '2\n' }));
  const who = {
    shell: 'bash',
    session: process.env['BELAY_SESSION'],
    turn: process.env['BELAY_TURN'],
    pid: process.pid,
  };
  const request = Object.entries({ ...who, cwd: root, source: 'cli', line: 'rm b; belay undo' });
  const input = request.map(([key, value]) => `${key}=${value}\0`).join('');
  assert.is(spawnSync(snap, [...snapWords, 'hold'], { cwd: '/', input }).status, 0);
  // It is saved for, and nothing has happened yet.
  assert.match((await belay(root, 'undo', '--dry-run')).text, /undo checkpoint 1/);
  fs.rmSync(join(root, 'b'));
  const refused = await belay(root, 'undo');
  assert.equal([refused.exit, refused.code, read(root, 'a')], [3, 'turn_active', '2\n']);
  assert.match(refused.message, 'this line itself has changed b');
  await belay(root, 'undo', '--force');
  assert.is(read(root, 'a'), '1\n');
});

test.run();
