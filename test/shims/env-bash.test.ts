import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { within } from './given.ts';
import { type Room, root, values } from './recorder.ts';

const test = suite('bash that is not interactive');

const ENV = join(root, 'shims/env.bash');

interface Done {
  readonly out: string;
  readonly err: string;
  readonly status: number | null;
}

function run(place: Room, argv: readonly string[], env: Record<string, string> = {}, input = ''): Done {
  const [file, ...args] = argv as [string, ...string[]];
  const done = spawnSync(file, args, {
    cwd: join(place.folder, 'work'),
    // A first-level bash with a socket as its input (node gives it one) takes it for a remote shell, and reads ~/.bashrc.
    env: { SHLVL: '1', ...place.env, BASH_ENV: ENV, ...env },
    input,
    encoding: 'latin1',
    timeout: 30_000,
  });
  return { out: done.stdout, err: done.stderr, status: done.status };
}

test(
  'bash -c TEXT is handed over whole before its first redirection',
  within((place) => {
    writeFileSync(join(place.folder, 'work/f'), 'kept');
    writeFileSync(
      join(place.folder, 'snap'),
      `#!/bin/sh\n[ "$1" != hold ] || cat '${place.folder}/work/f' > '${place.folder}/seen'; cat >/dev/null\n`,
    );
    run(place, ['bash', '-c', '{ echo a; } > f', 'zero', 'one']);
    assert.is(readFileSync(join(place.folder, 'seen'), 'utf8'), 'kept');
    assert.is(readFileSync(join(place.folder, 'work/f'), 'utf8'), 'a\n');
  }),
);

test(
  'the request says text, arguments and a session of its own',
  within((place) => {
    run(place, ['bash', '-ec', 'rm -f "$1"', 'zero', 'one two']);
    const [call] = place.asked();
    assert.equal(values(call, 'line'), ['rm -f "$1"']);
    assert.equal(values(call, 'positional'), ['zero', 'one two']);
    assert.match(values(call, 'session')[0] ?? '', /^\d{8}_\d{6}_[0-9a-f]{6}$/);
    assert.equal(values(call, 'turn'), ['1']);
    assert.equal(values(call, 'interactive'), []);
  }),
);

test(
  'a shell within a turn belongs to it',
  within((place) => {
    run(place, ['bash', '-c', 'bash -c "rm -f x"; make']);
    const [outer, inner] = place.asked();
    assert.equal(values(inner, 'line'), ['rm -f x']);
    assert.equal(values(inner, 'session'), values(outer, 'session'));
    assert.equal(values(inner, 'turn'), values(outer, 'turn'));
  }),
);

test(
  'a text that was saved whole asks nothing again, and its programs see the environment as it was',
  within((place) => {
    const session = '20260101_000000_abcdef';
    const markers = join(place.env['XDG_RUNTIME_DIR'] ?? '', 'belay', session);
    mkdirSync(markers, { recursive: true });
    writeFileSync(join(markers, 'whole'), '3\n');
    const within = { BELAY_SESSION: session, BELAY_TURN: '3', PATH: `${root}/shims/bin:${place.env['PATH']}` };
    const { out } = run(place, ['bash', '-c', 'rm -f x; printenv BASH_ENV PATH; exit 0'], within);
    assert.is(out, `${place.env['PATH']}\n`);
    assert.equal(place.asked(), []);
  }),
);

test(
  'a script is planned by its name, a file on standard input by its text',
  within((place) => {
    writeFileSync(join(place.folder, 'work/s h.sh'), 'rm -f x\n');
    run(place, ['bash', 's h.sh', 'an arg']);
    assert.equal(place.lines(), ['bash s\\ h.sh an\\ arg']);
    run(place, ['sh', '-c', "bash < 's h.sh'"]);
    assert.equal(place.lines(), ['rm -f x']);
    run(place, ['bash'], {}, 'rm -f y\n');
    assert.equal(place.lines(), ['eval "$__belay_unseen"']);
  }),
);

test(
  'a harmless text or script starts no process of belay',
  within((place) => {
    writeFileSync(join(place.folder, 'work/s.sh'), '#!/bin/bash\necho "$@" | head -1 # rm -rf x\n');
    for (const argv of [
      ['-c', ':'],
      ['-c', 'echo a | cat'],
      ['s.sh', 'b'],
      ['-c', 'cd . && ls >/dev/null'],
    ])
      assert.is(run(place, ['bash', ...argv]).status, 0);
    assert.equal(place.asked(), []);
  }),
);

const SAME: readonly (readonly string[])[] = [
  ['-c', 'echo "$_|$0|$*|$#|$-|$SHLVL"', 'zero', 'one'],
  ['-c', 'rm -f "$_"; echo "$_|$0|$*|$#|$-"', 'zero', 'one'],
  ['-euc', 'set -o pipefail; false | true; echo no'],
  ['-xc', 'rm -f a; echo b'],
  ['-c', 'declare -F; compgen -v | grep -i __belay; rm -f x'],
  ['-c', 'trap "echo bye" EXIT; rm -f x; exit 4'],
  ['-c', 'set -o noclobber; rm -f x; echo > x; echo > x'],
  ['-c', 'rm -f x; kill -TERM $$'],
  ['-c', 'rm nothing'],
  ['-c', 'if then'],
  ['-c', 'exec rm nothing'],
  ['-c', 'rm -f x; shopt; set -o'],
  ['-c', 'trap -p; rm -f x; jobs; wait; echo $?'],
  ['-c', 'which rm; command -v rm; type rm; env | grep -c "^BASH_ENV=/"'],
  ['-o', 'errexit', '-o', 'posix', '-c', 'rm -f x; echo $SHELLOPTS'],
  ['-n', '-c', 'rm -f x'],
];

test(
  'status, output and variables are those of a bash without belay',
  within((place) => {
    for (const args of SAME) {
      const bare = run(place, ['bash', ...args], { BASH_ENV: '' });
      assert.equal(run(place, ['bash', ...args]), bare, args.join(' '));
    }
  }),
);

test(
  "the user's own BASH_ENV is read first, as bash would",
  within((place) => {
    writeFileSync(join(place.folder, 'home/mine'), 'mine() { rm -f "$1"; }\necho loaded >&2\n');
    const done = run(place, ['bash', '-c', 'mine x'], { BELAY_BASH_ENV: '$HOME/mine' });
    assert.equal(done, { out: '', err: 'loaded\n', status: 0 });
    assert.match(values(place.asked()[0], 'func')[0] ?? '', /^mine=mine \(\)/);
  }),
);

test(
  'belay that fails, is missing or says no',
  within((place) => {
    place.answer(9);
    assert.equal(run(place, ['bash', '-c', 'rm nothing; echo on']).out, 'on\n');
    assert.equal(run(place, ['bash', '-c', 'rm -f x; echo on'], { BELAY_SNAP: '/nowhere' }).out, 'on\n');
    assert.equal(run(place, ['bash', '-c', 'echo on'], { BASH_ENV: '/nowhere/shims/env.bash' }).out, 'on\n');
    assert.equal(run(place, ['bash', '-c', 'rm -f x; echo on'], { BELAY_DISABLE: '1' }).out, 'on\n');
    place.answer(3);
    assert.equal(run(place, ['bash', '-c', 'rm -f x; echo on']), { out: '', err: '', status: 3 });
  }),
);

test.run();
