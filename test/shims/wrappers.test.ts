import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { within } from './given.ts';
import { wrapperRoots } from './native.ts';
import { root as checkout, type Room, values } from './recorder.ts';

const test = suite('wrappers in PATH');

const REAL = '/usr/local/bin:/usr/bin:/bin';

const roots = wrapperRoots();

for (const { kind, root } of roots) {
  const WRAPPERS = join(root, 'shims/bin');

  interface Setting {
    readonly path?: string;
    readonly env?: Record<string, string>;
    readonly input?: string;
  }

  /** Runs a line of `sh` by its absolute name, so that only PATH decides what its words are. */
  function line(place: Room, text: string, { path = `${WRAPPERS}:${REAL}`, env = {}, input = '' }: Setting = {}) {
    const done = spawnSync('/bin/sh', ['-c', text], {
      cwd: join(place.folder, 'work'),
      env: { ...place.env, SHLVL: '1', PATH: path, ...env },
      input,
      encoding: 'latin1',
      timeout: 30_000,
    });
    return { out: done.stdout, err: done.stderr, status: done.status, signal: done.signal };
  }

  test(
    `${kind}: a program called by name is saved first, by its arguments`,
    within((place) => {
      line(place, 'rm -f "a b" c');
      const [call] = place.asked();
      assert.equal(values(call, 'line'), ['rm -f a\\ b c']);
      assert.equal(values(call, 'cwd'), [join(place.folder, 'work')]);
      line(place, "xargs rm -f; find . -name x -delete; git reset --hard; sh -c 'echo > f'", { input: 'x\n' });
      assert.equal(place.lines(), [
        'xargs rm -f',
        'rm -f x',
        'find . -name x -delete',
        'git reset --hard',
        'sh -c echo\\ \\>\\ f',
      ]);
    }),
  );

  test(
    `${kind}: what cannot destroy anything, and what a whole turn has saved, starts nothing`,
    within((place) => {
      line(place, 'git status; git log -1; find . -name x; sed -n 1p /dev/null; tar tf /dev/null');
      assert.equal(place.asked(), []);
      const markers = join(place.folder, 'run/belay/20260101_000000_abcdef');
      mkdirSync(markers, { recursive: true });
      writeFileSync(join(markers, 'whole'), '4\n');
      const env = { BELAY_SESSION: '20260101_000000_abcdef', BELAY_TURN: '4' };
      line(place, 'rm -f x; git clean -n; sh -c "rm -f y"', { env });
      assert.equal(place.asked(), []);
      line(place, 'rm -f x', { env: { ...env, BELAY_TURN: '5' } });
      assert.equal(values(place.asked()[0], 'turn'), ['5']);
    }),
  );

  const SAME: readonly string[] = [
    'rm nothing; rmdir nothing; unlink nothing; mv nothing x; cp nothing x; ln nothing x; install nothing x',
    'rm --help | head -3; rm; cp; mv a',
    'sed --nosuch; dd if=nothing; truncate; shred; tee /nowhere/x </dev/null; unzip nothing.zip',
    'perl -e "print qq{\\$0 @ARGV\\n}; exit 3" a "b  c"; echo $?',
    'perl -e "print \\$^X"; perl -ne "print uc"',
    'find . -type f; find /nowhere; find . -exec echo {} \\;',
    'xargs echo; echo a b | xargs -n1 sh -c "echo got \\$0"',
    'git --version; git nosuch; git -C /nowhere status; git rev-parse --git-dir',
    'tar; tar xf nothing; rsync --nosuch; patch -p1 nothing < /dev/null',
    'sh -c "echo \\$0 \\$#" zero one; bash -c "echo \\$0 \\$#" zero one; sh nothing.sh',
    'sh -c "exit 9"; echo $?; bash -c "kill -TERM \\$\\$"; echo $?',
    'echo text | tee f; cat f; sed -i s/t/T/ f; cat f; cp f g; mv g h; cat h; rm f h; ls',
    'printf "echo from input\\n" | sh; printf "echo from input\\n" | bash',
    'env "a.b=kept" "BASH_FUNC_x%%=() { echo kept; }" find . -maxdepth 0 -exec env \\; | grep -a kept | sort',
    'PATH=; rm -f x; git --version',
    'exec rm nothing',
    'IFS=e; rm -f trees; echo $IFS',
  ];

  test(
    `${kind}: status, output, argv[0], input and environment are those of the program`,
    within((place) => {
      for (const text of SAME) assert.equal(line(place, text), line(place, text, { path: REAL }), text);
    }),
  );

  test(
    `${kind}: the real program is found past every folder of belay, linked and doubled`,
    within((place) => {
      symlinkSync(WRAPPERS, join(place.folder, 'linked'));
      cpSync(join(root, 'shims'), join(place.folder, 'other/shims'), { recursive: true });
      const path = [
        WRAPPERS,
        join(place.folder, 'linked'),
        join(place.folder, 'other/shims/bin'),
        `${WRAPPERS}/`,
        REAL,
      ].join(':');
      assert.equal(
        line(place, 'rm nothing; git --version; sh -c "echo a"', { path }),
        line(place, 'rm nothing; git --version; sh -c "echo a"', { path: REAL }),
      );
    }),
  );

  test(
    `${kind}: a folder of PATH in the home folder that is spelt ~ is one for a bash, and for no other shell`,
    within((place) => {
      mkdirSync(join(place.folder, 'own'));
      writeFileSync(join(place.folder, 'own/rm'), '#!/bin/sh\necho own\n', { mode: 0o755 });
      const env = { HOME: place.folder };
      for (const text of ["bash -c 'rm nothing; :'", "dash -c 'rm nothing; :'"]) {
        const bare = line(place, text, { path: `~/own:${REAL}`, env });
        assert.equal(line(place, text, { path: `${WRAPPERS}:~/own:${REAL}`, env }), bare, text);
        assert.is(bare.out, text.startsWith('bash') ? 'own\n' : '', bare.err);
      }
    }),
  );

  test(
    `${kind}: somebody else's wrapper that looks the program up again does not loop`,
    within((place) => {
      const other = join(place.folder, 'asdf');
      mkdirSync(other);
      writeFileSync(join(other, 'git'), '#!/bin/sh\nexec git "$@"\n');
      chmodSync(join(other, 'git'), 0o755);
      const { out, status } = line(place, 'git --version', { path: `${WRAPPERS}:${other}:${REAL}` });
      assert.is(status, 0);
      assert.match(out, /^git version/);
    }),
  );

  test(
    `${kind}: somebody else's wrapper that starts the first other one in PATH comes to an end`,
    within((place) => {
      const other = join(place.folder, 'shims');
      mkdirSync(other);
      const search = `for d in $(echo "$PATH" | tr : ' '); do [ "$d/$n" = "$0" ] || [ ! -x "$d/$n" ] || break; done; "$d/$n" --version >/dev/null; "$d/$n" "$@"`;
      for (const name of ['git', 'rm']) {
        writeFileSync(join(other, name), `#!/bin/sh\nn=${name}; ${search}\n`);
        chmodSync(join(other, name), 0o755);
      }
      const { out, status } = line(place, 'git --version; rm -f x', { path: `${WRAPPERS}:${other}:${REAL}` });
      assert.is(status, 0);
      assert.match(out, /^git version/);
    }),
  );

  test(
    `${kind}: somebody's own text that becomes the program is found however deep the calls are`,
    within((place) => {
      const own = join(place.folder, 'own');
      mkdirSync(own);
      writeFileSync(join(own, 'perl'), '#!/bin/sh\nOWN=yes exec /usr/bin/perl "$@"\n', { mode: 0o755 });
      const deep = 'print $ENV{OWN} // "none", " "; delete $ENV{OWN}; $n = shift; system "perl", $0, $n - 1 if $n';
      writeFileSync(join(place.folder, 'work/deep.pl'), `$| = 1; ${deep}`);
      const { out } = line(place, 'perl deep.pl 6', {
        path: `${WRAPPERS}:${own}:${REAL}`,
        env: { BELAY_DISABLE: '1' },
      });
      assert.is(out, 'yes '.repeat(7));
    }),
  );

  test(
    `${kind}: what belay-snap starts is not saved in turn`,
    within((place) => {
      writeFileSync(
        join(place.folder, 'snap'),
        '#!/bin/sh\necho "$1" >> "$HOME/calls"; rm -f nothing; bash -c "rm -f nothing"; cat > /dev/null\n',
      );
      line(place, 'rm -f x', { env: { BASH_ENV: join(root, 'shims/env.bash') } });
      assert.is(readFileSync(join(place.folder, 'home/calls'), 'utf8'), 'hold\n');
    }),
  );

  test(
    `${kind}: without the program it is said as a shell would; without belay the program runs`,
    within((place) => {
      const none = line(place, 'unzip x', { path: WRAPPERS });
      assert.is(none.status, 127);
      assert.match(none.err, /unzip: command not found/);
      place.answer(9);
      assert.is(line(place, 'rm -f x').status, 0);
      assert.is(line(place, 'rm -f x', { env: { BELAY_SNAP: '/nowhere' } }).status, 0);
      place.answer(3);
      assert.is(line(place, 'touch kept; rm kept').status, 1);
      assert.ok(readdirSync(join(place.folder, 'work')).includes('kept'));
      place.asked();
      assert.is(line(place, 'rm kept', { env: { BELAY_DISABLE: '1' } }).status, 0);
      assert.equal(place.asked(), []);
    }),
  );

  test(
    `${kind}: a program that is a text without a first line for the kernel is run by a shell`,
    within((place) => {
      const other = join(place.folder, 'own');
      mkdirSync(other);
      writeFileSync(join(other, 'unzip'), 'echo "own $*"\n');
      chmodSync(join(other, 'unzip'), 0o755);
      const env = { BELAY_DISABLE: '1' };
      assert.is(line(place, 'unzip -l "a  b"', { path: `${WRAPPERS}:${other}:${REAL}`, env }).out, 'own -l a  b\n');
    }),
  );

  test(
    `${kind}: a wrapper is itself however it is called`,
    within((place) => {
      const calls = `cd '${WRAPPERS}' && ./rm nothing; cd ..; bin/rm nothing; '${WRAPPERS}/rm' nothing; PATH=bin:$PATH; rm nothing`;
      const bare = '/bin/sh -c "rm nothing; rm nothing; rm nothing; rm nothing"';
      assert.is(line(place, calls).err, line(place, bare, { path: REAL }).err);
      assert.is(place.lines().length, 4);
    }),
  );
}

test('where the scripts cannot run, the program becomes the real one all the same', () => {
  const place = roots.find(({ kind }) => kind === 'program')?.root;
  if (place === undefined) return;
  renameSync(join(place, 'shims/script'), join(place, 'shims/away'));
  try {
    const env = { PATH: `${place}/shims/bin:${REAL}` };
    const said = spawnSync('/bin/sh', ['-c', 'rm nothing; git --version; unzip-not-there'], { env, encoding: 'utf8' });
    assert.match(said.stderr, /^rm: .*nothing/);
    assert.match(said.stdout, /^git version/);
    const none = spawnSync(`${place}/shims/bin/unzip`, { env: { PATH: '/nowhere' }, encoding: 'utf8' });
    assert.is(none.status, 127);
    assert.match(none.stderr, /unzip: command not found/);
  } finally {
    renameSync(join(place, 'shims/away'), join(place, 'shims/script'));
  }
});

test('a program that does not run on this machine leaves the scripts where they are', () => {
  const folder = mkdtempSync(join(tmpdir(), 'belay-native-'));
  try {
    cpSync(join(checkout, 'shims'), join(folder, 'shims'), { recursive: true });
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'dist/wrapper'), '\x7fELF for another machine', { mode: 0o755 });
    assert.is(spawnSync('sh', [join(folder, 'shims/parts/native.sh'), folder]).status, 0);
    assert.equal(readdirSync(join(folder, 'shims')), readdirSync(join(checkout, 'shims')));
    assert.equal(readFileSync(join(folder, 'shims/bin/rm')), readFileSync(join(checkout, 'shims/bin/rm')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.run();
