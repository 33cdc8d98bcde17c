import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { has } from '../pty/programs.ts';
import type { Terminal } from '../pty/terminal.ts';
import { type Room, room, values } from './recorder.ts';

const test = suite('fish at a prompt');

async function at(rc: string, body: (shell: Terminal, room: Room) => Promise<void>) {
  const place = room();
  try {
    const shell = await place.fish(rc);
    try {
      await body(shell, place);
    } finally {
      await shell.close();
    }
  } finally {
    place.close();
  }
}

test('a harmless line starts no process of belay', () =>
  at("alias ll='ls -l'\n{belay}", async (shell, room) => {
    for (const line of ['ls', 'll | head -2', 'echo "a > b"', 'cd .', 'git --version', 'echo $x >/dev/null 2>&1'])
      assert.is((await shell.type(line)).status, 0, line);
    assert.equal(room.asked(), []);
  }));

test('a line that may destroy is handed over whole, before its first redirection', () =>
  at('{belay}', async (shell, room) => {
    writeFileSync(join(room.folder, 'work/f'), 'kept');
    writeFileSync(
      join(room.folder, 'snap'),
      `#!/bin/sh\n[ "$1" != hold ] || cat '${room.folder}/work/f' > "$HOME/seen"; cat >/dev/null\n`,
    );
    await shell.type('begin; echo a; echo b; end > f');
    assert.is((await shell.type('cat ~/seen; echo')).text, 'kept\n');
  }));

test('$status and $pipestatus stay as the line left them', () =>
  at('{belay}', async (shell) => {
    await shell.type('sh -c "exit 7"');
    assert.is((await shell.type('echo $status')).text, '7\n');
    await shell.type('false | true | false');
    assert.is((await shell.type('echo $pipestatus')).text, '1 0 1\n');
  }));

test('the request names what only the shell knows', () =>
  at('{belay}\nalias del="rm -rf"\nfunction wipe; rm $g; del x; end', async (shell, room) => {
    for (const line of ['set d /some/where', 'set g "a b"', 'set h one "two three"']) await shell.type(line);
    room.asked();
    await shell.type('wipe $h');
    const [call] = room.asked();
    const of = (key: string) => values(call, key);
    assert.equal(of('shell'), ['fish']);
    assert.equal(of('line'), ['wipe $h']);
    assert.equal(of('cwd'), [join(room.folder, 'work')]);
    assert.equal(of('interactive'), ['1']);
    assert.match(of('func').join(), /^wipe=function wipe[\s\S]*,del=function del/);
    for (const value of ['g=a b', 'h=one two three']) assert.ok(of('var').includes(value), value);
    for (const value of ['h[1]=one', 'h[2]=two three']) assert.ok(of('arr').includes(value), value);
    assert.match(of('session')[0] ?? '', /^\d{8}_\d{6}_[0-9a-f]{6}$/);
  }));

test('every command of a line is looked at', () =>
  at('{belay}', async (shell, room) => {
    for (const line of ['true; rm -f a', 'true; and rm -f b', 'true && rm -f b', 'true | rm -f c', 'cd .\nrm -f e'])
      await shell.type(line);
    assert.is(room.lines().filter((line) => line.includes('rm')).length, 5);
  }));

test('turns are counted, and the child sees its own', () =>
  at('{belay}', async (shell, room) => {
    const first = Number((await shell.type('echo $BELAY_TURN')).text);
    assert.is(Number((await shell.type('printenv BELAY_TURN')).text), first + 1);
    await shell.type('rm -f x');
    assert.equal(values(room.asked()[0], 'turn'), [String(first + 2)]);
  }));

test('a line kept out of the history is handed over, and said to be hidden', () =>
  at('{belay}', async (shell, room) => {
    await shell.type('rm -f before');
    await shell.type(' rm -f secret');
    const calls = room.asked();
    assert.equal(
      calls.map((call) => values(call, 'line')[0]?.trim()),
      ['rm -f before', 'rm -f secret'],
    );
    assert.equal(
      calls.map((call) => values(call, 'hidden')),
      [[], ['1']],
    );
  }));

test('belay that fails lets the line run; fish cannot drop one', () =>
  at('{belay}', async (shell, room) => {
    room.answer(3);
    await shell.type('touch made');
    assert.equal(readdirSync(join(room.folder, 'work')), ['made']);
  }));

test('a missing belay-snap is said once, and the line runs', () =>
  at('{belay}\nset __belay_root /nowhere; set BELAY_SNAP /nowhere/snap', async (shell, room) => {
    assert.match((await shell.type('touch a')).text, /^belay: belay-snap failed \(status 127\)[^\n]*\n$/);
    assert.is((await shell.type('touch b')).text, '');
    assert.equal(readdirSync(join(room.folder, 'work')), ['a', 'b']);
  }));

test('the turn is ended at the prompt by a process that is no job', () =>
  at('{belay}', async (shell, room) => {
    const { text } = await shell.type('echo $BELAY_SESSION $BELAY_TURN');
    const [session, turn] = text.trim().split(' ');
    const turns = join(room.folder, 'run/belay', session ?? '', 'turns');
    mkdirSync(turns);
    writeFileSync(join(turns, String(Number(turn) + 1)), '');
    assert.is((await shell.type('true')).text, '');
    const said = await shell.type(
      'while not grep -aq "end 2[0-9]" $BELAY_TEST_RECORD; sleep 0.05; end; jobs; echo none',
    );
    assert.match(said.text, /none\n$/);
    const end = room.asked().find((call) => call.args[0] === 'end');
    assert.equal(end?.args.slice(0, 3), ['end', session, String(Number(turn) + 1)]);
  }));

test('doctor is told of hooks that are gone', () =>
  at('{belay}', async (shell) => {
    const doctor = 'belay doctor --json | grep -o "something else took [a-z_]*"';
    assert.is((await shell.type(doctor)).text, '');
    await shell.type('functions -e __belay_preexec');
    assert.is((await shell.type(doctor)).text, 'something else took fish_preexec\n');
  }));

test('belay off is off, belay on is on again', () =>
  at('{belay}', async (shell, room) => {
    await shell.type('belay off');
    await shell.type('rm -f x; set -e BELAY_DISABLE');
    await shell.type('rm -f x');
    assert.equal(room.asked(), []);
    assert.match((await shell.type('belay doctor')).text, /switched off .*nothing is saved here[\s\S]*belay on\n/);
    await shell.type('belay on');
    await shell.type('rm -f y');
    assert.equal(room.lines(), ['rm -f y']);
  }));

if (has('fish')) test.run();
