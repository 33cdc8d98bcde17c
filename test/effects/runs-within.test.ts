import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Line, ShellName } from '../../src/shell/types.ts';
import { tree } from './world.ts';

/** Shell words and programs that only seem to read: each of these lines can lose a.txt. */
const test = suite('commands within arguments');

const place = tree({
  'a.txt': 'one\n',
  f: 'two\n',
  'login.sh': '#!/bin/bash -l\ngone\n',
  'gone.sh': '#!/bin/sh\nrm a.txt\n',
  'by-argv.fish': 'rm $argv[1]\n',
});
for (const name of ['login.sh', 'gone.sh']) chmodSync(join(place.root, name), 0o755);

const loses = (shell: ShellName, lines: readonly string[], more: Partial<Line> = {}): void => {
  for (const line of lines)
    test(`${shell}: ${line}`, () => assert.ok(place.lost(line, { shell, ...more }).includes('a.txt')));
};

loses('bash', [
  "trap 'rm -f a.txt' USR1; kill -USR1 $$; sleep .2; trap - USR1",
  "trap 'rm -f a.txt' USR1; kill -USR1 $$; trap : USR1",
  'jobs -x rm a.txt',
  "printf -v 'q[$(rm a.txt)]' x",
  "compgen -C 'rm a.txt;'",
  "compgen -W '$(rm a.txt)'",
  "read 'q[$(rm a.txt)]' <<< x",
  "let 'q[$(rm a.txt)]=1'",
  "declare 'q[$(rm a.txt)]=1'",
  "declare -i z='q[$(rm a.txt)]'",
  "test -v 'q[$(rm a.txt)]'",
  "[ -v 'q[`rm a.txt`]' ]",
  "[[ -v 'q[$(rm a.txt)]' ]]",
  "[[ 'q[$(rm a.txt)]' -eq 0 ]]",
  "unset 'q[$(rm a.txt)]'",
  "wait -n -p 'q[$(rm a.txt)]'",
  "z='q[$(rm a.txt)]'; (( z ))",
  "PROMPT_COMMAND='rm a.txt'",
  "PROMPT_COMMAND=(: 'rm a.txt')",
  "PROMPT_COMMAND+=';rm a.txt'",
  "export PROMPT_COMMAND='rm a.txt'",
  "printf -v PROMPT_COMMAND 'rm a.txt'",
  "read PROMPT_COMMAND <<< 'rm a.txt'",
  "PS0='$(rm a.txt)'",
  "declare PS1='`rm a.txt`'",
  "PS4='$(rm a.txt)'",
  "LESSOPEN='|rm a.txt'",
  'hash -p /bin/rm ls; ls a.txt',
  'command_not_found_handle() { rm a.txt; }; no-such-program-anywhere',
  "less '+!rm a.txt' f",
  "more '+!rm a.txt' f",
  'less -O a.txt f',
  "man -P 'rm a.txt;' ls",
  "git ls-remote --upload-pack='rm a.txt;git-upload-pack' .",
  "git fetch --upload-pack 'rm a.txt;' .",
  "git push --receive-pack='rm a.txt;' .",
  "git clone -u 'rm a.txt;' . z",
  "GIT_SSH_COMMAND='rm a.txt;' git fetch ssh://h/r",
  "export GIT_SSH_COMMAND='ssh -o ProxyCommand=./gone.sh'; git push ssh://h/r x",
  'GIT_SSH=./gone.sh git clone ssh://h/r',
  "git clone -c core.sshCommand='rm a.txt;' ssh://h/r",
  "git config core.sshCommand 'rm a.txt;'; git fetch",
  'git config set gpg.program ./gone.sh && git commit -S -m x',
  "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=sequence.editor GIT_CONFIG_VALUE_0='rm a.txt;' git rebase -i",
  "GIT_PAGER='rm a.txt;cat' git log",
  "export PAGER='cat > a.txt'; git diff",
  "tar tf x.tar --checkpoint=1 --checkpoint-action=exec='rm a.txt'",
  "tar cMf x.tar -L 10 -F 'rm a.txt' f",
  "zip x.zip f -T -TT 'rm a.txt;'",
  "rsync -e 'rm a.txt;ssh' f host:f",
  "rsync --rsh='rm a.txt;' host:f f",
  "RSYNC_RSH='rm a.txt;ssh' rsync -a f host:",
  'scp -S ./gone.sh f host:f',
  'scp -o ProxyCommand="rm a.txt" f host:f',
  'sftp -oProxyCommand="rm a.txt" host',
]);
loses('bash', [
  'f() { rm "$1"; }; export -f f; bash -c "f a.txt"',
  'f() { rm "$1"; }; declare -fx f; sh -c "f a.txt"',
  'set -a; f() { rm "$1"; }; bash -c "f a.txt"',
  "f() { rm \"$1\"; }; export -f f; find . -name a.txt -exec bash -c 'f {}' ';'",
  'f() { rm "$0"; }; export -f f; echo a.txt | xargs -n1 bash -c \'f "$0"\'',
  "f() { rm a.txt; }; export -f f; bash <<< 'bash -c f'",
]);
// In fish the words of a command have what it assigns.
loses('fish', ['x=a.txt rm $x', 'x=a.txt rm f $x'], { variables: new Map([['x', 'zzz']]) });
const lists = {
  arrays: new Map([
    [
      'x',
      new Map([
        ['1', 'a.txt'],
        ['2', 'zzz'],
      ]),
    ],
  ]),
  variables: new Map([['x', 'a.txt zzz']]),
};
loses(
  'fish',
  ['rm $x[1]', 'rm "$x[1]"', 'rm $x[-2]', 'rm $x[1..2]', 'rm $x', 'rm (for x in f a.txt; echo $x; end)'],
  lists,
);
loses(
  'zsh',
  [
    'rm $x[1]',
    'rm ${x[1]}',
    'rm $x[-2]',
    'rm $x',
    'for x in f a.txt; do rm $x; done',
    'x=f; x=a.txt; rm $x',
    'x+=a.txt; rm $x[3]',
    'read x <<< a.txt; rm $x',
  ],
  lists,
);
test('what nobody has told of a shell\u2019s own arguments may be anything: the project is captured', () => {
  for (const line of ['rm $1', 'shift; rm -f $1', 'rm -f "$@"', 'for x; do rm $x; done', 'rm $argv[1]'])
    assert.ok(
      place.plan(line, { shell: 'zsh', positional: ['zsh'], unknownArguments: true }).captures.length > 0,
      line,
    );
  assert.equal(place.lost('f() { rm $1 }; f a.txt', { shell: 'zsh', unknownArguments: true }), ['a.txt']);
  assert.equal(place.lost('set -- a.txt; rm $1', { shell: 'zsh', unknownArguments: true }), ['a.txt']);
});
loses('fish', [
  'fish -C "rm a.txt" -c true',
  'fish --init-command="rm a.txt" -c true',
  'fish -C "set f a.txt" -c "rm \\$f"',
]);
for (const shell of ['zsh', 'fish'] as const)
  test(`${shell}: the items of a list that the prompt has are counted from 1`, () =>
    assert.equal(place.lost('rm $x[2]', { shell, ...lists }), []));
loses('bash', ['r=a.txt; rm $x', 'rm $r', 'l=A.TXT; rm $l'], {
  variables: new Map([['x', 'a.txt']]),
  references: new Map([['r', 'x']]),
  attributes: new Map([['l', 'l']]),
});
loses('bash', ['bash -c "f a.txt"'], { variables: new Map([['BASH_FUNC_f%%', '() {  rm "$1"\n}']]) });
loses('bash', [
  'ssh-agent rm a.txt',
  'ssh-agent -t 5 bash -c "echo x > a.txt"',
  'gpg-agent --homedir f --daemon -- rm a.txt',
  'capsh --drop=cap_sys_admin -- -c "rm a.txt"',
  'start-stop-daemon --start --exec /bin/rm -- a.txt',
  'start-stop-daemon -S -a /bin/rm -d $PWD -b -- a.txt',
  'chroot --userspec=0:0 --skip-chdir / rm a.txt',
  "LESSOPEN='|rm a.txt;echo %s' less f",
  "EDITOR='rm a.txt;:' crontab -e",
  'dbus-run-session --config-file f -- rm a.txt',
  'unbuffer -p rm a.txt',
  'torsocks -i rm a.txt',
  'fakeroot -s a.txt true',
  'fakeroot -u rm a.txt',
  'chrt -i rm a.txt',
  'numactl -C 0 rm a.txt',
  'cgexec --sticky -g cpu:x rm a.txt',
  'cpulimit -f -l 50 -- rm a.txt',
  'rlwrap -H a.txt true',
  'runcon x rm a.txt',
  'valgrind --log-file=a.txt true',
  'valgrind --tool=callgrind --callgrind-out-file=a.txt true',
  "strace -o '|rm a.txt' true",
  'ltrace -S rm a.txt',
  'perf lock record rm a.txt',
  "gdb -batch -ex '!rm a.txt'",
  'gdb --args rm a.txt',
  'systemd-inhibit --what idle --who me rm a.txt',
  'logsave a.txt true',
  'bwrap --ro-bind / / --bind . . --unshare-all rm a.txt',
  'bwrap --dev-bind / / --chdir . rm a.txt',
  'tsp rm a.txt',
  'dtach -n s rm a.txt',
  "asciinema rec -c 'rm a.txt' f",
  'ttyrec a.txt',
  'nvm exec 20 rm a.txt',
  "newgrp root <<< 'rm a.txt'",
  "ssh -o ProxyCommand='rm a.txt' host",
  'curl --hsts a.txt http://x/',
  'curl --alt-svc a.txt http://x/',
  'emacs --batch a.txt -f delete-blank-lines -f save-buffer',
  'docker run --rm --mount type=bind,src=$PWD,dst=/w img rm /w/a.txt',
  'podman run -v .:/w -w /w img rm a.txt',
  'docker cp c:/x a.txt',
  "curl -w '%output{a.txt}x' http://x/",
]);
for (const line of [
  "GIT_SSH_COMMAND='ssh -i ~/k -o IdentitiesOnly=yes' git fetch",
  "git config core.sshCommand 'ssh -i ~/k'; git fetch",
  'git config core.editor vim; git add a.txt',
])
  test(`a setting that only names ssh or an editor loses nothing: ${line}`, () =>
    assert.not(place.plan(line).destructive));
loses('bash', ['ls a.txt'], { hashed: new Map([['ls', '/bin/rm']]) });
loses('bash', ['no-such-program-anywhere'], {
  functions: new Map([['command_not_found_handle', 'command_not_found_handle () \n{ \n    rm a.txt\n}']]),
});
const home = tree({
  '.bashrc':
    'case $- in *i*) ;; *) return ;; esac\nif true; then tidy() { rm "$1"; }; fi\nalias wipe="rm -f"\nrm -f a.txt\n',
  '.profile': 'gone() { rm a.txt; }\n',
  env: 'tidy() { rm "$1"; }\n',
});
const atHome = (more: Record<string, string> = {}): Partial<Line> => ({
  variables: new Map(Object.entries({ HOME: home.root, PATH: process.env['PATH'] ?? '', PWD: place.root, ...more })),
});
loses('bash', ['bash -ic "tidy a.txt"', 'bash -i -c "wipe a.txt"', 'bash -lic gone'], atHome());
loses('bash', ['bash -lc "gone"', 'bash --login -c gone', 'bash -l <<< gone', 'sh -lc gone', './login.sh'], {
  ...atHome(),
  cwd: place.root,
});
loses(
  'bash',
  [
    'bash --rcfile ~/env -ic "tidy a.txt"',
    'bash --init-file ~/env -i -c "tidy a.txt"',
    'bash --rcfile <(echo "tidy() { rm \\$1; }") -ic "tidy a.txt"',
    'ENV=~/env sh -ic "tidy a.txt"',
    'ENV=~/env bash --posix -ic "tidy a.txt"',
    'BASH_ENV=~/env bash -c "tidy a.txt"',
    'BASH_ENV=~/env bash --norc -c "tidy a.txt"',
  ],
  atHome(),
);
loses('bash', ['bash -c "tidy a.txt"'], atHome({ BELAY_THEIR_BASH_ENV: `${home.root}/env` }));
loses('bash', ['sh -ic "tidy a.txt"'], atHome({ BELAY_THEIR_ENV: `${home.root}/env` }));
loses('bash', ['bash -c "tidy a.txt"'], atHome({ BASH_ENV: `${home.root}/env` }));
const others = tree({
  '.zshenv': 'early() { rm "$1" }\nrm a.txt\n',
  '.zshrc': 'fpath=(~/zf $fpath)\nautoload -Uz tidied\nlate() { rm "$1" }\nalias wipe="rm -f"\n',
  'zf/tidied': 'rm "$@"\n',
  'zf/defined': 'defined() { rm "$@" }\n',
  '.config/fish/functions/wiped.fish': 'function wiped\n  helper $argv\nend\n',
  '.config/fish/functions/helper.fish': 'function helper; rm $argv; end\n',
  '.config/fish/conf.d/x.fish': 'function part; rm $argv; end\nrm a.txt\n',
  '.config/fish/config.fish': "if status is-interactive\n  alias gone 'rm -f'\nend\n",
});
const theirs = { variables: new Map([...(atHome().variables ?? []), ['HOME', others.root]]) };
loses(
  'zsh',
  [
    'zsh -c "early a.txt"',
    'zsh -ic "late a.txt"',
    'zsh -ic "wipe a.txt"',
    'zsh -ic "tidied a.txt"',
    'zsh -fc "fpath=(~/zf); autoload defined; defined a.txt"',
    'fpath=(~/zf $fpath); autoload -Uz tidied; tidied a.txt',
    'autoload -Uz ~/zf/tidied; tidied a.txt',
  ],
  theirs,
);
// A fish tells its variables as lists, too.
loses('fish', ['fish -c "wiped a.txt"', 'env fish -c "part a.txt"', 'sh -c \'fish -c "wiped a.txt"\''], {
  ...theirs,
  arrays: new Map([['HOME', new Map([['1', others.root]])]]),
});
const scripts = {
  'bin/sh1': '#!/bin/sh\nrm "$1"\n',
  'bin/trash': '#!/bin/sh\nrm "$1"\n',
  'bin/py': '#!/usr/bin/env python3\nimport os\nos.remove("a.txt")\n',
  'bin/pl': '#!/usr/bin/perl -w\nunlink "a.txt";\n',
  'bin/nd': '#!/usr/bin/env node\nrequire("fs").unlinkSync("a.txt")\n',
};
const own = tree(scripts);
for (const name of Object.keys(scripts)) chmodSync(join(own.root, name), 0o755);
loses(
  'bash',
  ['sh1 a.txt', 'trash a.txt', 'py', 'timeout 5 pl', 'f() { nd; }; f', 'f() { sh1 "$@"; }; f a.txt', 'w a.txt'],
  {
    ...atHome({ HOME: own.root, PATH: `${own.root}/bin:${process.env['PATH'] ?? ''}` }),
    aliases: new Map([['w', 'sh1']]),
  },
);
loses('fish', ['fish -c "wiped a.txt"', 'fish -c "part a.txt"', 'fish -ic "gone a.txt"'], theirs);
for (const [shell, line] of [
  ['bash', 'bash -lc "ls a.txt"'],
  ['bash', 'zsh -fc "early a.txt"'],
  ['bash', 'fish -N -c "wiped a.txt"'],
  ['zsh', 'zsh -c "ls a.txt"'],
  ['fish', 'fish -c "ls a.txt"'],
] as const)
  test(`start-up files of zsh and fish lose nothing by themselves: ${line}`, () =>
    assert.not(place.plan(line, { shell, ...theirs }).destructive));
// A fish takes what follows its text as $argv from the first word on, the other shells as $0.
const ofItsText = [
  "fish -c 'rm $argv[1]' a.txt",
  "fish -c 'rm $argv' f a.txt",
  "fish -c 'rm -rf $argv[1] $argv[2]' f a.txt",
  "fish -c 'for x in $argv; rm $x; end' a.txt",
  "fish -c 'set x $argv; rm $x' a.txt",
  "fish --command='rm $argv[-1]' f a.txt",
  "fish --comm 'rm $argv[1]' -- a.txt",
  "fish -ic 'rm $argv[1]' a.txt",
  "fish -c'rm a.txt'",
  "fish -c 'set x a.txt' -c 'rm $x'",
  "fish -d x -o f -p f -c 'rm $argv[1]' a.txt",
  "fish -c 'source $argv[1] $argv[2]' by-argv.fish a.txt",
  "env fish -c 'rm $argv[1]' a.txt",
  "sudo -u root fish -c 'rm $argv[1]' a.txt",
  "printf '%s\\n' a.txt | xargs fish -c 'rm $argv[1]'",
  "find . -name a.txt -exec fish -c 'rm $argv[1]' {} ';'",
  "sh -c 'rm $1' x a.txt",
  "bash -c 'rm $0' a.txt",
  "zsh -c 'rm $1' x a.txt",
];
for (const shell of ['fish', 'bash', 'zsh', 'sh'] as const) loses(shell, ofItsText);
loses('bash', ['fish -p a.txt -c true', 'fish -o a.txt -c true', 'fish --profile-startup a.txt -c true']);
test('an operand of another shell that its text does not take is not lost', () => {
  for (const line of ["sh -c 'rm $1' a.txt", "fish -c 'rm $argv[2]' a.txt f"])
    assert.not(place.lost(line).includes('a.txt'));
});
loses('zsh', [
  'alias -g AA=a.txt; eval "rm AA"',
  'alias -s txt="rm -f"; eval ./a.txt',
  'zpty x rm a.txt',
  "alias x='rm a.txt'; eval x",
  `alias -g AA=a.txt; eval 'echo "$(rm AA)"; x=\`rm AA\`'`,
  "alias -g AA=a.txt BB=AA; eval 'rm BB'",
]);
const between = tree({ 'a AA b': '1\n', AA: '2\n' });
for (const line of [`rm "a AA b"`, `rm 'a AA b'`, 'rm a\\ AA\\ b', `rm a" AA "b`, `cat <<E >"a AA b"\nit's AA\nE`])
  test(`zsh puts no global alias in between quotes: ${line}`, () =>
    assert.equal(between.lost(`alias -g AA='| less'; eval '${line.replaceAll("'", "'\\''")}'`, { shell: 'zsh' }), [
      'a AA b',
    ]));
test('zsh puts no global alias in where a name is quoted whole', () =>
  assert.equal(between.lost(`alias -g AA='"a AA b"'; eval 'rm "AA"'`, { shell: 'zsh' }), ['AA']));
for (const line of ['bash -ic "ls a.txt"', 'bash -pic "tidy a.txt"', 'bash --norc -ic "tidy a.txt"'])
  test(`start-up files are not looked at for what else they do, nor where none is read: ${line}`, () =>
    assert.not(place.lost(line, atHome()).includes('a.txt')));
loses('zsh', [
  'rm $(<<<a.txt)',
  'hash ls=/bin/rm; ls a.txt',
  "zstyle -e ':x' y 'rm a.txt'",
  'mapfile[a.txt]=x',
  'sysopen -w -o trunc -u fd a.txt',
  'f(){ rm a.txt; }; f',
  'precmd(){ rm a.txt; }',
  'g() { rm a.txt; }; chpwd_functions+=(g)',
  'command_not_found_handler() { rm a.txt; }; no-such-program-anywhere',
  "more '+!rm a.txt' f",
]);
loses('fish', ["more '+!rm a.txt' f", 'function fish_prompt; rm a.txt; end']);

for (const line of [
  "PS1='\\u:\\w\\$ '",
  'export PATH="$HOME/bin:$PATH"',
  'jobs -l',
  'less +G f',
  'less +/x!y f',
  'man ls',
  "printf -v x '%s' a",
  'read -r x',
  '[ -v X ]',
  'git ls-remote origin',
  'tar tf x.tar',
  'cat f | ts',
  'ssh host rm a.txt',
  'PAGER=cat man ls',
  'EDITOR=vim crontab -l',
  'bwrap --ro-bind / / --tmpfs /tmp rm a.txt',
  'hash -r',
  'f() { rm a.txt; }; bash -c f',
  'f() { rm a.txt; }; export -f f; unset -f f; bash -c f',
])
  test(`nothing is lost by: ${line}`, () => {
    const plan = place.plan(line);
    assert.not(plan.destructive);
    assert.equal(plan.captures, []);
  });

test.run();
