import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { has } from '../pty/programs.ts';
import { Terminal } from '../pty/terminal.ts';
import { within } from './given.ts';
import { type Room, room, root, values } from './recorder.ts';

const test = suite('zsh that is not interactive');

function run(place: Room, argv: readonly string[], env: Record<string, string> = {}, input = '') {
  const [file, ...args] = argv as [string, ...string[]];
  const done = spawnSync(file, args, {
    cwd: join(place.folder, 'work'),
    env: { ...place.env, ZDOTDIR: join(root, 'shims/rc/zsh'), ...env },
    input,
    encoding: 'latin1',
    timeout: 30_000,
  });
  return { out: done.stdout, err: done.stderr, status: done.status };
}

test(
  'zsh -c TEXT is handed over whole before its first redirection',
  within((place) => {
    writeFileSync(join(place.folder, 'work/f'), 'kept');
    writeFileSync(
      join(place.folder, 'snap'),
      `#!/bin/sh\n[ "$1" != hold ] || cat '${place.folder}/work/f' > '${place.folder}/seen'; cat >/dev/null\n`,
    );
    run(place, ['zsh', '-c', '{ echo a } > f']);
    assert.is(readFileSync(join(place.folder, 'seen'), 'utf8'), 'kept');
  }),
);

test(
  'the request says text, arguments and a session of its own; a shell within belongs to it',
  within((place) => {
    run(place, ['zsh', '-c', 'rm -f $1; zsh -c "rm -f y"', 'zero', 'one two']);
    const [outer, inner] = place.asked();
    assert.equal(values(outer, 'line'), ['rm -f $1; zsh -c "rm -f y"']);
    assert.equal(values(outer, 'positional').slice(-1), ['one two']);
    assert.equal(values(outer, 'begins'), ['1']);
    assert.equal(values(inner, 'line'), ['rm -f y']);
    assert.equal(values(inner, 'begins'), ['0']);
    assert.equal(values(inner, 'session'), values(outer, 'session'));
  }),
);

const SAME: readonly (readonly string[])[] = [
  ['zsh', '-c', 'print -r -- "$0|$*|$#|$?|$ZSH_SUBSHELL"', 'zero', 'one'],
  ['zsh', '-c', 'rm -f x; print -r -- "$0|$*|$#"', 'zero', 'one'],
  ['zsh', '-c', 'print -l ${(k)functions}; rm -f x; exit 4'],
  ['zsh', '-euc', 'rm -f x; setopt; print $undefined'],
  ['zsh', '-c', 'rm nothing'],
  ['zsh', '-c', 'trap "print bye" EXIT; rm -f x'],
  ['zsh', '-fc', 'print -r -- f'],
  ['zsh', '-c', 'ls; print -r -- $ZDOTDIR$BELAY_SESSION$BASH_ENV'],
];

test(
  'status, output and functions are those of a zsh without belay',
  within((place) => {
    for (const argv of SAME) {
      const bare = spawnSync('env', ['-u', 'ZDOTDIR', ...argv], {
        cwd: join(place.folder, 'work'),
        env: place.env,
        input: '',
        encoding: 'latin1',
      });
      assert.equal(run(place, argv), { out: bare.stdout, err: bare.stderr, status: bare.status }, argv.join(' '));
    }
  }),
);

test(
  "the user's own .zshenv is read first, from where it was",
  within((place) => {
    writeFileSync(join(place.folder, 'home/.zshenv'), 'mine() { rm -f $1 }\n');
    assert.is(
      run(place, ['zsh', '-c', 'mine x; print $ZDOTDIR'], { BELAY_ZDOTDIR: join(place.folder, 'home') }).status,
      0,
    );
    assert.match(values(place.asked()[0], 'func')[0] ?? '', /^mine=mine \(\)/);
  }),
);

test(
  'belay that fails or says no',
  within((place) => {
    place.answer(9);
    assert.equal(run(place, ['zsh', '-c', 'rm -f x; print on']), { out: 'on\n', err: '', status: 0 });
    place.answer(3);
    assert.is(run(place, ['zsh', '-c', 'rm -f x; print on']).status, 3);
  }),
);

for (const shell of ['zsh', 'fish'].filter(has))
  test(`belay run ${shell} is a shell with belay in it`, async () => {
    const place = room();
    writeFileSync(
      join(place.folder, 'home/.zshrc'),
      "setopt promptsubst; unsetopt promptsp promptcr beep; __n=0; PROMPT='@@$((++__n)):%?@@ '\n",
    );
    spawnSync('mkdir', ['-p', join(place.folder, 'home/.config/fish')]);
    writeFileSync(
      join(place.folder, 'home/.config/fish/config.fish'),
      "set -g __n 0\nfunction fish_prompt; set -l s $status; set -g __n (math $__n + 1); printf '@@%s:%s@@ ' $__n $s; end\n",
    );
    const shellAt = await Terminal.open([join(root, 'bin/belay'), 'run', shell], {
      cwd: join(place.folder, 'work'),
      env: place.env,
    });
    try {
      await shellAt.type('rm -f x');
      const [call] = place.asked();
      assert.equal(values(call, 'line'), ['rm -f x']);
      assert.equal(values(call, 'shell'), [shell]);
    } finally {
      await shellAt.close();
      place.close();
    }
  });

if (has('zsh')) test.run();
