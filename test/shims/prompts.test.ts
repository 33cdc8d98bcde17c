import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { at } from './given.ts';
import { shells } from './prefilters.ts';
import { type Room, root, snippet, values } from './recorder.ts';

/** What a prompt promises, whichever shell it is. What only one shell has is in the file of its name. */
const test = suite('a prompt');

interface Words {
  readonly group: string;
  /** Comes behind belay: belay-snap is nowhere. */
  readonly missing: string;
  /** Keeps a line with a leading blank out of the history. */
  readonly hide: string;
  readonly unset: string;
  readonly harmless: readonly string[];
  readonly lines: readonly string[];
}

const POSIX: Words = {
  group: '{ echo a; echo b; } > f',
  missing: '__belay_root=/nowhere BELAY_SNAP=/nowhere/snap',
  hide: 'HISTCONTROL=ignorespace',
  unset: 'unset BELAY_DISABLE',
  harmless: ['x=1'],
  lines: ['true & rm -f d'],
};

/** A job can be stopped only where its shell was started by another one of the terminal. */
const nested = { prepare: ({ under }: Room) => void under.push('sh', '-c', '"$@"; :', 'sh') };

const WORDS: Readonly<Record<(typeof shells)[number], Words>> = {
  bash: POSIX,
  zsh: { ...POSIX, hide: 'HISTSIZE=100; setopt histignorespace' },
  fish: {
    group: 'begin; echo a; echo b; end > f',
    missing: 'set __belay_root /nowhere; set BELAY_SNAP /nowhere/snap',
    hide: '',
    unset: 'set -e BELAY_DISABLE',
    harmless: [],
    lines: ['true; and rm -f d'],
  },
};

/** Loads the belay of the folder $BELAY_HERE. */
const OF_HERE = {
  bash: 'eval "$("$BELAY_HERE/bin/belay" init bash)"',
  zsh: 'eval "$("$BELAY_HERE/bin/belay" init zsh)"',
  fish: '"$BELAY_HERE/bin/belay" init fish | source',
};

for (const shell of shells) {
  const words = WORDS[shell];
  const promise = (title: string, rc: string, body: Parameters<typeof at>[2]): void =>
    test(`${shell}: ${title}`, () => at(shell, rc, body));

  promise('a harmless line starts no process of belay', "alias ll='ls -l'\n{belay}", async (terminal, place) => {
    const lines = ['ls', 'll | head -2', 'echo "a > b"', 'cd .', 'git --version', 'echo $x >/dev/null 2>&1'];
    for (const line of [...lines, ...words.harmless]) assert.is((await terminal.type(line)).status, 0, line);
    assert.equal(place.asked(), []);
  });

  promise(
    'the compiler of the runtime stays off for one plain command, on for trees and the rest',
    '{belay}',
    async (terminal, place) => {
      const brief = ['rm -f my-rf x', 'printf a > f', ': > f', 'sed -i s/a/b/ f'];
      const long = ['rm -fr d', 'mv d e', 'rm -f a; rm -f b', 'git checkout -- .', `rm -f ${'x'.repeat(5000)}`];
      for (const line of [...brief, ...long]) await terminal.type(line);
      assert.equal(place.compiled(), [...brief.map(() => false), ...long.map(() => true)]);
    },
  );

  promise(
    'one that outlived an uninstall is protected again by the line that loads belay',
    '{belay}',
    async (terminal, place) => {
      await terminal.type({ bash: "__belay_here[$$]=''", zsh: "__belay_on=''", fish: "set -g __belay_on ''" }[shell]);
      place.lines();
      await terminal.type('rm -f x');
      assert.equal(place.lines(), []);
      await terminal.type(snippet(shell));
      await terminal.type('rm -f x');
      assert.equal(place.lines(), ['rm -f x']);
    },
  );

  promise('a line that may destroy is handed over before its first redirection', '{belay}', async (terminal, place) => {
    writeFileSync(join(place.folder, 'work/f'), 'kept');
    const look = `[ "$1" != hold ] || cat '${place.folder}/work/f' > "$HOME/seen"`;
    writeFileSync(join(place.folder, 'snap'), `#!/bin/sh\n${look}; cat >/dev/null\n`);
    await terminal.type(words.group);
    assert.is((await terminal.type('cat ~/seen; echo')).text, 'kept\n');
  });

  promise('every command of a line is looked at', '{belay}', async (terminal, place) => {
    const lines = ['true; rm -f a', 'true && rm -f b', 'true | rm -f c', 'cd .\nrm -f e'];
    for (const line of [...lines, ...words.lines]) await terminal.type(line);
    assert.is(place.lines().filter((line) => line.includes('rm')).length, 5);
  });

  test(`${shell}: ^Z and ^C while belay saves: no line runs unsaved, and ^C drops it where the shell can`, () =>
    at(
      shell,
      '{belay}',
      async (terminal, place) => {
        const [made, saved] = [join(place.folder, 'work/made'), join(place.folder, 'saved')];
        const save = `cat >/dev/null; echo holding >&2; sleep 0.3; [ -e '${made}' ] || echo yes >> '${saved}'`;
        writeFileSync(join(place.folder, 'snap'), `#!/bin/sh\n[ "$1" != hold ] || { ${save}; }\n`);
        for (const key of ['\x1a', '\x03']) {
          terminal.send('touch made\r');
          await terminal.shows('holding');
          terminal.send(key);
          await terminal.prompt();
          assert.ok(!existsSync(made) || existsSync(saved));
          if (key === '\x03') assert.is(existsSync(made), shell === 'fish');
          for (const file of [made, saved]) rmSync(file, { force: true });
        }
      },
      nested,
    ));

  promise(
    'in a folder that is gone lines are saved as anywhere, and nothing is said',
    '{belay}',
    async (terminal, place) => {
      // The real one does not even start in such a folder.
      const [program, where] = [join(place.folder, 'snap'), join(place.folder, 'where')];
      writeFileSync(program, `#!/bin/sh\n[ "$1" != hold ] || /bin/pwd >'${where}'\ncat >/dev/null\n`, { mode: 0o755 });
      await terminal.type(`mkdir gone; cd gone; command rmdir $PWD; export BELAY_SNAP=${program}`);
      assert.is((await terminal.type('rm -f /nowhere/x')).text, '');
      assert.is(readFileSync(where, 'latin1'), '/\n');
    },
  );

  promise('turns are counted, and the child sees its own', '{belay}', async (terminal, place) => {
    const first = Number((await terminal.type('echo $BELAY_TURN')).text);
    assert.is(Number((await terminal.type('printenv BELAY_TURN')).text), first + 1);
    await terminal.type('rm -f x');
    assert.equal(values(place.asked()[0], 'turn'), [String(first + 2)]);
  });

  promise(
    'a line kept out of the history is handed over, and said to be hidden',
    `${words.hide}\n{belay}`,
    async (terminal, place) => {
      await terminal.type('rm -f before');
      await terminal.type(' rm -f secret');
      const calls = place.asked();
      assert.equal(
        calls.map((call) => [values(call, 'line')[0]?.trim(), ...values(call, 'hidden')]),
        [['rm -f before'], ['rm -f secret', '1']],
      );
    },
  );

  promise('a missing belay-snap is said, and the line runs', `{belay}\n${words.missing}`, async (terminal, place) => {
    const first = await terminal.type('touch a');
    assert.match(first.text, /^belay: belay-snap failed \(status 127\)[^\n]*\n$/);
    assert.is(first.status, 0);
    assert.is((await terminal.type('touch b')).text, first.text);
    assert.equal(readdirSync(join(place.folder, 'work')), ['a', 'b']);
  });

  promise('that a line was not saved is said of each such line, other news once', '{belay}', async (terminal) => {
    const told = async (news: string): Promise<string> =>
      (await terminal.type(`echo "belay: ${news}" >$__belay_folder/notice`)).text.trim();
    for (const _ of [1, 2])
      assert.is(await told('the last line was not saved (why)'), 'belay: the last line was not saved (why)');
    assert.equal([await told('news'), await told('news')], ['belay: news', '']);
  });

  promise('an uninstalled belay says nothing, and the lines run', '{belay}', async (terminal, place) => {
    mkdirSync(join(place.folder, 'belay'));
    writeFileSync(join(place.folder, 'belay/uninstalled'), '');
    await terminal.type(words.missing);
    for (const name of ['a', 'b']) assert.equal(await terminal.type(`touch ${name}`), { text: '', status: 0 });
    assert.equal(readdirSync(join(place.folder, 'work')), ['a', 'b']);
    assert.equal(readdirSync(join(place.folder, 'belay')), ['uninstalled']);
  });

  test(`${shell}: one that outlived an uninstall comes back by itself once belay is installed again, in a session of its own`, () =>
    at(
      shell,
      OF_HERE[shell],
      async (terminal, place) => {
        const [here, mark] = [join(place.folder, 'belay-here'), join(place.folder, 'belay/uninstalled')];
        const session = async () => (await terminal.type('printenv BELAY_SESSION')).text.trim();
        const before = await session();
        renameSync(here, `${here}-gone`);
        writeFileSync(mark, '');
        for (const line of ['true', 'rm -f x']) assert.equal(await terminal.type(line), { text: '', status: 0 });
        const on = await terminal.type('belay on');
        assert.match(`${on.status}${on.text}`, /^1belay: it is not installed any more/);
        renameSync(`${here}-gone`, here);
        assert.is((await terminal.type('rm -f x')).text, '', 'not before it is set up');
        rmSync(mark);
        place.asked();
        // bash learns of it at the prompt, the others before the line.
        if (shell === 'bash') assert.match((await terminal.type('true')).text, /^belay is installed again/);
        const { text } = await terminal.type('rm -f y');
        if (shell === 'zsh') assert.match(text, /^belay is installed again/); // fish shows it above what counts as the line's text
        assert.equal(place.lines(), ['rm -f y']);
        assert.is.not(await session(), before);
        if (shell !== 'zsh') return;
        // What it has defined anew still sees the person's options.
        await terminal.type('setopt globdots');
        place.asked();
        await terminal.type('rm -f no?*(N)');
        assert.match(values(place.asked()[0], 'options').join(), / dotglob/);
      },
      {
        prepare: ({ folder, env }) => {
          mkdirSync(join(folder, 'belay/sessions'), { recursive: true });
          for (const name of ['shims', 'bin'])
            cpSync(join(root, name), join(folder, 'belay-here', name), { recursive: true });
          env['BELAY_HERE'] = join(folder, 'belay-here');
        },
      },
    ));

  promise(
    'a line that is entered while a newer belay takes its place is saved by that',
    '{belay}',
    async (terminal, place) => {
      const [path, late] = [join(place.folder, 'path'), join(place.folder, 'late')];
      mkdirSync(path);
      // What a shell that finds nothing waits with.
      const arrives = `#!/bin/sh\nmkdir -p ${late}/bin && cp ${place.folder}/snap ${late}/bin/belay-snap\n`;
      writeFileSync(join(path, 'sleep'), arrives, { mode: 0o755 });
      await terminal.type(words.missing.replaceAll('/nowhere', late));
      await terminal.type(`export PATH=${path}:/usr/bin:/bin`);
      place.asked();
      assert.is((await terminal.type('touch a')).text, '');
      assert.equal(place.lines(), ['touch a']);
    },
  );

  promise('belay off is off, also for doctor, until belay on', '{belay}', async (terminal, place) => {
    await terminal.type('belay off');
    await terminal.type(`rm -f x; ${words.unset}`);
    await terminal.type('rm -f x');
    assert.equal(place.asked(), []);
    assert.match((await terminal.type('belay doctor')).text, /switched off .*nothing is saved here[\s\S]*belay on\n/);
    for (const again of ['', ' again']) assert.is((await terminal.type('belay on')).status, 0, `belay on${again}`);
    await terminal.type('rm -f y');
    assert.equal(place.lines(), ['rm -f y']);
  });
}

test('init without a shell, or for one that it has no hook for, says why', () => {
  const init = (...words: string[]) => spawnSync(join(root, 'bin/belay'), ['init', ...words], { encoding: 'utf8' });
  for (const [words, why] of [
    [[], /wants the name of the shell/],
    [['tcsh'], /tcsh has no hook for belay.*belay run -- tcsh/],
    [['--print'], /--print is no shell and no option/],
  ] as const) {
    const said = init(...words);
    assert.equal([said.status, said.stdout], [2, '']);
    assert.match(said.stderr, why);
    assert.match(said.stderr, /\nusage: belay init bash/);
  }
});

test.run();
