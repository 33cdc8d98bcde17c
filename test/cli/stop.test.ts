import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { pendingTurns } from '../../src/turns/pending.ts';
import { builtSnap } from '../built.ts';
import { belay, project, put } from './drive.ts';
import { inOwnHome } from './home.ts';

const at = inOwnHome(fileURLToPath(import.meta.url));
builtSnap();
const program = fileURLToPath(new URL('../../bin/belay', import.meta.url));

test('belay stop ends the turn there and then, whoever has belay off: what others do afterwards is not its work', async () => {
  const root = project(at, { 'c.txt': 'one\n', 'd.txt': 'two\n' });
  const words = ['run', '--background', '--', 'sh', '-c', 'rm d.txt; sleep 1000; rm c.txt'];
  const session = spawnSync(program, words, { cwd: root, encoding: 'utf8', timeout: 60_000 }).stdout.trim();
  for (const end = Date.now() + 30_000; fs.existsSync(join(root, 'd.txt')); ) {
    if (Date.now() > end) throw new Error('it has not begun');
    await new Promise((done) => setTimeout(done, 20));
  }
  const env = { ...process.env, BELAY_DISABLE: '1' };
  const stopped = spawnSync(program, ['stop', session], { env, encoding: 'utf8', timeout: 60_000 });
  assert.equal([stopped.status, stopped.stdout, stopped.stderr], [0, `${session} stopped\n`, '']);
  assert.equal(pendingTurns(at.home), []);
  put(root, { 'c.txt': 'mine\n', 'd.txt': 'mine, too\n' });
  const undone = await belay(root, 'undo', '--yes');
  assert.equal([undone.exit, fs.readFileSync(join(root, 'd.txt'), 'utf8')], [0, 'mine, too\n'], undone.text);
  assert.is(fs.readFileSync(join(root, 'c.txt'), 'utf8'), 'mine\n');
});

test.run();
