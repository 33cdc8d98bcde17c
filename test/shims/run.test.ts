import { type SpawnSyncOptionsWithStringEncoding, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Terminal } from '../pty/terminal.ts';
import { within } from './given.ts';
import { type Room, room, root, values } from './recorder.ts';

const test = suite('belay run');

const BELAY = join(root, 'bin/belay');

function run(place: Room, argv: readonly string[], env: Record<string, string> = {}) {
  const [file, ...args] = argv as [string, ...string[]];
  const options: SpawnSyncOptionsWithStringEncoding = {
    cwd: join(place.folder, 'work'),
    env: { ...place.env, SHLVL: '1', PWD: join(place.folder, 'work'), _: 'x', ...env },
    input: 'from outside\n',
    encoding: 'latin1',
    timeout: 30_000,
  };
  const { stdout: out, stderr: err, status, signal } = spawnSync(file, args, options);
  return { out, err, status, signal };
}

test(
  'the command line is handed over whole, in a session and turn of its own',
  within((place) => {
    run(place, [BELAY, 'run', '--source', 'cron', '--', 'bash', '-c', 'rm -f "$1"\n', 'zero', "it's"]);
    const [call] = place.asked();
    assert.equal(values(call, 'line'), ["bash -c $'rm -f \"$1\"\\n' zero it\\'s"]);
    assert.match(values(call, 'session')[0] ?? '', /^\d{8}_\d{6}_[0-9a-f]{6}$/);
    assert.equal(values(call, 'turn'), ['1']);
    assert.equal(values(call, 'source'), ['cron']);
    assert.equal(values(call, 'begins'), ['1']);
  }),
);

test(
  'a source is a plain name that is none of the words of the request, however it is given',
  within((place) => {
    run(place, [BELAY, 'run', '--source=cron', '--', 'rm', '-f', 'x']);
    assert.equal(values(place.asked()[0], 'source'), ['cron']);
    for (const name of ['prompt', 'hidden', 'within', 'wrapper', '', 'a b', '../x', 'a\nhidden=1'])
      for (const words of [[`--source=${name}`], ['--source', name]]) {
        const said = run(place, [BELAY, 'run', ...words, '--', 'rm', '-f', 'x']);
        assert.is(said.status, 2, name);
        assert.match(said.err, /--source wants a name/);
      }
    assert.equal(place.asked(), []);
  }),
);

test(
  '-C starts the command in that folder, and a folder that is not there starts nothing',
  within((place) => {
    mkdirSync(join(place.folder, 'work/sub'));
    assert.is(
      run(place, [BELAY, 'run', '-C', 'sub', '--', 'sh', '-c', 'pwd; rm -f x']).out,
      `${place.folder}/work/sub\n`,
    );
    assert.equal(values(place.asked()[0], 'cwd'), [join(place.folder, 'work/sub')]);
    const said = run(place, [BELAY, 'run', '-C', 'nowhere', '--', 'rm', '-f', 'x']);
    assert.is(said.status, 2);
    assert.match(said.err, /-C wants a folder/);
  }),
);

const SAME: readonly (readonly string[])[] = [
  ['bash', '-c', 'rm -f x; exit 7'],
  ['bash', '-c', 'kill -TERM $$'],
  ['bash', '-c', 'cat; rm nothing; nosuchprogram; echo "$0 $SHLVL $#"', 'zero', 'a  b', ''],
  ['rm', 'nothing'],
  ['sh', '-c', 'rm nothing; cd /nowhere'],
  ['/bin/rm', 'nothing'],
  ['env', '-i', 'printenv'],
];

test(
  'status, signal, input, output and argv[0] are those of the program',
  within((place) => {
    for (const argv of SAME) assert.equal(run(place, [BELAY, 'run', '--', ...argv]), run(place, argv), argv.join(' '));
  }),
);

test(
  'a program that nobody can read sees the wrappers, BASH_ENV and its turn',
  within((place) => {
    const recipe = 'x: ; @echo $$BELAY_TURN; echo $$BASH_ENV; echo $$PATH';
    const { out } = run(place, [BELAY, 'run', '--', 'make', '--eval', recipe, 'x']);
    const [turn, bashEnv, path] = out.split('\n');
    assert.is(turn, '1');
    assert.is(bashEnv, join(root, 'shims/env.bash'));
    assert.ok(path?.startsWith(`${join(root, 'shims/bin')}:`));
  }),
);

test(
  'a harmless program sees nothing of belay',
  within((place) => {
    const seen = (argv: readonly string[]) =>
      run(place, argv)
        .out.split('\n')
        .filter((line) => !line.startsWith('_='))
        .sort();
    assert.equal(seen([BELAY, 'run', '--', 'printenv']), seen(['printenv']));
    assert.equal(place.asked(), []);
  }),
);

const ENDING = `#!/bin/sh
case $1 in
  hold)
    session=$(tr '\\000' '\\n' | sed -n 's/^session=//p')
    mkdir -p "$XDG_RUNTIME_DIR/belay/$session/turns"
    : > "$XDG_RUNTIME_DIR/belay/$session/turns/1"
    ;;
  end)
    echo "$@" > "$BELAY_TEST_RECORD.tmp"
    mv "$BELAY_TEST_RECORD.tmp" "$BELAY_TEST_RECORD.ended"
    ;;
esac
`;

test(
  'the turn is ended when the program is gone, whatever became of it',
  within((place) => {
    writeFileSync(join(place.folder, 'snap'), ENDING);
    mkdirSync(join(place.folder, 'run/belay'), { mode: 0o700 });
    const waiting =
      'n=0; until [ -e ../record.ended ] || [ $((n += 1)) = 600 ]; do sleep 0.05; done; cat ../record.ended';
    // By itself, and with its group once that is left alone by what waits (a process whose last word says so).
    const left =
      'grep -lszx alone /proc/[0-9]*/cmdline | xargs -r grep -lszx $$ | xargs -r grep -Lszx setsid | grep -q .';
    const group = `n=0; until ${left} || ((n++ == 400)); do sleep 0.05; done; rm -f x; kill -KILL 0`;
    for (const line of ['rm -f x; exec sh -c "kill -KILL \\$\\$"', group]) {
      run(place, ['setsid', '-w', BELAY, 'run', '--', 'bash', '-c', line]);
      assert.match(run(place, ['sh', '-c', waiting]).out, /^end \d{8}_\d{6}_[0-9a-f]{6} 1 \d+\.\d+\n$/);
      rmSync(join(place.folder, 'record.ended'));
    }
  }),
);

test(
  'belay that fails says so and lets the program run; belay that says no does not',
  within((place) => {
    place.answer(9);
    const failed = run(place, [BELAY, 'run', '--', 'rm', '-f', 'x']);
    assert.is(failed.status, 0);
    assert.match(failed.err, /^belay run: belay-snap failed[^\n]*\n$/);
    place.answer(3);
    assert.is(run(place, [BELAY, 'run', '--', 'touch', 'made']).status, 3);
    assert.is(run(place, [BELAY, 'run', '--no-checkpoints', '--', 'touch', 'made']).status, 0);
    place.answer(0);
    assert.is(run(place, [BELAY, 'run', '--', 'nosuchprogram']).status, 127);
  }),
);

test('without a program it is a shell with belay in it, in the same session', async () => {
  const place = room();
  writeFileSync(join(place.folder, 'home/.bashrc'), "PS1='@@$((++__n)):$?@@ '\n");
  const shell = await Terminal.open([BELAY, 'run'], {
    cwd: join(place.folder, 'work'),
    env: { ...place.env, SHELL: '/bin/bash' },
  });
  try {
    await shell.type('rm -f x');
    const [call] = place.asked();
    assert.equal(values(call, 'line'), ['rm -f x']);
    assert.is((await shell.type('echo $BELAY_SESSION')).text.trim(), values(call, 'session')[0]);
  } finally {
    await shell.close();
    place.close();
  }
});

test.run();
