import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { at as atPrompt, type Setting } from './given.ts';
import { root, values } from './recorder.ts';

const test = suite('bash at a prompt');

const at = (rc: string, body: Parameters<typeof atPrompt>[2], setting: Setting = {}): Promise<void> =>
  atPrompt('bash', rc, body, setting);

test('$?, $_ and PIPESTATUS stay as the line left them', () =>
  at('HISTCONTROL=ignoreboth\n{belay}', async (shell) => {
    await shell.type('(exit 7)');
    assert.is((await shell.type('echo $?')).text, '7\n');
    await shell.type('false | true | false');
    assert.is((await shell.type('echo ${PIPESTATUS[@]}')).text, '1 0 1\n');
    await shell.type('rm -f nothing last');
    assert.is((await shell.type('echo $_')).text, 'last\n');
    await shell.type('');
    assert.is((await shell.type('rm -f "$_" >/dev/null; echo $_')).text, 'last\n');
  }));

test('the request names what only the shell knows', () =>
  at('{belay}\nalias del="rm -rf \\$d"\nwipe() { rm "$g"; }', async (shell, room) => {
    for (const line of ['d=/some/where', 'g="a b"', 'h=(one "two three")', 'declare -A m=([k]=v)', 'set -- p "q r"'])
      await shell.type(line);
    room.asked();
    await shell.type('wipe $h ${m[k]} "$@"; del');
    const [call] = room.asked();
    const of = (key: string) => values(call, key);
    assert.equal(of('shell'), ['bash']);
    assert.equal(of('cwd'), [join(room.folder, 'work')]);
    assert.equal(of('interactive'), ['1']);
    assert.equal(of('positional').slice(1), ['p', 'q r']);
    assert.equal(of('alias'), ['del=rm -rf $d']);
    assert.match(of('func').join(), /^wipe=wipe \(\)/);
    for (const value of ['d=/some/where', 'g=a b', 'h=one']) assert.ok(of('var').includes(value), value);
    assert.equal(of('arr').sort(), ['h[0]=one', 'h[1]=two three', 'm[k]=v']);
    assert.match(of('session')[0] ?? '', /^\d{8}_\d{6}_[0-9a-f]{6}$/);
    assert.ok((of('options')[0] ?? '').split(' ').includes('promptvars'));
  }));

for (const [what, rc, line, hidden] of [
  ['a leading blank', 'HISTCONTROL=ignorespace', ' rm -f secret', true],
  ['a leading blank, duplicates ignored', 'HISTCONTROL=ignoreboth', ' rm -f secret', true],
  ['HISTIGNORE', 'HISTIGNORE="rm*"', 'rm -f secret', true],
  ['set +o history', 'set +o history', 'rm -f secret', true],
  ['HISTSIZE=0', 'HISTSIZE=0', 'rm -f secret', true],
  ['vi mode', 'set -o vi; HISTCONTROL=ignorespace', ' rm -f secret', true],
  ['the same line again', 'HISTCONTROL=ignoredups', 'rm -f secret', false],
  ['the same line again, blanks ignored', 'HISTCONTROL=ignoreboth', 'rm -f secret', false],
  ['erased duplicates', 'HISTCONTROL=erasedups', 'rm -f secret', false],
] as const)
  test(`a line hidden by ${what} is handed over all the same`, () =>
    at(`{belay}\n${rc}`, async (shell, room) => {
      await shell.type('rm -f before');
      await shell.type(line);
      await shell.type(line);
      const calls = room.asked().filter((call) => call.args[0] === 'hold');
      assert.equal(
        calls.map((call) => values(call, 'line')[0]),
        ['rm -f before', line, line],
      );
      assert.equal(values(calls[2], 'hidden'), hidden ? ['1'] : []);
    }));

test('a key that somebody has bound, as ble.sh binds Enter, stays theirs whatever HISTCONTROL is', () =>
  at('{belay}', async (shell, place) => {
    await shell.type(`theirs() { echo theirs; }; bind -x '"\\C-j": theirs'`);
    for (const value of ['ignorespace', 'ignoredups']) {
      await shell.type(`HISTCONTROL=${value}`);
      assert.match((await shell.type('bind -X')).text, /"\\C-j": "?theirs/);
    }
    await shell.type('rm -f x');
    assert.is(place.lines().at(-1), 'rm -f x');
    // A macro of theirs, as from an .inputrc.
    await shell.type(`bind -r '\\C-j'; bind '"\\C-j": "theirs"'`);
    for (const value of ['ignorespace', 'ignoredups']) {
      await shell.type(`HISTCONTROL=${value}`);
      assert.match((await shell.type('bind -s')).text, /"\\C-j": "theirs"/);
    }
  }));

test('what cannot be known where nothing sees the hidden line is said to be unknown, not the line before', () =>
  at(
    '{belay}\nHISTCONTROL=ignorespace',
    async (shell, room) => {
      await shell.type('rm -f before');
      await shell.type(' rm -f secret');
      assert.equal(room.lines(), ['rm -f before', 'eval "$__belay_unseen"']);
    },
    { args: ['--noediting'] },
  ));

test('a history reference is handed over expanded', () =>
  at('HISTCONTROL=ignoreboth\n{belay}', async (shell, room) => {
    await shell.type('rm -f one');
    await shell.type('!!');
    await shell.type(' rm -f !$ two');
    assert.equal(room.lines(), ['rm -f one', 'rm -f one', ' rm -f one two']);
  }));

test('a plain line is the whole of its turn, and says so', () =>
  at('{belay}', async (shell, room) => {
    for (const line of ['rm -f x', 'echo a && rm -f "$x"', 'true']) await shell.type(line);
    assert.equal(
      room.asked().flatMap((call) => values(call, 'begins')),
      ['1', '1'],
    );
  }));

test('what is recorded can be read, also where no variable tells the time, and nothing is after an uninstall', () =>
  at(
    '{belay}',
    async (shell, room) => {
      const journal = () => {
        const folder = join(room.folder, 'belay/sessions');
        const text = readdirSync(folder)
          .filter((name) => name.endsWith('.jsonl'))
          .map((name) => readFileSync(join(folder, name), 'latin1'));
        return text.join('').trim().split('\n');
      };
      for (const line of ['true', 'unset EPOCHREALTIME', 'true', 'true', 'true']) await shell.type(line);
      const done = journal().filter((line) => JSON.parse(line).e === 'done');
      assert.is(done.length, 5);
      writeFileSync(join(room.folder, 'belay/uninstalled'), '');
      await shell.type('__belay_root=/nowhere BELAY_SNAP=/nowhere/snap');
      await shell.type('true');
      const before = journal().length;
      for (const line of ['true', 'ls', 'true']) await shell.type(line);
      assert.is(journal().length, before);
    },
    { prepare: ({ folder }) => void mkdirSync(join(folder, 'belay/sessions'), { recursive: true }) },
  ));

test('a line over several physical lines is whole', () =>
  at('{belay}', async (shell, room) => {
    await shell.typeLines(['for f in a b; do', 'rm -f $f', 'done']);
    await shell.type('for f in c d; do\nrm -f $f\ndone');
    await shell.type('shopt -u cmdhist');
    await shell.typeLines(['for f in e f; do', 'rm -f $f', 'done']);
    for (const line of room.lines().filter((line) => line.includes('rm')))
      assert.match(line, /for f in . .; do[\s\S]*rm -f \$f[\s\S]*done/);
  }));

test('commands pasted as one text are one turn', () =>
  at('{belay}', async (shell, room) => {
    await shell.type('if true\nthen\n  rm -f a\nfi\nrm -f b');
    const calls = room.asked().filter((call) => call.args[0] === 'hold');
    assert.equal(
      calls.map((call) => values(call, 'turn')[0]),
      calls.map(() => '1'),
    );
    assert.is(calls.length, 2);
  }));

test('without promptvars Enter hands the line over', () =>
  at('{belay}\nshopt -u promptvars; PS1="@@\\#:0@@ "', async (shell, room) => {
    const { text } = await shell.type('rm -f x');
    assert.equal(room.lines(), ['rm -f x']);
    assert.not.match(text, /__belay/);
  }));

test('without promptvars and without line editing it is said once that lines are not saved, and doctor is told', () =>
  at('{belay}\nset +o emacs; PS1="@@\\#:0@@ "', async (shell, room) => {
    assert.match((await shell.type('shopt -u promptvars')).text, /not saved without promptvars: shopt -s promptvars/);
    assert.not.match((await shell.type('true')).text, /not saved/);
    assert.match((await shell.type('belay doctor --json | grep -q promptvars && echo to""ld')).text, /^told$/m);
    await shell.type('shopt -s promptvars');
    room.asked();
    await shell.type('rm -f x');
    assert.equal(room.lines(), ['rm -f x']);
  }));

test('status 3 of belay-snap cancels the line, any other lets it run', () =>
  at('{belay}', async (shell, room) => {
    room.answer(3);
    assert.is((await shell.type('touch made')).status, 130);
    assert.equal(readdirSync(join(room.folder, 'work')), []);
    room.answer(9);
    await shell.type('touch made');
    assert.equal(readdirSync(join(room.folder, 'work')), ['made']);
  }));

test('the turn is ended at the prompt by a process that is no job and holds no terminal', () =>
  at('{belay}', async (shell, room) => {
    const { text } = await shell.type('echo $BELAY_SESSION $BELAY_TURN');
    const [session, turn] = text.trim().split(' ');
    const turns = join(room.folder, 'run/belay', session ?? '', 'turns');
    mkdirSync(turns);
    writeFileSync(
      join(room.folder, 'snap'),
      '#!/bin/sh\n[ "$1" = end ] || exit 0\n' +
        'readlink /proc/$$/fd/0 /proc/$$/fd/1 /proc/$$/fd/2 | cat > "$HOME/fds"\n' +
        'echo "$@" > "$HOME/args"; cat "$HOME/args" "$HOME/fds" > "$HOME/end.tmp"; mv "$HOME/end.tmp" "$HOME/end"\n',
    );
    writeFileSync(join(turns, String(Number(turn) + 1)), '');
    assert.is((await shell.type('true')).text, '');
    const said = await shell.type('until [ -e ~/end ]; do sleep 0.05; done; cat ~/end; jobs; echo "${!-none}"');
    const lines = said.text.trim().split('\n');
    assert.match(lines[0] ?? '', new RegExp(`^end ${session} ${Number(turn) + 1} \\d+\\.\\d+(?: environment)?$`));
    assert.equal(lines.slice(1, 4), ['/dev/null', '/dev/null', '/dev/null']);
    assert.is(lines.at(-1), 'none');
  }));

test('doctor is told of hooks that were taken and of a stale hash table', () =>
  at('{belay}', async (shell, place) => {
    const doctor = 'belay doctor --json | grep -oE \'"(hooks|hash table)"\' | sort -u';
    assert.is((await shell.type(doctor)).text, '');
    await shell.type(`hash -p /bin/rm rm; PATH='${root}/shims/bin':$PATH`);
    await shell.type('hash -p /bin/rm rm');
    assert.is((await shell.type(`PS0=; ${doctor}`)).text, '"hash table"\n"hooks"\n');
    place.asked();
  }));

test('where a PROMPT_COMMAND set anew has dropped the hook, the next line is a turn of its own, ends the one before and puts the hook back', () =>
  at('{belay}', async (shell, place) => {
    const folder = '"$XDG_RUNTIME_DIR/belay/$BELAY_SESSION/turns"';
    const said = await shell.type(`mkdir -p ${folder}; echo > ${folder}/$BELAY_TURN; echo $BELAY_SESSION $BELAY_TURN`);
    const [session, turn] = said.text.trim().split(' ');
    await shell.type(`PROMPT_COMMAND=:; echo > ${folder}/$BELAY_TURN`);
    place.asked();
    await shell.type('rm -f x');
    const asked = place.asked();
    const lost = String(Number(turn) + 1);
    const calls = asked.filter(({ args }) => args[0] === 'end' || args[0] === 'hold');
    assert.equal(
      calls.slice(0, 2).map(({ args }) => args.slice(0, 3)),
      [['end', session, lost], ['hold']],
    );
    assert.equal(values(calls[1], 'turn'), [String(Number(turn) + 2)]);
    assert.is(
      (await shell.type('[[ ${PROMPT_COMMAND[*]} == *__belay_prompt* ]] && echo $BELAY_TURN')).text,
      `${Number(turn) + 3}\n`,
    );
    // A text pasted whole is one turn as ever.
    assert.is(
      (await shell.type('echo $BELAY_TURN\necho $BELAY_TURN')).text,
      `${Number(turn) + 4}\n${Number(turn) + 4}\n`,
    );
  }));

test('belay, called in a shell that has dropped the hook, ends the turn before and puts it back', () =>
  at('{belay}', async (shell, place) => {
    const folder = '"$XDG_RUNTIME_DIR/belay/$BELAY_SESSION/turns"';
    const line = `PROMPT_COMMAND=:; mkdir -p ${folder}; echo > ${folder}/$BELAY_TURN; echo $BELAY_SESSION $BELAY_TURN`;
    const [session, turn] = (await shell.type(line)).text.trim().split(' ');
    place.asked();
    await shell.type('belay --version >/dev/null 2>&1');
    const ended = place.asked().filter((call) => call.args[0] === 'end');
    assert.equal(ended[0]?.args.slice(0, 3), ['end', session, turn]);
    assert.is((await shell.type('[[ ${PROMPT_COMMAND[*]} == *__belay_prompt* ]] && echo back')).text, 'back\n');
  }));

test('a BELAY_SESSION that was unset, or is another, is known to the shell all the same', () =>
  at('{belay}', async (shell, place) => {
    const session = (await shell.type('echo $BELAY_SESSION')).text.trim();
    place.asked();
    await shell.type('unset BELAY_SESSION BELAY_TURN; rm -f x');
    await shell.type('rm -f y');
    assert.equal(
      place.asked().flatMap((call) => (call.args[0] === 'hold' ? values(call, 'session') : [])),
      [session, session],
    );
    assert.is((await shell.type('env | grep -c "^BELAY_SESSION=\\|^BELAY_TURN="')).text, '2\n');
    const turns = '$XDG_RUNTIME_DIR/belay/$BELAY_SESSION/turns';
    await shell.type(
      `mkdir -p "${turns}"; touch "${turns}/$BELAY_TURN"; export BELAY_SESSION=20250101_000000_abcdef BELAY_TURN=1`,
    );
    await shell.type('until grep -aq "end 2[0-9]" $BELAY_TEST_RECORD; do sleep 0.05; done');
    assert.is(place.asked().find(({ args }) => args[0] === 'end')?.args[1], session);
    // What a script does to begin a turn is refused where each line is one.
    await shell.type('eval "$(belay turn begin --label x)"; echo $? >told');
    assert.is((await shell.type('echo $BELAY_SESSION')).text.trim(), session);
  }));

test.run();
