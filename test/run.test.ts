import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const base = fs.mkdtempSync(join(tmpdir(), 'belay-runner-'));

const HEAD = "import fs from 'node:fs'; import { spawn } from 'node:child_process'; import { test } from 'uvu';\n";
const FILES: Record<string, string> = {
  'good.test.ts': "test('one', () => {}); test('two', () => {}); test.run();",
  'bad.test.ts': "test('one', () => {}); test('two', () => { throw new Error('told you'); }); test.run();",
  'crash.test.ts': "throw new Error('before any test');",
  'silent.test.ts': "test('one', () => process.exit(0)); test.run();",
  'once.test.ts':
    "test('second time lucky', () => { if (!fs.existsSync('been')) { fs.writeFileSync('been', ''); throw new Error('no'); } }); test.run();",
  'leaves.test.ts':
    "test('one', () => { const child = spawn('sleep', ['600'], { stdio: 'inherit' }); fs.writeFileSync('sleeper', String(child.pid)); child.unref(); }); test.run();",
  'both.e2e.test.ts':
    "test('one', () => fs.appendFileSync('snaps', [process.env.BELAY_TEST_SNAP, process.env.BELAY_HOME, ''].join(' ') + '\\n')); test.run();",
};

function run(...patterns: string[]) {
  const done = spawnSync(process.execPath, ['--import', './test/typescript.mjs', 'test/run.ts', ...patterns], {
    cwd: base,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, BELAY_HOME: '/somewhere' },
  });
  const lines = done.stdout.trimEnd().split('\n');
  return { status: done.status, out: done.stdout, last: lines.at(-1) };
}

const runner = suite('test/run.ts');
runner.before(() => {
  fs.mkdirSync(join(base, 'test'));
  fs.mkdirSync(join(base, 'dist'));
  fs.writeFileSync(join(base, 'package.json'), '{"type":"module"}');
  fs.symlinkSync(join(root, 'node_modules'), join(base, 'node_modules'));
  for (const name of ['run.ts', 'typescript.mjs']) fs.copyFileSync(join(root, 'test', name), join(base, 'test', name));
  for (const [name, code] of Object.entries(FILES)) fs.writeFileSync(join(base, 'test', name), HEAD + code);
});
runner.after(() => fs.rmSync(base, { recursive: true, force: true }));

runner('the last line counts single tests', () => {
  const good = run('good');
  assert.deepEqual([good.status, good.last], [0, '2 passed, 0 failed']);
  const bad = run('bad', 'good');
  assert.deepEqual([bad.status, bad.last], [1, '3 passed, 1 failed']);
  assert.match(bad.out, /told you/);
});

runner('a file that dies before its tests have run failed once', () => {
  for (const name of ['crash', 'silent'])
    assert.deepEqual([run(name).status, run(name).last], [1, '0 passed, 1 failed']);
});

runner('a file that passes the second time counts as passed and is named', () => {
  const { status, out, last } = run('once');
  assert.deepEqual([status, last], [0, '1 passed, 0 failed']);
  assert.match(out, /^unsteady: test\/once\.test\.ts$/m);
});

runner('what a test file leaves running is ended and keeps nobody waiting', () => {
  assert.equal(run('leaves').last, '1 passed, 0 failed');
  const sleeper = fs.readFileSync(join(base, 'sleeper'), 'utf8');
  const state = spawnSync('ps', ['-o', 'stat=', '-p', sleeper], { encoding: 'utf8' }).stdout;
  assert.match(state, /^Z|^$/);
});

runner('an end-to-end file runs once a build of belay-snap, free of the developer’s own settings', () => {
  assert.equal(run('both').last, '1 passed, 0 failed');
  fs.writeFileSync(join(base, 'dist/belay-snap'), '');
  assert.equal(run('both').last, '2 passed, 0 failed');
  const snaps = fs.readFileSync(join(base, 'snaps'), 'utf8').split('\n').filter(Boolean).sort();
  assert.deepEqual(snaps, ['compiled  ', 'node  ', 'node  ']);
});

runner('asked for nothing it has, it says so and fails', () => {
  const { status, out } = run('no-such-file');
  assert.deepEqual([status, out], [1, 'no test file matches\n0 passed, 0 failed\n']);
});

runner.run();
