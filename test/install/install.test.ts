import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import { clear, exists, has, type Place, place, root, succeeds, text } from './place.ts';

/** A PATH with every program of the real one but those named; `fakes` are put in their place. */
function pathWithout(base: string, gone: readonly string[], fakes: Record<string, string> = {}): string {
  const folder = join(base, 'path');
  fs.mkdirSync(folder);
  for (const from of (process.env.PATH ?? '').split(':').reverse()) {
    if (!exists(from)) continue;
    for (const name of fs.readdirSync(from)) {
      if (gone.includes(name)) continue;
      fs.rmSync(join(folder, name), { force: true });
      fs.symlinkSync(join(from, name), join(folder, name));
    }
  }
  for (const [name, script] of Object.entries(fakes)) {
    fs.rmSync(join(folder, name), { force: true });
    fs.writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  return folder;
}

const install = suite('install.sh');
install.after.each(clear);

install('installs under ~/.local, shows the main job, and says how to turn protection off', () => {
  const { home, install } = place({ compiled: true });
  const lib = join(home, '.local/lib/belay');
  // Of an installation that was killed; its process is gone.
  const killed = join(dirname(lib), `.belay-new-${spawnSync('true').pid}`);
  fs.mkdirSync(join(killed, 'bin'), { recursive: true });
  fs.utimesSync(killed, 0, 0);
  const said = succeeds(install([]));
  for (const name of ['bin/belay', 'bin/belay-snap', 'dist/belay.cjs', 'dist/belay-snap.cjs', 'install.sh'])
    assert.ok(exists(join(lib, name)), name);
  assert.ok(!exists(join(lib, 'node_modules')), 'the bundles need no packages');
  assert.equal(fs.readdirSync(dirname(lib)).length, 1, 'nothing is left aside');
  assert.match(said, /Protection is on/);
  assert.match(said, /belay off/);
  assert.match(said, /belay uninstall +take it out/);
  for (const name of ['belay', 'belay-snap']) {
    const run = spawnSync(join(home, '.local/bin', name), ['--version'], { encoding: 'utf8' });
    assert.equal(run.status, 0, run.stderr);
  }
  assert.match(text(join(home, '.local/share/man/man1/belay.1')), /^\.TH "BELAY" "1"/);
  // Where a C compiler was there, the wrappers are the program, and the scripts lie beside it.
  const wrapper = spawnSync(join(lib, 'shims/bin/rm'), ['nothing'], {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', BELAY_DISABLE: '1' },
  });
  assert.match(wrapper.stderr, /^rm: .*nothing/);
  assert.equal(exists(join(lib, 'shims/script/rm')), exists(join(lib, 'dist/wrapper')));
  if (has('cc') && process.platform === 'linux') assert.ok(exists(join(lib, 'dist/wrapper')));
});

install('the start-up files get one line between markers, however often it is installed', () => {
  const { home, install } = place();
  fs.writeFileSync(join(home, '.bashrc'), 'alias a=b\n');
  succeeds(install(['--no-demo']));
  const once = text(join(home, '.bashrc'));
  const quoted = `'${home.replaceAll("'", `'\\''`)}/.local/bin/belay'`;
  assert.equal(once, `alias a=b\n# >>> belay >>>\neval "$(${quoted} init bash)"\n# <<< belay <<<\n`);
  if (has('zsh')) assert.match(text(join(home, '.zshrc')), /^eval .* init zsh\)"$/m);
  if (has('fish')) assert.match(text(join(home, '.config/fish/config.fish')), /^'.*ho "me\\'s.* init fish \| source$/m);
  const again = succeeds(install(['--no-demo']));
  assert.match(again, /\.bashrc: has the line already/);
  assert.equal(text(join(home, '.bashrc')), once);
});

install('installed over one that is in use, it is never away for as long as a program takes to start', () => {
  const { home, install } = place();
  const installed = join(home, '.local/lib/belay/bin/belay');
  succeeds(install(['--no-demo', '--no-rc']));
  const [path, seen] = [join(home, 'path'), join(home, 'seen')];
  fs.mkdirSync(path);
  // The other programs that install.sh starts look whether belay is there.
  const looks = `#!/bin/sh
if [ -e "$INSTALLED" ]; then echo there; else echo gone; fi >>"$SEEN"
PATH=\${PATH#*:} && exec "\${0##*/}" "$@"
`;
  for (const name of ['mv', 'rm', 'ln', 'mkdir', 'cat', 'node'])
    fs.writeFileSync(join(path, name), looks, { mode: 0o755 });
  fs.appendFileSync(installed, '# the older one\n');
  succeeds(
    install(['--no-demo', '--no-rc'], { PATH: `${path}:${process.env.PATH}`, INSTALLED: installed, SEEN: seen }),
  );
  assert.doesNotMatch(text(installed), /the older one/);
  assert.deepEqual([...new Set(text(seen).trim().split('\n'))], ['there']);
  assert.equal(fs.readdirSync(join(home, '.local/lib')).length, 1, 'nothing is left aside');
});

install('the line calls belay by its name where that leads to it', () => {
  const { home, install } = place();
  const bin = join(home, '.local/bin');
  fs.mkdirSync(bin, { recursive: true });
  succeeds(install(['--no-demo'], { PATH: `${bin}:${process.env.PATH}` }));
  assert.match(text(join(home, '.bashrc')), /^eval "\$\(belay init bash\)"$/m);
});

install('another prefix replaces the line', () => {
  const { home, install } = place();
  succeeds(install(['--no-demo', '--prefix', join(home, 'one')]));
  succeeds(install(['--no-demo', '--prefix', join(home, 'two')]));
  const lines = text(join(home, '.bashrc')).split('\n');
  assert.equal(lines.filter((line) => line.startsWith('eval')).length, 1);
  assert.match(lines.join('\n'), /\/two\/bin\/belay/);
});

install('what bash, zsh and fish read at their start is accepted by them', () => {
  const { home, install } = place();
  succeeds(install(['--no-demo']));
  for (const [shell, args] of [
    ['bash', ['-ic', 'echo ready']],
    ['zsh', ['-ic', 'echo ready']],
    ['fish', ['-ic', 'echo ready']],
  ] as const) {
    if (!has(shell)) continue;
    const run = spawnSync(shell, args, {
      encoding: 'utf8',
      input: '',
      timeout: 60_000,
      env: { PATH: process.env.PATH ?? '', HOME: home, XDG_RUNTIME_DIR: home, TERM: 'dumb' },
    });
    assert.match(run.stdout, /ready/, shell);
    assert.doesNotMatch(run.stderr, /not found|No such file|rror/, shell);
  }
});

install('--uninstall brings the start-up files back byte for byte and keeps what was saved', () => {
  const { home, install } = place();
  const files: Record<string, string> = {
    '.bashrc': '# no end of line at the end',
    '.zshrc': 'windows\r\nlines\r\n\n\n',
  };
  for (const [name, content] of Object.entries(files)) fs.writeFileSync(join(home, name), content, { mode: 0o640 });
  fs.mkdirSync(join(home, '.local/share/belay'), { recursive: true });
  succeeds(install(['--no-demo']));
  const agents = spawnSync(join(home, '.local/bin/belay'), ['agent', 'install', 'claude'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', HOME: home },
  });
  assert.match(agents.stdout, /belay saves before its tools write/);
  const said = succeeds(
    spawnSync('sh', [join(home, '.local/lib/belay/install.sh'), '--uninstall'], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH ?? '', HOME: home },
    }),
  );
  assert.match(said, /stays in .*\.local\/share\/belay/);
  assert.match(said, /Taken out of Claude Code\./);
  assert.ok(!exists(join(home, '.claude')), 'agents are not left with hooks that lead nowhere');
  for (const [name, content] of Object.entries(files)) {
    assert.equal(text(join(home, name)), content);
    assert.equal(fs.statSync(join(home, name)).mode & 0o777, 0o640);
  }
  assert.ok(!exists(join(home, '.config/fish/config.fish')), 'a file that install.sh made goes');
  assert.ok(!exists(join(home, '.local/lib/belay')));
  assert.ok(exists(join(home, '.local/share/belay')));
  for (const name of ['bin', 'share/man'])
    assert.ok(!exists(join(home, '.local', name)), 'folders that install.sh made go when they are empty');
  assert.match(said, /\.bashrc: line taken out/);
  if (has('fish')) assert.match(said, /config\.fish: taken away/);
  assert.doesNotMatch(said, /keep it/);
  const again = succeeds(install(['--uninstall']));
  assert.match(again, /^belay is not installed in .*: nothing was changed\.\n$/);
});

install('what the user wrote after the line stays, and a start-up file that is a link stays one', () => {
  const { home, install } = place();
  fs.mkdirSync(join(home, 'dotfiles'));
  fs.writeFileSync(join(home, 'dotfiles/bashrc'), 'before\n');
  fs.symlinkSync('dotfiles/bashrc', join(home, '.bashrc'));
  succeeds(install(['--no-demo']));
  fs.appendFileSync(join(home, '.bashrc'), 'after\n');
  succeeds(install(['--uninstall']));
  assert.equal(text(join(home, 'dotfiles/bashrc')), 'before\nafter\n');
  assert.ok(fs.lstatSync(join(home, '.bashrc')).isSymbolicLink());
});

install('a block that somebody changed is left alone and named', () => {
  const { home, install } = place();
  const changed = 'a\n# >>> belay >>>\nmine\n';
  fs.writeFileSync(join(home, '.bashrc'), changed);
  assert.match(succeeds(install(['--no-demo'])), /\.bashrc: has a belay block that somebody changed/);
  succeeds(install(['--uninstall']));
  assert.equal(text(join(home, '.bashrc')), changed);
});

install('--no-rc leaves the start-up files alone, --prefix DIR may be relative', () => {
  const { home, checkout, install } = place();
  const said = succeeds(install(['--no-rc', '--no-demo', '--prefix', 'deep er/prefix']));
  assert.deepEqual(fs.readdirSync(home), []);
  // What is built is kept: that belay-snap is not compiled is said all the same.
  assert.match(said, /^build: (?:belay-snap is not compiled|bun is not installed).* To try again: rm -r/m);
  assert.ok(exists(join(dirname(checkout), 'deep er/prefix/lib/belay/dist/belay.cjs')));
});

install('--disabled writes enabled: false, into a configuration that is there already too', () => {
  const fresh = place();
  const config = (at: Place): string => join(at.home, '.config/belay/config.yaml');
  const said = succeeds(fresh.install(['--disabled', '--no-demo']));
  assert.match(said, /Protection is off/);
  assert.equal(text(config(fresh)), 'checkpoints:\n  enabled: false\n');

  const edited: [string, string][] = [
    ['sessions: { record: off }\n', 'sessions: { record: off }\ncheckpoints:\n  enabled: false\n'],
    [
      'checkpoints: # mine\n    # why\n    hold:\n      enabled: true\n    max_files: 7\nsessions:\n  record: all\n',
      'checkpoints: # mine\n    # why\n    hold:\n      enabled: true\n    max_files: 7\n    enabled: false\nsessions:\n  record: all\n',
    ],
    [
      'checkpoints:\n    hold:\n      enabled: true\n    enabled: true\n',
      'checkpoints:\n    hold:\n      enabled: true\n    enabled: false\n',
    ],
  ];
  for (const [before, after] of edited) {
    fs.writeFileSync(config(fresh), before);
    succeeds(fresh.install(['--disabled', '--no-demo', '--no-rc']));
    assert.equal(text(config(fresh)), after);
  }

  fs.writeFileSync(config(fresh), 'checkpoints: { enabled: true }\n');
  const refused = fresh.install(['--disabled', '--no-demo', '--prefix', join(fresh.home, 'other')]);
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /put enabled: false under checkpoints:/);
  assert.ok(!exists(join(fresh.home, 'other')));
});

for (const [what, gone, fakes, line] of [
  ['node', ['node', 'nodejs'], {}, /node is missing.*20/],
  ['npm', ['npm'], {}, /npm is missing/],
  ['git', ['git'], {}, /git is missing/],
  ['a new enough node', [], { node: 'echo 18.19.1' }, /node 18\.19\.1 is too old.*20/],
] as const) {
  install(`without ${what}: one clear line, exit 1, nothing half-done`, () => {
    const { home, checkout, install } = place();
    fs.rmSync(join(checkout, 'dist'), { recursive: true, force: true });
    const result = install([], { PATH: pathWithout(dirname(checkout), gone, fakes) });
    assert.equal(result.status, 1);
    assert.match(result.stderr, line);
    assert.match(result.stderr, /^install\.sh: .*\nNothing was installed\.\n$/);
    assert.equal(result.stdout, '');
    assert.deepEqual(fs.readdirSync(home), []);
    assert.ok(!exists(join(checkout, 'dist')));
  });
}

install('packages are fetched when they are older than the lock file; when that fails nothing is installed', () => {
  const { home, checkout, install } = place();
  const packages = join(checkout, 'node_modules');
  fs.rmSync(packages);
  const npm = `echo 'added 1 package'; [ ! -e "$HOME/../offline" ] || exit 1; echo "$@" >"$HOME/../asked"; ln -s '${root}/node_modules' node_modules`;
  const env = { PATH: pathWithout(dirname(checkout), [], { npm }) };
  const offline = join(dirname(checkout), 'offline');
  fs.writeFileSync(offline, '');
  const failed = install(['--no-demo'], env);
  assert.equal(failed.status, 1);
  assert.match(failed.stderr, /npm ci failed.*\nNothing was installed/);
  assert.deepEqual(fs.readdirSync(home), []);
  fs.rmSync(offline);
  assert.match(failed.stderr, /added 1 package/, 'what npm said is shown when it failed');
  assert.doesNotMatch(succeeds(install(['--no-demo'], env)), /added 1 package/, 'and only then');
  assert.match(text(join(dirname(checkout), 'asked')), /^ci /);
});

install('a belay of somebody else in the prefix is not overwritten', () => {
  const { home, install } = place();
  fs.mkdirSync(join(home, '.local/bin'), { recursive: true });
  fs.writeFileSync(join(home, '.local/bin/belay'), 'theirs');
  const result = install(['--no-demo']);
  assert.equal(result.status, 1);
  assert.match(result.stderr, /is something else already/);
  succeeds(install(['--uninstall']));
  assert.equal(text(join(home, '.local/bin/belay')), 'theirs');
  assert.deepEqual(fs.readdirSync(home), ['.local']);
});

install('a wrong option: exit 2 and the usage', () => {
  const { install } = place();
  const result = install(['--frobnicate']);
  assert.equal(result.status, 2);
  assert.match(result.stderr, /unknown option --frobnicate\nusage:/);
  assert.equal(install(['--prefix']).status, 2);
});

install.run();
