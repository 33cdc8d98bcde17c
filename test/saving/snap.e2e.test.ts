import { strict as assert } from 'node:assert';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { settleAll } from '../../src/saving/settle/settle.ts';
import { pendingTurns } from '../../src/turns/pending.ts';
import { builtSnap } from '../built.ts';
import { before, changeOf, records, type Scene, scene } from './given.ts';

const [program, ...script] = builtSnap() as [string, ...string[]];
const SESSION = '20250101_000000_abcdef';

interface Asked {
  readonly input?: Buffer;
  readonly env?: Record<string, string>;
  readonly cwd?: string;
}

const environmentOf = (s: Scene): Record<string, string> => Object.fromEntries(s.world.env);

function snap(s: Scene, args: readonly string[], asked: Asked = {}) {
  return spawnSync(program, [...script, ...args], {
    cwd: asked.cwd ?? '/',
    env: { ...environmentOf(s), ...asked.env },
    input: asked.input ?? '',
    encoding: 'latin1',
    timeout: 60_000,
  });
}

function request(s: Scene, turn: string, line: string | Buffer, more: Record<string, string> = {}): Buffer {
  const fields = {
    shell: 'bash',
    session: SESSION,
    turn,
    cwd: s.root,
    pid: String(process.pid),
    source: 'test',
    ...more,
  };
  const text = Object.entries(fields).map(([key, value]) => `${key}=${value}\0`);
  return Buffer.concat([Buffer.from(`${text.join('')}line=`), Buffer.from(line), Buffer.from('\0')]);
}

/** Holds, runs the line in a real bash, ends. */
function runLine(s: Scene, turn: string, line: string): void {
  const held = snap(s, ['hold'], { input: request(s, turn, line) });
  assert.deepEqual([held.status, held.stdout], [0, ''], held.stderr);
  spawnSync('bash', ['-c', line], { cwd: s.root });
  snap(s, ['end', SESSION, turn, String(Date.now() / 1000 + 0.001)]);
}

async function until(what: () => boolean): Promise<void> {
  for (const limit = Date.now() + 30_000; !what(); ) {
    assert.ok(Date.now() < limit, `never: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const logOf = (s: Scene): string => {
  const file = join(s.home, 'logs/belay.log');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
};

test('a line that destroys is in the store soon after its prompt, without anybody waiting', async () => {
  const s = scene();
  fs.mkdirSync(join(s.root, 'src'));
  fs.writeFileSync(join(s.root, 'src/a'), 'a\r\n');
  runLine(s, '1', 'rm -rf src');
  await until(() => fs.existsSync(join(s.home, 'checkpoints/store')) && records(s).length === 1);
  const [record] = records(s);
  assert.ok(record);
  assert.equal(record.line, 'rm -rf src');
  assert.equal(before(s, record, changeOf(record, 'src/a'))?.toString(), 'a\r\n');
  assert.equal(logOf(s), '');
});

test('the marker of a turn is there after the save, and gone after its end', async () => {
  const s = scene();
  fs.writeFileSync(join(s.root, 'a'), 'a');
  const marker = join(s.top, 'run/belay', SESSION, 'turns/1');
  snap(s, ['hold'], { input: request(s, '1', 'rm a') });
  assert.ok(fs.existsSync(marker));
  snap(s, ['end', SESSION, '1', '9999999999']);
  assert.ok(!fs.existsSync(marker));
});

test('a harmless line makes nothing', () => {
  const s = scene();
  snap(s, ['hold'], { input: request(s, '1', 'ls -la && echo hello') });
  assert.deepEqual([fs.existsSync(s.home), fs.readdirSync(join(s.top, 'run'))], [false, []]);
});

test('switched off means nothing: no hold, no process, no folder', () => {
  for (const how of ['BELAY_DISABLE', 'config'] as const) {
    const s = scene();
    fs.writeFileSync(join(s.root, 'a'), 'a');
    if (how === 'config') {
      fs.mkdirSync(join(s.top, 'user/.config/belay'), { recursive: true });
      fs.writeFileSync(join(s.top, 'user/.config/belay/config.yaml'), 'checkpoints:\n  enabled: false\n');
    }
    const env: Record<string, string> = how === 'BELAY_DISABLE' ? { BELAY_DISABLE: '1' } : {};
    for (const args of [['hold'], ['end', SESSION, '1', '1'], ['settle'], ['warm']]) {
      const traced = traceOf(s, args, { input: request(s, '1', 'rm a; make'), env });
      assert.ok(traced === undefined || traced.length === 1, `${args}: ${traced}`);
    }
    assert.deepEqual([fs.existsSync(s.home), fs.readdirSync(join(s.top, 'run'))], [false, []]);
  }
});

/** Programs executed; undefined where strace is missing or may not trace. */
function traceOf(s: Scene, args: readonly string[], asked: Asked): string[] | undefined {
  const out = join(s.top, 'trace');
  const done = spawnSync('strace', ['-f', '-e', 'trace=execve', '-o', out, program, ...script, ...args], {
    cwd: '/',
    env: { ...environmentOf(s), ...asked.env },
    input: asked.input ?? '',
    timeout: 60_000,
  });
  if (done.error || !fs.existsSync(out)) return undefined;
  return fs
    .readFileSync(out, 'utf8')
    .split('\n')
    .filter((line) => /execve\(.* = 0$/.test(line));
}

test('a line whose effects are known starts no program before it runs', () => {
  const s = scene();
  for (let i = 0; i < 100; i++) fs.writeFileSync(join(s.root, `f${i}`), `${i}`);
  const started = traceOf(s, ['hold'], { input: request(s, '1', 'rm f* && echo x > f1; sed -i s/a/b/ f2') });
  assert.ok(started === undefined || started.length === 1, String(started));
  assert.equal(pendingTurns(s.home).length, 1);
});

test('bad input: a huge line, garbage as a line, no folder, no home are no failure; a request without a line is, for the shell to say', () => {
  const s = scene();
  const gone = join(s.top, 'gone');
  fs.mkdirSync(gone);
  const garbage = Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256));
  const inputs: [string, Buffer, Record<string, string>, number?][] = [
    ['garbage', garbage, {}, 70],
    ['garbage line', request(s, '1', garbage), {}],
    ['huge', request(s, '2', `rm ${'x'.repeat(100_000)}`), {}],
    ['nothing', Buffer.alloc(0), {}, 70],
    ['no home', request(s, '3', 'rm x'), { HOME: '', BELAY_HOME: '' }],
    ['no such folder', request(s, '4', 'rm x', { cwd: join(s.top, 'never') }), {}],
    ['unparsable', request(s, '5', 'rm "x; (('), {}],
  ];
  for (const [name, input, env, status = 0] of inputs) {
    const done = snap(s, ['hold'], { input, env });
    assert.deepEqual([name, done.status, done.stdout], [name, status, '']);
  }
});

test('a home that cannot be made or written: the line runs, and the next prompt has one word about it', () => {
  const s = scene();
  fs.writeFileSync(join(s.root, 'a'), 'a');
  fs.writeFileSync(join(s.top, 'file'), '');
  const done = snap(s, ['hold'], { input: request(s, '1', 'rm a'), env: { BELAY_HOME: join(s.top, 'file/home') } });
  assert.deepEqual([done.status, done.stdout], [0, '']);
  assert.match(fs.readFileSync(join(s.top, 'run/belay', SESSION, 'notice'), 'utf8'), /was not saved/);
});

test('a killed shell leaves its hold on disk, and whoever comes next settles it', async () => {
  const s = scene();
  fs.writeFileSync(join(s.root, 'a'), 'a');
  const shell = spawn('sleep', ['60']);
  snap(s, ['hold'], { input: request(s, '1', 'rm a', { pid: String(shell.pid) }) });
  fs.rmSync(join(s.root, 'a'));
  await settleAll(s.world, { wait: 10_000 });
  assert.equal(pendingTurns(s.home).length, 1, 'the shell lives: its turn is not over');
  shell.kill('SIGKILL');
  await new Promise((resolve) => shell.once('exit', resolve));
  await settleAll(s.world, { wait: 10_000 });
  const [record] = records(s);
  assert.ok(record);
  assert.equal(before(s, record, changeOf(record, 'a'))?.toString(), 'a');
});

test('killed at any instant of hold, end or settle, nothing that was held is lost', async () => {
  const s = scene();
  const expected = new Map<string, string>();
  for (let i = 1; i <= 24; i++) {
    const [turn, name, text] = [String(i), `f${i}`, `content ${i}`];
    fs.writeFileSync(join(s.root, name), text);
    const kill = (args: string[], input: Buffer | undefined, after: number): Promise<boolean> =>
      new Promise((resolve) => {
        const child = spawn(program, [...script, ...args], {
          cwd: '/',
          env: environmentOf(s),
          stdio: ['pipe', 'ignore', 'ignore'],
          detached: true,
        });
        child.stdin?.on('error', () => undefined);
        child.stdin?.end(input ?? '');
        const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), after);
        child.once('exit', (code) => {
          clearTimeout(timer);
          resolve(code === 0);
        });
      });
    const held = await kill(['hold'], request(s, turn, `rm ${name}`), (i * 7) % 60);
    if (held) expected.set(name, text);
    fs.rmSync(join(s.root, name));
    await kill(['end', SESSION, turn, String(Date.now() / 1000 + 0.001)], undefined, (i * 13) % 60);
    await kill(['settle', '--now'], undefined, (i * 31) % 200);
  }
  await settleAll(s.world, { wait: 130_000, session: SESSION, reader: true });
  const found = new Map<string, string | undefined>();
  for (const record of records(s))
    for (const change of record.changes) {
      assert.equal(found.has(change.path), false, `${change.path} twice`);
      found.set(change.path, before(s, record, change)?.toString());
    }
  for (const [name, text] of expected) assert.equal(found.get(name), text, `${name}: ${logOf(s)}`);
  assert.equal(pendingTurns(s.home).length, 0, logOf(s));
});

test('no GIT_* variable, git configuration or locale steers the store', async () => {
  const s = scene();
  spawnSync('git', ['init', '-q', s.root], { env: { PATH: process.env['PATH'] } });
  fs.writeFileSync(join(s.root, 'a'), 'a');
  fs.writeFileSync(join(s.root, 'Makefile'), 'all:\n\ttrue\n');
  const ran = join(s.top, 'ran');
  fs.writeFileSync(
    join(s.top, 'user/.gitconfig'),
    `[core]\n\tfsmonitor = touch ${ran}\n\thooksPath = /x\n[filter "x"]\n\tclean = touch ${ran}\n`,
  );
  const env = {
    GIT_DIR: '/nonexistent',
    GIT_INDEX_FILE: join(s.top, 'evil-index'),
    GIT_OBJECT_DIRECTORY: join(s.top, 'evil-objects'),
    GIT_COMMON_DIR: '/nonexistent',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.fsmonitor',
    GIT_CONFIG_VALUE_0: `touch ${ran}`,
    GIT_CONFIG_PARAMETERS: `'core.fsmonitor=touch ${ran}'`,
    GIT_QUARANTINE_PATH: '/nonexistent',
    GIT_AUTHOR_DATE: 'garbage',
    GIT_COMMITTER_DATE: 'garbage',
    GIT_WORK_TREE: '/nonexistent',
    GIT_NAMESPACE: 'evil',
    GIT_EXTERNAL_DIFF: `touch ${ran}`,
    LC_ALL: 'tr_TR.UTF-8',
  };
  const held = snap(s, ['hold'], { input: request(s, '1', 'make; rm a'), env });
  assert.equal(held.status, 0);
  fs.rmSync(join(s.root, 'a'));
  snap(s, ['end', SESSION, '1', String(Date.now() / 1000 + 0.001)], { env });
  await until(() => fs.existsSync(join(s.home, 'checkpoints/store')) && records(s).length === 1);
  assert.equal(fs.existsSync(ran), false);
  for (const name of ['evil-index', 'evil-objects']) assert.equal(fs.existsSync(join(s.top, name)), false);
  assert.equal(logOf(s), '');
});

test('without HOME there is no place to save anything: said at the next prompt, and only of a line that loses something', () => {
  const s = scene();
  fs.writeFileSync(join(s.root, 'a.txt'), 'one');
  const { HOME: _, BELAY_HOME: __, XDG_DATA_HOME: ___, ...env } = environmentOf(s);
  const said = (turn: string, line: string): string => {
    const done = spawnSync(program, [...script, 'hold'], {
      cwd: '/',
      env,
      input: request(s, turn, line),
      timeout: 60_000,
    });
    assert.equal(done.status, 0);
    const notice = join(env['XDG_RUNTIME_DIR'] ?? '', 'belay', SESSION, 'notice');
    return fs.existsSync(notice) ? fs.readFileSync(notice, 'utf8') : '';
  };
  assert.equal(said('1', 'echo hi'), '');
  assert.match(said('2', 'rm a.txt'), /was not saved \(neither HOME nor BELAY_HOME is set\)/);
});

test.run();
