import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { LONGEST_CALL_MS } from '../../src/platform/git.ts';
import { acquire, beatHeld, HEARTBEAT_MS, type Lock } from '../../src/platform/lock.ts';
import { nameOf } from '../../src/platform/processes.ts';

const source = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'src/platform/lock.ts');

function room(): string {
  const top = fs.realpathSync(fs.mkdtempSync(join(os.tmpdir(), 'belay-lock-')));
  process.on('exit', () => fs.rmSync(top, { recursive: true, force: true }));
  return top;
}

const taken = (lock: Lock | undefined): Lock => {
  if (lock === undefined) throw new Error('the lock was not to be had');
  return lock;
};

const PROCESSES = 64;
const EACH = 4;

/**
 * Started with node alone. Goes in and out; says so in a file, in which it may find nobody but a dead one. Every fourth process is killed
 * inside.
 */
const CONTENDER = `
import { acquire } from './lock.mjs';
import fs from 'node:fs';
const [path, inside, count, me] = process.argv.slice(2);
// A killed process is there until its parent has asked for its end; it does nothing any more.
const alive = (pid) => { try { return !/\\) [ZX] /.test(fs.readFileSync('/proc/' + pid + '/stat', 'latin1')); } catch { return false; } };
for (let i = 0; i < ${EACH}; i++) {
  const lock = acquire(path, 120_000);
  if (lock === undefined) process.exit(3);
  const other = fs.existsSync(inside) ? Number(fs.readFileSync(inside, 'utf8')) : 0;
  if (other > 0 && alive(other)) process.exit(4);
  fs.writeFileSync(inside, String(process.pid));
  const before = Number(fs.readFileSync(count, 'utf8'));
  if (me % 4 === 3 && i === 2) process.kill(process.pid, 'SIGKILL');
  fs.writeFileSync(count, String(before + 1));
  fs.writeFileSync(inside, '0');
  lock.release();
}
`;

test(`${PROCESSES} processes at once: never two inside, none waits for a dead one, nobody's turn is lost`, async () => {
  const top = room();
  buildSync({ entryPoints: [source], bundle: true, platform: 'node', format: 'esm', outfile: join(top, 'lock.mjs') });
  fs.writeFileSync(join(top, 'contender.mjs'), CONTENDER);
  const files = ['x.lock', 'inside', 'count'].map((name) => join(top, name));
  fs.writeFileSync(files[2] ?? '', '0');
  const ends = await Promise.all(
    Array.from(
      { length: PROCESSES },
      (_, me) =>
        new Promise<number | string | null>((resolve) => {
          const child = spawn(process.execPath, [join(top, 'contender.mjs'), ...files, String(me)], {
            stdio: 'inherit',
          });
          child.once('exit', (code, signal) => resolve(signal ?? code));
        }),
    ),
  );
  const killed = ends.filter((end) => end === 'SIGKILL').length;
  assert.is(killed, PROCESSES / 4);
  assert.equal(new Set(ends.filter((end) => end !== 'SIGKILL')), new Set([0]));
  assert.is(Number(fs.readFileSync(files[2] ?? '', 'utf8')), (PROCESSES - killed) * EACH + killed * 2);
  assert.ok(fs.readdirSync(top).filter((name) => name.startsWith('x.lock')).length < 8, 'what is over is cleared away');
});

test('a living holder is waited for, a dead one is not, and a lock of another namespace only until it beats no more', () => {
  const path = join(room(), 'a.lock');
  const lock = taken(acquire(path, 0));
  assert.is(acquire(path, 30), undefined);
  assert.ok(lock.beat());
  lock.release();
  const dead = taken(acquire(path, 0));
  dead.release();
  const foreign = JSON.stringify({ ...nameOf(process.pid), ns: 'pid:[1]' });
  fs.writeFileSync(`${path}.9`, foreign);
  assert.is(acquire(path, 30), undefined);
  const old = new Date(Date.now() - HEARTBEAT_MS - 1000);
  fs.utimesSync(`${path}.9`, old, old);
  taken(acquire(path, 0)).release();
  fs.writeFileSync(`${path}.20`, JSON.stringify({ ...nameOf(process.pid), start: '1' }));
  taken(acquire(path, 0)).release();
});

test('a holder killed in a container is known to be gone at once, a living one there to live', async () => {
  const top = room();
  const path = join(top, 'a.lock');
  buildSync({ entryPoints: [source], bundle: true, platform: 'node', format: 'esm', outfile: join(top, 'lock.mjs') });
  const hold = `import { acquire } from '${top}/lock.mjs';
    if (acquire('${path}', 0, { watched: true })) console.log('held');
    setInterval(() => {}, 1000);`;
  fs.writeFileSync(join(top, 'hold.mjs'), hold);
  const apart = ['--pid', '--fork', '--kill-child=SIGKILL', '--mount-proc', process.execPath, join(top, 'hold.mjs')];
  const child = spawn('unshare', apart, { stdio: ['ignore', 'pipe', 'ignore'] });
  const said = await new Promise<string>((resolve) => {
    child.once('error', () => resolve(''));
    child.once('exit', () => resolve(''));
    child.stdout.once('data', (data) => resolve(String(data)));
  });
  if (said === '') return console.log('no namespaces here: skipped');
  assert.is(said, 'held\n');
  assert.is(acquire(path, 200, { watched: true }), undefined);
  child.kill('SIGKILL');
  taken(acquire(path, 20_000, { watched: true })).release();
  taken(acquire(path, 0, { watched: true })).release();
});

test('whoever is taken for dead is told by his next beat, and cannot take the lock of the next one away', () => {
  const path = join(room(), 'a.lock');
  const slow = taken(acquire(path, 0));
  const number = fs.readdirSync(dirname(path)).find((name) => name === 'a.lock.1');
  assert.is(number, 'a.lock.1');
  fs.writeFileSync(`${path}.1`, JSON.stringify({ ...nameOf(process.pid), ns: 'pid:[1]' }));
  const old = new Date(Date.now() - HEARTBEAT_MS - 1000);
  fs.utimesSync(`${path}.1`, old, old);
  const next = taken(acquire(path, 0));
  assert.not.ok(slow.beat());
  slow.release();
  assert.ok(next.beat());
  assert.is(acquire(path, 30), undefined);
  next.release();
});

test('a link that leads nowhere, or half a lock file, does not keep a process turning', () => {
  const path = join(room(), 'a.lock');
  fs.symlinkSync('/nowhere/at/all', path);
  fs.symlinkSync('/nowhere/at/all', `${path}.0`);
  fs.symlinkSync('/nowhere/at/all', `${path}.1`);
  taken(acquire(path, 0)).release();
  fs.writeFileSync(`${path}.30`, '{"pid":');
  assert.is(acquire(path, 30), undefined);
  fs.utimesSync(`${path}.30`, 0, 0);
  taken(acquire(path, 0)).release();
});

test('no git process runs so long that its holder could be taken for dead; every one is a beat', () => {
  assert.ok(LONGEST_CALL_MS + 60_000 < HEARTBEAT_MS);
  const path = join(room(), 'a.lock');
  const lock = taken(acquire(path, 0));
  fs.utimesSync(`${path}.1`, 0, 0);
  beatHeld();
  assert.ok(Date.now() - fs.statSync(`${path}.1`).mtimeMs < 60_000);
  lock.release();
});

test.run();
