import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { has } from '../pty/programs.ts';
import { Terminal } from '../pty/terminal.ts';
import { within } from './given.ts';
import { type Room, room, root, values } from './recorder.ts';

/** The ways by which shells that nobody types at come to belay, each asked for what it hands over. */
const test = suite('shells that programs start');

const BELAY = join(root, 'bin/belay');

/** The environment of `belay init bash --print-env`. */
function protectedEnv(place: Room, more: Record<string, string> = {}): Record<string, string> {
  const env = { ...place.env, ...more };
  const said = spawnSync(BELAY, ['init', 'bash', '--print-env'], { env, encoding: 'utf8' }).stdout;
  const entries = said.split('\n').filter((line) => line.includes('='));
  return {
    ...env,
    ...Object.fromEntries(entries.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])),
  };
}

function run(place: Room, env: Record<string, string>, argv: readonly string[], input = '') {
  const [file, ...args] = argv as [string, ...string[]];
  const { stdout, stderr, status } = spawnSync(file, args, {
    cwd: join(place.folder, 'work'),
    env,
    input,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { out: stdout, err: stderr, status };
}

if (has('make')) {
  const makefile = (place: Room, text: string): void => writeFileSync(join(place.folder, 'work/Makefile'), text);

  test(
    'make: a recipe is planned whole, redirections and all',
    within((place) => {
      makefile(place, 'x:\n\t@echo lost > f\n');
      assert.is(run(place, protectedEnv(place), ['make']).status, 0);
      assert.ok(
        place.lines().some((line) => line.includes('echo\\ lost\\ \\>\\ f')),
        'the recipe',
      );
    }),
  );

  test(
    'make: its list of makefiles, its first goal, its messages and a SHELL of its own stay as they are',
    within((place) => {
      makefile(
        place,
        'first:\n\t@echo $(firstword $(MAKEFILE_LIST)) $(words $(MAKEFILE_LIST)) $$0; nosuchprogram\nsecond: SHELL := /bin/bash\nsecond:\n\t@echo $$0 $${BASH_VERSION:+bash}\n',
      );
      for (const goal of [[], ['second'], ['nogoal'], ['-n', 'first']])
        assert.equal(
          run(place, protectedEnv(place), ['make', ...goal]),
          run(place, place.env, ['make', ...goal]),
          goal.join(),
        );
    }),
  );

  test(
    "make: the user's own MAKEFILES are read too",
    within((place) => {
      writeFileSync(join(place.folder, 'own.mk'), 'OWN := theirs\n');
      makefile(place, 'x:\n\t@echo $(OWN)\n');
      const env = protectedEnv(place, { MAKEFILES: join(place.folder, 'own.mk') });
      assert.is(run(place, env, ['make']).out, 'theirs\n');
    }),
  );
}

test(
  'bash that reads a socket, without SHLVL, is planned too',
  within(async (place) => {
    const env = protectedEnv(place);
    assert.is(env['SHLVL'], '1');
    const shell = spawn('bash', ['-c', 'rm -f nothing'], { cwd: join(place.folder, 'work'), env, stdio: 'pipe' });
    await new Promise((done) => shell.once('close', done));
    const [first] = place.asked(); // the wrapper of rm asks as well
    assert.equal(values(first, 'line'), ['rm -f nothing']);
    assert.equal(values(first, 'shell'), ['bash']);
    assert.equal(values(first, 'begins'), ['1']);
  }),
);

test(
  'belay run hands on names that dash would drop',
  within((place) => {
    const env = { ...place.env, 'BASH_FUNC_kept%%': '() { echo kept; }', 'a.b': 'dotted' };
    const { out } = run(place, env, [BELAY, 'run', '--', 'bash', '-c', 'kept; env | grep -a ^a.b=; eval ": $(date)"']);
    assert.is(out, 'kept\na.b=dotted\n');
  }),
);

if (has('fish'))
  test(
    'fish -c and a script of fish, called by name',
    within((place) => {
      writeFileSync(join(place.folder, 'work/x.fish'), 'echo lost > f\n');
      run(place, protectedEnv(place), ['fish', '-c', 'echo lost > f']);
      run(place, protectedEnv(place), ['fish', 'x.fish']);
      assert.equal(place.lines(), ['fish -c echo\\ lost\\ \\>\\ f', 'fish x.fish']);
    }),
  );

test('an interactive POSIX shell has the wrappers in front, whatever its start-up file did to PATH', async () => {
  const place = room();
  try {
    writeFileSync(join(place.folder, 'own.sh'), `PATH=/usr/bin:/bin; PS1='@@1:0@@ '; OWN=read\n`);
    const env = protectedEnv(place, { ENV: join(place.folder, 'own.sh') });
    const shell = await Terminal.open(['dash', '-i'], { cwd: join(place.folder, 'work'), env });
    shell.send('rm -f nothing; echo $OWN $PATH\r');
    await shell.shows(`read ${root}/shims/bin:`);
    assert.equal(place.lines(), ['rm -f nothing']);
    await shell.close();
  } finally {
    place.close();
  }
});

const mayMount = spawnSync('unshare', ['--mount', 'true']).status === 0;
if (!mayMount) console.log('skipped: no mount namespace may be made here, so belay run --sandbox is not tried');
else {
  const sandboxed = (place: Room, argv: readonly string[]) =>
    run(place, place.env, [BELAY, 'run', '--sandbox', '--', ...argv]);

  test(
    'belay run --sandbox: /bin/sh by its absolute name is planned whole, and so is a script that names it',
    within((place) => {
      sandboxed(place, ['node', '-e', 'require("child_process").execSync("echo lost > f")']);
      assert.ok(place.lines().includes('/bin/sh -c echo\\ lost\\ \\>\\ f'));
      writeFileSync(join(place.folder, 'work/script'), '#!/bin/sh\necho lost > f\n', { mode: 0o755 });
      sandboxed(place, ['sh', '-c', 'eval ": $(date)"; exec ./script']);
      assert.ok(place.lines().includes('/bin/sh ./script'));
    }),
  );

  test(
    'belay run --sandbox: status, output and messages are those of the program; outside /bin/sh is what it was',
    within((place) => {
      const program = [
        'node',
        '-e',
        'const r = require("child_process").spawnSync("/bin/sh", ["-c", "echo $0 $#; nosuchprogram; cat; kill -TERM $$", "zero", "a b"], { input: "from outside\\n", encoding: "utf8" }); console.log(r.stdout, r.stderr, r.signal)',
      ];
      assert.equal(sandboxed(place, program), run(place, place.env, program));
      assert.equal(
        sandboxed(place, ['bash', '-c', 'rm nothing; exit 7']),
        run(place, place.env, ['bash', '-c', 'rm nothing; exit 7']),
      );
      assert.match(readFileSync('/bin/sh', 'latin1').slice(1, 4), /ELF/);
    }),
  );
}

test(
  'belay run --sandbox refuses clearly where no namespace can be made, and runs nothing',
  within((place) => {
    const bin = join(place.folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'unshare'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const env = { ...place.env, PATH: `${bin}:${place.env['PATH'] ?? ''}` };
    const done = run(place, env, [BELAY, 'run', '--sandbox', '--', 'sh', '-c', 'echo > made']);
    assert.is(done.status, 125);
    assert.match(done.err, /^belay run --sandbox: this kernel allows no mount namespace here; nothing was run\. .*\n$/);
    assert.not.ok(existsSync(join(place.folder, 'work/made')));
  }),
);

const until = async (holds: () => boolean): Promise<void> => {
  for (const end = Date.now() + 30_000; !holds(); ) {
    if (Date.now() > end) throw new Error('it did not come to pass');
    await new Promise((done) => setTimeout(done, 20));
  }
};

test(
  'belay run --background says the session at once, writes a log, and belay stop ends it',
  within(async (place) => {
    const text = 'echo began; rm -f nothing; eval ": $(date)"; sleep 1000 & wait';
    const begun = run(place, place.env, [BELAY, 'run', '--background', '--', 'bash', '-c', text]);
    assert.match(begun.out, /^\d{8}_\d{6}_[0-9a-f]{6}\n$/);
    const session = begun.out.trim();
    const log = join(place.folder, 'belay/logs', `${session}.log`);
    await until(() => existsSync(log) && readFileSync(log, 'utf8') === 'began\n');
    const [call] = place.asked();
    assert.equal(values(call, 'session'), [session]);
    assert.equal(values(call, 'source'), ['batch']);
    const [pid] = readFileSync(join(place.folder, 'belay/background', session), 'utf8').split(' ');
    assert.is(run(place, place.env, [BELAY, 'stop', session]).status, 0);
    await until(
      () => !/^(?!.*\) Z)/.test(existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : ') Z'),
    );
    assert.is(run(place, place.env, [BELAY, 'stop', session]).status, 4);
  }),
);

test(
  'what has ended in the background is forgotten when something else begins; what runs is not',
  within(async (place) => {
    const own = { ...place.env, BELAY_SESSION: '20260101_000000_abcdef' };
    const begin = (text: string, env: Record<string, string> = own): string =>
      run(place, env, [BELAY, 'run', '--background', '--', 'bash', '-c', text]).out.trim();
    const known = (): string[] => readdirSync(join(place.folder, 'belay/background')).sort();
    const gone = begin('rm -f nothing');
    const [pid] = readFileSync(join(place.folder, 'belay/background', gone), 'utf8').split(' ');
    await until(() => !existsSync(`/proc/${pid}`) || readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z'));
    const runs = begin('rm -f nothing; sleep 1000');
    assert.equal(known(), [runs]);
    const too = begin('rm -f nothing; sleep 1000');
    assert.equal(known(), [runs, too].sort());
    // Those of another session are not this one's to end.
    const other = begin('rm -f nothing; sleep 1000', place.env);
    assert.is(run(place, own, [BELAY, 'stop']).out, `${[runs, too].sort().join(' stopped\n')} stopped\n`);
    assert.equal(known(), [other]);
    assert.is(run(place, own, [BELAY, 'stop']).out, `${other} stopped\n`);
    assert.equal(known(), []);
  }),
);

test(
  'belay stop takes no other process for the one that was recorded',
  within((place) => {
    mkdirSync(join(place.folder, 'belay/background'), { recursive: true });
    writeFileSync(join(place.folder, 'belay/background/20260101_000000_abcdef'), `${process.pid} 1\n`);
    assert.is(run(place, place.env, [BELAY, 'stop', '20260101_000000_abcdef']).status, 4);
    assert.is(run(place, place.env, [BELAY, 'stop', '../logs']).status, 4);
  }),
);

test.run();
