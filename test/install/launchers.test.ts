import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const base = fs.mkdtempSync(join(tmpdir(), 'belay-launchers-'));
const lib = join(base, `it's "lib`, 'belay');

/** Stands where the bundles stand and says how it was started. */
const TELLS = `console.log(JSON.stringify({ args: process.argv.slice(2), env: { ...process.env }, execArgv: process.execArgv }));
if (process.argv[2] === 'exit') process.exit(Number(process.argv[3]));`;

interface Told {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

function start(program: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  return spawnSync(program, args, {
    cwd: base,
    encoding: 'utf8',
    input: 'in',
    env: { PATH: process.env.PATH ?? '', HOME: base, ...env },
  });
}

const told = (stdout: string): Told => JSON.parse(stdout) as Told;

const launchers = suite('bin/');
launchers.before(() => {
  fs.mkdirSync(lib, { recursive: true });
  fs.cpSync(join(root, 'bin'), join(lib, 'bin'), { recursive: true });
  fs.mkdirSync(join(lib, 'dist'));
  for (const name of ['belay.cjs', 'belay-snap.cjs']) fs.writeFileSync(join(lib, 'dist', name), TELLS);
});
launchers.before.each(() => fs.rmSync(join(lib, 'dist/belay-snap'), { force: true }));
launchers.after(() => fs.rmSync(base, { recursive: true, force: true }));

const compiled = (script: string): void =>
  fs.writeFileSync(join(lib, 'dist/belay-snap'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

launchers('find what they start through links of links, from any folder, and hand arguments on', () => {
  fs.mkdirSync(join(base, 'bin'));
  for (const name of ['belay', 'belay-snap']) {
    fs.symlinkSync(`../it's "lib/belay/bin/${name}`, join(base, 'bin', name));
    fs.symlinkSync(join(base, 'bin', name), join(base, `a link to ${name}`));
    const args = ['a b', '', "c'd", '--x=*', 'ü'];
    for (const program of [join(lib, 'bin', name), join(base, 'bin', name), join(base, `a link to ${name}`)])
      assert.deepEqual(told(start(program, args).stdout).args, args, program);
    assert.deepEqual(told(start('sh', [`a link to ${name}`, ...args]).stdout).args, args);
    assert.deepEqual(told(start(name, args, { PATH: `${base}/bin:${process.env.PATH}` }).stdout).args, args);
  }
});

launchers(
  '`belay -p NAME` works in that profile, and so does all that it starts; one that is not there is refused',
  () => {
    fs.cpSync(join(root, 'shims'), join(lib, 'shims'), { recursive: true });
    fs.mkdirSync(join(base, 'own/profiles/work'), { recursive: true });
    const belay = join(lib, 'bin/belay');
    const env = { BELAY_HOME: join(base, 'own') };
    for (const words of [
      ['-p', 'work', 'list'],
      ['--profile', 'work', 'list'],
      ['--profile=work', 'list'],
    ]) {
      const { args, env: handed } = told(start(belay, words, env).stdout);
      assert.deepEqual([args, handed['BELAY_PROFILE']], [['list'], 'work']);
    }
    const within = { BELAY_HOME: join(base, 'own/profiles/work'), BELAY_PROFILE: 'work' };
    assert.equal(told(start(belay, ['-p', 'default', 'list'], within).stdout).env['BELAY_PROFILE'], 'default');
    assert.equal(start(belay, ['-p', 'wrok', 'list'], within).status, 4);
    for (const name of ['../x', '', '-x', 'a b']) assert.equal(start(belay, ['-p', name, 'list'], env).status, 2, name);
    fs.rmSync(join(lib, 'shims'), { recursive: true });
  },
);

launchers('hand the exit status on', () => {
  assert.equal(start(join(lib, 'bin/belay'), ['exit', '4']).status, 4);
  assert.equal(start(join(lib, 'bin/belay-snap'), ['exit', '3']).status, 3);
  compiled('exit 3');
  assert.equal(start(join(lib, 'bin/belay-snap')).status, 3);
});

launchers('what steers node or bun in the user’s program does not steer belay', () => {
  const env = { NODE_OPTIONS: '--require /gone.js', BUN_BE_BUN: '1', BUN_OPTIONS: '--preload /gone.js' };
  const belay = told(start(join(lib, 'bin/belay'), [], env).stdout);
  assert.equal(belay.env['NODE_OPTIONS'], undefined);
  assert.equal(belay.env['BELAY_NODE_OPTIONS'], env.NODE_OPTIONS);
  compiled('env');
  const snap = start(join(lib, 'bin/belay-snap'), [], env).stdout;
  assert.doesNotMatch(snap, /^(NODE_OPTIONS|BUN_)/m);
});

launchers('belay-snap: the compiled one is taken where it runs, its input and output untouched', () => {
  compiled('echo compiled "$@"; cat');
  assert.equal(start(join(lib, 'bin/belay-snap'), ['x']).stdout, 'compiled x\nin');
});

launchers('belay-snap: the node bundle takes over where the compiled one cannot start', () => {
  for (const script of ['exit 126', 'exit 127', 'kill -ILL $$']) {
    compiled(script);
    assert.deepEqual(told(start(join(lib, 'bin/belay-snap'), ['x']).stdout).args, ['x'], script);
  }
  fs.writeFileSync(join(lib, 'dist/belay-snap'), '#!/no/such/loader\n', { mode: 0o755 });
  assert.deepEqual(told(start(join(lib, 'bin/belay-snap'), ['x']).stdout).args, ['x']);
});

launchers(
  'belay: what people wait for most is answered by the compiled program, and by node where that cannot start',
  () => {
    compiled('echo compiled "$@"');
    for (const word of ['list', 'show', 'diff', '--help'])
      assert.equal(start(join(lib, 'bin/belay'), [word, 'a b']).stdout, `compiled belay ${word} a b\n`);
    assert.deepEqual(told(start(join(lib, 'bin/belay'), ['undo']).stdout).args, ['undo']);
    fs.writeFileSync(join(lib, 'dist/belay-snap'), '#!/no/such/loader\n', { mode: 0o755 });
    assert.deepEqual(told(start(join(lib, 'bin/belay'), ['list']).stdout).args, ['list']);
  },
);

launchers('without node: one line from belay; belay-snap is silent and writes the log', () => {
  const tools = join(base, 'tools');
  fs.mkdirSync(tools);
  fs.mkdirSync(join(base, '.local/share/belay/logs'), { recursive: true });
  const sh = spawnSync('sh', ['-c', 'command -v sh'], { encoding: 'utf8' }).stdout.trim();
  fs.symlinkSync(sh, join(tools, 'sh'));
  const env = { PATH: tools };
  const belay = start(join(lib, 'bin/belay'), [], env);
  assert.equal(belay.status, 127);
  assert.match(belay.stderr, /^belay: node is not in PATH.*\n$/);
  const snap = start(join(lib, 'bin/belay-snap'), [], env);
  assert.equal(snap.status, 127);
  assert.equal(snap.stdout + snap.stderr, '');
  assert.match(fs.readFileSync(join(base, '.local/share/belay/logs/belay.log'), 'utf8'), /node is not in PATH/);
});

launchers.run();
