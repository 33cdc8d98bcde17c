import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { has } from '../pty/programs.ts';
import { PROMPT, Terminal } from '../pty/terminal.ts';
import { at as atPrompt, type Setting, within } from './given.ts';
import { type Room, room, root, snippet } from './recorder.ts';

/** What has broken other tools' shell integrations, each tried on a real terminal. */
const test = suite('never in the way of bash');

const at = (rc: string, body: Parameters<typeof atPrompt>[2], setting: Setting = {}): Promise<void> =>
  atPrompt('bash', rc, body, setting);

/** Nothing of belay shows, a harmless line and a destructive one behave, and only the destructive one is handed over. */
async function sound(shell: Terminal, room: Room): Promise<void> {
  room.asked();
  assert.equal(await shell.type('echo "a b"'), { text: 'a b\n', status: 0 });
  assert.equal(await shell.type('rm -f x y'), { text: '', status: 0 });
  assert.equal(await shell.type('(exit 3)'), { text: '', status: 3 });
  assert.equal(
    room.lines().filter((line) => line.includes('rm')),
    ['rm -f x y'],
  );
}

const OPTIONS: readonly (readonly [string, string])[] = [
  ['set -u', 'set -u; __n=0'],
  ['set -o pipefail, noclobber', 'set -o pipefail -o noclobber'],
  ['functrace and errtrace', 'set -o functrace -o errtrace'],
  ['extdebug', 'shopt -s extdebug'],
  ['allexport', 'set -a'],
  ['noglob and nullglob, failglob', 'set -f; shopt -s nullglob failglob dotglob globstar extglob nocasematch'],
  ['posix mode', 'set -o posix'],
  ['vi mode', 'set -o vi'],
  ['histverify, lithist, no cmdhist', 'shopt -s histverify lithist; shopt -u cmdhist'],
  ['a strange IFS', "IFS='1:/ab'"],
  ['aliases named like keywords', "alias case=x if=x while=x for=x '[[=x' function=x '{=x'"],
  ['HISTTIMEFORMAT', "HISTTIMEFORMAT='%F %T '"],
  ['inherit_errexit, localvar', 'shopt -s inherit_errexit localvar_inherit'],
  ['an exported SHELLOPTS', 'export SHELLOPTS BASHOPTS'],
  ['checkjobs, monitor off', 'shopt -s checkjobs; set +m'],
  ['a locale with a decimal comma', 'LC_NUMERIC=de_DE.UTF-8'],
  ['no clock and no SRANDOM, as before bash 5', 'unset EPOCHREALTIME SRANDOM'],
];

for (const [what, line] of OPTIONS) {
  test(`before belay: ${what}`, () => at(`${line}\n{belay}`, sound));
  test(`after belay: ${what}`, () => at(`{belay}\n${line}`, sound));
}

test('what a line splits words by goes with it', () =>
  at('{belay}\nIFS=:', async (shell, room) => {
    room.asked();
    await shell.type('x=a:b; rm -f $x');
    const fields = room.asked().flatMap((one) => one.fields);
    assert.equal(
      fields.filter(([key, value]) => key === 'var' && value.startsWith('IFS=')),
      [['var', 'IFS=:']],
    );
  }));

test('set -e at the prompt ends the shell for a failing line only', () =>
  at('{belay}\nset -e', async (shell, room) => {
    assert.equal(await shell.type('echo a'), { text: 'a\n', status: 0 });
    assert.equal(await shell.type('rm -f x'), { text: '', status: 0 });
    assert.equal(room.lines(), ['rm -f x']);
    assert.is((await shell.type('false')).status, undefined);
  }));

test('set -e typed at the prompt, and what is exported after it, end no shell', () =>
  at('{belay}', async (shell) => {
    for (const line of ['true', 'set -e', 'true', 'export A=1', 'true', '. /dev/null', 'rm -f x', 'true'])
      assert.is((await shell.type(line)).status, 0, line);
  }));

for (const [what, rc] of [
  ['loaded twice', '{belay}\n{belay}'],
  ['PROMPT_COMMAND as an array', 'PROMPT_COMMAND=(true "__m=1")\n{belay}'],
  ['PROMPT_COMMAND ending in a semicolon', "PROMPT_COMMAND='true; '\n{belay}"],
  ['PROMPT_COMMAND ending in a comment', "PROMPT_COMMAND='true # x'\n{belay}"],
  ['PROMPT_COMMAND put in front afterwards', '{belay}\nPROMPT_COMMAND="true;$PROMPT_COMMAND"'],
  ['PS0 set by another tool before', "PS0='${__q:0:$((__q=1,0))}$(true)'; __q=1\n{belay}"],
  ['PS0 set by another tool afterwards', "{belay}\nPS0='$(true)'; PROMPT_COMMAND"],
  [
    'a hook that sets PS0 at every prompt',
    '{belay}\nhook() { PS0=\'$(true)\'; }; PROMPT_COMMAND="hook;$PROMPT_COMMAND"',
  ],
] as const)
  test(`${what}`, () =>
    at(rc.replace('; PROMPT_COMMAND', ''), async (shell, place) => {
      await shell.type('true');
      await sound(shell, place);
    }));

test('hooks of others see the status and PIPESTATUS of the line', () =>
  at('hook() { __seen="$? ${PIPESTATUS[*]}"; }; PROMPT_COMMAND=hook\n{belay}', async (shell) => {
    await shell.type('false | (exit 5)');
    assert.is((await shell.type('echo $__seen')).text, '5 1 5\n');
  }));

test("the user's DEBUG trap sees the user's commands, and belay's hook once a prompt at most", () =>
  at(`trap 'printf "%s\\n" "$BASH_COMMAND" >> ~/debug' DEBUG\n{belay}`, async (shell, room) => {
    writeFileSync(join(room.folder, 'home/debug'), '');
    await shell.type('rm -f x');
    await shell.type('echo a');
    const seen = readFileSync(join(room.folder, 'home/debug'), 'utf8').split('\n');
    for (const line of ['rm -f x', 'echo a']) assert.is(seen.filter((one) => one === line).length, 1, line);
    assert.not.ok(
      seen.some((one) => /__belay_(?!prompt|here)/.test(one)),
      seen.join('|'),
    );
  }));

test("the user's EXIT and INT traps run", () =>
  at(`trap 'echo bye > ~/bye' EXIT; trap 'echo int' INT\n{belay}`, async (shell, room) => {
    await shell.type('rm -f x');
    assert.match((await shell.type('trap -p EXIT INT')).text, /bye > ~\/bye' EXIT\n.*echo int' SIGINT\n/s);
    assert.is((await shell.type('exit 4')).status, undefined);
    assert.ok(existsSync(join(room.folder, 'home/bye')));
  }));

test('^C while belay saves cancels the line and leaves a sound prompt', () =>
  at('{belay}', async (shell, room) => {
    // It becomes `sleep`: a signal between dash's fork and its child's exec is lost.
    writeFileSync(join(room.folder, 'snap'), '#!/bin/sh\necho holding >&2; exec sleep 60\n');
    shell.send('touch made\r');
    await shell.shows('holding');
    shell.send('\x03');
    await shell.prompt();
    assert.not.ok(existsSync(join(room.folder, 'work/made')));
    writeFileSync(join(room.folder, 'snap'), '#!/bin/sh\ncat > /dev/null\n');
    assert.equal(await shell.type('touch made; echo on'), { text: 'on\n', status: 0 });
  }));

/** Runs a text of sh whose programs are the wrappers. */
function wrapped(place: Room, text: string): string {
  const done = spawnSync('/bin/sh', ['-c', text], {
    cwd: join(place.folder, 'work'),
    env: { ...place.env, PATH: `${root}/shims/bin:${place.env['PATH']}` },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return done.stdout + done.stderr;
}

test(
  'SIGTERM ends a wrapped program with 143, also one that is only being saved for',
  within((place) => {
    const started = 'mkfifo pipe; tee f <pipe & child=$!; exec 3>pipe; echo a >&3; until [ -s f ]; do sleep 0.02; done';
    assert.match(wrapped(place, `${started}; kill -TERM $child; wait $child; echo $?`), /^143$/m);
    writeFileSync(join(place.folder, 'snap'), '#!/bin/sh\necho $$ >"$HOME/saving"; exec sleep 60\n');
    const saving = 'echo kept >x; rm x & child=$!; until [ -s ~/saving ]; do sleep 0.02; done';
    const said = wrapped(place, `${saving}; kill -TERM $child; wait $child; echo $?; cat x; kill $(cat ~/saving)`);
    assert.match(said, /^143\nkept\n/m);
  }),
);

test(
  'env -i: a wrapper called by its path finds its program without PATH, and a shell without anything runs',
  within((place) => {
    const text = `>x; env -i '${root}/shims/bin/rm' -v x; env -i bash -c 'echo "$0 $#"' zero; env -i git --version`;
    assert.match(wrapped(place, text), /^removed 'x'\nzero 0\ngit version /);
  }),
);

test('PATH empty, HOME unset, XDG_RUNTIME_DIR gone', () =>
  at('{belay}', async (shell) => {
    assert.is((await shell.type('PATH=; echo a')).text, 'a\n');
    assert.is((await shell.type('unset HOME XDG_RUNTIME_DIR; echo b')).text, 'b\n');
    assert.is((await shell.type('echo c > x; echo d')).text, 'd\n');
  }));

test('closed standard error and input', () =>
  at('{belay}', async (shell, room) => {
    await shell.type('exec 3>&2');
    assert.is((await shell.type('rm -f x 2>&-; echo on')).text, 'on\n');
    assert.is((await shell.type('rm -f x <&-; echo on')).text, 'on\n');
    assert.is(room.lines().filter((line) => line.includes('rm')).length, 2);
  }));

test('a deleted working directory', () =>
  at('{belay}', async (shell, room) => {
    await shell.type('mkdir gone; cd gone; rmdir ../gone');
    room.asked();
    const said = await shell.type('rm -f x; echo on');
    assert.is(said.text, 'on\n');
    assert.equal(room.lines(), ['rm -f x; echo on']);
  }));

test('a readonly HISTTIMEFORMAT: the line is known', () =>
  at('readonly HISTTIMEFORMAT=x\n{belay}', async (shell, room) => {
    assert.equal(await shell.type('echo a'), { text: 'a\n', status: 0 });
    await shell.type('rm -f x');
    assert.equal(room.lines(), ['rm -f x']);
  }));

for (const [what, setting] of [
  ['TERM=dumb', { env: { TERM: 'dumb' } }],
  ['no line editing', { args: ['--noediting'] }],
] as const)
  test(`${what}`, () =>
    at(
      '{belay}',
      async (shell, place) => {
        place.asked();
        assert.match((await shell.type('rm -f x y')).text, /^(rm -f x y\n)?$/);
        assert.match((await shell.type('echo a')).text, /^(echo a\n)?a\n$/);
        assert.equal(place.lines(), ['rm -f x y']);
      },
      setting,
    ));

test('child shells that inherit PS0 and PROMPT_COMMAND without the functions say nothing', () =>
  at('set -a\n{belay}\nexport PS0 PS1 PROMPT_COMMAND __n', async (shell) => {
    const child = await shell.type('unset -f $(compgen -A function); bash --norc -i');
    assert.not.match(child.text, /not found|belay/);
    assert.equal(await shell.type('echo in child'), { text: 'in child\n', status: 0 });
  }));

test('a child shell that loads belay has a session of its own', () =>
  at(
    '{belay}',
    async (shell, room) => {
      const outer = (await shell.type('echo $BELAY_SESSION')).text;
      await shell.type(`bash --noprofile --rcfile '${room.folder}/rc' -i`).catch(() => undefined);
      await shell.type('true');
      const inner = (await shell.type('echo $BELAY_SESSION')).text;
      assert.match(inner, /^\d{8}_\d{6}_[0-9a-f]{6}\n$/);
      assert.is.not(inner, outer);
    },
    { env: { __n: '0' } },
  ));

test('a login shell', async () => {
  const place = room();
  writeFileSync(join(place.folder, 'home/.bash_profile'), `PS1='${PROMPT}'\n${snippet('bash')}\n`);
  const shell = await Terminal.open(['bash', '-l'], { cwd: join(place.folder, 'work'), env: place.env });
  try {
    await sound(shell, place);
  } finally {
    await shell.close();
    place.close();
  }
});

if (has('tmux'))
  test('within tmux', async () => {
    const place = room();
    const tmux = `tmux -S '${place.folder}/tmux'`;
    writeFileSync(join(place.folder, 'tmux.rc'), `PS1='${PROMPT}'\n${snippet('bash')}\n`);
    const shell = await place.bash();
    try {
      await shell.type(
        `${tmux} -f /dev/null new-session -d -x 200 -y 50 "bash --noprofile --rcfile '${place.folder}/tmux.rc' -i"`,
      );
      await shell.type(`${tmux} send-keys 'rm -f x' Enter`);
      // Written to its end: the mark behind the request is there.
      await shell.type(`until grep -qa $'\\002' "$BELAY_TEST_RECORD"; do sleep 0.05; done 2>/dev/null`);
      assert.equal(place.lines(), ['rm -f x']);
    } finally {
      await shell.type(`${tmux} kill-server`);
      await shell.close();
      place.close();
    }
  });

test('belay moved away while the shell runs: said of each line that is not saved, and lines run', async () => {
  const place = room();
  const moved = join(place.folder, 'belay-here');
  mkdirSync(moved);
  for (const name of ['bin', 'shims', 'dist'])
    if (existsSync(join(root, name))) symlinkSync(join(root, name), join(moved, name));
  delete place.env['BELAY_SNAP'];
  const shell = await place.bash(`eval "$('${moved}/bin/belay' init bash)"`);
  try {
    await shell.type(`__belay_root='${moved}'`);
    renameSync(moved, `${moved}-gone`);
    for (const line of ['touch a; echo on', 'touch b; echo on']) {
      const { text, status } = await shell.type(line);
      assert.match(text, /^on\nbelay: belay-snap failed \(status 127\)/);
      assert.is(status, 0);
    }
    assert.equal(await shell.type('echo on'), { text: 'on\n', status: 0 });
    assert.match((await shell.type('belay list')).text, /not found|No such file/);
  } finally {
    await shell.close();
    place.close();
  }
});

test('a start-up file without a terminal is left as it is', async () => {
  const place = room();
  try {
    const done = spawnSync('bash', ['-c', `${snippet('bash')}; echo after; declare -p PS0 BELAY_SESSION 2>&1`], {
      env: place.env,
      encoding: 'utf8',
    });
    assert.match(done.stdout, /^after\n/);
    assert.not.match(done.stdout, /declare -/);
  } finally {
    place.close();
  }
});

test.run();
