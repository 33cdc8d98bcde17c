import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { at } from './given.ts';

/** What a person may do to a bash: either belay works all the same, or it says that it does not, and by what. */
const test = suite('a bash that is not as belay found it');

for (const line of [
  'readonly REPLY status text name part line word words rest entry key count program turn now own IFS',
  'set -k',
  'enable -n printf read history fc declare alias hash local return trap set cd export unset',
  'enable -n exit eval ulimit readonly kill shopt bind',
  'builtin() { :; }',
  'builtin() { command builtin "$@"; }',
  'builtin() { echo seen; return 40; }; enable -n printf',
  'command() { :; }; test() { :; }; function [ { :; }; eval() { :; }; return() { :; }; exit() { :; }',
  'readonly PROMPT_COMMAND PS0 HISTCONTROL HISTTIMEFORMAT PATH OLDPWD',
])
  test(`saves as ever: ${line}`, () =>
    at('bash', '{belay}', async (shell, place) => {
      const text = [(await shell.type(line)).text];
      for (const typed of ['true', 'rm -f x', 'echo a > y']) text.push((await shell.type(typed)).text);
      assert.equal(place.lines().slice(-2), ['rm -f x', 'echo a > y'], text.join(''));
      assert.not.match(
        text.slice(1).join(''),
        /belay|readonly variable|not a shell builtin|valid identifier/,
        text.join(''),
      );
    }));

for (const [line, by] of [
  ['readonly BELAY_TURN', 'readonly=BELAY_TURN'],
  ['readonly BELAY_SESSION __belay_turn', 'readonly=__belay_turn readonly=BELAY_SESSION'],
  ['readonly __belay_line', 'readonly=__belay_line'],
  ['readonly __belay_here', 'readonly=__belay_here'],
  ['enable -n enable printf', "builtins are not bash's own"],
  ['unset -f __belay_enter', 'runs unprotected'],
  ['unset -f __belay_record __belay_plain_command; __belay_plain_command() { exit 1; }', 'runs unprotected'],
] as const)
  test(`says that nothing is saved: ${line}`, () =>
    at('bash', '{belay}', async (shell) => {
      const said = (await shell.type(line)).text + (await shell.type('true')).text + (await shell.type('true')).text;
      assert.match(said, by);
      assert.match(said, /belay: (?:nothing is saved in this shell|something in this shell keeps belay)/);
      assert.not.match(said, /\$\{|__belay_said/);
    }));

test.run();
