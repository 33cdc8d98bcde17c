import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { log } from '../../src/platform/log.ts';
import { builtBelay } from '../built.ts';
import { belay } from './drive.ts';
import { inOwnHome } from './home.ts';

const at = inOwnHome(fileURLToPath(import.meta.url));
const file = join(at.home, 'logs/belay.log');
const [node, main] = builtBelay();

interface Told {
  readonly lines: {
    readonly time: string;
    readonly pid: number | null;
    readonly level: string;
    readonly text: string;
  }[];
}
const logs = (...words: string[]) => belay<Told>(at.top, 'logs', ...words);
const textsOf = ({ json }: { json: Told }): string[] => json.lines.map(({ text }) => text);

test.before.each(() => {
  fs.rmSync(at.home, { recursive: true, force: true });
  fs.mkdirSync(at.home, { mode: 0o700 });
});

test('logs shows the newest lines, as grave as is asked for, and those that a shell wrote as errors', async () => {
  assert.is((await logs()).text, 'Nothing is in the log.\n');
  log(at.home, 'broken\nthing');
  log(at.home, 'left out', 'warn');
  log(at.home, 'looked', 'debug');
  fs.appendFileSync(file, '2026-01-01T00:00:00+0000 belay: belay-snap failed (status 1)\n');
  assert.equal(textsOf(await logs()), ['broken | thing', 'left out', 'belay: belay-snap failed (status 1)']);
  assert.equal(textsOf(await logs('--level', 'error')), ['broken | thing', 'belay: belay-snap failed (status 1)']);
  assert.is(textsOf(await logs('--level', 'debug')).length, 4);
  assert.equal(textsOf(await logs('-n', '1')), ['belay: belay-snap failed (status 1)']);
  const [first] = (await logs()).json.lines;
  assert.equal([first?.pid, first?.level], [process.pid, 'error']);
  assert.is((await logs('--level', 'loud')).exit, 2);
  assert.is((await logs('-n', 'x')).exit, 2);
});

test('the log begins anew when it is large, three files before it are kept, closed to others, and read', async () => {
  for (const n of [1, 2, 3, 4, 5]) {
    log(at.home, `line ${n}`);
    fs.appendFileSync(file, `${'x'.repeat(1 << 20)}\n`);
  }
  assert.equal(fs.readdirSync(dirname(file)).sort(), ['belay.log', 'belay.log.1', 'belay.log.2', 'belay.log.3']);
  assert.is(fs.statSync(file).mode & 0o777, 0o600);
  assert.equal(
    textsOf(await logs()).filter((text) => text.startsWith('line')),
    ['line 2', 'line 3', 'line 4', 'line 5'],
  );
});

test('logs -f goes on with what is written, also where the log begins anew', async () => {
  log(at.home, 'before');
  const child = spawn(node, [main, 'logs', '-f'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let said = '';
    child.stdout.on('data', (part) => {
      said += part;
    });
    const until = async (text: string): Promise<void> => {
      for (const end = Date.now() + 30_000; !said.includes(text); ) {
        assert.ok(Date.now() < end, `never told: ${text}`);
        await new Promise((done) => setTimeout(done, 20));
      }
    };
    await until('before');
    log(at.home, 'first', 'info');
    await until('info  first');
    fs.renameSync(file, `${file}.1`);
    log(at.home, 'second');
    await until('second');
    assert.is(said.split('first').length, 2, 'nothing is told twice');
  } finally {
    child.kill();
  }
});

test.run();
