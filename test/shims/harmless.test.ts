import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { judge, shells } from './prefilters.ts';

/** The prefilters may hand over too much, which costs milliseconds; they must never hand over too little. */
const test = suite('the prefilter');

const HARMLESS = [
  'ls',
  'ls -la *.c',
  'cd ..',
  'git status',
  'git log --oneline -n 5 | head -3',
  'echo "a > b; rm x"',
  "printf '%s\\n' a",
];

const HARMLESS_BASH = [
  ...HARMLESS,
  'git -C sub diff -- x | cat',
  "grep -rn 'rm -rf' src 2>/dev/null | sort",
  'x=1; y="a b" ; echo $x ${y} "$x" $? $#',
  'ls >/dev/null 2>&1 &',
  'cat < file <<< "> x" | wc -l',
  'echo a \\> b # > c',
  'command -v rm; type rm; [ -e rm ]; history 5',
  'find . -name "*.log" -type f',
  'belay undo --all',
];

const DESTRUCTIVE = [
  "echo '\\'; rm x; echo '\\'",
  "echo \\'; rm x \\'",
  'rm x',
  'ls; rm x',
  'ls && rm x',
  'ls | rm x',
  'ls & rm x',
  'echo $(rm x)',
  'echo "$(rm x)"',
  'echo `rm x`',
  'echo > x',
  'echo >x',
  'echo a>x',
  'echo >> x',
  'echo 2> x',
  'echo &> x',
  'echo >| x',
  'echo <> x',
  'cat <(rm x)',
  'cat >(rm x)',
  'echo > /dev/nullx',
  'echo > /dev/null/../x',
  'echo >&x',
  'ls | tee x',
  'sort -o x y',
  'sort --output=x y',
  'sort $o',
  'sort *',
  'sort {-o,x} y',
  'git diff --output=x',
  'git branch -D x',
  'git stash drop',
  'git -c alias.x="!rm x" x',
  'find . -delete',
  'find . -exec rm {} +',
  'find . -fprint x',
  'uniq a b',
  'env rm x',
  'command rm x',
  '\\rm x',
  "'rm' x",
  'r""m x',
  '$rm x',
  'eval x',
  'exec rm x',
  'source x',
  '. x',
  './ls',
  '/bin/ls',
  'PATH=/x ls',
  'if true; then rm x; fi',
  '! rm x',
  'time rm x',
  '{ rm x; }',
  '(rm x)',
  'f() { rm x; }',
  'for i in 1; do rm x; done',
  'alias ls=rm; ls x',
  'ls\nrm x',
  'ls \\\n; rm x',
  'cat <<E\n$(rm x)\nE',
  'tree -o x',
  'history -w x',
  'hash -p /bin/rm ls; ls x',
  'belay run rm x; rm y',
  'echo ${x:=$(rm y)}',
  'echo ${x[$(rm y)]}',
  "echo $'\\x60'",
  'ls |& rm x',
  'ls;rm x',
  'x=1 rm y',
  'mycommand',
  'trap "rm x" EXIT',
  "compgen -C 'rm x' foo",
  'less -ox y',
  "less '+!rm x' y",
  'sort --compress-program=rm x',
  'tree -R -L 1 -H .',
  'git grep -nOrm x',
  'git branch -r -d origin/x',
  'git branch -v -D x',
  'git remote -v remove origin',
  'git tag -l -d x',
  'git ls-remote --upload-pack=rm .',
];

/** Quoted subscripts run commands, a group of an expression sets the variable it is named for; names and options may be quoted. */
const DESTRUCTIVE_FISH = [
  'echo "$x[(rm y)]"',
  'echo "$x[$(rm y)]"',
  'echo $x[(rm y)]',
  "string match -r '(?<PATH>.*)' x; ls",
  "string match -r '(?P<PATH>.*)' x; ls",
  'set "PATH" x; ls',
  'set fish_function_path x; ls',
  'set __fish_data_dir x; ls',
  "git log 'a\n--output=x'",
  'git log; git diff --output=x',
  'git log -- "--output=x"',
  'true; sort a; sort -o x y',
  'set x y; set PATH z',
  `${'true; '.repeat(20)}git log --output=x`,
  `git log; ${'true; '.repeat(20)}git log --output=x`,
];

const HARMLESS_FISH = [
  ...HARMLESS,
  'echo "hello $USER (again)" >/dev/null; pwd 2>&1 | cat',
  'git; git >/dev/null; git -C sub --no-pager log -3 | head',
  "string match -r '^a' b && set x y",
  'git stash list; git branch -a; git tag -l; git remote show x; git config --get a.b',
  `${'true; '.repeat(20)}ls`,
];

/** Builtins of bash and zsh expand what stands in a subscript, quoted as it may be. */
const SUBSCRIPTS = [
  "let 'a[$(rm x)]'",
  "test -v 'a[$(rm x)]'",
  "printf -v 'a[$(rm x)]' x",
  '[ -v "a[\\$(rm x)]" ]',
  "read 'a[`rm x`]'",
  "unset 'a[$'\"(\"'rm x)]'",
];

for (const shell of shells) {
  test(`${shell}: everyday lines pass`, () => {
    const lines = { bash: HARMLESS_BASH, zsh: HARMLESS, fish: HARMLESS_FISH }[shell];
    assert.equal(
      lines.filter((_, i) => judge(shell, lines)[i] !== 'H'),
      [],
    );
  });

  test(`${shell}: nothing that may destroy passes`, () => {
    const lines = [...DESTRUCTIVE, ...(shell === 'fish' ? DESTRUCTIVE_FISH : SUBSCRIPTS)];
    const verdicts = judge(shell, lines);
    assert.equal(
      lines.filter((_, i) => verdicts[i] === 'H'),
      [],
    );
  });
}

if (shells.includes('zsh'))
  test('zsh: where output goes at the end of a line', () => {
    const lines = [
      'ls > /dev/null 2>&1',
      "echo 'a > b' 2> /dev/null",
      'ls > /dev/null > x',
      'ls > x 2>&1',
      'ls > x > /dev/null',
      'rm x > /dev/null',
      'ls > /dev/nullx',
      'ls; rm x > /dev/null',
      '$x > /dev/null',
      "print -P '$(rm x)' > /dev/null",
      'git log --oneline src > /dev/null',
      'git log --output=x',
      'git log -Ox',
      'git logx',
      'ls | cat > /dev/null',
      "echo 'a' | tee x > /dev/null",
    ];
    assert.is(judge('zsh', lines).join(''), 'HHDDDDDDDDHDDDHD');
  });

if (shells.includes('zsh'))
  test('zsh: a plain name may be set or asked for, and no quote hides that it is PATH', () => {
    const plain = ['printf -v x a', 'printf -v x %s a | cat', 'print -v x b >/dev/null', '[ -v x ]', 'test -v x; ls'];
    const others = [
      'printf -v "PATH" a; ls',
      'printf -v PATH a',
      "[ -v 'a[b]' ]",
      '[ -v x -a -v "$y" ]',
      'print -v x -P a',
    ].concat(['print a -v b', 'export "PATH=/x"; ls', 'read P"ATH"; ls', "typeset 'path=/x'; ls", 'printf -v x a > f']);
    assert.is(judge('zsh', [...plain, ...others]).join(''), 'HHHHHDDDDDDDDDD');
  });

if (shells.includes('zsh'))
  test('zsh: what begins with # is a comment at some prompts only', () => {
    const verdicts = judge('zsh', ['ls # of this', 'ls # && rm x', "ls # don't", "ls # don't\nrm x", 'echo a#b']);
    assert.is(verdicts.join(''), 'HDHDH');
  });

for (const shell of shells)
  test(`${shell}: a program that comes before the system's in PATH is not the harmless one of its name`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'belay-path-'));
    mkdirSync(join(folder, 'cat'));
    for (const name of ['du', 'git', 'pwd']) writeFileSync(join(folder, name), '#!/bin/sh\n', { mode: 0o755 });
    writeFileSync(join(folder, 'wc'), '');
    const path =
      shell === 'fish'
        ? (paths: string) => `set -x PATH ${paths}`
        : (paths: string) => `PATH=${paths.replace(/ /g, ':')}`;
    const lines = ['du', 'ls | du', 'git status', 'pwd', 'ls', 'cat x', 'wc x'];
    try {
      assert.equal(judge(shell, lines, path(`${folder} $PATH`)).join(''), 'DDDHHHH');
      assert.equal(judge(shell, lines, path(`/usr/bin ${folder} $PATH`)).join(''), 'HHHHHHH');
      assert.equal(judge(shell, lines, `cd ${folder}; ${path('. $PATH')}`).join(''), 'DDDHHHH');
    } finally {
      rmSync(folder, { recursive: true });
    }
    assert.equal(
      judge(shell, shell === 'fish' ? ['set PATH x; ls'] : ['PATH=x; ls', 'export PATH=x; ls'])
        .join('')
        .replace(/D/g, ''),
      '',
    );
  });

for (const shell of shells.filter((one) => one !== 'fish'))
  test(`${shell}: nothing that may destroy passes, whatever IFS is`, () => {
    const before = `IFS='-,1 '`;
    const verdicts = judge(shell, DESTRUCTIVE, before);
    assert.equal(
      DESTRUCTIVE.filter((_, i) => verdicts[i] === 'H'),
      [],
    );
    const quoted = ['find "." -delete', 'sort "x" -o y', 'git branch "-r" -D x', 'git diff "x" --output=y'];
    assert.equal(judge(shell, quoted, before).join(''), 'DDDD');
  });

test('bash: aliases are read, functions are not trusted', () => {
  const before = `alias ll='ls -l' bad='ls; rm x' loop=loop2 loop2=loop sudo='sudo ' la='ll -a'; ls2() { rm x; }; cat() { rm x; }`;
  const verdicts = judge('bash', ['ll', 'la | wc', 'bad', 'loop', 'ls2', 'cat x', 'command -v cat', '\\ll'], before);
  assert.is(verdicts.join(''), 'HHDDDDHD');
});

if (shells.includes('fish'))
  test('fish: aliases are read, and what they name; functions are not trusted', () => {
    const before = `alias ll='ls -l'; alias bad='rm -rf'; alias head='head -n 3'; alias cc=cat; alias gs='git status'
      function cat; rm x; end; function date; rm x; end; set -g name kept; set -g names kept`;
    const lines = [
      'll',
      'll -a | wc; ll',
      'bad',
      'cat x',
      'cc x',
      'head x; gs; gs -s',
      'date',
      'ls | cat',
      'echo "; cat"',
    ];
    assert.is(judge('fish', lines, before).join(''), 'HHDDDHDDH');
  });

test('bash: no prefix, suffix or pairing of harmless lines hides a destructive one', () => {
  const lines = DESTRUCTIVE.flatMap((bad) =>
    HARMLESS_BASH.filter((line) => !/[&#]/.test(line)).flatMap((good) => [`${good}; ${bad}`, `${good} && ${bad}`]),
  );
  const verdicts = judge('bash', lines);
  assert.equal(
    lines.filter((_, i) => verdicts[i] === 'H'),
    [],
  );
});

test.run();
