import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { at } from './given.ts';
import { type Room, values } from './recorder.ts';

/** Traps and traces that print, and `set -e`: what belay asks of itself is neither theirs to answer nor to fail for. */
const test = suite('a bash that is traced, or ends at an error');

/** So that bash writes the record by itself. */
const prepare = (place: Room): void => {
  mkdirSync(join(place.folder, 'belay/sessions'), { recursive: true, mode: 0o700 });
};

for (const line of [
  'trap "echo dbg" DEBUG ERR RETURN; set -TE',
  'trap "echo dbg" DEBUG; shopt -s extdebug',
  'BASH_XTRACEFD=1; set -x',
  'exec 3>../seen; BASH_XTRACEFD=3; trap "echo dbg; echo dbg >&3" DEBUG; set -xT',
  'true() { echo 7; }; printf() { command printf "$@"; echo 7; }; read() { echo 7; }',
])
  test(`what it prints is taken for no answer of belay, and gets into no request and no record: ${line}`, () =>
    at(
      'bash',
      '{belay}',
      async (shell, place) => {
        const text = [];
        for (const typed of [line, 'true', 'true', 'rm -f x', 'rm -f y', 'echo "turn=$BELAY_TURN"'])
          text.push((await shell.type(typed)).text);
        const holds = place.asked().filter(({ args }) => args[0] === 'hold');
        assert.equal(
          holds.flatMap((call) => values(call, 'line')).filter((one) => one.startsWith('rm')),
          ['rm -f x', 'rm -f y'],
        );
        assert.equal(
          holds.slice(-2).map((call) => values(call, 'turn')),
          [['4'], ['5']],
        );
        assert.not.ok(holds.some(({ fields }) => fields.some(([key]) => key.includes('dbg'))));
        assert.match(text.join(''), 'turn=6');
        assert.not.match(text.join(''), /error token|too great for base|syntax error/);
        const [, id] =
          /session=([\w-]+)/.exec((await shell.type('\\builtin echo "session=$BELAY_SESSION"')).text) ?? [];
        const journal = readFileSync(join(place.folder, `belay/sessions/${id}.jsonl`), 'utf8');
        for (const one of journal.trim().split('\n')) assert.type(JSON.parse(one).e, 'string');
      },
      { prepare },
    ));

test('set -e: neither news nor a journal that cannot be written ends the shell', () =>
  at(
    'bash',
    '{belay}',
    async (shell, place) => {
      const fine = async (line: string): Promise<string> => {
        const { text, status } = await shell.type(line);
        assert.is(status, 0, `${line}: ${text}`);
        return text;
      };
      const session = (await fine('echo "$BELAY_SESSION"')).trim();
      await fine('set -e');
      assert.match(await fine('echo "belay: news" >"$__belay_folder/notice"'), 'belay: news');
      const journal = join(place.folder, `belay/sessions/${session}.jsonl`);
      assert.ok(existsSync(journal));
      rmSync(journal);
      symlinkSync('/proc/version', journal); // a file that nobody may write, root included
      for (const line of ['true', 'rm -f x', 'export A=1', 'true']) await fine(line);
      assert.is(place.lines().at(-1), 'rm -f x');
    },
    { prepare },
  ));

test.run();
