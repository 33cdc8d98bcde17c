import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { within } from '../shims/given.ts';
import { shells } from '../shims/prefilters.ts';
import { root } from '../shims/recorder.ts';

const test = suite('what is typed unseen');

const UNSEEN = [
  'read -rs HUSH',
  "read -p 'a;b ' -s HUSH",
  'IFS= read -s HUSH',
  'while true; do read -sn1 HUSH; done',
  'stty -echo; read HUSH; stty echo',
  'asks; ls',
];
const SHOWN = ['read -r HUSH', 'while read -r x; do ls -s $x; done', 'spread -s', 'ls -s', 'cat /x/read -s', 'stty -a'];
const OF_FISH = ['read --silent HUSH', 'read -l -gxs HUSH'];

/** Prints what a program that is started behind each of the lines `$@` sees. */
const ASKED = {
  bash: `. "$0"; asks() { read -rs HUSH; }; for line; do (__belay_folder=$PWD; __belay_exports=
    __belay_note_exports "$line" 1 prompt; __belay_look_exports; sh -c 'echo "$__belay_exports"'); done`,
  zsh: `emulate zsh -o extended_glob -c '. $0'; asks() { read -rs HUSH; }; for line; do (__belay_exports=
    __belay_note_exports $line 1 prompt; sh -c 'echo "$__belay_exports"'); done`,
  fish: `source $argv[1]; set -e fish_private_mode; function asks; read -s HUSH; end; for line in $argv[2..]; set -e __belay_exports; set -g __belay_exports
    __belay_note_exports $line 1; sh -c 'echo "$__belay_exports"'; end`,
};

for (const shell of shells) {
  const unseen = shell === 'fish' ? [...UNSEEN.filter((line) => !/do |IFS/.test(line)), ...OF_FISH] : UNSEEN;
  test(
    `${shell}: once it asked for what the terminal does not show, nothing it exports is kept, nor what a shell in it does`,
    within(({ folder, env }) => {
      const own = { bash: '--norc', zsh: '-f', fish: '--no-config' }[shell];
      const file = join(root, `shims/parts/environment.${shell}`);
      const words = [own, '-c', ASKED[shell], file, ...unseen, ...SHOWN];
      const { stdout, stderr } = spawnSync(shell, words, { cwd: folder, env, encoding: 'utf8', timeout: 60_000 });
      assert.is(stdout, 'private\n'.repeat(unseen.length) + '\n'.repeat(SHOWN.length), stderr);
    }),
  );
}

test(
  'bash: a line of 200 KB is looked at at once',
  within(({ folder, env }) => {
    const asked = `. "$0"; __belay_folder=$PWD; read -r line; __belay_note_exports ": $line; rm a" 1 prompt; echo looked`;
    const file = join(root, 'shims/parts/environment.bash');
    const options = { cwd: folder, env, input: `${'x'.repeat(200_000)}\n`, encoding: 'utf8', timeout: 60_000 } as const;
    assert.is(spawnSync('bash', ['--norc', '-c', asked, file], options).stdout, 'looked\n');
  }),
);

test.run();
