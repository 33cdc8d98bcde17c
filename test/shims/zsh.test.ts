import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { has } from '../pty/programs.ts';
import type { Terminal } from '../pty/terminal.ts';
import { at as atPrompt } from './given.ts';
import { type Room, root, values } from './recorder.ts';

const test = suite('zsh at a prompt');

const at = (rc: string, body: Parameters<typeof atPrompt>[2]): Promise<void> => atPrompt('zsh', rc, body);

test('$?, $_ and pipestatus stay as the line left them', () =>
  at('{belay}', async (shell) => {
    await shell.type('(exit 7)');
    assert.is((await shell.type('echo $?')).text, '7\n');
    await shell.type('false | true | false');
    assert.is((await shell.type('echo $pipestatus')).text, '1 0 1\n');
    await shell.type('rm -f nothing last');
    assert.is((await shell.type('echo $_')).text, 'last\n');
  }));

test('the request names what only the shell knows', () =>
  at('{belay}\nalias del="rm -rf \\$d"\nwipe() { rm "$g"; }', async (shell, room) => {
    const before = ['d=/some/where', 'g="a b"', 'h=(one "two three")', 'typeset -A m=(k v)', 'setopt globdots'];
    for (const line of [...before, 'hash -d pp=$PWD; nameddirs[qq]=/x', 'setopt autonamedirs; rr=/some/rr'])
      await shell.type(line);
    room.asked();
    await shell.type('wipe $h $m[k] ~pp/a ~qq ~rr/b; del');
    const [call] = room.asked();
    const of = (key: string) => values(call, key);
    assert.equal(of('shell'), ['zsh']);
    assert.equal(of('line'), ['wipe $h $m[k] ~pp/a ~qq ~rr/b\nrm -rf $d']);
    assert.equal(of('typed'), ['wipe $h $m[k] ~pp/a ~qq ~rr/b; del']);
    assert.equal(of('cwd'), [join(room.folder, 'work')]);
    assert.equal(of('interactive'), ['1']);
    assert.match(of('func').join(), /^wipe=wipe \(\)/);
    for (const value of ['d=/some/where', 'g=a b']) assert.ok(of('var').includes(value), value);
    assert.equal(of('arr').sort(), ['h[1]=one', 'h[2]=two three', 'm[k]=v']);
    assert.equal(of('hash'), [`~pp=${join(room.folder, 'work')}`, '~qq=/x', '~rr=/some/rr']);
    assert.match(of('session')[0] ?? '', /^\d{8}_\d{6}_[0-9a-f]{6}$/);
    assert.ok((of('options')[0] ?? '').split(' ').includes('dotglob'));
  }));

test('under options that change the language everything still works', () =>
  at(
    'setopt ksharrays shwordsplit nounset noclobber extendedglob nullglob errreturn localtraps warncreateglobal\n{belay}\n{belay}',
    async (shell, room) => {
      assert.is((await shell.type('rm -f x y')).text, '');
      assert.is((await shell.type('ls')).text, '');
      assert.equal(room.lines(), ['rm -f x y']);
    },
  ));

const BESIDE = ['echo x > f', 'echo x | tee f', 'rm [ab].txt', 'ls | cat; rm f', 'rm f; (exit 7)', 'git reset --hard'];

for (const [what, setup] of [
  ['split words', 'setopt shwordsplit'],
  ['make patterns of them', 'setopt globsubst nomatch'],
  ['are those of another shell', 'emulate ksh'],
] as const)
  test(`options that ${what} change nothing of what is handed over`, () =>
    at('{belay}', async (shell, room) => {
      await shell.type(setup);
      room.answer(3); // nothing runs
      room.asked();
      for (const line of BESIDE) assert.is((await shell.type(line)).text.trim(), '', line);
      assert.equal(
        room.asked().flatMap((call) => values(call, 'typed')),
        BESIDE,
      );
    }));

test('a function of the person by the name of a builtin is none of belay', () =>
  at('{belay}', async (shell, room) => {
    const names = [
      'printf',
      'print',
      'read',
      'kill',
      'trap',
      'unset',
      'setopt',
      'emulate',
      'strftime',
      'umask',
      'eval',
    ];
    await shell.type(`[() { builtin return 1; }; ${names.map((name) => `${name}() { :; }`).join('; ')}`);
    room.lines();
    for (const line of ['rm -f x', 'git reset --hard']) await shell.type(line);
    assert.equal(room.lines(), ['rm -f x', 'git reset --hard']);
  }));

for (const setup of [
  'readonly BELAY_TURN BELAY_SESSION REPLY=1 words=2 line=3 last=4 how=5 text=6',
  'readonly __belay_turn __belay_line',
  'readonly __belay_sets; unset __belay_kinds',
  'builtin() { false; }; export() { :; }',
  'disable builtin printf',
  'disable print printf trap setopt typeset export read return :',
])
  test(`lines are saved as ever after: ${setup}`, () =>
    at('{belay}', async (shell, room) => {
      await shell.type(setup);
      room.asked();
      for (const line of ['rm -f x', 'git reset --hard']) await shell.type(line);
      assert.equal(room.lines(), ['rm -f x', 'git reset --hard']);
    }));

test('a # that begins no comment hides nothing of the line, and aliases of the person mean nothing in belay', () =>
  at(
    "alias -g L='| less' -g text=x -g word=y -g line=z; alias local=false builtin=false print=false if=false export=false\n{belay}\nunalias -m '*'; unsetopt interactivecomments",
    async (shell, room) => {
      room.answer(3);
      for (const line of ['echo a # && rm -f x', 'rm -f y']) await shell.type(line);
      assert.equal(room.lines(), ['echo a # && rm -f x', 'rm -f y']);
      assert.is((await shell.type('echo a # b')).text, 'a # b\n');
      assert.equal(room.lines(), []);
    },
  ));

test('status 3 of belay-snap cancels the line, any other lets it run', () =>
  at('{belay}', async (shell, room) => {
    room.answer(3);
    await shell.type('touch made');
    assert.equal(readdirSync(join(room.folder, 'work')), []);
    room.answer(9);
    await shell.type('touch made');
    assert.equal(readdirSync(join(room.folder, 'work')), ['made']);
  }));

test('each line that ran unprotected is told of, and builtins that are switched off stay so', () =>
  at('{belay}', async (shell, room) => {
    room.answer(9);
    assert.match((await shell.type('touch one')).text, 'ran unprotected');
    assert.match((await shell.type('touch two')).text, 'ran unprotected');
    room.answer(0);
    await shell.type('disable print printf');
    for (const line of ['true', 'rm -f x']) assert.is((await shell.type(line)).text, '', line);
    assert.equal(room.lines().at(-1), 'rm -f x');
    assert.is((await shell.type('echo ${(ok)dis_builtins}')).text, 'print printf\n');
  }));

test('setting an option of the shell starts nothing', () =>
  at('{belay}', async (shell, room) => {
    for (const line of ['set -o vi', 'set -x', 'set +x', 'set -o emacs']) await shell.type(line);
    assert.equal(room.lines(), []);
    await shell.type('set -A path /bin $path');
    assert.equal(room.lines(), ['set -A path /bin $path']);
  }));

async function isHidden(shell: Terminal, room: Room, line: string): Promise<boolean> {
  room.asked();
  await shell.type(line);
  const call = room.asked().find(({ args }) => args[0] === 'hold');
  return values(call, 'hidden').length === 1;
}

test('a line that a hook, an alias or a pattern keeps out of the history is hidden, and no other', () =>
  at(
    "{belay}\nzshaddhistory() { [[ $1 != *kept-1* ]] }\nalias sec=' echo' aws=' aws' sudo='sudo ' two='sec' ll='ls'",
    async (shell, room) => {
      const hidden = (line: string) => isHidden(shell, room, line);
      assert.not.ok(await hidden('rm -f shown'));
      assert.ok(await hidden('rm -f kept-1'));
      await shell.type(
        'HISTSIZE=100; setopt histignorespace; add() { [[ $1 != *kept-2* ]] || return 2 }; zshaddhistory_functions=(add)',
      );
      assert.not.ok(await hidden('rm -f shown; ll'));
      for (const line of ['rm -f kept-2', 'sec x > f', 'two x > f', 'aws > f', 'sudo aws > f', 'time aws > f'])
        assert.ok(await hidden(line), line);
      await shell.type("HISTORY_IGNORE='(rm|mv) -f kept-3*'");
      assert.ok(await hidden('rm -f kept-3 x'));
      assert.not.ok(await hidden('rm -f shown # kept-3'));
      assert.match((await shell.type('fc -ln -3; add kept-2; echo $?')).text, /\n2\n$/);
      await shell.type("emulate sh -c 'add() { [[ $1 != *kept-4* ]]; }'");
      await shell.type('setopt share_history hist_no_functions hist_no_store hist_reduce_blanks; alias h=history');
      await shell.type('HISTFILE=$PWD/history SAVEHIST=9');
      for (const line of ['rm   -f  shown "é 日本"', 'rm -f shown \\\n-v', 'echo history > f'])
        assert.not.ok(await hidden(line), line);
      for (const line of ['rm -f kept-4', 'f() { rm -f y }', 'history > f', 'h > f'])
        assert.ok(await hidden(line), line);
      const { text } = await shell.type('cat $HISTFILE; functions zshaddhistory add; cat run/belay/*/history');
      assert.match(text, /rm -f shown "é/);
      assert.not.match(text, /rm -f kept-4|__belay/);
    },
  ));

test('what options of the history mean is hidden, and a hook tells from the line after the one that makes it', () =>
  at(
    `{belay}
mkdir -p fn; print '[[ $1 != *kept-1* ]]' >fn/own; fpath=($PWD/fn $fpath); autoload -Uz add-zsh-hook own
setopt histnostore histnofunctions`,
    async (shell, room) => {
      const hidden = (line: string) => isHidden(shell, room, line);
      for (const line of [
        'f() { rm -f x; }',
        'function g h { rm -f x; }',
        '() { rm -f x; }',
        'fc -l > f',
        'builtin history > f',
      ])
        assert.ok(await hidden(line), line);
      for (const line of ['rm -f shown; f() { :; }', 'rm -f "a () {"', 'fc -n -l > f', 'rm -f history'])
        assert.not.ok(await hidden(line), line);
      await shell.type('add-zsh-hook zshaddhistory own; rm -f x');
      assert.not.ok(await hidden('rm -f shown'));
      assert.ok(await hidden('rm -f kept-1'));
      await shell.type('own() { [[ $1 != *kept-2* ]] || return 2; }; rm -f x');
      assert.not.ok(await hidden('rm -f kept-1'));
      assert.ok(await hidden('rm -f kept-2'));
      await shell.type('add-zsh-hook -d zshaddhistory own; rm -f x');
      assert.not.ok(await hidden('rm -f kept-2'));
    },
  ));

test('the turn is ended at the prompt by a process that is no job', () =>
  at('{belay}', async (shell, room) => {
    const { text } = await shell.type('echo $BELAY_SESSION $BELAY_TURN');
    const [session, turn] = text.trim().split(' ');
    const turns = join(room.folder, 'run/belay', session ?? '', 'turns');
    mkdirSync(turns);
    writeFileSync(join(turns, String(Number(turn) + 1)), '');
    assert.is((await shell.type('true')).text, '');
    const said = await shell.type(
      'until grep -aq "end 2[0-9]" $BELAY_TEST_RECORD; do sleep 0.05; done; jobs; echo ${!}',
    );
    assert.is(said.text, '0\n');
    const end = room.asked().find((call) => call.args[0] === 'end');
    assert.equal(end?.args.slice(0, 3), ['end', session, String(Number(turn) + 1)]);
  }));

test('doctor is told of hooks that were taken and of a stale hash table', () =>
  at('{belay}', async (shell) => {
    const doctor = 'belay doctor --json | grep -oE \'"(hooks|hash table)"\' | sort -u';
    assert.is((await shell.type(doctor)).text, '');
    await shell.type(`PATH='${root}/shims/bin':$PATH`);
    assert.is((await shell.type(`preexec_functions=(); hash rm=/bin/rm; ${doctor}`)).text, '"hash table"\n"hooks"\n');
  }));

test('where the precmd hook was dropped, the next line is a turn of its own, ends the one before and puts the hook back', () =>
  at('{belay}', async (shell, place) => {
    const folder = '$XDG_RUNTIME_DIR/belay/$BELAY_SESSION/turns';
    const line = `precmd_functions=(); mkdir -p ${folder}; echo > ${folder}/$BELAY_TURN; echo $BELAY_SESSION $BELAY_TURN`;
    const [session, turn] = (await shell.type(line)).text.trim().split(' ');
    place.asked();
    await shell.type('rm -f x');
    const calls = place.asked().filter(({ args }) => args[0] === 'end' || args[0] === 'hold');
    assert.equal(
      calls.slice(0, 2).map(({ args }) => args.slice(0, 3)),
      [['end', session, turn], ['hold']],
    );
    assert.equal(values(calls[1], 'turn'), [String(Number(turn) + 1)]);
    const after = await shell.type('echo $BELAY_TURN $precmd_functions[(I)__belay_precmd]');
    assert.is(after.text, `${Number(turn) + 2} ${after.text.trim().split(' ')[1]}\n`);
    assert.not.match(after.text, ' 0');
  }));

test('a BELAY_SESSION that was unset, or is another, is known to the shell all the same', () =>
  at('{belay}', async (shell, place) => {
    const session = (await shell.type('echo $BELAY_SESSION')).text.trim();
    await shell.type('unset BELAY_SESSION BELAY_TURN');
    place.asked();
    await shell.type('rm -f y');
    assert.equal(
      values(
        place.asked().find(({ args }) => args[0] === 'hold'),
        'session',
      ),
      [session],
    );
    const turns = '$XDG_RUNTIME_DIR/belay/$BELAY_SESSION/turns';
    await shell.type(`mkdir -p "${turns}"; touch "${turns}/$BELAY_TURN"; export BELAY_SESSION=20250101_000000_abcdef`);
    await shell.type('until grep -aq "end 2[0-9]" $BELAY_TEST_RECORD; do sleep 0.05; done');
    assert.is(place.asked().find(({ args }) => args[0] === 'end')?.args[1], session);
    assert.is((await shell.type('env | grep -c "^BELAY_SESSION=\\|^BELAY_TURN="')).text, '2\n');
  }));

if (has('zsh')) test.run();
