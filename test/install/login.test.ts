import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import { clear, exists, has, place, succeeds, text } from './place.ts';

const install = suite('install.sh and login shells');
install.after.each(clear);

install('a login bash is protected too: its file gets the line where it does not lead to .bashrc', () => {
  const guarded = /^case \$\{BASH_VERSION:\+\$-\} in \*i\*\) eval "\$\(.* init bash\)" ;; esac$/m;
  for (const [files, changed] of [
    [{}, '.bash_profile'],
    [{ '.profile': 'a=b' }, '.profile'],
    [{ '.profile': '[ -n "$BASH" ] && . ~/.bashrc\n' }, ''],
    [{ '.bash_login': '# . ~/.bashrc\n', '.profile': '. ~/.bashrc\n' }, '.bash_login'],
    [{ '.bash_profile': 'source "$HOME"/.bashrc\n', '.bash_login': 'a=b\n' }, ''],
  ] as [Record<string, string>, string][]) {
    const { home, install } = place();
    for (const [name, content] of Object.entries(files)) fs.writeFileSync(join(home, name), content);
    const said = succeeds(install(['--no-demo'], { SHELL: '/bin/bash' }));
    assert.match(said, /^Protection is on in every bash/m);
    for (const name of ['.bash_profile', '.bash_login', '.profile']) {
      if (name === changed) assert.match(text(join(home, name)), guarded);
      else assert.equal(exists(join(home, name)) ? text(join(home, name)) : undefined, files[name], name);
    }
    const run = spawnSync('bash', ['-lic', 'belay --version; type -t __belay_enter'], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH ?? '', HOME: home, XDG_RUNTIME_DIR: home, TERM: 'dumb' },
    });
    assert.match(run.stdout, /function/, JSON.stringify(files));
    assert.match(
      succeeds(install(['--no-demo'])),
      changed ? /\.(profile|bash_\w+): has the line already/ : /has the line/,
    );
    succeeds(install(['--uninstall']));
    for (const name of ['.bashrc', '.bash_profile', '.bash_login', '.profile'])
      assert.equal(exists(join(home, name)) ? text(join(home, name)) : undefined, files[name], name);
  }
});

install('the line in .profile does nothing in other shells, and in a bash that nobody types at', () => {
  const { home, install } = place();
  fs.writeFileSync(join(home, '.profile'), 'a=b\n');
  succeeds(install(['--no-demo']));
  for (const args of [
    ['sh', '-c', 'set -eu; . ~/.profile; echo fine'],
    ['bash', '-lc', 'set -u; type __belay_enter >/dev/null 2>&1 || echo fine'],
  ]) {
    const run = spawnSync(args[0] ?? '', args.slice(1), {
      encoding: 'utf8',
      env: { PATH: process.env.PATH ?? '', HOME: home, XDG_RUNTIME_DIR: home },
    });
    assert.equal(run.stdout + run.stderr, 'fine\n');
  }
});

install('a .profile that comes after a .bash_profile of ours is read all the same', () => {
  const { home, install } = place();
  succeeds(install(['--no-demo']));
  fs.writeFileSync(join(home, '.profile'), 'later=read\n');
  const run = spawnSync('bash', ['-lc', 'echo "$later"'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', HOME: home },
  });
  assert.equal(run.stdout, 'read\n');
});

if (has('zsh'))
  install('zsh is asked where its files lie', () => {
    const { home, install } = place();
    fs.mkdirSync(join(home, 'z sh'));
    fs.writeFileSync(join(home, '.zshenv'), `ZDOTDIR=~/'z sh'\n`);
    succeeds(install(['--no-demo']));
    assert.match(text(join(home, 'z sh/.zshrc')), /init zsh/);
    assert.ok(!exists(join(home, '.zshrc')));
  });

install.run();
