import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { has } from '../pty/programs.ts';
import { at as atPrompt } from './given.ts';
import { values } from './recorder.ts';

const test = suite('fish at a prompt');

const at = (rc: string, body: Parameters<typeof atPrompt>[2]): Promise<void> => atPrompt('fish', rc, body);

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

test('belay that fails lets the line run; fish cannot drop one', () =>
  at('{belay}', async (shell, room) => {
    room.answer(3);
    await shell.type('touch made');
    assert.equal(readdirSync(join(room.folder, 'work')), ['made']);
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

test('a BELAY_SESSION that was erased, or is another, is known to the shell all the same', () =>
  at('{belay}', async (shell, place) => {
    const session = (await shell.type('echo $BELAY_SESSION')).text.trim();
    await shell.type('set -e BELAY_SESSION');
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
    await shell.type(`mkdir -p ${turns}; touch ${turns}/$BELAY_TURN; set -gx BELAY_SESSION 20250101_000000_abcdef`);
    await shell.type('while not grep -aq "end 2[0-9]" $BELAY_TEST_RECORD; sleep 0.05; end');
    assert.is(place.asked().find(({ args }) => args[0] === 'end')?.args[1], session);
  }));

test('a function of the person by the name of a builtin is none of belay', () =>
  at('{belay}', async (shell, place) => {
    // Not for what the prompt of this test prints.
    await shell.type(String.raw`function printf; test "$argv[1]" = '%s\0'; or builtin printf $argv; end`);
    place.lines();
    for (const line of ['rm -f x', 'rm -f y']) await shell.type(line);
    assert.equal(place.lines(), ['rm -f x', 'rm -f y']);
  }));

test('what is typed while a line is saved is lost nowhere, and keeps its order', () =>
  atPrompt(
    'fish',
    '{belay}',
    async (shell, place) => {
      shell.send('rm -f x\r');
      const begun = join(place.folder, 'begun');
      for (const end = Date.now() + 20_000; !existsSync(begun); await new Promise((done) => setTimeout(done, 10)))
        assert.ok(Date.now() < end, 'nobody saves');
      for (const keys of ['echo one >> ou', 't\recho tw', 'o >> out\r', 'cat out\r']) shell.send(keys);
      writeFileSync(join(place.folder, 'typed'), '');
      assert.match(await shell.shows('one\r\ntwo'), 'one\r\ntwo');
      assert.equal(place.lines(), ['rm -f x', 'echo one >> out', 'echo two >> out']);
    },
    {
      prepare: ({ folder, env }) => {
        const slow = `#!/bin/sh\n>'${folder}/begun'\nuntil [ -e '${folder}/typed' ]; do sleep 0.02; done\nexec '${folder}/snap' "$@"\n`;
        writeFileSync(join(folder, 'slow'), slow, { mode: 0o755 });
        env['BELAY_SNAP'] = join(folder, 'slow');
      },
    },
  ));

test('abbreviations, variables of the person by the names of belay, and functions by those of builtins hide no line', () =>
  at(
    `set -U __belay_turn 5; set -U __belay_on ''; set -U __belay_names ls; set -Ux BELAY_TURN 9; set -g line x; set -g name kept; set -g before 1
function path; end; function random; end; abbr -a zap 'rm -f'
{belay}`,
    async (shell, place) => {
      for (const line of ['ls', 'rm -f x', 'set -e __belay_names __belay_args __belay_ends', 'rm -f y', 'zap z; ls'])
        await shell.type(line);
      assert.is((await shell.type('string join " " $line $name $before')).text, 'x kept 1\n');
      assert.equal(
        place.lines().filter((asked) => asked.startsWith('rm')),
        ['rm -f x', 'rm -f y', 'rm -f z; ls'],
      );
    },
  ));

test('of each line that ran unprotected it is told, for whatever reason', () =>
  at('{belay}', async (shell) => {
    for (const news of ['belay-snap failed (status 9): this line ran unprotected', 'this line is not saved (EIO)'])
      for (const _ of [1, 2])
        assert.is((await shell.type(`echo "belay: ${news}" >$__belay_folder/notice`)).text, `belay: ${news}\n`);
  }));

test('where all that was saved is purged, nothing of belay is made again, though the package is still there', () =>
  at('{belay}', async (shell, room) => {
    const sessions = join(room.env['BELAY_HOME'] ?? '', 'sessions');
    mkdirSync(sessions, { recursive: true });
    for (const line of ['true', 'echo a']) await shell.type(line);
    assert.is(readdirSync(sessions).filter((name) => name.endsWith('.jsonl')).length, 1);
    await shell.type(`/bin/rm -rf ${room.env['BELAY_HOME']} ${join(room.folder, 'run/belay')}`);
    room.asked();
    room.recordings();
    for (const line of ['true', 'npm uninstall -g x', '/bin/rm -f x']) await shell.type(line);
    assert.equal([room.asked(), room.recordings(), existsSync(room.env['BELAY_HOME'] ?? '')], [[], 0, false]);
  }));

if (has('fish')) test.run();
