import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PROMPT, Terminal } from '../pty/terminal.ts';
import { within } from './given.ts';
import { type Room, snippet, values } from './recorder.ts';

/**
 * A bash without PS0 (before 4.4; macOS' own is 3.2): the DEBUG trap that stands in for it. Here the bash of the machine is told to do
 * without; BELAY_TEST_OLD_BASH names a real old one.
 */
const test = suite('a bash without PS0');
const bash = process.env['BELAY_TEST_OLD_BASH'] ?? 'bash';

const at = (rc: string, body: (shell: Terminal, place: Room) => Promise<void>) =>
  within(async (place) => {
    Object.assign(place.env, { BELAY_NO_PS0: '1' });
    writeFileSync(
      join(place.folder, 'rc'),
      `PS1='${PROMPT}'; PS2='> '\n${rc.replaceAll('{belay}', snippet('bash'))}\n`,
    );
    const args = [bash, '--noprofile', '--rcfile', join(place.folder, 'rc'), '-i'];
    const shell = await Terminal.open(args, { cwd: join(place.folder, 'work'), env: place.env });
    try {
      await body(shell, place);
    } finally {
      await shell.close();
    }
  });

/** What a line prints; an old bash has no bracketed paste, at whose end the echo ends. */
const printed = async (shell: Terminal, line: string): Promise<string> =>
  (await shell.type(line)).text.replace(`${line}\n`, '');

test(
  'a line that may destroy is handed over whole and once, in a subshell, too; a harmless one is not',
  at('{belay}', async (shell, place) => {
    const lines = ['rm -f a; rm -f b', '(rm -f c)', 'for i in d e; do rm -f $i; done', 'x=1 && rm -f $x'];
    for (const line of ['ls -l', ...lines, 'git status']) await shell.type(line);
    const calls = place.asked().filter(({ args }) => args[0] === 'hold');
    assert.equal(
      calls.flatMap((call) => values(call, 'line')),
      lines,
    );
    assert.equal(
      calls.flatMap((call) => values(call, 'turn')),
      ['2', '3', '4', '5'],
    );
    assert.equal(await printed(shell, 'shopt -q extglob; echo $?'), '1\n');
  }),
);

test(
  'no command of PROMPT_COMMAND is a line, whichever of them it is; what is not saved is said in the log of the profile',
  at('PROMPT_COMMAND=(: "touch made"); {belay}', async (shell, place) => {
    for (const line of ['rm -f b', 'rm -f c', 'rm -f d']) await shell.type(line);
    const holds = place.asked().filter(({ args }) => args[0] === 'hold');
    assert.equal(
      holds.flatMap((call) => values(call, 'turn')),
      ['1', '2', '3'],
    );
    place.answer(9);
    await shell.type('export BELAY_PROFILE=work');
    await shell.type('rm -f a');
    const log = join(
      place.env['BELAY_HOME'] ?? join(place.folder, 'home/.local/share/belay'),
      'profiles/work/logs/belay.log',
    );
    assert.match(readFileSync(log, 'utf8'), 'this line ran unprotected');
  }),
);

test(
  'what only the shell knows is in the request: aliases, functions, variables, arrays',
  at('{belay}\nalias del="rm -rf"; gone() { rm -r "$1"; }', async (shell, place) => {
    await shell.type(`x='a b'; y=(c 'd e')`);
    await shell.type('del "$x" "${y[@]}"; gone z');
    const call = place.asked().at(-1);
    assert.equal(values(call, 'alias'), ['del=rm -rf']);
    assert.ok(values(call, 'func').some((text) => text.startsWith('gone=gone () \n{')));
    assert.ok(values(call, 'var').includes('x=a b'));
    assert.equal(values(call, 'arr'), ['y[0]=c', 'y[1]=d e']);
  }),
);

test(
  'a line hidden from the history is handed over command by command, hidden; one entered twice is handed over twice',
  at('HISTCONTROL=ignoreboth\n{belay}', async (shell, place) => {
    for (const line of ['rm -f a', 'rm -f a', ' rm -f b; rm -f c', ' (rm -f d)']) await shell.type(line);
    const calls = place.asked().filter(({ args }) => args[0] === 'hold');
    assert.equal(
      calls.map((call) => [...values(call, 'line'), ...values(call, 'hidden')]),
      [['rm -f a'], ['rm -f a', '1'], ['rm -f b', '1'], ['rm -f c', '1'], ['rm -f d', '1']],
    );
  }),
);

test(
  '$?, $_ and PIPESTATUS stay as the line left them',
  at('{belay}', async (shell) => {
    await shell.type('rm -f a last');
    assert.is(await printed(shell, 'echo "$_"'), 'last\n');
    assert.is((await shell.type('rm -f b; (exit 3)')).status, 3);
    await shell.type('(exit 4)');
    assert.is(await printed(shell, 'rm -f b; echo $?; (exit 5); echo $?'), '0\n5\n');
    await shell.type('(exit 6)');
    assert.is(await printed(shell, 'echo $?'), '6\n');
    assert.is(await printed(shell, 'false | true; echo "${PIPESTATUS[*]}"'), '1 0\n');
  }),
);

for (const [when, rc] of [
  ['before', 'trap \'s=$?; [[ $BASH_COMMAND != t* ]] || echo "seen $BASH_COMMAND $s"\' DEBUG\n{belay}'],
  ['after', '{belay}\ntrap \'s=$?; [[ $BASH_COMMAND != t* ]] || echo "seen $BASH_COMMAND $s"\' DEBUG'],
])
  test(
    `the user's own DEBUG trap, set ${when} belay, runs as ever`,
    at(rc as string, async (shell, place) => {
      await shell.type('(exit 7)');
      assert.is(await printed(shell, 'touch a; true'), 'seen touch a 7\nseen true 0\n');
      assert.equal(place.lines().at(-1), 'touch a; true');
      await shell.type('rm -f x');
      assert.equal(place.lines(), ['rm -f x']);
    }),
  );

test(
  'status 3 of belay-snap cancels the line, any other lets it run; belay off is off',
  at('{belay}', async (shell, place) => {
    place.answer(3);
    await shell.type('touch a');
    place.answer(4);
    await shell.type('touch b');
    place.answer(0);
    await shell.type('belay off');
    place.asked();
    await shell.type('rm -f c');
    assert.equal(place.asked(), []);
    assert.is(await printed(shell, 'echo *'), 'b\n');
  }),
);

test.run();
