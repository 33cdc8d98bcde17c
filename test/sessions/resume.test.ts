import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nameOf } from '../../src/platform/processes.ts';
import { walkedRows } from '../../src/sessions/index/walk.ts';
import { readJournal } from '../../src/sessions/journal.ts';
import { appendEvents, journalFile } from '../../src/turns/journal.ts';
import type { JournalEvent } from '../../src/turns/journal-events.ts';
import { builtSnap } from '../built.ts';
import { at, within } from '../shims/given.ts';
import { shells } from '../shims/prefilters.ts';
import { type Room, root, values } from '../shims/recorder.ts';

builtSnap();
const test = suite('sessions that go on');
const BELAY = join(root, 'bin/belay');
const ID = '20260101_000000_aaaaaa';

/** An earlier session of seven turns, the last one in `work/sub`. */
function prepare(place: Room): void {
  const home = join(place.folder, 'belay');
  const cwd = join(place.folder, 'work/sub');
  fs.mkdirSync(cwd, { recursive: true });
  appendEvents(home, ID, [
    { e: 'session', v: 1, t: 1, id: ID, source: 'cli', cwd: place.folder },
    { e: 'title', t: 1, title: 'Refactor auth', by: 'person' },
    { e: 'command', t: 2, turn: '6', line: 'rm -rf old', cwd },
    { e: 'done', t: 2, turn: '7', exit: 0 },
  ]);
  fs.writeFileSync(join(home, 'sessions/titles'), `${ID}\tRefactor auth\n`);
}

const events = (place: Room): JournalEvent[] =>
  [...readJournal(journalFile(join(place.folder, 'belay'), ID))].map(({ event }) => event);

/** A variable of the person's that is called as one in a script might be. */
const run = (place: Room, ...words: string[]) =>
  spawnSync(BELAY, words, {
    cwd: join(place.folder, 'work'),
    env: { ...place.env, source: 'mine' },
    encoding: 'utf8',
    timeout: 60_000,
  });

test(
  'belay run goes on in a session: the newest, by title or by id; same id, next turn, its folder',
  within((place) => {
    prepare(place);
    for (const words of [['-c'], ['--continue', 'refactor'], ['-r', ID.slice(0, 17)]]) {
      const done = run(place, 'run', ...words, '--', 'rm', '-f', 'x');
      assert.is(done.status, 0, done.stderr);
      const [call] = place.asked();
      assert.equal(
        ['session', 'turn', 'cwd'].map((key) => values(call, key)[0]),
        [ID, '8', join(place.folder, 'work/sub')],
      );
    }
    run(place, 'run', '-C', place.folder, '-c', '--', 'rm', '-f', 'x');
    assert.equal(values(place.asked()[0], 'cwd'), [place.folder]);
    const none = run(place, 'run', '-r', 'nosuch', '--', 'rm', '-f', 'x');
    assert.is(none.status, 4);
    assert.match(none.stderr, "there is no session 'nosuch'");
    assert.equal(place.asked(), []);
    assert.equal(events(place).filter(({ e }) => e === 'resumed').length, 4);
  }),
);

test(
  'belay run --no-checkpoints goes on in a session, too: its id, turn, folder, and nothing is saved',
  within((place) => {
    prepare(place);
    const told = 'echo "$BELAY_SESSION $BELAY_TURN $PWD $source"; rm -f x';
    for (const words of [
      ['-c', '--no-checkpoints'],
      ['--no-checkpoints', '-r', ID],
    ]) {
      const done = run(place, 'run', ...words, '--', 'sh', '-c', told);
      assert.is(done.stdout, `${ID} 8 ${join(place.folder, 'work/sub')} mine\n`, done.stderr);
    }
    assert.equal(place.asked(), []);
    assert.is(events(place).filter(({ e }) => e === 'resumed').length, 2);
    const both = run(place, 'run', '-c', '--background', '--', 'true');
    assert.is(both.status, 2);
    assert.match(both.stderr, '--background begins a session of its own');
  }),
);

test(
  'who runs a program in a session does not make it his: source and who has it stay, with a handoff the source goes over',
  within((place) => {
    prepare(place);
    const home = join(place.folder, 'belay');
    const shell = { pid: process.pid, start: nameOf(process.pid).start };
    appendEvents(home, ID, [{ e: 'resumed', t: 3, source: 'cli', ...shell }]);
    const listed = (...more: string[]) => {
      const { sessions } = JSON.parse(run(place, 'sessions', 'list', '--json', ...more).stdout);
      return sessions.map((one: { source: string; ended: string | null }) => [one.source, one.ended]);
    };
    run(place, 'run', '-c', '--', 'rm', '-f', 'x');
    run(place, 'run', '-r', ID, '--source', 'cron', '--', 'rm', '-f', 'x');
    assert.equal(listed('--source', 'cli'), [['cli', null]]);
    const [story] = [...walkedRows(home, { limit: 1 })];
    assert.equal([story?.source, story?.open], ['cli', 1]);
    run(place, 'handoff', ID, '--to', 'telegram');
    const brief = run(place, 'run', '--source', 'telegram', '--', 'sh', '-c', 'rm -f x; cat "$BELAY_BRIEF"').stdout;
    assert.match(brief, `Began in ${place.folder} (cli)`);
    assert.is(listed()[0]?.[0], 'telegram');
  }),
);

test(
  'a session that was handed to a source is the next one of that source, with a brief of what was done',
  within((place) => {
    prepare(place);
    const handed = run(place, 'handoff', ID, '--to', 'telegram');
    assert.is(handed.status, 0, handed.stderr);
    run(place, 'run', '--source', 'cron', '--', 'rm', '-f', 'x');
    const cron = values(place.asked()[0], 'session')[0] ?? '';
    assert.is.not(cron, ID);
    assert.match(cron, /^\d{8}_\d{6}_[0-9a-f]{6}$/);
    const done = run(place, 'run', '--source', 'telegram', '--', 'sh', '-c', 'rm -f x; cat "$BELAY_BRIEF"');
    assert.match(done.stdout, 'turn 6: rm -rf old');
    assert.equal(values(place.asked()[0], 'session'), [ID]);
    run(place, 'run', '--source', 'telegram', '--', 'rm', '-f', 'x');
    const next = values(place.asked()[0], 'session')[0] ?? '';
    assert.is.not(next, ID);
    assert.match(next, /^\d{8}_\d{6}_[0-9a-f]{8}$/);
    assert.match(fs.readFileSync(join(place.folder, `run/belay/${ID}/notice`), 'utf8'), 'handed to telegram');
  }),
);

test(
  'what a record that was made elsewhere says of itself is no more than a word in what a shell evaluates',
  within((place) => {
    prepare(place);
    const folder = join(place.folder, 'belay/sessions');
    const hostile = { e: 'session', v: 1, t: 9e15, id: "x';touch pwned;'", source: 'cli', cwd: "/tmp';touch pwned;'" };
    fs.writeFileSync(join(folder, '20260202_000000_bbbbbb.jsonl'), `${JSON.stringify(hostile)}\n`);
    for (const shell of ['bash', 'zsh', 'fish'].filter((one) => shells.includes(one as (typeof shells)[number]))) {
      const done = run(place, 'resume', '--for', shell, '20260202_000000');
      assert.is(done.status, 0, done.stderr);
      spawnSync(shell, ['-c', `${done.stdout.replace(/^__belay_adopt/, 'echo')}`], { cwd: join(place.folder, 'work') });
      assert.not.ok(fs.existsSync(join(place.folder, 'work/pwned')), done.stdout);
      assert.match(done.stdout, "__belay_adopt '20260202_000000_bbbbbb' 0\n");
    }
  }),
);

for (const shell of shells)
  test(`${shell}: belay new begins a session, belay resume goes on in one`, () =>
    at(
      shell,
      '{belay}',
      async (terminal, place) => {
        const seen = async (): Promise<string[]> =>
          (await terminal.type('echo "$BELAY_SESSION $BELAY_TURN"')).text.trim().split(' ');
        const [first, turn] = await seen();
        assert.equal([/^\d{8}_\d{6}_[0-9a-f]{6}$/.test(first ?? ''), turn], [true, '1']);
        const turns = join(place.folder, 'run/belay', first ?? '', 'turns');
        fs.mkdirSync(turns);
        fs.writeFileSync(join(turns, '2'), '');
        await terminal.type('rm -f y; belay new');
        // The line was the old session's, and is over there.
        let isOver = false;
        for (const end = Date.now() + 20_000; !isOver && Date.now() < end; ) {
          isOver = place.asked().some(({ args }) => args.slice(0, 3).join(' ') === `end ${first} 2`);
          await new Promise((done) => setTimeout(done, 20));
        }
        assert.ok(isOver);
        const [second, again] = await seen();
        assert.equal([second !== first, again], [true, '1']);
        const { text } = await terminal.type('belay resume refactor');
        assert.is(text, '');
        assert.equal(await seen(), [ID, '8']);
        assert.is((await terminal.type('pwd')).text, `${join(place.folder, 'work/sub')}\n`);
        await terminal.type('rm -f x');
        assert.equal(
          values(
            place.asked().findLast(({ args }) => args[0] === 'hold'),
            'turn',
          ),
          ['10'],
        );
        const lines = events(place).flatMap((event) => (event.e === 'command' ? [[event.turn, event.line]] : []));
        assert.equal(lines.slice(1), [
          ['8', 'echo "$BELAY_SESSION $BELAY_TURN"'],
          ['9', 'pwd'],
          ['10', 'rm -f x'],
        ]);
        assert.match((await terminal.type('belay resume nosuch')).text, "there is no session 'nosuch'");
        assert.equal((await seen())[0], ID);
        const told = run(place, 'handoff', ID, '--to', 'telegram');
        assert.is(told.status, 0, told.stderr);
        assert.match((await terminal.type('true')).text, 'this session was handed to telegram');
        assert.is((await terminal.type('true')).text, '');
        // It has become long, and goes on as another one: what was typed before the prompt belongs to this one yet.
        const next = '20260303_000000_cccccc';
        fs.writeFileSync(join(place.folder, 'run/belay', ID, 'next'), `${next}\n`);
        assert.equal((await seen())[0], ID);
        assert.equal(await seen(), [next, '1']);
        await terminal.type('rm -f z');
        const hold = place.asked().findLast(({ args }) => args[0] === 'hold');
        assert.equal([values(hold, 'session'), values(hold, 'turn')], [[next], ['2']]);
        const own = [...readJournal(journalFile(join(place.folder, 'belay'), next))].map(({ event }) => event);
        assert.equal(
          own.flatMap((event) => (event.e === 'done' ? [event.turn] : [])),
          ['1', '2'],
        );
      },
      { prepare },
    ));

test.run();
